// What each route of the control API does. control-access.test.ts tests who may call it.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, type Fixture } from '../../src/index.ts'
import { NOW, testFixture } from '../behaviour/support/fixture.ts'
import { Reply } from '../behaviour/support/reply.ts'
import { raw, served, statuses } from './support/served.ts'

const mock = createWorkspaceMock({ fixture: testFixture as unknown as Fixture, selfCheck: true })
const server = served(mock)

async function call(
  method: string,
  path: string,
  json?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers,
    body: json === undefined ? null : JSON.stringify(json),
  })
  return new Reply(response.status, response.headers, new Uint8Array(await response.arrayBuffer()))
}
const get = (path: string, headers?: Record<string, string>) =>
  call('GET', `/__mock${path}`, undefined, headers)
const api = (path: string, key = 'wm_test_master') =>
  call('GET', `/v1${path}`, undefined, { authorization: `Bearer ${key}` })

describe('control API', () => {
  it('GET health answers status, fixture and clock', async () => {
    const reply = await get('/health')
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ status: 'ok', fixture: 'behaviour', clock: { now: NOW, mode: 'manual' } })
  })

  it('POST reset returns to the start', async () => {
    await call('POST', '/__mock/clock/advance', { by: '1h' })
    await call('PUT', '/__mock/answers', { rowShape: 'flat' })
    expect((await call('POST', '/__mock/reset')).status).toBe(200)
    expect((await get('/clock')).at('now')).toBe(NOW)
    expect((await get('/answers')).at('rowShape')).toBe('data')
  })

  it.each(['/faults/', '/requests/', '/snapshots/', '/sandboxes/'])(
    'DELETE %s answers 404 and removes nothing',
    async (path) => {
      await call('POST', '/__mock/faults', { status: 503, times: null })
      await api('/me')
      expect((await call('DELETE', `/__mock${path}`)).status).toBe(404)
      expect((await get('/faults')).list('faults')).toHaveLength(1)
      expect((await get('/requests')).list('requests')).toHaveLength(1)
    },
  )

  it.each([
    ['POST', '/reset'],
    ['DELETE', '/faults'],
  ])('POST faults sets an effect that GET faults lists and %s %s takes away', async (method, path) => {
    const fault = { operation: 'getIdentity', skip: 1, effect: { rewrite: 'unknown field' } }
    const fields = async () => Object.keys((await api('/me')).json as object).sort()
    const plain = await fields()
    const set = await call('POST', '/__mock/faults', fault)
    expect(set.json).toEqual({ id: 'fault_1', hits: 0, problem: null, times: 1, ...fault })
    const listed = async () => (await get('/faults')).list('faults')
    expect(await listed()).toEqual([set.json])
    expect(await fields()).toEqual(plain)
    expect(await fields()).not.toEqual(plain)
    expect(await listed()).toEqual([])
    await call('POST', '/__mock/faults', { ...fault, skip: 0, times: null })
    expect(await fields()).not.toEqual(plain)
    expect(await listed()).toMatchObject([{ id: 'fault_2', hits: 1 }])
    expect((await call(method, `/__mock${path}`)).status).toBe(200)
    expect(await listed()).toEqual([])
    expect(await fields()).toEqual(plain)
  })

  it('POST faults with an effect that cannot happen answers 400, and the route of disturbances is gone', async () => {
    const act = { control: 'setPlan', argument: 'gold' }
    const refused = await call('POST', '/__mock/faults', { effect: { act } })
    expect(refused.status).toBe(400)
    expect(refused.string('error')).toContain('effect.act.argument must be one of free, pro, business, scale')
    expect((await get('/faults')).list('faults')).toEqual([])
    expect((await call('POST', '/__mock/disturbances', {})).status).toBe(404)
  })

  it('clock is read, set, advanced and switched', async () => {
    expect((await get('/clock')).json).toEqual({ now: NOW, mode: 'manual' })
    expect((await call('POST', '/__mock/clock/advance', { ms: 1500 })).json).toEqual({
      now: NOW + 1,
      mode: 'manual',
    })
    expect((await call('POST', '/__mock/clock/advance', { by: '30d' })).at('now')).toBe(NOW + 1 + 30 * 86_400)
    expect((await call('PUT', '/__mock/clock', { now: 5 })).json).toEqual({ now: 5, mode: 'manual' })
    expect((await call('PUT', '/__mock/clock', { mode: 'system' })).at('mode')).toBe('system')
    expect((await call('PUT', '/__mock/clock', { now: 10, mode: 'manual' })).json).toEqual({
      now: 10,
      mode: 'manual',
    })
  })

  it('state is exported and imported, and exports the same again', async () => {
    const exported = await get('/state')
    expect(exported.status).toBe(200)
    expect(exported.at('name')).toBe('behaviour')
    await call('POST', '/__mock/clock/advance', { by: '1h' })
    expect((await call('PUT', '/__mock/state', exported.json)).status).toBe(200)
    expect((await get('/state')).text).toBe(exported.text)
    expect((await get('/clock')).at('now')).toBe(NOW)
  })

  it('records are created, changed and removed, and rows searched', async () => {
    const created = await call('POST', '/__mock/db/rows', {
      table: 'tbl_empty',
      values: { data: { col_name: '007', col_count: 7 } },
    })
    const id = created.string('id')
    expect(created.status).toBe(200)
    expect((await get('/tables/tbl_empty/rows?search=007')).at('rows.0.id')).toBe(id)
    expect((await get('/tables/tbl_empty/rows?search=008')).at('total')).toBe(0)
    const filters = JSON.stringify([{ column: 'col_count', operator: 'gt', value: 6 }])
    expect((await get(`/tables/tbl_empty/rows?filters=${encodeURIComponent(filters)}`)).at('total')).toBe(1)
    const changed = await call('PATCH', `/__mock/db/rows/${id}`, {
      table: 'tbl_empty',
      values: { data: { col_count: null }, version: 2 },
    })
    expect(changed.json).toMatchObject({ id, version: 2, data: { col_name: '007' } })
    expect((await get(`/tables/tbl_empty/rows/${id}`)).at('rows.0.data.col_count')).toBe(null)
    expect((await call('DELETE', `/__mock/db/rows/${id}?table=tbl_empty`)).json).toEqual({ success: true })
    expect((await get(`/tables/tbl_empty/rows/${id}`)).status).toBe(404)

    const task = await call('POST', '/__mock/db/tasks', { values: { list_id: 'lst_main', title: 'Write' } })
    const path = `/__mock/db/tasks/${task.string('id')}`
    expect((await call('PATCH', path, { values: { priority: 'high' } })).at('priority')).toBe('high')
    expect((await call('PATCH', path, { values: { priority: 'soon' } })).status).toBe(400)
    expect((await get(`/tasks/${task.string('id')}`)).at('task.priority')).toBe('high')
    expect((await call('DELETE', path)).status).toBe(200)
    expect((await call('DELETE', path)).status).toBe(404)
    expect((await call('POST', '/__mock/db/chairs', { values: {} })).status).toBe(400)
    expect((await call('POST', '/__mock/db/rows', { values: {}, table: 'tbl_none' })).status).toBe(404)
  })

  it('takes no body above 1 MiB, and 256 MiB where it is a state or a snapshot', async () => {
    const MIB = 1024 * 1024
    const answered = async (line: string, sizeBytes: number) => {
      const lines = [`${line} HTTP/1.1`, 'Host: 127.0.0.1', `Content-Length: ${String(sizeBytes)}`, '', '']
      return statuses(await raw(server.port, lines.join('\r\n'), (seen) => seen.includes('}')))
    }
    for (const line of ['POST /__mock/faults', 'POST /__mock/clock/advance', 'PUT /__mock/answers'])
      expect([line, await answered(line, MIB + 1)]).toEqual([line, [413]])
    for (const line of ['PUT /__mock/state', 'PUT /__mock/snapshot'])
      expect([line, await answered(line, 256 * MIB + 1)]).toEqual([line, [413]])
    const send = (path: string, method: string, json: object, sizeBytes: number) =>
      fetch(`${server.url}/__mock${path}`, { method, body: JSON.stringify(json).padEnd(sizeBytes) })
    expect((await send('/faults', 'POST', { status: 503 }, MIB)).status).toBe(200)
    expect((await send('/state', 'PUT', mock.state(), 2 * MIB)).status).toBe(200)
    const tooLarge = await send('/faults', 'POST', { status: 503 }, MIB + 1)
    expect(await tooLarge.json()).toEqual({ error: 'body must have at most 1048576 bytes' })
    expect(mock.faults()).toHaveLength(1)
  })

  it.each(['Basic wm_test_master', 'Bearer', 'Bearer a b'])(
    'answers 400 to the authorization %j, and changes nothing',
    async (authorization) => {
      const reply = await call('PATCH', '/__mock/workspace', { plan: 'free' }, { authorization })
      expect(reply.status).toBe(400)
      expect(reply.at('error')).toBe('Authorization must have the form Bearer <API_KEY>')
    },
  )

  it('sends responses that are not cached', async () => {
    for (const path of ['/health', '/requests', '/none', '/openapi.json'])
      expect((await get(path)).headers.get('cache-control')).toBe('no-store')
  })

  it('ignores the query where a route has none, and takes null for no body', async () => {
    expect((await get('/health?verbose=true&x')).status).toBe(200)
    expect((await call('POST', '/__mock/reset', null)).status).toBe(200)
  })

  it('takes the first of a repeated query parameter', async () => {
    await api('/me')
    await api('/spaces')
    const first = await get('/requests?operation=listSpaces&operation=getIdentity')
    expect(first.list('requests').map((entry: any) => entry.operation)).toEqual(['listSpaces'])
  })

  it('answers are read and merged', async () => {
    const reply = await call('PUT', '/__mock/answers', { rowShape: 'flat', taskPriority: { none: 9 } })
    expect(reply.status).toBe(200)
    expect(reply.json).toMatchObject({
      rowShape: 'flat',
      taskPriority: { none: 9, low: 1 },
      mutationBody: 'success',
    })
    expect((await get('/answers')).json).toEqual(reply.json)
  })

  it('GET questions answers the register', async () => {
    const reply = await get('/questions')
    expect(reply.at('questions.0.id')).toBe('rowShape')
    expect(reply.list('questions').length).toBeGreaterThanOrEqual(75)
  })

  it('PATCH workspace changes plan, billing and limits of the workspace of the key', async () => {
    const patch = (json: unknown, headers?: Record<string, string>) =>
      call('PATCH', '/__mock/workspace', json, headers)
    const free = { authorization: 'Bearer wm_test_free' }
    expect((await patch({ plan: 'business' })).json).toMatchObject({ id: 'ws_main', plan: 'business' })
    expect((await patch({ plan: 'scale', limits: { spaces: 1 } }, free)).json).toMatchObject({
      id: 'ws_free',
      plan: 'scale',
    })
    expect((await api('/me')).at('workspace.plan')).toBe('business')
    expect((await api('/me', 'wm_test_free')).at('workspace.plan')).toBe('scale')
    await patch({ billing: 'lapsed' }, free)
    expect((await api('/me', 'wm_test_free')).status).toBe(403)
    await patch({ billing: 'ok', limits: { requestsPerMonth: 0 } }, free)
    expect((await api('/me', 'wm_test_free')).status).toBe(429)
    await patch({ limits: { requestsPerMonth: null } }, free)
    expect((await api('/me', 'wm_test_free')).status).toBe(200)
    const unknown = await patch({ plan: 'pro' }, { authorization: 'Bearer wm_none' })
    expect(unknown.status).toBe(400)
  })

  it('PATCH keys suspends a key by name or value', async () => {
    expect((await call('PATCH', '/__mock/keys/scoped', { suspended: true })).json).toMatchObject({
      suspended: true,
    })
    expect((await api('/me', 'wm_test_scoped')).status).toBe(402)
    await call('PATCH', '/__mock/keys/wm_test_scoped', { suspended: false })
    expect((await api('/me', 'wm_test_scoped')).status).toBe(200)
  })

  it.each(['two words', 'a/b', '100%', 'ü日', 'a+b', '%2F', 'a?b#c'])(
    'PATCH keys decodes the field of its path once: a key called %j',
    async (name) => {
      mock.seed({ keys: [{ key: 'wm_named', name, kind: 'master' }] })
      const reply = await call('PATCH', `/__mock/keys/${encodeURIComponent(name)}`, { suspended: true })
      expect(reply.status).toBe(200)
      expect((await api('/me', 'wm_named')).status).toBe(402)
    },
  )

  it.each(['%zz', '%', '%ff'])('PATCH keys answers 400 when the field of its path is %j', async (name) => {
    expect((await call('PATCH', `/__mock/keys/${name}`, { suspended: true })).status).toBe(400)
  })

  it('PATCH tables locks a table', async () => {
    expect((await call('PATCH', '/__mock/tables/tbl_empty', { locked: true })).json).toMatchObject({
      id: 'tbl_empty',
      locked: true,
    })
    const bulk = await call(
      'POST',
      '/v1/datatables/tbl_empty/rows/bulk',
      { rows: [{}] },
      { authorization: 'Bearer wm_test_master' },
    )
    expect(bulk.status).toBe(403)
  })

  it('POST tasks restore recovers a deleted task', async () => {
    expect((await api('/tasks/tsk_deleted')).status).toBe(404)
    const restored = await call('POST', '/__mock/tasks/tsk_deleted/restore')
    expect(restored.status).toBe(200)
    expect(restored.at('id')).toBe('tsk_deleted')
    expect((await api('/tasks/tsk_deleted')).status).toBe(200)
    expect((await call('POST', '/__mock/tasks/tsk_deleted/restore')).status).toBe(404)
  })

  it('forms are published, unpublished and submitted', async () => {
    const draft = await call('PATCH', '/__mock/forms/frm_draft', { is_published: true })
    expect(draft.json).toMatchObject({ id: 'frm_draft', is_published: 1 })
    const submitted = await call('POST', '/__mock/forms/frm_row/submissions', { data: { col_name: 'Ada' } })
    expect(submitted.status).toBe(200)
    expect(submitted.at('created_entity_type')).toBe('datatable_row')
    expect((await api('/forms/frm_row/submissions')).list('submissions')).toHaveLength(1)
  })

  it.each([
    ['PUT', '/clock', { now: 'noon' }],
    ['PUT', '/clock', { now: -1 }],
    ['PUT', '/clock', { now: 253_402_300_800 }],
    ['PUT', '/clock', { now: 5, mode: 'fast' }],
    ['PUT', '/clock', { now: -1, mode: 'system' }],
    ['PUT', '/clock', { mode: 'fast' }],
    ['PUT', '/clock', { later: 1 }],
    ['POST', '/clock/advance', {}],
    ['POST', '/clock/advance', { by: 'soon' }],
    ['POST', '/clock/advance', { ms: -5 }],
    ['PUT', '/state', { workspaces: 'none' }],
    ['PUT', '/answers', { rowShape: 'round' }],
    ['PUT', '/answers', { nothing: 1 }],
    ['PUT', '/answers', []],
    ['PATCH', '/workspace', { plan: 'gold' }],
    ['PATCH', '/workspace', { limits: { rows: 1 } }],
    ['PATCH', '/workspace', { plan: 'free', billing: 'late' }],
    ['PATCH', '/keys/master', { suspended: 'yes' }],
    ['PATCH', '/tables/tbl_empty', {}],
    ['PATCH', '/forms/frm_row', { is_published: 'yes' }],
    ['POST', '/forms/frm_draft/submissions', { data: { title: 'x' } }],
    ['POST', '/forms/frm_row/submissions', { data: {} }],
    ['POST', '/forms/frm_row/submissions', {}],
  ])('%s %s answers 400 and changes nothing when the body is %j', async (method, path, json) => {
    const before = [(await get('/state')).text, (await get('/answers')).text]
    const reply = await call(method, `/__mock${path}`, json)
    expect(reply.status).toBe(400)
    expect(reply.error.length).toBeGreaterThan(5)
    expect([(await get('/state')).text, (await get('/answers')).text]).toEqual(before)
  })

  it.each([
    ['GET', '/nothing', undefined],
    ['DELETE', '/health', undefined],
    ['PATCH', '/keys/nobody', { suspended: true }],
    ['PATCH', '/tables/tbl_none', { locked: true }],
    ['POST', '/tasks/tsk_none/restore', undefined],
    ['POST', '/tasks/tsk_plain/restore', undefined],
    ['PATCH', '/forms/frm_none', { is_published: true }],
    ['POST', '/forms/frm_none/submissions', { data: {} }],
  ])('%s %s answers 404 when the id is unknown', async (method, path, json) => {
    const reply = await call(method, `/__mock${path}`, json)
    expect(reply.status).toBe(404)
    expect(reply.at('error')).toBeTypeOf('string')
  })

  it.each([
    ['GET', '/requests.copy?as=curl', 'ids is required; the query takes the fields as, ids'],
    ['PATCH', '/keys/master', 'suspended is required; the body takes the fields suspended'],
  ])('%s %s answers 400 with the path of a missing field', async (method, path, error) => {
    const reply = await call(method, `/__mock${path}`, method === 'GET' ? undefined : {})
    expect([reply.status, reply.at('error')]).toEqual([400, error])
  })

  it('answers 400 when the body is not JSON', async () => {
    const response = await fetch(`${server.url}/__mock/clock`, { method: 'PUT', body: '{now' })
    expect(response.status).toBe(400)
  })

  it('never sends CORS headers, and no preflight of it is allowed', async () => {
    expect((await get('/health')).headers.get('access-control-allow-origin')).toBeNull()
    const preflight = await call('OPTIONS', '/__mock/reset')
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('is not limited by the plan', async () => {
    await call('PATCH', '/__mock/workspace', { limits: { requestsPerMonth: 0 } })
    expect((await get('/health', { authorization: 'Bearer wm_test_master' })).status).toBe(200)
  })
})

