// got retries a request after a broken connection, as it does with a real server.
import got from 'got'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'

const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)
beforeAll(() => server.listen(mock.listenOptions))
beforeEach(() => mock.reset())
afterAll(() => server.close())

const client = got.extend({
  headers: { authorization: `Bearer ${mock.keys.master}` },
  retry: { limit: 2, calculateDelay: ({ computedValue }) => Math.min(computedValue, 1) },
})

test('a request is retried after a broken connection', async () => {
  mock.fault({ network: true, times: 2 })
  const answer = await client(`${mock.baseUrl}/me`)
  expect(answer.statusCode).toBe(200)
  expect(mock.requests().map(({ status }) => status)).toEqual([0, 0, 200])
})

test('a connection that stays broken fails with its error code', async () => {
  mock.fault({ network: true, times: null })
  await expect(client(`${mock.baseUrl}/me`)).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('a request that no handler matches is not sent', async () => {
  await expect(client('https://elsewhere.test/')).rejects.toThrow()
  expect(mock.requests()).toEqual([])
})
