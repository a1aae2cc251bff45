// What errors look like, which of several wins, CORS, and hints about unknown paths.
import { describe, expect, it } from 'vitest'
import { multipart, times, useMock } from '../support/harness.ts'
import { goodRequests, send } from '../support/requests.ts'

describe('error bodies', () => {
  const { api } = useMock()

  it.each([
    ['createSpace', 400, 'POST', '/spaces', {}, 'wm_test_master'],
    ['getIdentity', 401, 'GET', '/me', undefined, 'wm_none'],
    ['getIdentity', 402, 'GET', '/me', undefined, 'wm_test_suspended'],
    ['getIdentity', 403, 'GET', '/me', undefined, 'wm_without_workspace_read'],
    ['getTask', 404, 'GET', '/tasks/tsk_none', undefined, 'wm_test_master'],
    ['an unknown path', 404, 'GET', '/nothing/here', undefined, 'wm_test_master'],
  ])(
    '%s answers %i with error alone in its JSON body when no limit is reached',
    async (_, status, method, path, json, key) => {
      const reply = await api.call(method, path, { json, key })
      expect(reply.status).toBe(status)
      expect(reply.headers.get('content-type')).toMatch(/^application\/json\b/)
      expect(reply.json).toEqual({ error: reply.error })
      expect(reply.error.length).toBeGreaterThan(5)
      expect(reply.headers.get('retry-after')).toBeNull()
      expect(reply.headers.get('x-ratelimit-limit')).toBeNull()
    },
  )

  it.each(goodRequests.map((request) => [request.id, request] as const))(
    '%s answers 500 and 503 when they are asked for with Prefer',
    async (_, request) => {
      const failed = await send(api, request, { headers: { prefer: 'code=500' } })
      expect(failed.status).toBe(500)
      expect(failed.at('error')).toBeTypeOf('string')
      const unavailable = await send(api, request, { headers: { prefer: 'code=503' } })
      expect(unavailable.status).toBe(503)
      expect(unavailable.json).toEqual({ error: unavailable.error, transient: true })
      expect((await send(api, request)).status).toBe(request.status)
    },
  )
})

describe('unknown paths', () => {
  const { api } = useMock()

  it.each([
    ['GET', '/datatable', 'listDatatables'],
    ['GET', '/datatables/tbl_all/row', 'listRows'],
    ['PUT', '/datatables/tbl_all/rows/row_1', 'updateRow'],
    ['POST', '/me', 'getIdentity'],
    ['GET', '/tasks/tsk_full/comment', 'listComments'],
    ['POST', '/datatables/tbl_all/rows/bulks', 'bulkInsertRows'],
    ['DELETE', '/datatables/tbl_all/rowss/row_1', 'deleteRow'],
    ['GET', '/ME', 'getIdentity'],
    ['GET', '/jobs', 'getJob'],
    ['GET', '/tasks', 'getTask'],
    ['DELETE', '/lists/lst_any', 'getList'],
    ['POST', '/forms/frm_any/submissions', 'listFormSubmissions'],
  ])('an unknown path answers 404 with a hint when it is %s %s, near %s', async (method, path, operation) => {
    const reply = await api.call(method, path)
    expect(reply.status).toBe(404)
    expect(reply.at('error')).toBeTypeOf('string')
    expect(reply.headers.get('x-mock-hint')).toContain(operation)
  })

  it.each(['/', '', '/datatables/', '/datatables//rows', '/me/more', '/%', '/datatables/%E0%A4%A/schema'])(
    'an unknown path answers 404 in the body of the API when it is %s',
    async (path) => {
      const reply = await api.get(path)
      expect(reply.status).toBe(404)
      expect(reply.at('error')).toBeTypeOf('string')
    },
  )

  it('an unknown path answers 404 when there is no key either', async () => {
    expect((await api.get('/nothing', { key: null })).status).toBe(404)
  })
})

