// Owns what each open question's other answers change: shapes and requests. Questions of the service: answers-service.test.ts.
import { describe, expect, it } from 'vitest'
import { times, useMock } from './harness.ts'

const rowPath = '/datatables/tbl_linked/rows'

describe('answers in general', () => {
  const { api, control } = useMock({ answers: { taskReadExtras: true } })

  it('answers given at the start are in force, merge with later ones, and come back with reset', async () => {
    expect((await api.get('/tasks/tsk_full')).at('list_id')).toBe('lst_main')
    await control.setAnswers({ mutationBody: 'empty' })
    expect((await control.answers())['taskReadExtras']).toBe(true)
    await control.setAnswers({ taskReadExtras: false })
    expect((await api.get('/tasks/tsk_full')).at('list_id')).toBeUndefined()
    expect((await api.delete('/tasks/tsk_full')).json).toEqual({})
    await control.reset()
    expect((await api.get('/tasks/tsk_full')).at('list_id')).toBe('lst_main')
    expect((await api.delete('/tasks/tsk_full')).json).toEqual({ success: true })
  })

  it.each([
    [{ rowshape: 'flat' }, 'rowShape'],
    [{ nothing: 1 }, 'nothing'],
    [{ rowShape: 'round' }, 'rowShape'],
    [{ taskPriority: { low: 0 } }, 'taskPriority'],
    [{ taskPriority: { lowest: 9 } }, 'taskPriority'],
    [{ jobTimeline: { chunkMs: 499 } }, 'jobTimeline'],
    [{ bulkInsertPerMinute: { gold: 1 } }, 'bulkInsertPerMinute'],
    [{ bodyBytes: '1' }, 'bodyBytes'],
    [{ scopes: { noOperation: 'x' } }, 'scopes'],
    [{ rowVersion: 'other' }, 'rowVersion'],
    [{ editRunning: 404 }, 'editRunning'],
    [{ statusTransitions: { open: [] } }, 'statusTransitions'],
    [{ mutationBody: 'empty', rowShape: 'round' }, 'rowShape'],
    [[], 'answers'],
    ['flat', 'answers'],
  ])('answers %j are refused naming the cause, and nothing changes', async (answers, cause) => {
    const before = await control.answers()
    await expect(control.setAnswers(answers)).rejects.toThrow(cause)
    expect(await control.answers()).toEqual(before)
  })
})

