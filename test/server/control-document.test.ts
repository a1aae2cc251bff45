// The document of the control API is valid, has every control, and is true: every response fits its schema.
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve, type RunningServer } from '../../src/node.ts'
import { allRoutes } from '../../src/adapters/server/control-routes.ts'
import { schemaFaults, parserFaults } from '../openapi/support/validity.ts'

const mock = createWorkspaceMock()
const key = { authorization: `Bearer ${mock.keys.master}` }
let server: RunningServer
let document: any

beforeAll(async () => {
  server = await serve(mock)
  document = await (await fetch(`${server.url}/__mock/control.openapi.json`)).json()
})
afterAll(() => server.close())

/** A call of each control, with values for its path, query and body. */
type Sent = Readonly<{
  path?: Record<string, string>
  query?: string
  body?: unknown
  before?: () => unknown
}>

const send = (method: string, path: string, json?: unknown) =>
  mock.fetch(path, {
    method,
    headers: { ...key, 'content-type': 'application/json' },
    body: json === undefined ? null : JSON.stringify(json),
  })
const traffic = async () => {
  mock.fault({ operation: 'listSpaces', status: 503 })
  mock.fault({ times: null, effect: { rewrite: 'unknown field' } })
  for (const path of ['/me', '/spaces', '/nowhere', '/lists/lst_launch/tasks?limit=900'])
    await send('GET', path)
  await send('POST', '/lists/lst_launch/tasks', { title: 'Taste' })
  await send('POST', '/datatables/tbl_orders/rows/bulk', { rows: [{}, null] })
}
const save = () => mock.snapshots.save('one')
const rows = [{ col_sample: 'A' }, { col_sample: 'B' }]
const startJob = () => send('POST', '/datatables/tbl_cuppings/jobs/insert', { rows })
const sandbox = { before: () => mock.sandbox('one') }

const calls: Readonly<Record<string, Sent>> = {
  health: {},
  reset: {},
  sandboxes: sandbox,
  sandboxSummaries: sandbox,
  deleteSandbox: { ...sandbox, path: { name: 'one' } },
  'clock.read': {},
  'clock.change': { body: { mode: 'manual' } },
  'clock.advance': { body: { by: '1s' } },
  faults: { before: traffic },
  usedFaults: { before: traffic },
  fault: {
    body: {
      operation: 'createTask',
      status: 429,
      times: 2,
      skip: 1,
      phase: 'before',
      delayMs: 1.5,
      delayOn: 'timers',
      resource: 'requestsPerMonth',
      retryAfter: 3,
      match: { params: { listId: 'lst_launch' } },
    },
  },
  resetFaults: {},
  removeFault: { before: () => mock.fault({}), path: { id: 'fault_1' } },
  requests: { before: traffic },
  requestSummaries: { before: traffic },
  request: { before: traffic, path: { id: '5' } },
  reason: { before: traffic, path: { id: '2' } },
  clearRequests: {},
  copyAs: { before: traffic, query: 'as=curl&ids=1,2' },
  har: { before: traffic },
  coverage: {},
  report: { before: traffic, query: 'assumptions=true' },
  explain: { before: traffic },
  questions: {},
  answers: {},
  setAnswers: { body: { rowShape: 'flat' } },
  state: {},
  loadState: { body: () => mock.state() },
  seed: { body: { tasks: [{ title: 'Seeded', list_id: 'lst_launch' }] } },
  snapshot: {},
  restore: { body: () => mock.snapshot() },
  'snapshots.names': { before: save },
  'snapshots.list': { before: () => (save(), traffic()) },
  'snapshots.read': { before: save, path: { name: 'one' } },
  'snapshots.add': { path: { name: 'two' }, body: () => mock.snapshot() },
  'snapshots.save': { path: { name: 'one' } },
  'snapshots.delete': { before: save, path: { name: 'one' } },
  'snapshots.restore': { before: save, path: { name: 'one' } },
  changeWorkspace: { body: { plan: 'business' } },
  suspendKey: { path: { key: 'scoped' }, body: { suspended: true } },
  lockTable: { path: { id: 'tbl_orders' }, body: { locked: true } },
  failJob: { before: startJob, path: { id: () => mock.db.jobs.all().at(-1)!.id } as never },
  restoreTask: { before: () => send('DELETE', '/tasks/tsk_label'), path: { id: 'tsk_label' } },
  publishForm: { path: { id: 'frm_samples' }, body: { is_published: 1 } },
  submitForm: {
    path: { id: 'frm_samples' },
    body: { data: { col_cafe: 'Lab', col_email: 'a@lab.test', col_set: 'Espresso set', col_cups: 2 } },
  },
  addCsv: { path: { id: 'tbl_samples' }, body: { file: 'a.csv', text: 'Cups a day\n3\n' } },
  'db.create': { path: { collection: 'tasks' }, body: { values: { title: 'A', list_id: 'lst_launch' } } },
  'db.change': { path: { collection: 'tasks', id: 'tsk_label' }, body: { values: { title: 'A' } } },
  'db.remove': { path: { collection: 'tasks', id: 'tsk_label' } },
  'console.search': { before: traffic, query: 'text=me' },
  'console.journals': { before: traffic },
  'console.whole': { before: traffic, path: { id: '5' } },
  'console.rules': {},
  'console.contents': { before: async () => (mock.sandbox('one'), traffic()) },
  'inspect.overview': { before: startJob },
  'inspect.rows': { path: { id: 'tbl_orders' } },
  'inspect.row': { path: { id: 'tbl_orders', row: 'row_order_1' } },
  'inspect.task': { path: { id: 'tsk_launch_guji' } },
  'inspect.tasks': { path: { id: 'lst_launch' } },
  'inspect.submissions': { path: { id: 'frm_samples' } },
  openApi: {},
  document: {},
}

