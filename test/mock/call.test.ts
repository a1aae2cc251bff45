// `call` of the vitest helper: what it sends, returns and refuses.
import { expect } from 'vitest'
import { test } from 'workspace-api-mock/vitest'

const json = (mock: { requests(): readonly { readonly requestBody: unknown }[] }) =>
  mock.requests().map(({ requestBody }) => requestBody)

test('call rejects with a TypeError when a fault breaks the connection', async ({ mock, call }) => {
  mock.fault({ operation: 'getIdentity', network: true })
  await expect(call('getIdentity')).rejects.toThrow(TypeError)
  expect((await call('getIdentity')).status).toBe(200)
})

test('call gives an error from status 400 on, and the body in any case', async ({ mock, call }) => {
  const good = await call('getIdentity')
  expect([good.status, good.error]).toEqual([200, undefined])
  const bad = await call('getTask', { params: { taskId: 'none' } })
  expect([bad.status, bad.error]).toEqual([404, bad.body])
  mock.fault({ operation: 'getIdentity', status: 401 })
  expect((await call('getIdentity')).error).toHaveProperty('error')
})

test('call takes the first key, one by its name, a key itself, or none', async ({ mock, call }) => {
  await call('getIdentity')
  await call('getIdentity', { as: 'scoped' })
  await call('getIdentity', { as: mock.keys.scoped })
  await call('getIdentity', { as: null })
  await call('getIdentity', { as: 'no such key' })
  const [first] = Object.keys(mock.keys)
  expect(mock.requests().map(({ key, status }) => [key, status])).toEqual([
    [first, 200],
    ['scoped', 200],
    ['scoped', 200],
    [null, 401],
    [null, 401],
  ])
})

test('call encodes path parameters and queries, and leaves out what is undefined', async ({ mock, call }) => {
  const params = { tableId: 'tbl_orders', rowId: 'row/1?#%', key: 'dt/a b/ü' }
  await call('deleteRowAttachment', { params })
  await call('listRows', {
    params: { tableId: 'tbl_orders' },
    query: { limit: 2, Customer: undefined, sort: 'a&b' },
  })
  expect(mock.requests().map(({ path, query }) => [path, query])).toEqual([
    ['/datatables/tbl_orders/rows/row%2F1%3F%23%25/attachments/dt%2Fa%20b%2F%C3%BC', {}],
    ['/datatables/tbl_orders/rows', { limit: '2', sort: 'a&b' }],
  ])
})

test('call sends null as a body, and files with their body as the part data', async ({ mock, call }) => {
  await call('PATCH /tasks/none', { body: null })
  await call('PATCH /tasks/none')
  expect(json(mock)).toEqual([{ json: null }, null])
  const listId = mock.db.lists.findFirst()?.id ?? ''
  const files = [new File(['a'], 'a "b".txt', { type: 'text/plain' }), new File(['b'], 'b.txt')]
  const created = await call('createTask', { params: { listId }, body: { title: 'With files' }, files })
  expect(created.status).toBe(201)
  const { attachments } = (await call('listTaskAttachments', { params: { taskId: created.body.id } })).body
  expect(attachments.map(({ filename }) => filename)).toEqual(['a "b".txt', 'b.txt'])
})

test('call gives bytes of a file as they are', async ({ mock, call }) => {
  const { id, task_id: taskId } = mock.db.attachments.findFirst()!
  const { body } = await call('downloadTaskAttachment', { params: { taskId, attachmentId: id } })
  expect(body).toBeInstanceOf(Uint8Array)
  expect(body.length).toBeGreaterThan(0)
})

const refused: readonly [what: string, operation: string, options: object, message: string | RegExp][] = [
  ['an unknown option', 'getIdentity', { quer: {} }, /options.*quer/],
  ['a parameter that is missing', 'getTask', {}, 'call: getTask needs params.taskId'],
  ['a parameter of another operation', 'getTask', { params: { listId: 'x' } }, /params of getTask.*listId/],
  ['an operation that does not exist', 'getTaks', {}, /"getTaks".*getTask/],
  ['a line without a method', '/tasks', {}, /an operation id or a method and path/],
  ['a property of every object', 'constructor', {}, /an operation id or a method and path/],
]

test.for(refused)('call refuses %s', async ([, operation, options, message], { mock, call }) => {
  await expect(call(operation as 'GET /me', options)).rejects.toThrow(message)
  expect(mock.requests()).toEqual([])
})
