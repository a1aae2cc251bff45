// Faults and the Prefer header: documented errors on demand, before or after the change, and broken connections.
import { describe, expect, it } from 'vitest'
import { useMock } from '../support/harness.ts'

describe('faults', () => {
  const { api, control } = useMock()
  const comments = async () => (await api.get('/tasks/tsk_full/comments')).list('comments').length

  it.each([401, 402, 403, 404, 429, 500, 503])(
    'getTask answers %i once when a fault asks for it',
    async (status) => {
      await control.fault({ operation: 'getTask', status })
      const failed = await api.get('/tasks/tsk_full')
      expect(failed.status).toBe(status)
      expect(failed.error).not.toBe('')
      expect((await api.get('/tasks/tsk_full')).status).toBe(200)
    },
  )

  it('getIdentity answers 503 with transient, 429 with facts and headers of the limit, when a fault asks for it', async () => {
    await control.fault({ operation: 'getIdentity', status: 503 })
    expect((await api.get('/me')).json).toMatchObject({ transient: true })
    await control.fault({ status: 429, resource: 'requestsPerMonth', retryAfter: 7 })
    const limited = await api.get('/me')
    expect(limited.json).toMatchObject({ limitReached: true, resource: 'requestsPerMonth' })
    expect(limited.headers.get('retry-after')).toBe('7')
    expect(limited.headers.get('x-ratelimit-limit')).not.toBeNull()
  })

  it.each([
    ['getIdentity', 'wm_test_master', {}, 'requestsPerMonth', 3, 4],
    ['getIdentity', 'wm_test_master', { requestsPerMonth: 20 }, 'requestsPerMonth', 20, 21],
    ['bulkInsertRows', 'wm_test_business', {}, 'bulkInsertPerMinute', 120, 121],
    ['submitInsertJob', 'wm_test_business', {}, 'concurrentBulkJobs', 5, 5],
    ['submitInsertJob', 'wm_test_master', { concurrentBulkJobs: null }, 'concurrentBulkJobs', 1, 1],
  ])('%s answers 429 with the numbers of %s when a fault asks for it with limits %j', async (...row) => {
    const [operation, key, limits, resource, limit, current] = row
    await control.setLimits(limits)
    for (let turn = 0; turn < 3; turn++) await api.get('/me', { key })
    await control.fault({ operation, status: 429, resource })
    const table = key === 'wm_test_business' ? 'tbl_business' : 'tbl_empty'
    const reply = await (operation === 'getIdentity'
      ? api.get('/me', { key })
      : api.post(
          `/datatables/${table}/${operation === 'bulkInsertRows' ? 'rows/bulk' : 'jobs/insert'}`,
          { rows: [] },
          { key },
        ))
    expect(reply.json).toMatchObject({ limitReached: true, resource, limit, current })
    expect(reply.headers.get('x-ratelimit-limit')).toBe(String(limit))
  })

  it('getIdentity answers 429 with the numbers of the first workspace when a fault asks for it and the key is unknown', async () => {
    await control.setLimits({ requestsPerMonth: 20 })
    await control.fault({ status: 429, resource: 'requestsPerMonth', times: 2 })
    for (const key of ['wm_none', null]) {
      const reply = await api.get('/me', { key })
      expect(reply.json).toMatchObject({ resource: 'requestsPerMonth', limit: 20, current: 21 })
      expect(reply.headers.get('x-ratelimit-limit')).toBe('20')
    }
  })

  it('submitInsertJob answers 403 with a limit of 0 when a fault asks for a plan without async bulk', async () => {
    await control.fault({ operation: 'submitInsertJob', status: 403, resource: 'bulkRowsPerJob' })
    const refused = await api.post('/datatables/tbl_empty/jobs/insert', { rows: [{}] })
    expect([refused.status, refused.json]).toEqual([
      403,
      { error: refused.error, limitReached: true, resource: 'bulkRowsPerJob', limit: 0, current: 0 },
    ])
  })

  it.each([
    ['getIdentity', 'requestsPerMonth', '31d'],
    ['bulkInsertRows', 'bulkInsertPerMinute', '61s'],
  ])('%s answers 429 with what is used of %s now when a fault asks for it after %s', async (...row) => {
    const [operation, resource, later] = row
    const send = () =>
      operation === 'getIdentity'
        ? api.get('/me')
        : api.post('/datatables/tbl_empty/rows/bulk', { rows: [{ col_name: 'a' }] })
    await control.setLimits({ requestsPerMonth: null, bulkInsertPerMinute: null })
    for (let turn = 0; turn < 3; turn++) await send()
    await control.fault({ operation, status: 429, resource, times: 2 })
    expect((await send()).json).toMatchObject({ limit: 3, current: 4 })
    await control.advance(later)
    expect((await send()).json).toMatchObject({ limit: 1, current: 2 })
  })

  it('createList answers 403 with the lists of the fullest space when a fault asks for it without a limit', async () => {
    await control.setLimits({ lists: null })
    const { id } = (await api.post('/spaces', { name: 'Full' })).json as { id: string }
    for (let added = 0; added < 9; added++) await api.post(`/spaces/${id}/lists`, { name: 'List' })
    await control.fault({ operation: 'createList', status: 403, resource: 'lists' })
    const refused = await api.post(`/spaces/${id}/lists`, { name: 'One more' })
    expect(refused.json).toMatchObject({ resource: 'lists', limit: 10, current: 10 })
  })

  it.each([
    [{}, [500, 200, 200, 200, 200]],
    [{ skip: 2 }, [200, 200, 500, 200, 200]],
    [{ skip: 1, times: 2 }, [200, 500, 500, 200, 200]],
    [{ skip: 3, times: null }, [200, 200, 200, 500, 500]],
    [{ skip: 0, phase: 'after' }, [500, 200, 200, 200, 200]],
  ])(
    'mock.fault() fails the requests that follow from skip and times when given %j',
    async (spec, statuses) => {
      await control.fault({ operation: 'getIdentity', ...spec })
      for (const status of statuses) {
        await api.get('/datatables')
        expect((await api.get('/me')).status).toBe(status)
      }
    },
  )

  it('mock.fault() fails by the first fault that lets nothing pass when several match', async () => {
    await control.fault({ operation: 'getIdentity', status: 503, skip: 1 })
    await control.fault({ operation: 'getIdentity', status: 429 })
    for (const status of [429, 503, 200]) expect((await api.get('/me')).status).toBe(status)
  })

  it.each([
    ['a part of an object', { custom_data: { fld_number: 1 } }, 503],
    ['an item of a list by its place', { assignees: ['mem_bo'] }, 503],
    ['an object where there is a list', { assignees: {} }, 201],
    ['a list where there is an object', { custom_data: [] }, 201],
    ['another value', { custom_data: { fld_number: 2 } }, 201],
    ['a field that is not there', { description: null }, 201],
  ])('mock.fault() fails what match decides when it names %s', async (_, body, status) => {
    await control.fault({ operation: 'createTask', status: 503, match: { body } })
    const task = { title: 'New', assignees: ['mem_bo'], custom_data: { fld_number: 1, fld_text: 'x' } }
    expect((await api.post('/lists/lst_main/tasks', task)).status).toBe(status)
  })

  it.each(['before', 'after'])(
    'getJob answers 503 and the clock stands still when the phase is %s',
    async (phase) => {
      const job = await api.post('/datatables/tbl_empty/jobs/insert', { rows: [{}] })
      const poll = async () => (await api.get(`/jobs/${job.string('job_id')}`)).status
      await control.fault({ operation: 'getJob', status: 503, phase })
      const before = await control.nowMs()
      expect([await poll(), await control.nowMs()]).toEqual([503, before])
      expect([await poll(), await control.nowMs()]).toEqual([200, before + 500])
    },
  )

  it('mock.fault() uses up no id when it is refused', async () => {
    expect(await control.fault({ status: 503 })).toBe('fault_1')
    await expect(control.fault({ status: 418 })).rejects.toThrow('status')
    await expect(control.fault({ sttus: 503 })).rejects.toThrow('nearest to sttus is status')
    expect(await control.fault({ status: 503 })).toBe('fault_2')
  })

  it('createComment answers 503 after the comment was made when the phase is after, before it by default', async () => {
    const before = await comments()
    await control.fault({ operation: 'createComment', status: 503, phase: 'after' })
    expect((await api.post('/tasks/tsk_full/comments', { content: 'x' })).status).toBe(503)
    expect(await comments()).toBe(before + 1)
    await control.fault({ operation: 'createComment', status: 503 })
    expect((await api.post('/tasks/tsk_full/comments', { content: 'x' })).status).toBe(503)
    expect(await comments()).toBe(before + 1)
  })

  it('mock.fault() breaks the connection once when network is true', async () => {
    await control.fault({ operation: 'getIdentity', network: true })
    await expect(api.get('/me')).rejects.toThrow()
    expect((await api.get('/me')).status).toBe(200)
  })

  it('getIdentity answers 500 until the fault is removed when times is null, and to what match names', async () => {
    await control.fault({ status: 500, times: null, match: { path: '/me' } })
    for (let count = 0; count < 3; count++) expect((await api.get('/me')).status).toBe(500)
    expect((await api.get('/datatables')).status).toBe(200)
    await control.resetFaults()
    expect((await api.get('/me')).status).toBe(200)
  })

  it.each([
    [{ operation: 'getIdentit' }, 'getIdentity'],
    [{ operation: 'getIdentity', status: 404 }, 'status'],
    [{ status: 418 }, 'status'],
    [{ times: 0 }, 'times'],
    [{ phase: 'during' }, 'phase'],
    [{ resource: 'rows' }, 'resource'],
    [{ unknown: 1 }, 'unknown'],
    [{ skip: -1 }, 'skip'],
    [{ skip: 1.5 }, 'skip'],
    [{ network: true, status: 503 }, 'status'],
    [{ network: true, status: 200 }, 'status'],
    [{ network: true, retryAfter: 1 }, 'retryAfter'],
    [{ network: true, resource: 'spaces' }, 'resource'],
    [{ retryAfter: 5 }, 'retryAfter'],
    [{ status: 503, retryAfter: 5 }, 'retryAfter'],
    [{ retryAftr: 5 }, 'retryAfter'],
  ])('mock.fault() refuses %j', async (spec, word) => {
    await expect(control.fault(spec)).rejects.toThrow(word)
  })

  it('getTask answers 503 once when Prefer asks for it, 200 with a hint when that status is not documented', async () => {
    const ask = (code: number) => api.get('/tasks/tsk_full', { headers: { prefer: `code=${String(code)}` } })
    expect((await ask(503)).status).toBe(503)
    const ignored = await ask(413)
    expect(ignored.status).toBe(200)
    expect(ignored.headers.get('x-mock-hint')).toMatch(
      /code=413 is not a documented error of getTask; its errors are 401, 402, 403, 404, 429, 500, 503/,
    )
  })

  it('getTask answers 503 when Prefer asks for it, and leaves a fault to the next request', async () => {
    await control.fault({ operation: 'getTask', status: 500 })
    const statuses = []
    for (const headers of [{ prefer: 'code=503' }, { prefer: 'code=413' }, {}])
      statuses.push((await api.get('/tasks/tsk_full', { headers })).status)
    expect(statuses).toEqual([503, 500, 200])
  })

  it.each([
    'code="503"',
    'Code=503',
    'wait=5, CODE = "503"',
    'respond-async; code=503',
    'code=503; wait=5',
    'code=503, handling=lenient',
    'code=503 wait=5',
  ])('getTask answers 503 when Prefer is %s', async (prefer) => {
    expect((await api.get('/tasks/tsk_full', { headers: { prefer } })).status).toBe(503)
  })

  it.each(['code=', 'code=abc', 'code=99', 'code="5030"', 'code=200'])(
    'getTask answers 200 with a hint when Prefer is %s',
    async (prefer) => {
      const ignored = await api.get('/tasks/tsk_full', { headers: { prefer } })
      expect(ignored.status).toBe(200)
      expect(ignored.headers.get('x-mock-hint')).toContain('Prefer: code=')
    },
  )

  it('getTask answers 200 without a hint when Prefer asks for something else', async () => {
    const headers = { prefer: 'return=minimal, barcode=503' }
    const reply = await api.get('/tasks/tsk_full', { headers })
    expect([reply.status, reply.headers.get('x-mock-hint')]).toEqual([200, null])
  })
})