describe('the journal', () => {
  const labelled = (path: string, label: string) =>
    call('GET', `/v1${path}`, undefined, { authorization: 'Bearer wm_test_master', 'x-mock-label': label })

  it('GET requests?summary=true answers the entries without their bodies', async () => {
    await labelled('/me', 'signs in')
    await api('/none')
    const whole = (await get('/requests')).list('requests')
    const summary = (await get('/requests?summary=true')).list('requests')
    const bodies = { requestBody: undefined, responseBody: undefined }
    expect(summary).toEqual(whole.map((entry) => ({ ...(entry as object), ...bodies })))
    expect(summary[0]).toMatchObject({ id: 1, path: '/me', label: 'signs in' })
    expect(summary[1]).not.toHaveProperty('label')
    expect((await get('/requests?summary=false')).list('requests')).toEqual(whole)
    expect((await get('/requests?summary=true&status=404')).list('requests')).toHaveLength(1)
    expect((await get('/requests?summary=yes')).status).toBe(400)
    expect((await get('/requests?status=404&status=200')).json).toMatchObject({ requests: [{ status: 404 }] })
  })

  it('GET requests/{id} answers one entry with its bodies', async () => {
    await api('/me')
    await api('/spaces')
    const [, second] = (await get('/requests')).list('requests')
    expect((await get('/requests/2')).json).toEqual(second)
    expect((await get('/requests/3')).status).toBe(404)
    expect((await get('/requests/two')).status).toBe(404)
    expect(consoleControlsOf(mock).request(2)).toEqual(second)
  })
})

