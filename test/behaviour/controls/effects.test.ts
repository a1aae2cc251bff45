// Faults with an effect, in a plain test: other users' acts, changed responses, stops, and jobs that end differently.
import { describe, expect, it } from 'vitest'
import { times, useMock } from '../support/harness.ts'

const jobs = '/datatables/tbl_empty/jobs/insert'
const rows = (count: number) => times(count, (index) => ({ col_count: index }))

describe('a fault of a job', () => {
  const { api, control } = useMock({ advanceOnPoll: false })
  const run = async (count: number) => {
    const { job_id: id } = (await api.post(jobs, { rows: rows(count) })).json as { job_id: string }
    await control.advance('1h')
    return (await api.get(`/jobs/${id}`)).json
  }
  const total = async () => (await api.get('/datatables/tbl_empty/rows')).number('total')

  it.each([
    [undefined, 2500, 1250],
    [500, 2500, 500],
    [0, 300, 0],
    [1000, 1000, 1000],
    [9000, 300, 300],
  ])('getJob answers 200 with failed when a fault with afterRows %s is set for %i rows', async (...row) => {
    const [afterRows, count, inserted] = row
    await control.fault({
      operation: 'submitInsertJob',
      job: 'failed',
      ...(afterRows !== undefined && { afterRows }),
    })
    expect(await run(count)).toMatchObject({
      status: 'failed',
      metadata: { submitted: count, row_count: inserted, errors: 1 },
      error_message: expect.stringMatching(/^chunk \d+: the job was stopped$/),
    })
    expect(await total()).toBe(inserted)
    expect(await run(3)).toMatchObject({ status: 'done' })
  })

  it.each([
    [undefined, 2500, 'chunk 2: row 1250: injected by a fault'],
    [0, 300, 'chunk 1: row 0: injected by a fault'],
    [9000, 300, 'chunk 1: row 299: injected by a fault'],
  ])(
    'getJob answers 200 with done and errors when a fault with afterRows %s is set for %i rows',
    async (...row) => {
      const [afterRows, count, message] = row
      await control.fault({
        operation: 'submitInsertJob',
        job: 'errors',
        ...(afterRows !== undefined && { afterRows }),
      })
      expect(await run(count)).toMatchObject({
        status: 'done',
        metadata: { row_count: count - 1, errors: 1 },
        error_message: message,
      })
    },
  )

  it('getJob answers 200 with failed when the job has been exported and loaded half-way', async () => {
    await control.fault({ operation: 'submitInsertJob', job: 'failed', afterRows: 1500 })
    const { job_id: id } = (await api.post(jobs, { rows: rows(2000) })).json as { job_id: string }
    await control.advance(1000)
    await control.loadState(await control.state())
    await control.advance(5000)
    expect((await api.get(`/jobs/${id}`)).json).toMatchObject({
      status: 'failed',
      metadata: { row_count: 1500 },
    })
  })

  it.each([
    [{ job: 'failed' }, /job needs operation "submitInsertJob"; received no operation/],
    [{ operation: 'getJob', job: 'failed' }, /submitInsertJob"; received "getJob"/],
    [{ operation: 'submitInsertJob', afterRows: 3 }, /afterRows needs job; received 3/],
    [{ status: 503, delayOn: 'clock' }, /delayOn needs delayMs; received "clock" without it/],
    [{ effect: { respond: { status: 418 } }, delayOn: 'timers' }, /delayOn needs delayMs; received "timers"/],
    [{ operation: 'submitInsertJob', job: 'failed', status: 500 }, /status must be left out when job is set/],
    [{ operation: 'submitInsertJob', job: 'errors', network: true }, /network must be left out/],
    [{ operation: 'submitInsertJob', job: 'lost' }, /job must be one of failed, errors; received "lost"/],
    [{ operation: 'submitInsertJob', job: 'failed', afterRows: -1 }, /afterRows/],
  ])('mock.fault() rejects %j', async (spec, message) => {
    await expect(control.fault(spec as never)).rejects.toThrow(message)
  })
})

describe('a fault with an effect', () => {
  const { api, control } = useMock()
  const createTask = (title: string) => api.post('/lists/lst_second/tasks', { title })
  const titles = async () =>
    (await api.get('/lists/lst_second/tasks')).list('tasks').map(({ title }: any) => title)

  it('mock.fault() lets updateTask of another user come right after the request that it selects', async () => {
    const act = { method: 'PATCH', path: '/tasks/tsk_full', body: { title: 'Edited by another user' } }
    await control.fault({ operation: 'getTask', skip: 1, effect: { act } })
    for (const expected of ['Write the proposal', 'Write the proposal', 'Edited by another user'])
      expect((await api.get('/tasks/tsk_full')).string('title')).toBe(expected)
    expect((await control.outcomes()).map(({ operation }) => operation)).toEqual(times(3, () => 'getTask'))
    expect(await control.report()).toEqual([])
    expect(await control.faults()).toEqual([])
  })

  it.each([
    ['setPlan', 'free', '/me', 200, 'free'],
    ['suspendKey', 'master', '/me', 402, undefined],
  ])('mock.fault() lets %s %s happen right after a request', async (...row) => {
    const [of, argument, path, status, plan] = row
    await control.fault({ operation: 'getIdentity', effect: { act: { control: of, argument } } })
    expect((await api.get(path)).status).toBe(200)
    const reply = await api.get(path)
    expect(reply.status).toBe(status)
    if (plan !== undefined) expect(JSON.stringify(reply.json)).toContain(`"${plan}"`)
  })

  it('bulkInsertRows answers 403 when the table is locked after the request before', async () => {
    await control.fault({ effect: { act: { control: 'lockTable', argument: 'tbl_empty' } } })
    const insert = async () => (await api.post('/datatables/tbl_empty/rows/bulk', { rows: rows(1) })).status
    expect([await insert(), await insert()]).toEqual([200, 403])
  })

  it('bulkInsertRows answers 200 with an error of the last row when that is spoiled', async () => {
    await control.fault({ effect: { spoil: 'row' } })
    await api.get('/me')
    const reply = await api.post('/datatables/tbl_empty/rows/bulk', { rows: rows(3) })
    expect(reply.status).toBe(200)
    expect(reply.list('errors')).toHaveLength(1)
    expect(reply.number('count')).toBe(2)
  })

  it.each(['gateway before', 'gateway after'])(
    'createTask answers 502 as %s when it is so rewritten',
    async (rewrite) => {
      await control.fault({ operation: 'createTask', effect: { rewrite } })
      const reply = await createTask('A')
      expect([reply.status, reply.headers.get('content-type')]).toEqual([502, 'text/html'])
      expect((await titles()).includes('A')).toBe(rewrite === 'gateway after')
    },
  )

  it('getTask answers 200 with half a body when it is cut', async () => {
    await control.fault({ operation: 'getTask', effect: { rewrite: 'cut' } })
    const reply = await api.get('/tasks/tsk_full')
    expect(() => reply.json).toThrow(SyntaxError)
    expect((await api.get('/tasks/tsk_full')).string('id')).toBe('tsk_full')
  })

  it('getTask answers 200 with a field that clients do not know when the fault has times left', async () => {
    const count = async () => Object.keys((await api.get('/tasks/tsk_full')).json as object).length
    const before = await count()
    await control.fault({ times: 2, effect: { rewrite: 'unknown field' } })
    expect([await count(), await count(), await count()]).toEqual([before + 1, before + 1, before])
  })

  it('createTask answers 502 when its body is the one that the fault matches', async () => {
    const match = { body: { title: 'B' } }
    await control.fault({ operation: 'createTask', match, effect: { rewrite: 'gateway before' } })
    expect((await createTask('A')).status).toBe(201)
    expect((await createTask('B')).status).toBe(502)
  })

  it('listTasks answers 200 with new tasks first on every page when they are so ordered', async () => {
    await control.fault({ times: null, effect: { rewrite: 'new items first' } })
    await api.get('/me')
    for (const title of ['A', 'B']) await createTask(title)
    const page = async (offset: number) =>
      (await api.get(`/lists/lst_second/tasks?limit=1&offset=${offset}`))
        .list('tasks')
        .map(({ title }: any) => title)
    expect([await page(0), await page(1)]).toEqual([['B'], ['A']])
  })

  it('listTasks answers 200 with more tasks when the listing is extended', async () => {
    const count = async () => (await api.get('/lists/lst_second/tasks?limit=200')).list('tasks').length
    const before = await count()
    await control.fault({ effect: { extend: { path: '/lists/lst_second/tasks', count: 3 } } })
    expect([await count(), await count()]).toEqual([before + 3, before + 3])
  })

  it.each([
    ['resetFaults', () => control.resetFaults()],
    ['reset', () => control.reset()],
  ] as const)('mock.fault() gives other answers to questions until %s', async (_, end) => {
    await control.fault({ effect: { answers: { emptyNames: 'accept' } } })
    expect((await createTask('')).status).toBe(201)
    await end()
    expect((await createTask('')).status).toBe(400)
  })

  it.each(['before', 'after'] as const)(
    'mock.fault() breaks every connection from a request on that is stopped %s it is carried out',
    async (phase) => {
      await control.fault({ operation: 'createTask', skip: 1, phase, effect: { stop: true } })
      expect((await createTask('A')).status).toBe(201)
      await expect(createTask('B')).rejects.toThrow()
      await expect(api.get('/me')).rejects.toThrow()
      expect(await control.faults()).toMatchObject([{ phase, skip: 1, effect: { stop: true }, hits: 2 }])
      await control.resetFaults()
      expect((await titles()).includes('B')).toBe(phase === 'after')
    },
  )

  it.each([
    ['reset', () => control.reset()],
    ['resetFaults', () => control.resetFaults()],
  ] as const)('mock.faults() lists effects among other faults until %s', async (_, end) => {
    await control.fault({ operation: 'getIdentity', skip: 3, effect: { rewrite: 'cut' } })
    await control.fault({ network: true, times: null, skip: 2 })
    await control.fault({ effect: { answers: { emptyNames: 'accept' } } })
    expect(await control.faults()).toEqual([
      {
        id: 'fault_1',
        problem: null,
        hits: 0,
        times: 1,
        operation: 'getIdentity',
        skip: 3,
        effect: { rewrite: 'cut' },
      },
      { id: 'fault_2', problem: null, hits: 0, times: null, phase: 'before', network: true, skip: 2 },
      { id: 'fault_3', problem: null, hits: 0, effect: { answers: { emptyNames: 'accept' } } },
    ])
    await end()
    expect(await control.faults()).toEqual([])
  })

  const patch = (path: string, body?: unknown) => ({ act: { method: 'PATCH', path, body } })
  const does = (of: string, argument?: unknown) => ({ act: { control: of, argument } })
  const secondTasks = '/lists/lst_second/tasks'
  const withValues = (path: string, values: object) => ({ extend: { path, count: 1, values } })
  it.each([
    [null, /^effect must be an object with one of rewrite, act, .*; received null/],
    [
      {},
      /^effect must have exactly one of rewrite, act, spoil, stop, answers, extend, respond; received \{\}/,
    ],
    [{ rewrite: 'cut', stop: true }, /exactly one of/],
    [{ rewritten: 'cut' }, /effect has unknown fields: rewritten; .*rewrite/],
    [
      { rewrite: 'cutt' },
      /^effect\.rewrite must be one of gateway before, .*received "cutt".*nearest is cut/,
    ],
    [{ rewrite: null }, /^effect\.rewrite must be one of/],
    [{ spoil: 'rows' }, /^effect\.spoil must be "row"; received "rows"/],
    [{ stop: false }, /^effect\.stop must be true; received false/],
    [{ act: [] }, /^effect\.act must be an object; received \[\]/],
    [{ act: {} }, /^effect\.act\.method/],
    [
      { act: { method: 'GET', path: '/me' } },
      /^effect\.act\.method must be one of POST, PATCH, DELETE; received "GET"/,
    ],
    [
      does('setPlan', 'gold'),
      /^effect\.act\.argument must be one of free, pro, business, scale; received "gold"/,
    ],
    [does('setPlan'), /^effect\.act\.argument is required/],
    [does('setPlan', 3), /^effect\.act\.argument must be a string; received 3/],
    [
      does('lockTable', 'tbl_emty'),
      /^effect\.act\.argument must be the id of a table; received "tbl_emty".*tbl_empty/,
    ],
    [does('suspendKey', 'mster'), /^effect\.act\.argument must be a key, or its name; received "mster"/],
    [
      does('setPlann', 'free'),
      /^effect\.act\.control must be one of setPlan, lockTable, suspendKey, submitForm; received "setPlann"/,
    ],
    [{ act: { control: 'setPlan', argument: 'free', path: '/me' } }, /^effect\.act has unknown fields: path/],
    [patch('/task/tsk_full', { title: 'A' }), /^effect\.act\.path must be the path of .*updateTask/],
    [patch('tasks/tsk_full', { title: 'A' }), /^effect\.act\.path/],
    [patch('/tasks/tsk_full'), /^effect\.act\.body/],
    [patch('/tasks/tsk_full', 'title'), /^effect\.act\.body must be an object; received "title"/],
    [patch('/tasks/tsk_full', { title: 3 }), /^effect\.act\.body\.title must be a string; received 3/],
    [patch('/tasks/tsk_full', { titel: 'A' }), /^effect\.act\.body has unknown fields: titel;.*title/],
    [{ act: { method: 'DELETE', path: '/tasks/tsk_full', body: {} } }, /^effect\.act\.body must be left out/],
    [{ act: { method: 'POST', path: '/tasks/tsk_full/attachments' } }, /^effect\.act\.path .* takes files/],
    [{ answers: { emptyName: 'accept' } }, /^effect\.answers: .*"emptyName"; the nearest is "emptyNames"/],
    [{ answers: { emptyNames: 'maybe' } }, /^effect\.answers: question emptyNames: received "maybe"/],
    [{ answers: {} }, /^effect\.answers must answer at least one question; received \{\}/],
    [{ answers: ['emptyNames'] }, /^effect\.answers must be an object/],
    [{ extend: { path: '/me', count: 1 } }, /^effect\.extend\.path must be the path of a listing/],
    [
      { extend: { path: '/lists/lst_secnd/tasks', count: 1 } },
      /^effect\.extend\.path must name a list that exists.*lst_second/,
    ],
    [{ extend: { path: '/lists/lst_second/tasks' } }, /^effect\.extend\.count/],
    [
      { extend: { path: '/lists/lst_second/tasks', count: 0 } },
      /^effect\.extend\.count must be at least 1; received 0/,
    ],
    [
      { extend: { path: secondTasks, count: 1, value: {} } },
      /^effect\.extend has unknown fields: value;.*values/,
    ],
    [{ extend: { path: secondTasks, count: 1, values: null } }, /^effect\.extend\.values must be an object/],
    [withValues(secondTasks, { titel: 'A' }), /^effect\.extend\.values has unknown fields: titel;.*is title/],
    [withValues(secondTasks, { title: 3 }), /^effect\.extend\.values\.title must be a string; received 3/],
    [withValues(secondTasks, { title: '' }), /^effect\.extend\.values\.title/],
    [withValues(secondTasks, { status_id: 'sts_no' }), /^effect\.extend\.values\.status_id must be the id/],
    [withValues(secondTasks, { assignees: ['usr_no'] }), /^effect\.extend\.values\.assignees\[0\] must be/],
    [
      withValues(secondTasks, { parent_task_id: 'tsk_no' }),
      /^effect\.extend\.values\.parent_task_id must be/,
    ],
    [
      withValues(secondTasks, { custom_data: { no: 1 } }),
      /^effect\.extend\.values\.custom_data has unknown fields: no/,
    ],
    [withValues('/datatables/tbl_empty/rows', { no: 1 }), /^effect\.extend\.values has unknown fields: no;/],
    [withValues('/datatables/tbl_empty/rows', { col_count: 'x' }), /^effect\.extend\.values.*col_count.*"x"/],
    [
      withValues('/datatables/tbl_empty/rows', { col_cuont: 1 }),
      /^effect\.extend\.values has unknown fields: col_cuont;.*the nearest to col_cuont is col_count/,
    ],
    [withValues('/forms/frm_task/submissions', {}), /^effect\.extend\.values must be left out for a form/],
  ])('mock.fault() rejects the effect %j, and sets nothing', async (effect, message) => {
    await expect(control.fault({ effect })).rejects.toThrow(message)
    expect(await control.faults()).toEqual([])
  })

  it.each([
    [{ operation: 'getMe', effect: { rewrite: 'cut' } }, /operation "getMe" does not exist/],
    [
      { status: 503, effect: { rewrite: 'cut' } },
      /^status must be left out when effect\.rewrite is set: it allows only .*; received 503/,
    ],
    [{ phase: 'after', effect: { rewrite: 'cut' } }, /^phase must be left out when effect\.rewrite/],
    [{ network: true, effect: { stop: true } }, /^network must be left out when effect\.stop/],
    [{ times: 2, effect: { stop: true } }, /^times must be left out when effect\.stop/],
    [{ delayMs: 5, effect: { spoil: 'row' } }, /^delayMs must be left out/],
    [
      { operation: 'getTask', effect: { spoil: 'row' } },
      /^operation must be one of bulkInsertRows, submitInsertJob/,
    ],
    [{ operation: 'createTask', effect: { rewrite: 'new items first' } }, /^operation must be a read when/],
    [
      { skip: 1, effect: { answers: {} } },
      /^skip must be left out when effect\.answers is set: it allows no other field; received 1/,
    ],
    [{ operation: 'getTask', effect: { answers: {} } }, /^operation must be left out when effect\.answers/],
    [
      { times: null, effect: { extend: { path: '/lists/lst_second/tasks', count: 1 } } },
      /^times must be left out/,
    ],
    [
      { match: { path: '/nowhere' }, effect: { rewrite: 'cut' } },
      /^match\.path must be a path of an operation/,
    ],
    [{ skip: -1, effect: { stop: true } }, /^skip/],
  ])('mock.fault() rejects %j, and sets nothing', async (spec, message) => {
    await expect(control.fault(spec)).rejects.toThrow(message)
    expect(await control.faults()).toEqual([])
  })
})
