// What the server stores for a request in addition to its journal entry: only for the console, and within journalBytes.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve, type RunningServer } from '../../src/node.ts'
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { createHttpSource } from '../../src/tools/console/http-source.ts'
import { createPageSource } from '../../src/tools/console/page-source.ts'

const mock = createWorkspaceMock({ fixture: 'demo', journalBytes: 4_000_000 })
let server: RunningServer
let read: ReturnType<ReturnType<typeof createHttpSource>['controls']>['console']

beforeAll(async () => {
  server = await serve(mock)
  read = createHttpSource(server.url).controls(null).console
})
beforeEach(() => mock.reset())
afterAll(() => server.close())

const headers = { authorization: 'Bearer wm_demo_master', 'content-type': 'application/json' }
const send = (path: string, init: RequestInit = {}) =>
  fetch(`${server.baseUrl}${path}`, {
    ...init,
    headers: { ...headers, ...(init.headers as Record<string, string> | undefined) },
  })

it('headers, arrival and duration of earlier requests are there, keys by name, without other credentials', async () => {
  const before = Date.now()
  const secret = {
    'x-api-key': 'sk_1',
    cookie: 'a=sk_2',
    'x-session-token': 'sk_3',
    'x-user': 'wm_demo_scoped',
  }
  await send('/me', { headers: secret })
  const whole = await read.whole(1)
  expect(whole.headers).toMatchObject({
    authorization: 'Bearer master',
    'x-user': 'scoped',
    'x-api-key': 'hidden (4 characters)',
  })
  expect(JSON.stringify(whole)).not.toMatch(/sk_\d|wm_demo/)
  expect(whole.arrivedMs).toBeGreaterThanOrEqual(before)
  expect(whole.tookMs).toBeGreaterThanOrEqual(0)
  expect(await read.journals({})).toMatchObject([{ id: 1, sandbox: null, arrivedMs: whole.arrivedMs }])
})

it('nothing of it is in entries, HAR, explanations, snapshots or the state', async () => {
  await send('/me', { headers: { 'x-trace': 'trace-1' } })
  await send('/tasks/tsk_none', { headers: { 'x-trace': 'trace-1' } })
  const shown = [mock.requests(), mock.har(), mock.explain(), mock.snapshot(), mock.state(), mock.report()]
  expect(JSON.stringify(shown)).not.toMatch(/trace-1|arrivedMs|tookMs/)
})

it('nothing is kept of requests through mock.fetch', async () => {
  await mock.fetch('/me', { headers })
  expect(await read.whole(1)).toEqual({
    contentType: null,
    requestBody: null,
    responseBody: expect.anything(),
  })
  const inPage = createPageSource(mock).controls(null).console
  expect(await inPage.journals({})).toEqual([
    { ...consoleControlsOf(mock).requestSummaries()[0], sandbox: null },
  ])
})

it('bodies that are too large for the journal are whole, until journalBytes is exceeded', async () => {
  const rows = Array.from({ length: 200 }, () => ({ col_customer: 'x'.repeat(500) }))
  const body = JSON.stringify({ rows })
  const post = () => send('/datatables/tbl_orders/rows/bulk', { method: 'POST', body })
  const response = await (await post()).text()
  expect(await read.whole(1)).toMatchObject({
    contentType: 'application/json',
    requestBody: { text: body },
    responseBody: { text: response },
  })
  for (let sent = 0; sent < 60; sent++) await post()
  expect(await read.whole(1)).toEqual({
    contentType: 'application/json',
    requestBody: { sizeBytes: body.length },
    responseBody: expect.anything(),
  })
})

it('a search covers the bodies of all sandboxes in one call', async () => {
  const create = (sandbox: string | null, title: string) =>
    send('/lists/lst_launch/tasks', {
      method: 'POST',
      body: JSON.stringify({ title }),
      headers: sandbox === null ? {} : { 'x-mock-sandbox': sandbox },
    })
  for (let sent = 0; sent < 150; sent++) await create(null, `common ${String(sent)}`)
  await create('one', 'common unique7')
  await create('one', 'other unique7')
  const found = async (text: string) =>
    (await read.search(text)).flatMap(({ sandbox, ids }) =>
      ids.map((id) => `${sandbox ?? 'main'} ${String(id)}`),
    )
  expect(await found('common')).toHaveLength(151)
  expect(await found('common unique7')).toEqual(['one 1'])
  expect(await found('unique7 -common')).toEqual(['one 2'])
  expect(await found('"common 14"')).toEqual([
    'main 15',
    ...Array.from({ length: 10 }, (_, at) => `main ${String(141 + at)}`),
  ])
  expect(await found('#2 status:2xx')).toEqual(['main 2', 'one 2'])
  expect(await read.search('common', { of: 'one' })).toEqual([{ sandbox: 'one', upTo: 2, ids: [1] }])
  mock.deleteSandbox('one')
})
