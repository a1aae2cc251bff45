import { expect } from 'vitest'
import { test } from 'workspace-api-mock/vitest'

const exploration = 600_000

test('toHaveNoFindings fails with the text of the result', async ({ mock, task }) => {
  expect(task.timeout).toBe(exploration)
  const scenario = async ({
    fetch,
    baseUrl,
    key,
  }: {
    fetch: typeof globalThis.fetch
    baseUrl: string
    key: string
  }) => {
    const response = await fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${key}` } })
    if (!response.ok) throw new Error('gave up')
  }
  const result = await mock.explore(scenario, { families: ['errors'] })
  expect(result).not.toHaveNoFindings()
  expect(() => expect(result).toHaveNoFindings()).toThrow(/request +429 +500[\s\S]*mock\.fault\(/)
  expect(() => expect({}).toHaveNoFindings()).toThrow(/the result of mock.explore/)
})

test('a test that names its own limit keeps it', { timeout: 30_000 }, ({ mock, task }) => {
  expect(mock.explore).toBeTypeOf('function')
  expect(task.timeout).toBe(30_000)
})

test('a test that does not explore has the limit of the configuration', ({ task }) => {
  expect(task.timeout).not.toBe(exploration)
})
