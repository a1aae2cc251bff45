// A process's calls are handled in order of arrival, whatever their bodies and faults.
import { beforeEach, expect, it } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from '../../src/index.ts'

const headers = { authorization: 'Bearer wm_demo_master', 'content-type': 'application/json' }

let mock: WorkspaceMock
beforeEach(() => {
  mock = createWorkspaceMock()
})

const create = (name: string) =>
  mock.fetch('/spaces', { method: 'POST', headers, body: JSON.stringify({ name }) })
const list = () => mock.fetch('/spaces', { headers })
const handled = () => mock.requests().map(({ operation }) => operation)

const circumstances: readonly (readonly [string, () => void])[] = [
  ['nothing is set', () => undefined],
  ['a fault waits for another operation', () => mock.fault({ operation: 'getIdentity' })],
  ['a fault delays neither', () => mock.fault({ operation: 'createSpace', status: 200 })],
  [
    'the effect of a fault of the first of them has to be loaded',
    () => mock.fault({ operation: 'createSpace', effect: { rewrite: 'unknown field' } }),
  ],
  [
    'an act of another user follows the first of them',
    () =>
      mock.fault({
        operation: 'createSpace',
        effect: { act: { method: 'POST', path: '/spaces', body: { name: 'Theirs' } } },
      }),
  ],
]

it.each(circumstances)('a read sees the write sent before it in the same turn when %s', async (_, set) => {
  set()
  const [, listed] = await Promise.all([create('First'), list()])
  const { spaces } = (await listed.json()) as { spaces: { name: string }[] }
  expect(spaces.map(({ name }) => name)).toContain('First')
  expect(handled()).toEqual(['createSpace', 'listSpaces'])
})

it('an act of another user is seen by the request sent behind the one that it follows', async () => {
  circumstances.at(-1)?.[1]()
  const [, listed] = await Promise.all([create('First'), list()])
  const { spaces } = (await listed.json()) as { spaces: { name: string }[] }
  expect(spaces.map(({ name }) => name).slice(-2)).toEqual(['First', 'Theirs'])
})

it('a request that a fault delays lets those behind it pass', async () => {
  mock.fault({ operation: 'createSpace', status: 200, delayMs: 10 })
  await Promise.all([create('Late'), list()])
  expect(handled()).toEqual(['listSpaces', 'createSpace'])
})

it('a fault meets the first of two requests of one turn, although its body is read later', async () => {
  mock.fault({ status: 503 })
  const [first, second] = await Promise.all([create('First'), list()])
  expect([first.status, second.status]).toEqual([503, 200])
})

it('an effect that was met before a reset changes nothing after it', async () => {
  const before = mock.state()
  circumstances.at(-1)?.[1]()
  const response = create('First')
  mock.reset()
  expect((await response).status).toBe(200)
  expect(mock.state()).toEqual(before)
})

it('a request refused for the name of its sandbox makes no sandbox and reads no body', async () => {
  const response = await mock.fetch('/spaces', {
    method: 'POST',
    headers: { ...headers, 'x-mock-sandbox': 'not a name' },
    body: '{"name":"x"}',
  })
  expect(response.status).toBe(400)
  expect(mock.sandboxes()).toEqual([])
})
