// Tests that must pass: every way of writing a test, each with its own mock.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { http, HttpResponse } from 'msw'
import { describe, expect, test as plain } from 'vitest'
import { test } from 'workspace-api-mock/vitest'

const createSpace = (baseUrl: string, key: string | undefined, name: string) =>
  fetch(`${baseUrl}/spaces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })

const nameOfSpaces = (body: { readonly spaces: readonly { readonly name: string }[] }) =>
  body.spaces.map(({ name }) => name)

for (const round of [1, 2])
  test(`what one test writes the next does not see, round ${round}`, async ({ mock, call }) => {
    const before = await call('listSpaces')
    expect((await createSpace(mock.baseUrl, mock.keys.master, 'Ops')).status).toBe(200)
    const after = await call('listSpaces')
    expect(after.body.spaces).toHaveLength(before.body.spaces.length + 1)
    expect(nameOfSpaces(before.body)).not.toContain('Ops')
    expect(mock).toHaveRequested('createSpace', { status: 200, times: 1, body: { name: 'Ops' } })
    expect(mock).not.toHaveRequested('createSpace', { body: { name: 'Finance' } })
    expect(mock).not.toHaveRequested('listSpaces', { times: 1 })
    expect(mock).toHaveCleanReport()
  })

describe.concurrent('at the same time', () => {
  test.for(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])(
    'test %s sees its own spaces',
    async (name, { mock, expect }) => {
      for (let index = 0; index < 10; index += 1) {
        const response = await createSpace(mock.baseUrl, mock.keys.master, `${name}${index}`)
        expect(response.status).toBe(200)
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 3))
      }
      const names = mock
        .requests({ operation: 'createSpace' })
        .map(({ requestBody }) => JSON.stringify(requestBody))
      expect(names).toHaveLength(10)
      expect(names.filter((text) => !text.includes(`"${name}`))).toEqual([])
    },
  )
})

/** Resolves once two tests have reached the same point. */
function meetingPoint(): () => Promise<void> {
  let arrived = 0
  let open: () => void
  const isOpen = new Promise<void>((resolve) => (open = resolve))
  return () => {
    if ((arrived += 1) === 2) open()
    return isOpen
  }
}

/** Runs a function as a queue or a timer created before the tests would; it belongs to no run. */
const outside = AsyncLocalStorage.snapshot()
const [beforeRequest, afterRequest] = [meetingPoint(), meetingPoint()]
describe.concurrent('a request from outside while two tests run', () => {
  test.for(['one', 'other'])('reaches the mock of neither: the %s', async (_, { mock, expect }) => {
    await beforeRequest()
    await expect(outside(() => fetch(`${mock.baseUrl}/me`))).rejects.toThrow(TypeError)
    await afterRequest()
    expect(mock.requests()).toEqual([])
  })
})

test.concurrent('the only reference to the mock is the address', async ({ expect }) => {
  const response = await fetch('https://api.workspace.test/v1/me')
  expect(response.status).toBe(401)
})

describe('options', () => {
  plain('refuses misspelled ones', () => {
    expect(() => test.extend({ mockOption: 1 })).toThrow('did you mean mockOptions?')
    expect(() => test.extend({ mine: 1 }).extend({ passtrough: 1 })).toThrow('did you mean passthrough?')
    expect(() => test.extend('mockOption', 1)).toThrow('did you mean mockOptions?')
    expect(() => test.extend('mine', 1)).not.toThrow()
    expect(() => test.override({ mockOption: {} } as object)).toThrow(
      'the nearest to mockOption is mockOptions',
    )
  })

  const withOwn = test.extend<{ readonly mine: number }>({ mine: 1 })
  describe('fixtures of one’s own', () => {
    withOwn.override({ mine: 2 })
    withOwn('are overridden', ({ mine }) => expect(mine).toBe(2))
  })

  const free = test.extend({ mockOptions: { fixture: 'empty', plan: 'free' } as const })
  free('are set by extend', async ({ call }) => {
    const { body } = await call('getIdentity')
    expect(body.workspace.plan).toBe('free')
  })

  const withOwnServer = test.extend({ passthrough: ['http://127.0.0.1:*'] })
  withOwnServer('origins that are named are reached', async () => {
    const server = createServer((_, response) => response.end('own')).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('own')
    server.close()
  })
  const withAnyHost = test.extend({ passthrough: ['http://*HOST:*'] })
  withAnyHost('hosts are named in part, and in any case', async () => {
    const error: unknown = await fetch('http://localhost:1/').catch((reason: unknown) => reason)
    expect(error).not.toMatchObject({ cause: { code: 'ERR_UNHANDLED_REQUEST' } })
  })
  withOwnServer('the default port is one of any', async () => {
    const error: unknown = await fetch('http://127.0.0.1/').catch((reason: unknown) => reason)
    expect(error).not.toMatchObject({ cause: { code: 'ERR_UNHANDLED_REQUEST' } })
  })

  const withOther = test.extend({
    otherHandlers: [
      http.get('https://other.test/ping', () => HttpResponse.text('pong')),
      http.get('https://api.workspace.test/v1/spaces', () => HttpResponse.text('ours')),
    ],
  })
  withOther('other services answer too, and ahead of the mock', async ({ mock }) => {
    expect(await (await fetch('https://other.test/ping')).text()).toBe('pong')
    expect(await (await fetch(`${mock.baseUrl}/spaces`)).text()).toBe('ours')
    expect((await fetch(`${mock.baseUrl}/me`)).status).toBe(401)
  })
})

test('call sends keys, queries, files and plain requests', async ({ call, mock }) => {
  expect((await call('getIdentity', { as: null })).error).toMatchObject({ error: expect.any(String) })
  expect((await call('getIdentity', { as: 'suspended' })).status).toBe(402)
  expect((await call('getIdentity', { headers: { authorization: 'Bearer none' } })).status).toBe(401)
  const tables = await call('listDatatables')
  const tableId = tables.body.datatables.find(({ row_count }) => row_count > 500)?.id ?? ''
  const rows = await call('listRows', { params: { tableId }, query: { limit: 2 } })
  expect(rows.body.rows).toHaveLength(2)
  expect((await call(`GET /datatables/${tableId}/rows`, { query: { limit: 3 } })).body).toMatchObject({
    pageSize: 3,
  })
  const [{ id: listId } = { id: '' }] = mock.db.lists.all()
  const created = await call('createTask', {
    params: { listId },
    body: { title: 'With a file' },
    files: [new File(['hello'], 'hello.txt')],
  })
  expect(created.status).toBe(201)
  expect(mock).toHaveRequested('createTask')
  const files: [File] = [new File(['hello'], 'hello.txt')]
  await call('uploadTaskAttachment', { params: { taskId: created.body.id }, files })
  expect(mock.report().filter(({ rule }) => rule === 'unknown-field')).toEqual([])
})

plain('tests of vitest itself go on as ever', () => {
  expect(1 + 1).toBe(2)
})

let attempts = 0
test('a retry starts afresh', { retry: 2 }, async ({ call, mock }) => {
  attempts += 1
  await call('createSpace', { body: { name: 'Ops' } })
  expect(mock.requests()).toHaveLength(1)
  expect(attempts).toBe(2)
})