describe('answers about shapes', () => {
  const { api, control } = useMock()

  it('rowShape flat: every row has its values beside id and version', async () => {
    await control.setAnswers({ rowShape: 'flat' })
    const flat = { id: 'lin_1', version: 1, col_name: 'One', col_count: 1 }
    expect((await api.get(`${rowPath}/lin_1`)).json).toEqual(flat)
    expect((await api.get(rowPath)).at('rows.0')).toEqual(flat)
    expect((await api.post('/datatables/tbl_linked/query', {})).at('rows.0')).toEqual(flat)
    const created = await api.post(rowPath, { data: { col_name: 'New' } })
    expect(created.json).toEqual({ id: created.string('id'), version: 1, col_name: 'New', col_count: null })
    expect((await api.patch(`${rowPath}/lin_1`, { data: {} })).json).toEqual({ ...flat, version: 2 })
  })

  it('rowShape flatInLists: rows are flat in listings and query results only', async () => {
    await control.setAnswers({ rowShape: 'flatInLists' })
    const flat = { id: 'lin_1', version: 1, col_name: 'One', col_count: 1 }
    expect((await api.get(rowPath)).at('rows.0')).toEqual(flat)
    expect((await api.post('/datatables/tbl_linked/query', {})).at('rows.0')).toEqual(flat)
    expect((await api.get(`${rowPath}/lin_1`)).at('data')).toEqual({ col_name: 'One', col_count: 1 })
    expect((await api.post(rowPath, { data: {} })).at('data')).toEqual({ col_name: null, col_count: null })
  })

  it('emptyColumns absent: columns without a value are left out', async () => {
    await control.setAnswers({ emptyColumns: 'absent' })
    const row = await api.get('/datatables/tbl_all/rows/row_5')
    expect(Object.keys(row.at('data') as object).sort()).toEqual(['col_autonumber', 'col_created', 'col_updated'])
    expect((await api.get('/datatables/tbl_all/rows')).at('rows.3.data')).not.toHaveProperty('col_email')
  })

  it('taskPriority: reads show other integers, writes take names', async () => {
    await control.setAnswers({ taskPriority: { none: 9, urgent: 1, low: 4 } })
    expect((await api.get('/tasks/tsk_plain')).at('priority')).toBe(9)
    await api.patch('/tasks/tsk_plain', { priority: 'urgent' })
    expect((await api.get('/tasks/tsk_plain')).at('priority')).toBe(1)
    expect((await api.get('/tasks/tsk_full')).at('priority')).toBe(3)
  })

  it('taskReadExtras true: reading a task shows what can be written', async () => {
    await control.setAnswers({ taskReadExtras: true })
    const extras = {
      list_id: 'lst_main',
      description: null,
      time_estimate: null,
      project_id: null,
      parent_task_id: null,
      type_id: null,
      repeat_config: null,
    }
    expect((await api.get('/tasks/tsk_plain')).json).toMatchObject(extras)
    expect((await api.get('/lists/lst_main/tasks')).at('tasks.1')).toMatchObject(extras)
  })

  it('customFieldTypes: another enumeration is taken, the fields stay as they are', async () => {
    await control.setAnswers({ customFieldTypes: ['text', 'number', 'rating'] })
    expect((await control.answers())['customFieldTypes']).toEqual(['text', 'number', 'rating'])
    expect((await api.get('/lists/lst_second/schema')).status).toBe(200)
  })

  it('customFieldOptions label: an option is its label alone', async () => {
    await control.setAnswers({ customFieldOptions: 'label' })
    const schema = await api.get('/lists/lst_main/schema')
    expect(schema.at('fields.10')).toMatchObject({
      id: 'fld_dropdown',
      options: [{ label: 'Lead' }, { label: 'Won' }, { label: 'Lost' }],
    })
    expect(schema.at('fields.10.options.0')).toEqual({ label: 'Lead' })
  })

  it('timeEntryUsers names: users have no totals', async () => {
    await control.setAnswers({ timeEntryUsers: 'names' })
    expect((await api.get('/tasks/tsk_full/time-entries')).at('users')).toEqual([
      { id: 'mem_ada', name: 'Ada Quill' },
      { id: 'mem_bo', name: 'Bo Lindqvist' },
    ])
  })

  it('formTargetType datatable_row: forms that write rows are called so', async () => {
    await control.setAnswers({ formTargetType: 'datatable_row' })
    expect((await api.get('/forms')).pluck('forms', 'target_type')).toEqual(['task', 'datatable_row', 'task'])
    expect((await api.get('/forms/frm_row')).at('form.target_type')).toBe('datatable_row')
  })

  const mixed = [{ col_name: 'a' }, { col_count: 'x' }]
  const bulk = (rows: unknown[], more = {}) => api.post(`${rowPath}/bulk`, { rows, ...more })
  const upsert = { mode: 'upsert', key_column: 'col_name' }

  it('bulkErrors numbered: failed rows are {row, message}, counted from 1', async () => {
    await control.setAnswers({ bulkErrors: 'numbered' })
    const reply = await bulk(mixed)
    expect(reply.at('errors')).toEqual([{ row: 2, message: reply.string('errors.0.message') }])
    const upserted = await bulk([{ col_count: 'x' }, { col_name: 'One' }], upsert)
    expect(upserted.json).toMatchObject({ updated: 1, errorCount: 1, errors: [{ row: 1 }] })
    expect((await bulk([{ col_count: 'x' }])).at('errors.0.row')).toBe(1)
  })

  it('bulkErrors omit: failed rows are not listed', async () => {
    await control.setAnswers({ bulkErrors: 'omit' })
    expect((await bulk(mixed)).json).toEqual({ success: true, count: 1, total: 2 })
    expect((await bulk(mixed, upsert)).json).toMatchObject({ errorCount: 1 })
    const refused = await bulk([{ col_count: 'x' }])
    expect(refused.status).toBe(400)
    expect(refused.json).toEqual({ error: refused.error })
  })

  it('bulkAllFailed 200: nothing going in is answered with zero counts', async () => {
    await control.setAnswers({ bulkAllFailed: 200 })
    const reply = await bulk([{ col_count: 'x' }])
    expect(reply.status).toBe(200)
    expect(reply.json).toMatchObject({ success: true, count: 0, total: 1, errors: [{ index: 0 }] })
    expect((await bulk([])).json).toEqual({ success: true, count: 0, total: 0 })
    expect((await bulk([], upsert)).json).toEqual({ success: true, inserted: 0, updated: 0, total: 0, errorCount: 0 })
  })

  it('bulkTotal table: total is the number of rows the table has then', async () => {
    await control.setAnswers({ bulkTotal: 'table' })
    expect((await bulk(mixed)).json).toMatchObject({ count: 1, total: 3 })
    expect((await bulk([{ col_name: 'a' }], upsert)).json).toMatchObject({ updated: 1, total: 3 })
  })

  const patches: [string, unknown, string][] = [
    ['/spaces/spc_main', { name: 'X' }, 'name'],
    ['/lists/lst_main', { name: 'X' }, 'name'],
    ['/tasks/tsk_full', { title: 'X' }, 'title'],
    ['/tasks/tsk_full/comments/cmt_ada', { content: 'X' }, 'content'],
    ['/tasks/tsk_full/time-entries/ent_ada', { note: 'X' }, 'note'],
  ]
  it.each(patches)('mutationBody resource: PATCH %s answers the resource', async (path, json, field) => {
    await control.setAnswers({ mutationBody: 'resource' })
    const reply = await api.patch(path, json)
    expect(reply.status).toBe(200)
    expect(reply.at('id')).toBe(path.split('/').at(-1))
    expect(reply.at(field)).toBe('X')
  })

  it.each(patches)('mutationBody empty: PATCH %s answers {}', async (path, json) => {
    await control.setAnswers({ mutationBody: 'empty' })
    const reply = await api.patch(path, json)
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({})
  })

  it.each([
    '/datatables/tbl_all/rows/row_1',
    '/tasks/tsk_full/comments/cmt_ada',
    '/tasks/tsk_full/time-entries/ent_ada',
    '/tasks/tsk_full/attachments/att_brief',
    '/tasks/tsk_full',
  ])('mutationBody: DELETE %s answers {} when empty, success when resource', async (path) => {
    await control.setAnswers({ mutationBody: 'empty' })
    expect((await api.delete(path)).json).toEqual({})
    await control.reset()
    await control.setAnswers({ mutationBody: 'resource' })
    expect((await api.delete(path)).json).toEqual({ success: true })
  })
})