describe('what was deleted', () => {
  const { api } = useMock()

  it.each([
    ['getRow', 'GET', '/datatables/tbl_all/rows/row_1', 'row row_1 was deleted'],
    ['updateComment', 'PATCH', '/tasks/tsk_full/comments/cmt_ada', 'comment cmt_ada was deleted'],
    ['getTask', 'GET', '/tasks/tsk_full', 'task tsk_full was deleted'],
  ])('%s answers 404 with a hint beside the body when it asks for it', async (_, method, path, hint) => {
    expect((await api.delete(path)).status).toBe(200)
    const gone = await api.call(method, path, method === 'PATCH' ? { json: { content: 'x' } } : {})
    expect(gone.status).toBe(404)
    expect(gone.headers.get('x-mock-hint')).toContain(hint)
    expect(gone.error).not.toContain('deleted')
  })

  it.each([
    ['undefined', 'the id is the text undefined'],
    ['[object Object]', 'the id is the text [object Object]'],
    ['{taskId}', 'the id is the text {taskId}'],
    ['tsk_fulll', 'did you mean tsk_full?'],
    ['tks_full', 'did you mean tsk_full?'],
  ])('getTask answers 404 with a hint when the id is %s', async (id, hint) => {
    const reply = await api.get(`/tasks/${encodeURIComponent(id)}`)
    expect(reply.status).toBe(404)
    expect(reply.headers.get('x-mock-hint')).toContain(hint)
  })

  it('an unknown path answers 404 naming its own resource first when it exists with another method', async () => {
    const reply = await api.call('DELETE', '/lists/lst_any')
    expect(reply.headers.get('x-mock-hint')).toMatch(/^did you mean (?:GET|PATCH) \/lists\/\{listId\}/)
    const put = await api.call('PUT', '/lists/lst_any')
    expect(put.headers.get('x-mock-hint')).toMatch(/^did you mean PATCH \/lists\/\{listId\} \(updateList\)/)
  })

  it('getTask answers 404 without a hint when there never was such a task', async () => {
    const reply = await api.get('/tasks/tsk_none')
    expect(reply.status).toBe(404)
    expect(reply.headers.get('x-mock-hint')).toBeNull()
  })
})

describe('CORS', () => {
  const { api } = useMock()
  const origin = 'https://app.example.test'

  it.each(goodRequests.map((request) => [request.id, request] as const))(
    '%s answers 2xx when a preflight comes without a key',
    async (_, { method, path }) => {
      const reply = await api.call('OPTIONS', path, {
        key: null,
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization,content-type',
        },
      })
      expect([200, 204]).toContain(reply.status)
      expect(['*', origin]).toContain(reply.headers.get('access-control-allow-origin'))
      expect(reply.headers.get('access-control-allow-methods')).toContain(method)
      const allowed = reply.headers.get('access-control-allow-headers')?.toLowerCase() ?? ''
      expect(allowed).toContain('authorization')
      expect(allowed).toContain('content-type')
    },
  )

  it.each([
    ['getIdentity', 200, '/me', 'wm_test_master'],
    ['getIdentity', 401, '/me', 'wm_none'],
    ['an unknown path', 404, '/nothing', 'wm_test_master'],
    ['downloadTaskAttachment', 200, '/tasks/tsk_full/attachments/att_brief', 'wm_test_master'],
  ])(
    '%s answers %i readable by browsers, its headers too, when the origin is another',
    async (_, status, path, key) => {
      const reply = await api.get(path, { key, headers: { origin } })
      expect(reply.status).toBe(status)
      expect(['*', origin]).toContain(reply.headers.get('access-control-allow-origin'))
      const exposed = reply.headers.get('access-control-expose-headers')?.toLowerCase() ?? ''
      for (const header of ['x-ratelimit-limit', 'retry-after']) expect(exposed).toContain(header)
      expect(exposed.includes('x-mock-hint')).toBe(reply.headers.has('x-mock-hint'))
    },
  )
})