describe('sandboxes', () => {
  it('are named by the path as by the header', async () => {
    const key = { authorization: 'Bearer wm_test_master' }
    const root = '/sandboxes/by-path'
    expect((await call('POST', `${root}/v1/spaces`, { name: 'Only here' }, key)).status).toBe(200)
    expect((await call('GET', `${root}/v1/spaces`, undefined, key)).list('spaces')).toHaveLength(2)
    expect((await api('/spaces')).list('spaces')).toHaveLength(1)
    const same = { ...key, 'x-mock-sandbox': 'by-path' }
    expect((await call('GET', '/v1/spaces', undefined, same)).list('spaces')).toHaveLength(2)
    expect((await call('GET', `${root}/v1/spaces`, undefined, same)).status).toBe(200)
    expect((await call('POST', `${root}/__mock/clock/advance`, { by: '1h' })).at('now')).toBe(NOW + 3600)
    expect((await get('/clock')).at('now')).toBe(NOW)
    const document = await call('GET', `${root}/__mock/openapi.json`)
    expect(document.at('servers.0.url')).toBe(`${server.url}${root}/v1`)
    await call('DELETE', '/__mock/sandboxes/by-path')
  })

  it('GET an attachment by the url of a response of the sandbox', async () => {
    const key = { authorization: 'Bearer wm_test_master' }
    const form = new FormData()
    form.append('file', new File(['bytes'], 'a.txt', { type: 'text/plain' }))
    const root = `${server.url}/sandboxes/files/v1`
    const task = 'tsk_plain'
    const upload = await fetch(`${root}/tasks/${task}/attachments`, {
      method: 'POST',
      headers: key,
      body: form,
    })
    expect(upload.status).toBe(201)
    const listed = await fetch(`${root}/tasks/${task}/attachments`, { headers: key })
    const text = await listed.text()
    const url = /"url":"([^"]+)"/.exec(text)?.[1] ?? ''
    expect(url.startsWith(`${root}/`)).toBe(true)
    expect(await (await fetch(url, { headers: key })).text()).toBe('bytes')
    await call('DELETE', '/__mock/sandboxes/files')
  })

  it.each([
    ['/sandboxes/one/v1/me', { 'x-mock-sandbox': 'two' }, 400],
    ['/sandboxes/one/__mock/health', { 'x-mock-sandbox': 'two' }, 400],
    ['/sandboxes/a%20b/v1/me', {}, 400],
    ['/sandboxes//v1/me', {}, 400],
    ['/sandboxes//__mock/health', {}, 400],
    ['/sandboxes/one/other', {}, 404],
    ['/sandboxes/one/sandboxes/one/v1/me', {}, 404],
    ['/sandboxes/one/v12/me', {}, 404],
  ])('%s with %j answers %i', async (path, headers, status) => {
    const key = { authorization: 'Bearer wm_test_master' }
    expect((await call('GET', path, undefined, { ...key, ...headers })).status).toBe(status)
    expect(mock.sandboxes()).toEqual([])
  })

  it('GET sandboxes?summary=true answers label, time and numbers of requests, errors, faults and findings of each', async () => {
    const headers = (label: string) => ({
      authorization: 'Bearer wm_test_master',
      'x-mock-sandbox': 'labelled',
      'x-mock-label': label,
    })
    const summary = async () =>
      (await get('/sandboxes?summary=true')).json as { readonly sandboxes: readonly unknown[] }
    await call('GET', '/v1/me', undefined, headers('checkout.spec > opens'))
    await call('GET', '/v1/none', undefined, headers('checkout.spec > pays'))
    await call('GET', '/v1/me', undefined, { 'x-mock-sandbox': 'labelled' })
    expect(await summary()).toEqual({
      sandboxes: [
        {
          name: 'labelled',
          label: 'checkout.spec > pays',
          requests: 3,
          errors: 2,
          faults: 0,
          findings: 1,
          lastAtMs: mock.sandbox('labelled').clock.nowMs(),
        },
      ],
    })
    const own = { 'x-mock-sandbox': 'labelled' }
    await call('DELETE', '/__mock/requests', undefined, own)
    expect((await summary()).sandboxes).toMatchObject([{ requests: 0, errors: 0 }])
    await call('POST', '/__mock/faults', { network: true }, own)
    await expect(call('GET', '/v1/me', undefined, headers('checkout.spec > pays'))).rejects.toThrow()
    expect((await summary()).sandboxes).toMatchObject([{ requests: 1, errors: 1, faults: 1 }])
    await call('POST', '/__mock/reset', undefined, own)
    expect(await summary()).toEqual({
      sandboxes: [
        { name: 'labelled', label: null, requests: 0, errors: 0, faults: 0, findings: 0, lastAtMs: null },
      ],
    })
    await call('DELETE', '/__mock/sandboxes/labelled')
  })

  it('have states of their own, created from the fixture on first use', async () => {
    const sandbox = { 'x-mock-sandbox': 'one', authorization: 'Bearer wm_test_master' }
    await call('POST', '/v1/spaces', { name: 'Only in one' }, sandbox)
    await call('POST', '/__mock/clock/advance', { by: '1h' }, sandbox)
    expect((await call('GET', '/v1/spaces', undefined, sandbox)).list('spaces')).toHaveLength(2)
    expect((await api('/spaces')).list('spaces')).toHaveLength(1)
    expect((await get('/clock', sandbox)).at('now')).toBe(NOW + 3600)
    expect((await get('/clock')).at('now')).toBe(NOW)
    expect((await get('/sandboxes')).json).toEqual({ sandboxes: ['one'] })
    await call('POST', '/__mock/reset')
    expect((await get('/clock', sandbox)).at('now')).toBe(NOW + 3600)
    await call('POST', '/__mock/reset', undefined, sandbox)
    expect((await get('/clock', sandbox)).at('now')).toBe(NOW)
    expect((await call('DELETE', '/__mock/sandboxes/one')).json).toEqual({ success: true })
    expect((await call('DELETE', '/__mock/sandboxes/one')).status).toBe(404)
  })

  it('are not made by a console that names them: 404, until a client does', async () => {
    const named = { 'x-mock-sandbox': 'shown', 'x-mock-console': '1' }
    for (const [method, path] of [
      ['GET', '/overview'],
      ['GET', '/faults'],
      ['POST', '/reset'],
    ] as const) {
      const reply = await call(method, `/__mock${path}`, undefined, named)
      expect([reply.status, reply.error], path).toEqual([404, 'sandbox "shown" does not exist'])
    }
    expect((await get('/sandboxes')).json).toEqual({ sandboxes: [] })
    await call('GET', '/v1/me', undefined, { 'x-mock-sandbox': 'shown' })
    expect((await get('/overview', named)).status).toBe(200)
    await call('DELETE', '/__mock/sandboxes/shown')
  })

  it.each(['', 'a b', 'ä', 'x'.repeat(65), '../x'])('answer 400 when the name is %j', async (name) => {
    if (/[^\u0000-\u00ff]/.test(name)) return
    const headers = { 'x-mock-sandbox': name, authorization: 'Bearer wm_test_master' }
    expect((await call('GET', '/v1/me', undefined, headers)).status).toBe(400)
    expect((await get('/clock', headers)).status).toBe(400)
  })
})
