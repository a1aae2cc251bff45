// Owns what mutation testing showed to be looked at by no other test: each case tells one rule from its neighbour.
import { describe, expect, it } from 'vitest'
import { NOW } from './fixture.ts'
import { multipart, times, useMock } from './harness.ts'

describe('jobs side by side', () => {
  const { api, control } = useMock({ advanceOnPoll: false })
  const submit = (table: string, count = 1, options = {}) =>
    api.post(`/datatables/${table}/jobs/insert`, { rows: times(count, () => ({})) }, options)
  const business = { key: 'wm_test_business' }

  it('submitInsertJob answers 202 when another workspace has its jobs running', async () => {
    for (let count = 0; count < 5; count++)
      expect((await submit('tbl_business', 1, business)).status).toBe(202)
    expect((await submit('tbl_empty')).status).toBe(202)
    expect((await submit('tbl_business', 1, business)).status).toBe(429)
  })

  it('submitInsertJob answers 429 with the wait for the first job to end, not for the last', async () => {
    for (const rows of [9000, 1, 5000, 9000, 9000]) await submit('tbl_business', rows, business)
    const refused = await submit('tbl_business', 1, business)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  })

  it('submitInsertJob answers 202 without end when no limit is set, 429 when the limit is 0', async () => {
    await control.setLimits({ concurrentBulkJobs: null })
    for (let count = 0; count < 3; count++) expect((await submit('tbl_empty')).status).toBe(202)
    await control.reset()
    await control.setLimits({ concurrentBulkJobs: 0 })
    const refused = await submit('tbl_empty')
    expect(refused.json).toMatchObject({ resource: 'concurrentBulkJobs', limit: 0, current: 0 })
    expect(refused.headers.get('retry-after')).toBe('1')
  })
})

describe('messages that tell one cause from another', () => {
  const { api } = useMock()
  const timer = '/tasks/tsk_plain/time-entries'

  it('getIdentity answers 401 and says whether the header is missing or malformed', async () => {
    const error = async (headers: Record<string, string>) =>
      (await api.get('/me', { key: null, headers })).error
    expect(await error({})).toContain('Authorization is missing')
    expect(await error({ authorization: 'Basic x' })).toContain('must have the form Bearer')
    expect(await error({ authorization: 'Bearer x' })).toContain('not known')
  })

  it('createTimeEntry answers 400 and says what is missing, or which entries are running', async () => {
    const error = async (json: object) => (await api.post(timer, json)).error
    expect(await error({ action: 'manual', date_start: NOW })).toContain('duration, or both')
    expect(await error({ action: 'stop' })).toContain('none is running')
    for (const as_user of ['mem_bo', 'mem_cy']) await api.post(timer, { action: 'start', as_user })
    expect(await error({ action: 'stop' })).toContain('2 of others are running')
  })
})

describe('numbers at their edge', () => {
  const { api } = useMock()
  const timer = '/tasks/tsk_plain/time-entries'

  it.each([
    { duration: Number.MAX_SAFE_INTEGER, date_start: NOW },
    { date_start: Number.MIN_SAFE_INTEGER, date_end: NOW },
  ])('createTimeEntry answers 400 when the times of %j leave the safe integers', async (times) => {
    const reply = await api.post(timer, { action: 'manual', ...times })
    expect(reply.status).toBe(400)
    expect(reply.error).toContain('safe integers')
  })
})

describe('upsert on columns of all kinds', () => {
  const { api, control } = useMock()
  const upsert = (key_column: string, row: object) =>
    api.post('/datatables/tbl_all/rows/bulk', { rows: [row], mode: 'upsert', key_column })

  it('bulkInsertRows answers 200 and matches an option by its label where labels are taken', async () => {
    await control.setAnswers({ typeChecks: 'dropdownLabels' })
    const reply = await upsert('Stage', { col_dropdown: 'Won', col_text: 'changed' })
    expect(reply.json).toMatchObject({ inserted: 0, updated: 1 })
    expect((await api.get('/datatables/tbl_all/rows/row_2')).at('data.col_text')).toBe('changed')
  })

  it('bulkInsertRows answers 200 and matches on the files of a row', async () => {
    const path = '/datatables/tbl_all/rows/row_3'
    await api.call('POST', `${path}/attachments`, { body: multipart([{ filename: 'a', content: 'a' }]) })
    const col_attachment = (await api.get(path)).at('data.col_attachment')
    expect((await upsert('Files', { col_attachment, col_text: 'changed' })).json).toMatchObject({
      updated: 1,
    })
    expect((await api.get(path)).at('data.col_text')).toBe('changed')
  })
})

describe('recurrence that completes', () => {
  const { api, control } = useMock()

  it('updateTask answers 200 and ignores the frequency of on_complete', async () => {
    const repeat_config = { trigger: 'on_complete', frequency: 'daily' }
    expect((await api.patch('/tasks/tsk_plain', { repeat_config })).status).toBe(200)
    const before = (await api.get('/lists/lst_main/tasks')).list('tasks').length
    await control.advance('5d')
    expect((await api.get('/lists/lst_main/tasks')).list('tasks')).toHaveLength(before)
  })
})

describe('ids in a state that tells no counters', () => {
  const { api, control } = useMock()

  it('what is created gets ids that are not taken', async () => {
    const create = async () => [
      (await api.post('/datatables/tbl_empty/rows', { data: {} })).string('id'),
      (await api.post('/spaces', { name: 'New' })).string('id'),
      (await api.post('/spaces/spc_main/lists', { name: 'New' })).string('id'),
      (await api.post('/lists/lst_main/tasks', { title: 'New' })).string('id'),
      (await api.post('/tasks/tsk_full/comments', { content: 'New' })).string('id'),
      (await api.post('/tasks/tsk_full/time-entries', { action: 'start' })).string('id'),
      (
        await api.call('POST', '/tasks/tsk_full/attachments', {
          body: multipart([{ filename: 'a', content: 'a' }]),
        })
      ).string('attachment.id'),
      (
        await api.post('/datatables/tbl_business/jobs/insert', { rows: [{}] }, { key: 'wm_test_business' })
      ).string('job_id'),
    ]
    const first = await create()
    const { runtime, ...state } = (await control.state()) as Record<string, unknown>
    await control.loadState({ ...state, runtime: { ...(runtime as object), ids: {} } })
    const second = await create()
    expect(new Set([...first, ...second]).size).toBe(first.length * 2)
    expect((await api.get('/tasks/tsk_full/comments')).list('comments')).toHaveLength(5)
  })
})