describe('sandboxes', () => {
  const { api } = useMock()
  const names = Array.from({ length: 8 }, (_, index) => `world-${String(index)}`)

  it('createTask answers 201 seeing no task of another when eight sandboxes are under load', async () => {
    const create = (name: string, count: number) =>
      api.call('POST', '/lists/lst_main/tasks', {
        json: { title: `${name} task ${String(count)}` },
        headers: { 'x-mock-sandbox': name },
      })
    const work = Array.from({ length: 25 }, (_, count) => names.map((name) => create(name, count))).flat()
    expect(new Set((await Promise.all(work)).map(({ status }) => status))).toEqual(new Set([201]))
    for (const name of names) {
      const listed = await api.get('/lists/lst_main/tasks', {
        query: { q: 'world-', limit: 200 },
        headers: { 'x-mock-sandbox': name },
      })
      const titles = listed.list('tasks').map((task) => String((task as { title: unknown }).title))
      expect(titles).toHaveLength(25)
      expect(titles.filter((title) => !title.startsWith(`${name} `))).toEqual([])
    }
    expect((await api.get('/lists/lst_main/tasks', { query: { q: 'world-' } })).list('tasks')).toEqual([])
  })

  it('getIdentity answers 400 when the name of the sandbox is invalid', async () => {
    const reply = await api.get('/me', { headers: { 'x-mock-sandbox': 'a b' } })
    expect(reply.status).toBe(400)
    expect(reply.error).toContain('X-Mock-Sandbox')
  })
})