/** A copy of a schema whose objects allow no undeclared fields. */
function closeObjects(schema: any): any {
  if (Array.isArray(schema)) return schema.map(closeObjects)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.entries(schema).map(([key, value]) => [
    key,
    key === 'properties'
      ? Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, closeObjects(each)]))
      : key === 'enum' || key === 'const'
        ? value
        : closeObjects(value),
  ])
  const isClosed = schema.properties !== undefined && schema.additionalProperties === undefined
  return { ...Object.fromEntries(parts), ...(isClosed && { additionalProperties: false }) }
}

/** Controls that return a fixture, a snapshot or a document, which are described elsewhere. */
const openOnes = new Set(['snapshot', 'restore', 'snapshots.add', 'snapshots.read', 'openApi', 'document'])

const resolve = (value: unknown): any => (typeof value === 'function' ? value() : value)

it('is valid, and has every route of the control API', async () => {
  expect(await schemaFaults(document)).toEqual([])
  expect(await parserFaults(document)).toEqual([])
  const inDocument = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(inDocument.sort()).toEqual([...new Set(allRoutes.map(({ route }) => route))].sort())
  expect(document.servers).toEqual([{ url: `${server.url}/__mock` }])
})

it('describes what every control answers', async () => {
  const names = allRoutes
    .map((route) => route.names.join('.'))
    .filter((name) => !['events', 'run', 'stop'].includes(name))
  expect(Object.keys(calls).sort()).toEqual(names.sort())
  for (const route of allRoutes) {
    const name = route.names.join('.')
    const call = calls[name]
    if (!call) continue
    mock.reset()
    mock.deleteSandbox('one')
    await call.before?.()
    const [method = '', template = ''] = route.route.split(' ')
    const path = template.replaceAll(/\{(\w+)\}/g, (_, part: string) => resolve(call.path?.[part]))
    const flag = route.flag === undefined ? '' : `${route.flag}=true`
    const body = resolve(call.body)
    const response = await fetch(
      `${server.url}/__mock${path}?${[flag, call.query].filter(Boolean).join('&')}`,
      {
        method,
        headers: key,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    )
    const text = await response.text()
    expect([name, response.status, response.status === 200 ? '' : text]).toEqual([name, 200, ''])
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
    const { schema } = document.paths[template][method.toLowerCase()].responses[200].content[type]
    const own = schema.anyOf && route.flag !== undefined ? schema.anyOf.at(-1) : (schema.anyOf?.[0] ?? schema)
    const value = type === 'text/plain' ? text : JSON.parse(text)
    const check = z.fromJSONSchema(openOnes.has(name) ? own : closeObjects(own))
    expect
      .soft([
        name,
        check
          .safeParse(value)
          .error?.issues.slice(0, 3)
          .map(({ path, message }) => `${path.join('.')}: ${message}`),
      ])
      .toEqual([name, undefined])
    const { requestBody } = document.paths[template][method.toLowerCase()]
    const taken = requestBody?.content['application/json'].schema
    if (body !== undefined)
      expect([
        name,
        z.fromJSONSchema(openOnes.has(name) ? taken : closeObjects(taken)).safeParse(body).error,
      ]).toEqual([name, undefined])
  }
})

it('names the type of every field that a control takes', () => {
  const untyped = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.values<any>(methods).flatMap(({ parameters, requestBody }) => {
      const inQuery = parameters
        .filter(({ schema }: any) => schema)
        .map(({ name, schema }: any) => [name, schema])
      const { properties = {} } = requestBody?.content['application/json'].schema ?? {}
      const fields: [string, object][] = [...inQuery, ...Object.entries<any>(properties)]
      return fields.flatMap(([name, schema]) => (Object.keys(schema).length === 0 ? [`${path} ${name}`] : []))
    }),
  )
  expect(untyped).toEqual([])
})

