// What the other answers to each open question change: how the service behaves.
import { describe, expect, it } from 'vitest'
import { NOW } from '../support/fixture.ts'
import { multipart, times, useMock } from '../support/harness.ts'

describe('answers about the service', () => {
  const { api, control } = useMock({ advanceOnPoll: false })
  const scoped = { key: 'wm_test_scoped' }

  it.each([
    ['contains', 'ALPHA', []],
    ['contains', 'lpha', ['row_1', 'row_4']],
    ['not_contains', 'Alpha', ['row_2', 'row_3', 'row_4', 'row_5']],
    ['starts_with', 'al', ['row_4']],
    ['ends_with', 'A', []],
  ])(
    'queryRows answers 200 telling upper from lower case when queryText is sensitive and a filter is %s %s',
    async (operator, value, expected) => {
      await control.setAnswers({ queryText: 'sensitive' })
      const filters = [{ column: 'Title', operator, value }]
      expect((await api.post('/datatables/tbl_all/query', { filters })).pluck('rows', 'id')).toEqual(expected)
    },
  )

  it('listTasks answers 200 telling upper from lower case in q when question queryText is sensitive', async () => {
    await control.setAnswers({ queryText: 'sensitive' })
    const found = async (q: string) =>
      (await api.get('/lists/lst_main/tasks', { query: { q } })).pluck('tasks', 'id')
    expect(await found('CALL')).toEqual([])
    expect(await found('Call')).toEqual(['tsk_plain'])
  })

  const submit = async (rows: unknown[]) => {
    const reply = await api.post('/datatables/tbl_empty/jobs/insert', { rows })
    expect(reply.status).toBe(202)
    return `/jobs/${reply.string('job_id')}`
  }
  const half = times(2000, (index) => (index === 5 ? { col_count: 'x' } : { col_count: index }))

  it('getJob answers 200 with failed when question jobTransitions is failedOnAnyChunk and one chunk errored', async () => {
    await control.setAnswers({ jobTransitions: 'failedOnAnyChunk' })
    const path = await submit(half)
    await control.advance('1m')
    expect((await api.get(path)).json).toMatchObject({
      status: 'failed',
      completed_at: NOW + 1,
      metadata: { row_count: 1999, errors: 1, progress: 1 },
    })
    const fine = await submit([{}])
    await control.advance('1m')
    expect((await api.get(fine)).at('status')).toBe('done')
  })

  it('getJob answers 200 with states that last as long as said when question jobTimeline has other numbers', async () => {
    await control.setAnswers({ jobTimeline: { queuedMs: 2000, chunkRows: 2, chunkMs: 1000 } })
    const path = await submit([{}, {}, {}])
    const seen: unknown[] = []
    for (let second = 0; second <= 4; second++) {
      const reply = await api.get(path)
      seen.push([reply.at('status'), reply.at('metadata.row_count')])
      await control.advance('1s')
    }
    expect(seen).toEqual([
      ['queued', 0],
      ['queued', 0],
      ['processing', 0],
      ['processing', 2],
      ['done', 3],
    ])
  })

  it('getJob answers 200 going on from where the job is when question jobTimeline is made shorter meanwhile', async () => {
    await control.setAnswers({ jobTimeline: { queuedMs: 2000, chunkRows: 1000, chunkMs: 2000 } })
    const path = await submit(times(2500, () => ({})))
    await control.advance('4s')
    expect((await api.get(path)).json).toMatchObject({ updated_at: NOW + 4, metadata: { row_count: 1000 } })
    await control.setAnswers({ jobTimeline: { queuedMs: 500, chunkRows: 1000, chunkMs: 500 } })
    await control.advance(1)
    expect((await api.get(path)).json).toMatchObject({
      status: 'done',
      updated_at: NOW + 4,
      completed_at: NOW + 4,
      metadata: { row_count: 2500 },
    })
  })

  it('mock.setAnswers() keeps the other numbers of jobTimeline when one is given', async () => {
    await control.setAnswers({ jobTimeline: { queuedMs: 10_000 } })
    expect((await control.answers()).jobTimeline).toEqual({
      queuedMs: 10_000,
      chunkRows: 1000,
      chunkMs: 500,
    })
  })

  it('getJob answers 200 without the rows of an errored chunk when question jobChunkErrors is rejectChunk', async () => {
    await control.setAnswers({ jobChunkErrors: 'rejectChunk' })
    const path = await submit(half)
    await control.advance('1m')
    const reply = await api.get(path)
    expect(reply.json).toMatchObject({
      status: 'done',
      metadata: { row_count: 1000, errors: 1, progress: 1 },
    })
    expect(reply.string('error_message')).toMatch(/^chunk 1: row 5: /)
    expect(
      (await api.get('/datatables/tbl_empty/rows', { query: { limit: 1 } })).at('rows.0.data.col_count'),
    ).toBe(1000)
  })

  const locked = '/datatables/tbl_locked'
  const rowWrites: [string, string, string, unknown][] = [
    ['createRow', 'POST', `${locked}/rows`, { data: {} }],
    ['updateRow', 'PATCH', `${locked}/rows/row_locked`, { data: {} }],
    ['deleteRow', 'DELETE', `${locked}/rows/row_locked`, undefined],
    ['uploadRowAttachment', 'POST', `${locked}/rows/row_locked/attachments`, 'file'],
  ]
  it.each(rowWrites)(
    '%s answers 403 when question lockedTable is writes, 200 by default',
    async (_, method, path, json) => {
      const send = () =>
        api.call(
          method,
          path,
          json === 'file' ? { body: multipart([{ filename: 'a', content: 'a' }]) } : { json },
        )
      expect((await send()).status).toBe(200)
      await control.reset()
      await control.setAnswers({ lockedTable: 'writes' })
      const refused = await send()
      expect(refused.status).toBe(403)
      expect(refused.json).toEqual({ error: refused.error })
    },
  )

  it('deleteRowAttachment answers 403 when question lockedTable is writes, 200 when it is bulk', async () => {
    const path = `${locked}/rows/row_locked/attachments`
    const uploaded = await api.call('POST', path, { body: multipart([{ filename: 'a', content: 'a' }]) })
    const file = `${path}/${encodeURIComponent(uploaded.string('attachment.key'))}`
    await control.setAnswers({ lockedTable: 'writes' })
    expect((await api.delete(file)).status).toBe(403)
    await control.setAnswers({ lockedTable: 'bulk' })
    expect((await api.delete(file)).status).toBe(200)
  })

  it('bulkInsertRows and submitInsertJob answer 403 when question lockedTable is bulk or writes, jobs alone when it is jobs', async () => {
    const statuses: unknown[] = []
    for (const lockedTable of ['bulk', 'jobs', 'writes']) {
      await control.setAnswers({ lockedTable })
      const bulk = await api.post(`${locked}/rows/bulk`, { rows: [{}] })
      const job = await api.post(`${locked}/jobs/insert`, { rows: [{}] })
      statuses.push([lockedTable, bulk.status, job.status])
    }
    expect(statuses).toEqual([
      ['bulk', 403, 403],
      ['jobs', 200, 403],
      ['writes', 403, 403],
    ])
  })

  it('updateTask answers 400 when question statusTransitions does not allow the change', async () => {
    await control.setAnswers({ statusTransitions: { active: ['active', 'done'], done: ['archived'] } })
    const move = async (status_id: string) => (await api.patch('/tasks/tsk_full', { status_id })).status
    expect(await move('st_archived')).toBe(400)
    expect(await move('st_doing')).toBe(200)
    expect(await move('st_done')).toBe(200)
    expect(await move('st_doing')).toBe(400)
    expect(await move('st_archived')).toBe(200)
    expect(await move('st_todo')).toBe(400)
    expect((await api.get('/tasks/tsk_full')).at('status_id')).toBe('st_archived')
  })

  it('getList, getTask and updateSpace answer 200 when question privateById is visible, and listings leave them out', async () => {
    await control.setAnswers({ privateById: 'visible' })
    expect((await api.get('/lists/lst_private')).status).toBe(200)
    expect((await api.get('/lists/lst_board/tasks')).pluck('tasks', 'id')).toEqual(['tsk_board'])
    expect((await api.get('/tasks/tsk_private')).status).toBe(200)
    expect((await api.patch('/spaces/spc_private', { name: 'Open' })).status).toBe(200)
    expect((await api.get('/spaces')).list('spaces')).toHaveLength(1)
    expect((await api.get('/lists')).pluck('lists', 'id')).toEqual(['lst_main', 'lst_second'])
  })

  it('listTasks answers 200 with the tasks of a type of status when question taskStatusFilter is idNameOrType', async () => {
    await control.setAnswers({ taskStatusFilter: 'idNameOrType' })
    const found = async (status: string) =>
      (await api.get('/lists/lst_main/tasks', { query: { status } })).pluck('tasks', 'id')
    expect(await found('active')).toEqual(['tsk_full', 'tsk_plain', 'tsk_doing'])
    expect(await found('done')).toEqual(['tsk_done'])
    expect(await found('Doing')).toEqual(['tsk_doing'])
  })

  const timer = '/tasks/tsk_plain/time-entries'
  const start = (json = {}, at = timer) => api.post(at, { action: 'start', ...json })

  it('listTimeEntries answers 200 with the seconds since the start when question runningDuration is elapsed', async () => {
    await control.setAnswers({ runningDuration: 'elapsed' })
    await start()
    await control.advance('42s')
    expect((await api.get(timer)).json).toMatchObject({
      total_seconds: 42,
      users: [{ id: 'mem_ada', total_seconds: 42 }],
      entries: [{ duration: 42, is_running: 1, date_end: null }],
    })
  })

  it('createTimeEntry answers 400 when question startEntry is reject and a timer of the user runs', async () => {
    await control.setAnswers({ startEntry: 'reject' })
    expect((await start()).status).toBe(200)
    expect((await start({}, '/tasks/tsk_doing/time-entries')).status).toBe(400)
    expect((await start({ as_user: 'mem_cy' })).status).toBe(200)
    expect((await api.get(timer)).pluck('entries', 'is_running')).toEqual([1, 1])
  })

  it('createTimeEntry answers 200 leaving both running when question startEntry is allow', async () => {
    await control.setAnswers({ startEntry: 'allow' })
    await start()
    await start()
    expect((await api.get(timer)).pluck('entries', 'is_running')).toEqual([1, 1])
  })

  it('createTimeEntry answers 200 stopping all that run, on whichever task, when question startEntry is stopPrevious', async () => {
    await control.setAnswers({ startEntry: 'allow' })
    await start()
    await start()
    await start({}, '/tasks/tsk_doing/time-entries')
    await control.setAnswers({ startEntry: 'stopPrevious' })
    await start()
    expect((await api.get(timer)).pluck('entries', 'is_running')).toEqual([0, 0, 1])
    const other = await api.get('/tasks/tsk_doing/time-entries')
    expect(other.pluck('entries', 'is_running')).not.toContain(1)
  })

  it('createTimeEntry answers 200 stopping the entry started last when question stopEntry is latest', async () => {
    await control.setAnswers({ stopEntry: 'latest' })
    await start()
    await control.advance('1s')
    await start({ as_user: 'mem_cy' })
    await control.advance('1s')
    const stop = () => api.post(timer, { action: 'stop' })
    expect((await stop()).json).toMatchObject({ user_id: 'mem_cy', duration: 1 })
    expect((await stop()).json).toMatchObject({ user_id: 'mem_ada', duration: 2 })
    expect((await stop()).status).toBe(400)
  })

  it.each(['latest', 'actingThenOnly'])(
    'createTimeEntry answers 200 stopping by start, not by creation, when several run and stopEntry is %s',
    async (stopEntry) => {
      const entry = (date_start: number) => ({
        id: `ent_${String(date_start)}`,
        user_id: 'mem_ada',
        is_running: 1,
        date_start,
      })
      const time_entries = [entry(NOW - 60), entry(NOW - 10), entry(NOW - 30)]
      await control.seed({ tasks: [{ id: 'tsk_plain', time_entries }] })
      await control.setAnswers({ stopEntry })
      const stop = async () => (await api.post(timer, { action: 'stop' })).at('duration')
      expect([await stop(), await stop(), await stop()]).toEqual([10, 30, 60])
    },
  )

  it('updateTimeEntry answers 403 when question editRunning is 403 and the entry is running', async () => {
    await control.setAnswers({ editRunning: 403 })
    const id = (await start()).string('id')
    const reply = await api.patch(`${timer}/${id}`, { note: 'x' })
    expect(reply.status).toBe(403)
    expect(reply.json).toEqual({ error: reply.error })
  })

  it('updateComment answers 200 when question ownComment is member and the member of the key wrote it, 403 otherwise', async () => {
    const edit = async (id: string) =>
      (await api.patch(`/tasks/tsk_full/comments/${id}`, { content: 'x' }, scoped)).status
    expect(await edit('cmt_rich')).toBe(403)
    await control.setAnswers({ ownComment: 'member' })
    expect(await edit('cmt_rich')).toBe(200)
    expect(await edit('cmt_ada')).toBe(403)
    const created = await api.post('/tasks/tsk_full/comments', { content: 'x', comment_as: 'mem_cy' }, scoped)
    expect(await edit(created.string('id'))).toBe(403)
  })
})