describe('answers about requests', () => {
  const { api, control } = useMock()

  it.each([
    ['POST', '/spaces', { name: 'x', colour: '#fff' }],
    ['POST', '/datatables/tbl_empty/rows', { data: {}, colour: 1 }],
    ['POST', '/datatables/tbl_empty/query', { colour: 1 }],
    ['POST', '/lists/lst_main/tasks', { title: 'x', colour: 1 }],
    ['PATCH', '/tasks/tsk_full/comments/cmt_ada', { content: 'x', colour: 1 }],
    ['POST', '/tasks/tsk_full/time-entries', { action: 'start', colour: 1 }],
  ])('unknownBodyFields reject: %s %s answers 400 naming the field', async (method, path, json) => {
    expect((await api.call(method, path, { json })).status).toBeLessThan(300)
    await control.reset()
    await control.setAnswers({ unknownBodyFields: 'reject' })
    const reply = await api.call(method, path, { json })
    expect(reply.status).toBe(400)
    expect(reply.error).toContain('colour')
  })

  it('contentType strict: JSON under another content type answers 400', async () => {
    const post = (type: string) =>
      api.call('POST', '/spaces', { body: '{"name":"x"}', headers: { 'content-type': type } })
    expect((await post('text/plain')).status).toBe(200)
    await control.setAnswers({ contentType: 'strict' })
    expect((await post('text/plain')).status).toBe(400)
    expect((await post('application/json')).status).toBe(200)
    expect((await post('application/json; charset=utf-8')).status).toBe(200)
  })

  it.each([
    ['/datatables/tbl_many/rows', 'limit', 500, '501'],
    ['/datatables/tbl_many/rows', 'pageSize', 500, '501'],
    ['/datatables/tbl_many/rows', 'page', 1, '0'],
    ['/datatables/tbl_many/rows', 'limit', 1, 'x'],
    ['/lists/lst_main/tasks', 'limit', 200, '201'],
    ['/lists/lst_main/tasks', 'offset', 0, '-1'],
    ['/forms/frm_task/submissions', 'limit', 200, '201'],
    ['/forms/frm_task/submissions', 'since', 5, 'x'],
    ['/forms/frm_task/submissions', 'offset', 5, '1.5'],
  ])('limitAboveMax reject: GET %s answers 400 naming %s unless it is usable', async (path, name, good, bad) => {
    await control.setAnswers({ limitAboveMax: 'reject' })
    expect((await api.get(path, { query: { [name]: good } })).status).toBe(200)
    const reply = await api.get(path, { query: { [name]: bad } })
    expect(reply.status).toBe(400)
    expect(reply.error).toContain(name)
    expect(reply.error).toContain(bad)
  })

  it('limitAboveMax reject: queryRows answers 400 when limit or page of the body is unusable', async () => {
    await control.setAnswers({ limitAboveMax: 'reject' })
    for (const body of [{ limit: 501 }, { limit: 'x' }, { page: 0 }])
      expect((await api.post('/datatables/tbl_many/query', body)).status).toBe(400)
  })

  it('columnNames namesAndIds: sort, select and filters take ids too', async () => {
    await control.setAnswers({ columnNames: 'namesAndIds' })
    const path = '/datatables/tbl_all/rows'
    expect((await api.get(path, { query: { col_text: 'Alpha' } })).at('total')).toBe(1)
    expect((await api.get(path, { query: { Title: 'Alpha' } })).at('total')).toBe(1)
    const reply = await api.get(path, { query: { sort: 'col_number:desc', select: 'col_number', limit: 1 } })
    expect(reply.at('rows.0')).toEqual({ id: 'row_2', version: 1, data: { col_number: 10 } })
  })

  it('unknownSortColumn ignore: what names no column has no effect', async () => {
    await control.setAnswers({ unknownSortColumn: 'ignore' })
    const path = '/datatables/tbl_all/rows'
    const ids = async (query: Record<string, string>) => (await api.get(path, { query })).pluck('rows', 'id')
    expect(await ids({ sort: 'Nothing' })).toEqual(['row_1', 'row_2', 'row_3', 'row_4', 'row_5'])
    expect(await ids({ sort: 'Nothing,Title:desc' })).toEqual(['row_3', 'row_2', 'row_4', 'row_1', 'row_5'])
    const selected = await api.get(path, { query: { select: 'Nothing,Title', limit: 1 } })
    expect(selected.at('rows.0.data')).toEqual({ col_text: 'Alpha' })
    const filters = [{ column: 'Nothing', operator: 'eq', value: 1 }]
    expect((await api.post('/datatables/tbl_all/query', { filters })).at('total')).toBe(5)
  })

  it('unknownFilter reject: a parameter that is no column answers 400 naming it', async () => {
    await control.setAnswers({ unknownFilter: 'reject' })
    const reply = await api.get('/datatables/tbl_all/rows', { query: { Nothing: 'x' } })
    expect(reply.status).toBe(400)
    expect(reply.error).toContain('Nothing')
    expect((await api.get('/datatables/tbl_all/rows', { query: { Title: 'x', limit: 5 } })).status).toBe(200)
  })

  it.each([
    ['POST', '/spaces', { name: ' ' }],
    ['PATCH', '/spaces/spc_main', { name: '' }],
    ['POST', '/spaces/spc_main/lists', { name: '' }],
    ['PATCH', '/lists/lst_main', { name: '' }],
    ['POST', '/lists/lst_main/tasks', { title: '' }],
    ['PATCH', '/tasks/tsk_full', { title: '' }],
    ['POST', '/tasks/tsk_full/comments', { content: '' }],
    ['PATCH', '/tasks/tsk_full/comments/cmt_ada', { content: '' }],
  ])('emptyNames accept: %s %s takes %j', async (method, path, json) => {
    expect((await api.call(method, path, { json })).status).toBe(400)
    await control.setAnswers({ emptyNames: 'accept' })
    expect((await api.call(method, path, { json })).status).toBeLessThan(300)
  })

  it('customDataPatch replace: only what is sent remains', async () => {
    await control.setAnswers({ customDataPatch: 'replace' })
    await api.patch('/tasks/tsk_full', { custom_data: { fld_checkbox: true } })
    const custom = (await api.get('/tasks/tsk_full')).at('custom_data') as Record<string, unknown>
    expect(custom['fld_checkbox']).toBe(true)
    expect(custom['fld_text'] ?? null).toBeNull()
    expect(custom['fld_number'] ?? null).toBeNull()
  })

  it('unknownRowKeys ignore: a key that is no column has no effect', async () => {
    await control.setAnswers({ unknownRowKeys: 'ignore' })
    const data = { nope: 1, col_name: 'kept' }
    const expected = { col_name: 'kept', col_count: null }
    expect((await api.post('/datatables/tbl_empty/rows', { data })).at('data')).toEqual(expected)
    const bulk = await api.post('/datatables/tbl_empty/rows/bulk', { rows: [data] })
    expect(bulk.json).toEqual({ success: true, count: 1, total: 1 })
  })

  it('unknownCustomFields ignore: a key that is no field has no effect', async () => {
    await control.setAnswers({ unknownCustomFields: 'ignore' })
    const created = await api.post('/lists/lst_main/tasks', { title: 'x', custom_data: { nope: 1, fld_number: 2 } })
    expect(created.status).toBe(201)
    const custom = (await api.get(`/tasks/${created.string('id')}`)).at('custom_data')
    expect(custom).toMatchObject({ fld_number: 2 })
    expect(custom).not.toHaveProperty('nope')
  })

  it('typeChecks dropdownLabels: labels are taken and stored as ids', async () => {
    await control.setAnswers({ typeChecks: 'dropdownLabels' })
    const data = { col_dropdown: 'Won', col_tags: ['Red', 'tag_blue'] }
    const created = await api.post('/datatables/tbl_all/rows', { data })
    expect(created.at('data')).toMatchObject({ col_dropdown: 'opt_won', col_tags: ['tag_red', 'tag_blue'] })
    expect((await api.post('/datatables/tbl_all/rows', { data: { col_dropdown: 'None' } })).status).toBe(400)
    await api.patch('/tasks/tsk_full', { custom_data: { fld_dropdown: 'Lost' } })
    expect((await api.get('/tasks/tsk_full')).at('custom_data.fld_dropdown')).toBe('opt_lost')
  })

  it('attachmentWrites reject: an attachment column in a row body answers 400 naming it', async () => {
    await control.setAnswers({ attachmentWrites: 'reject' })
    const reply = await api.post('/datatables/tbl_all/rows', { data: { col_attachment: [] } })
    expect(reply.status).toBe(400)
    expect(reply.error).toContain('col_attachment')
    const bulk = await api.post('/datatables/tbl_all/rows/bulk', { rows: [{ col_attachment: [] }, {}] })
    expect(bulk.json).toMatchObject({ count: 1, errors: [{ index: 0 }] })
    expect((await api.post('/datatables/tbl_all/rows', { data: { col_formula: 1 } })).status).toBe(200)
  })

  it('bodyBytes: another size is the largest', async () => {
    await control.setAnswers({ bodyBytes: 100 })
    const reply = await api.post('/datatables/tbl_empty/rows/bulk', { rows: times(50, () => ({})) })
    expect(reply.status).toBe(413)
    expect(reply.json).toEqual({ error: reply.error })
  })
})