it.each([
  { rewrite: 'gateway after' },
  { act: { method: 'PATCH', path: '/tasks/tsk_label', body: { title: 'Theirs' } } },
  { act: { control: 'lockTable', argument: 'tbl_orders' } },
  { spoil: 'row' },
  { stop: true },
  { answers: { rowShape: 'flat' } },
  { extend: { path: '/lists/lst_launch/tasks', count: 2 } },
])('a fault with the effect %j is taken, by its schema too', async (effect) => {
  const { schema } = document.paths['/faults'].post.requestBody.content['application/json']
  expect(z.fromJSONSchema(schema).safeParse({ effect }).error).toBe(undefined)
  const response = await fetch(`${server.url}/__mock/faults`, {
    method: 'POST',
    body: JSON.stringify({ effect }),
  })
  expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ effect })])
  mock.reset()
})

it.each([
  ['PUT', '/clock', { now: '5' }],
  ['PUT', '/clock', { mode: 'fast' }],
  ['POST', '/faults', { status: '503' }],
  ['POST', '/faults', { phase: 'during' }],
  ['POST', '/faults', { delay: 5 }],
  ['POST', '/faults', { effect: { rewrite: 'nothing' } }],
  ['POST', '/faults', { effect: { act: { method: 'GET', path: '/me' } } }],
  ['POST', '/faults', { effect: { act: { control: 'setPlan', argument: 7 } } }],
  ['POST', '/faults', { effect: { extend: { path: '/lists/lst_launch/tasks', count: 0 } } }],
  ['POST', '/faults', { effect: { stop: true, spoil: 'row' } }],
  ['PATCH', '/workspace', { plan: 'gold' }],
  ['PATCH', '/workspace', { limits: { spaces: 'many' } }],
  ['PUT', '/answers', { rowShape: 'square' }],
  ['PATCH', '/keys/scoped', { suspended: 'yes' }],
  ['PATCH', '/tables/tbl_orders', { locked: 'yes' }],
])('%s %s of %j is refused, by its schema too', async (method, path, body) => {
  const template = Object.keys(document.paths).find((each) =>
    new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )!
  const { schema } = document.paths[template][method.toLowerCase()].requestBody.content['application/json']
  expect(z.fromJSONSchema(schema).safeParse(body).success).toBe(false)
  const response = await fetch(`${server.url}/__mock${path}`, { method, body: JSON.stringify(body) })
  expect(response.status).toBe(400)
})
