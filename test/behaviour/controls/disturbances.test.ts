// Disturbances set before a plain test: another user's acts, other responses, and jobs that end otherwise.
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
    [{ job: 'failed' }, /job goes with operation "submitInsertJob" alone; received no operation/],
    [{ operation: 'getJob', job: 'failed' }, /alone; received "getJob"/],
    [{ operation: 'submitInsertJob', afterRows: 3 }, /afterRows goes with job alone; received 3/],
    [
      { operation: 'submitInsertJob', job: 'failed', status: 500 },
      /status must be left out where job is given/,
    ],
    [{ operation: 'submitInsertJob', job: 'errors', network: true }, /network must be left out/],
    [{ operation: 'submitInsertJob', job: 'lost' }, /job must be one of failed, errors; received "lost"/],
    [{ operation: 'submitInsertJob', job: 'failed', afterRows: -1 }, /afterRows/],
  ])('mock.fault() rejects %j', async (spec, message) => {
    await expect(control.fault(spec as never)).rejects.toThrow(message)
  })
})

describe('disturb', () => {
  const { api, control } = useMock()
  const disturb = (effect: object, at: object | null = null) =>
    control.disturb({ family: 'compatibility', name: 'a test', at, effect })
  const createTask = (title: string) => api.post('/lists/lst_second/tasks', { title })

  it('mock.disturb() lets an updateTask of another user come right after the request it follows', async () => {
    const act = { method: 'PATCH', path: '/tasks/tsk_full', body: { title: 'Edited by another user' } }
    await disturb({ do: 'act', act }, { operation: 'getTask', index: 1 })
    for (const expected of ['Write the proposal', 'Write the proposal', 'Edited by another user'])
      expect((await api.get('/tasks/tsk_full')).string('title')).toBe(expected)
    expect((await control.outcomes()).map(({ operation }) => operation)).toEqual(times(3, () => 'getTask'))
    expect(await control.report()).toEqual([])
  })

  it('mock.disturb() suspends the key right after the request it follows', async () => {
    await disturb(
      { do: 'act', act: { control: 'suspendKey', argument: 'master' } },
      { operation: 'getIdentity', index: 0 },
    )
    expect((await api.get('/me')).status).toBe(200)
    expect((await api.get('/me')).status).toBe(402)
  })

  it('bulkInsertRows answers 200 with an error of the last row when that is spoiled', async () => {
    await disturb({ do: 'spoil row' }, { operation: 'bulkInsertRows', index: 0 })
    const reply = await api.post('/datatables/tbl_empty/rows/bulk', { rows: rows(3) })
    expect(reply.status).toBe(200)
    expect(reply.list('errors')).toHaveLength(1)
    expect(reply.number('count')).toBe(2)
  })

  it.each(['gateway before', 'gateway after'])(
    'createTask answers 502 as %s when it is so disturbed',
    async (how) => {
      await disturb({ do: 'rewrite', how }, { operation: 'createTask', index: 0 })
      const reply = await createTask('A')
      expect([reply.status, reply.headers.get('content-type')]).toEqual([502, 'text/html'])
      const titles = (await api.get('/lists/lst_second/tasks')).list('tasks').map(({ title }: any) => title)
      expect(titles.includes('A')).toBe(how === 'gateway after')
    },
  )

  it('getTask answers 200 with half a body when it is cut', async () => {
    await disturb({ do: 'rewrite', how: 'cut' }, { operation: 'getTask', index: 0 })
    const reply = await api.get('/tasks/tsk_full')
    expect(() => reply.json).toThrow(SyntaxError)
    expect((await api.get('/tasks/tsk_full')).string('id')).toBe('tsk_full')
  })

  it('getTask answers 200 with a field that clients do not know when it is so disturbed', async () => {
    const before = (await api.get('/tasks/tsk_full')).json as object
    await disturb({ do: 'rewrite', how: 'unknown field' })
    const after = (await api.get('/tasks/tsk_full')).json as object
    expect(after).toMatchObject(before)
    expect(Object.keys(after).length).toBe(Object.keys(before).length + 1)
  })

  it('listTasks answers 200 with new tasks first on every page when it is so disturbed', async () => {
    await disturb({ do: 'rewrite', how: 'new items first' })
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
    await disturb({ do: 'extend', path: '/lists/lst_second/tasks', count: 3 })
    expect([await count(), await count()]).toEqual([before + 3, before + 3])
  })

  it('mock.disturb() gives other answers to questions until the faults are reset', async () => {
    await disturb({ do: 'answer', answers: { emptyNames: 'accept' } })
    expect((await createTask('')).status).toBe(201)
    await control.resetFaults()
    expect((await createTask('')).status).toBe(400)
  })

  it.each([
    ['reset', () => control.reset()],
    ['resetFaults', () => control.resetFaults()],
  ] as const)('mock.faults() lists a disturbance until %s', async (_, end) => {
    await disturb({ do: 'rewrite', how: 'cut' }, { operation: 'getIdentity', index: 3 })
    await disturb({ do: 'fail', faults: [{ network: true, times: null, skip: 2 }] })
    expect(await control.faults()).toMatchObject([
      { network: true, times: null, skip: 2, hits: 0 },
      { disturbance: { family: 'compatibility', at: { operation: 'getIdentity', index: 3 } }, hits: 0 },
    ])
    await end()
    expect(await control.faults()).toEqual([])
  })

  it.each([
    [{ family: 'crash' }, /name is required/],
    [{ family: 'crush', name: '', at: null, effect: { do: 'spoil row' } }, /family.*received "crush"/],
    [{ family: 'crash', name: '', at: null, effect: { do: 'nothing' } }, /do/],
    [
      { family: 'crash', name: '', at: { operation: 'getTsk', index: 0 }, effect: { do: 'spoil row' } },
      /getTask/,
    ],
    [
      { family: 'crash', name: '', at: null, effect: { do: 'fail', faults: [{ status: 418 }] } },
      /status must be one of/,
    ],
  ])('mock.disturb() rejects %j, and sets nothing', async (given, message) => {
    await expect(control.disturb(given as never)).rejects.toThrow(message)
    expect(await control.faults()).toEqual([])
  })
})