describe('order of refusals', () => {
  const { api, control } = useMock()
  const bulk = (rows: unknown, more = {}, at = 'tbl_empty', key = 'wm_test_master') =>
    api.post(`/datatables/${at}/rows/bulk`, { rows, ...more }, { key })
  const rows = (count: number) => times(count, () => ({}))

  it('getTask and getIdentity answer 401 or 402 when 403 or 404 would apply too', async () => {
    expect((await api.get('/tasks/tsk_none', { key: 'wm_none' })).status).toBe(401)
    expect((await api.get('/tasks/tsk_none', { key: 'wm_test_suspended' })).status).toBe(402)
    await control.suspendKey('wm_test_lapsed')
    expect((await api.get('/me', { key: 'wm_test_lapsed' })).status).toBe(402)
  })

  it('getIdentity answers 403 when billing has lapsed and the month is used up, 429 when only the scope is missing too', async () => {
    await control.setLimits({ requestsPerMonth: 0 }, 'ws_lapsed')
    expect((await api.get('/me', { key: 'wm_test_lapsed' })).status).toBe(403)
    await control.setLimits({ requestsPerMonth: 0 })
    expect((await api.get('/me', { key: 'wm_without_workspace_read' })).status).toBe(429)
    expect((await api.get('/tasks/tsk_none')).status).toBe(429)
  })

  it('getTask and submitInsertJob answer 404 when the plan would refuse them, 403 when the scope is missing', async () => {
    expect((await api.get('/tasks/tsk_none', { key: 'wm_without_tasks_read' })).status).toBe(403)
    const job = await api.post('/datatables/tbl_none/jobs/insert', {}, { key: 'wm_test_free' })
    expect(job.status).toBe(404)
    await control.setAnswers({ planFeatures: { pro: [] } })
    expect((await api.get('/tasks/tsk_none')).status).toBe(404)
    expect((await api.get('/tasks/tsk_full')).status).toBe(403)
  })

  it('submitInsertJob, bulkInsertRows, updateComment, createSpace and createList answer 403 when 400 would apply too', async () => {
    expect((await api.post('/datatables/tbl_free/jobs/insert', {}, { key: 'wm_test_free' })).status).toBe(403)
    expect((await api.post('/datatables/tbl_locked/jobs/insert', {})).status).toBe(403)
    expect((await bulk('nonsense', {}, 'tbl_locked')).status).toBe(403)
    const comment = '/tasks/tsk_full/comments/cmt_ada'
    expect((await api.patch(comment, {}, { key: 'wm_test_scoped' })).status).toBe(403)
    await control.setLimits({ spaces: 0, lists: 0 })
    expect((await api.post('/spaces', {})).status).toBe(403)
    expect((await api.post('/spaces/spc_main/lists', {})).status).toBe(403)
  })

  it('bulkInsertRows answers 403, uncounted, when the table is locked and 413 or 429 would apply too', async () => {
    await control.setLimits({ bulkInsertPerMinute: 1 })
    expect((await bulk(rows(251), {}, 'tbl_locked')).status).toBe(403)
    expect((await bulk(rows(1), {}, 'tbl_locked')).status).toBe(403)
    expect((await bulk(rows(1))).status).toBe(200)
    expect((await bulk(rows(1), {}, 'tbl_locked')).status).toBe(403)
    expect((await bulk(rows(1))).status).toBe(429)
  })

  it('bulkInsertRows answers 429 when the minute is used up by 413 and 400, which would apply too', async () => {
    await control.setLimits({ bulkInsertPerMinute: 2 })
    expect((await bulk(rows(251))).status).toBe(413)
    expect((await bulk('nonsense')).status).toBe(400)
    expect((await bulk(rows(251))).status).toBe(429)
    expect((await bulk('nonsense')).status).toBe(429)
  })

  it('bulkInsertRows, submitInsertJob and createTask answer 413 when 400 would apply too', async () => {
    expect((await bulk(rows(251), { mode: 'nonsense' })).status).toBe(413)
    await control.setLimits({ bulkRowsPerJob: 2, maxFileBytes: 2 })
    const job = await api.post('/datatables/tbl_empty/jobs/insert', { rows: [1, 2, 3] })
    expect(job.status).toBe(413)
    const files = [{ filename: 'large.txt', content: 'large' }]
    const task = await api.call('POST', '/lists/lst_main/tasks', { body: multipart(files, { data: '{}' }) })
    expect(task.status).toBe(413)
  })

  it('submitInsertJob answers 400 when 429 of concurrent jobs would apply too', async () => {
    const job = (json: unknown) => api.post('/datatables/tbl_empty/jobs/insert', json)
    expect((await job({ rows: rows(1) })).status).toBe(202)
    expect((await job({ rows: [] })).status).toBe(400)
    expect((await job({ rows: rows(1) })).status).toBe(429)
  })

  it('deleteRowAttachment answers 404 when the row is absent, 400 when the key is of another row, 404 when the key is absent', async () => {
    const remove = (row: string, key: string) =>
      api.delete(`/datatables/tbl_all/rows/${row}/attachments/${encodeURIComponent(key)}`)
    expect((await remove('row_none', 'wrong')).status).toBe(404)
    expect((await remove('row_1', 'wrong')).status).toBe(400)
    expect((await remove('row_1', 'dt/tbl_all/row/row_1/none')).status).toBe(404)
  })
})
