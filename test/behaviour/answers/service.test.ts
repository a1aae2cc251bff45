// What each open question's other answers change: how the service behaves.
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
  ])('queryText sensitive: %s %s tells upper from lower case', async (operator, value, expected) => {
    await control.setAnswers({ queryText: 'sensitive' })
    const filters = [{ column: 'Title', operator, value }]
    expect((await api.post('/datatables/tbl_all/query', { filters })).pluck('rows', 'id')).toEqual(expected)
  })

  it('queryText sensitive: the task search tells upper from lower case', async () => {
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

  it('jobTransitions failedOnAnyChunk: one errored chunk fails the job', async () => {
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

  it('jobTimeline: states last as long as they are said to', async () => {
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

  it('jobTimeline: a partial answer keeps the rest', async () => {
    await control.setAnswers({ jobTimeline: { queuedMs: 10_000 } })
    expect((await control.answers()).jobTimeline).toEqual({
      queuedMs: 10_000,
      chunkRows: 1000,
      chunkMs: 500,
    })
  })

  it('jobChunkErrors rejectChunk: no row of an errored chunk goes in', async () => {
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
    'lockedTable bulk, jobs: %s is allowed; writes: it is refused',
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

  it('lockedTable writes: deleteRowAttachment is refused, allowed otherwise', async () => {
    const path = `${locked}/rows/row_locked/attachments`
    const uploaded = await api.call('POST', path, { body: multipart([{ filename: 'a', content: 'a' }]) })
    const file = `${path}/${encodeURIComponent(uploaded.string('attachment.key'))}`
    await control.setAnswers({ lockedTable: 'writes' })
    expect((await api.delete(file)).status).toBe(403)
    await control.setAnswers({ lockedTable: 'bulk' })
    expect((await api.delete(file)).status).toBe(200)
  })

  it('lockedTable: bulk requests are refused by bulk and writes, jobs by all three', async () => {
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

  it('statusTransitions: only the changes of the map are allowed', async () => {
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

  it('privateById visible: private spaces, lists and tasks are reached by id, and still not listed', async () => {
    await control.setAnswers({ privateById: 'visible' })
    expect((await api.get('/lists/lst_private')).status).toBe(200)
    expect((await api.get('/lists/lst_board/tasks')).pluck('tasks', 'id')).toEqual(['tsk_board'])
    expect((await api.get('/tasks/tsk_private')).status).toBe(200)
    expect((await api.patch('/spaces/spc_private', { name: 'Open' })).status).toBe(200)
    expect((await api.get('/spaces')).list('spaces')).toHaveLength(1)
    expect((await api.get('/lists')).pluck('lists', 'id')).toEqual(['lst_main', 'lst_second'])
  })

  it('taskStatusFilter idNameOrType: the type of a status finds tasks too', async () => {
    await control.setAnswers({ taskStatusFilter: 'idNameOrType' })
    const found = async (status: string) =>
      (await api.get('/lists/lst_main/tasks', { query: { status } })).pluck('tasks', 'id')
    expect(await found('active')).toEqual(['tsk_full', 'tsk_plain', 'tsk_doing'])
    expect(await found('done')).toEqual(['tsk_done'])
    expect(await found('Doing')).toEqual(['tsk_doing'])
  })

  const timer = '/tasks/tsk_plain/time-entries'
  const start = (json = {}, at = timer) => api.post(at, { action: 'start', ...json })

  it('runningDuration elapsed: a running entry shows the seconds since its start', async () => {
    await control.setAnswers({ runningDuration: 'elapsed' })
    await start()
    await control.advance('42s')
    expect((await api.get(timer)).json).toMatchObject({
      total_seconds: 42,
      users: [{ id: 'mem_ada', total_seconds: 42 }],
      entries: [{ duration: 42, is_running: 1, date_end: null }],
    })
  })

  it('startEntry reject: a second start of one user answers 400', async () => {
    await control.setAnswers({ startEntry: 'reject' })
    expect((await start()).status).toBe(200)
    expect((await start({}, '/tasks/tsk_doing/time-entries')).status).toBe(400)
    expect((await start({ as_user: 'mem_cy' })).status).toBe(200)
    expect((await api.get(timer)).pluck('entries', 'is_running')).toEqual([1, 1])
  })

  it('startEntry allow: both run', async () => {
    await control.setAnswers({ startEntry: 'allow' })
    await start()
    await start()
    expect((await api.get(timer)).pluck('entries', 'is_running')).toEqual([1, 1])
  })

  it('startEntry stopPrevious: a start stops all that run, whichever task they are on', async () => {
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

  it('stopEntry latest: the entry started last is stopped', async () => {
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

  it('editRunning 403: editing a running entry answers 403', async () => {
    await control.setAnswers({ editRunning: 403 })
    const id = (await start()).string('id')
    const reply = await api.patch(`${timer}/${id}`, { note: 'x' })
    expect(reply.status).toBe(403)
    expect(reply.json).toEqual({ error: reply.error })
  })

  it('ownComment member: a scoped key owns what its member wrote', async () => {
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
