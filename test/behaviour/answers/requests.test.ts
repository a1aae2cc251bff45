// What the other answers to each open question change: how requests are read.
import { describe, expect, it } from 'vitest'
import { times, useMock } from '../support/harness.ts'

describe('answers about requests', () => {
  const { api, control } = useMock()

  it.each([
    ['createSpace', 'POST', '/spaces', { name: 'x', colour: '#fff' }],
    ['createRow', 'POST', '/datatables/tbl_empty/rows', { data: {}, colour: 1 }],
    ['queryRows', 'POST', '/datatables/tbl_empty/query', { colour: 1 }],
    [
      'queryRows',
      'POST',
      '/datatables/tbl_all/query',
      { filters: [{ column: 'col_text', operator: 'is_empty', colour: 1 }] },
    ],
    ['updateTask', 'PATCH', '/tasks/tsk_full', { repeat_config: null, colour: 1 }],
    [
      'updateTask',
      'PATCH',
      '/tasks/tsk_full',
      { repeat_config: { trigger: 'on_schedule', frequency: 'daily', colour: 1 } },
    ],
    ['createTask', 'POST', '/lists/lst_main/tasks', { title: 'x', colour: 1 }],
    ['updateComment', 'PATCH', '/tasks/tsk_full/comments/cmt_ada', { content: 'x', colour: 1 }],
    ['createTimeEntry', 'POST', '/tasks/tsk_full/time-entries', { action: 'start', colour: 1 }],
  ])(
    '%s answers 400 naming the field when question unknownBodyFields is reject',
    async (_, method, path, json) => {
      expect((await api.call(method, path, { json })).status).toBeLessThan(300)
      await control.reset()
      await control.setAnswers({ unknownBodyFields: 'reject' })
      const reply = await api.call(method, path, { json })
      expect(reply.status).toBe(400)
      expect(reply.error).toContain('colour')
    },
  )

  it.each([
    [{ action: 'start', duration: 60 }, 'duration'],
    [{ action: 'stop', as_user: 'mem_bo' }, 'as_user'],
  ])(
    'createTimeEntry answers 400 when unknownBodyFields is reject and %j has a field of another action',
    async (json, field) => {
      const path = '/tasks/tsk_plain/time-entries'
      await api.post(path, { action: 'start' })
      await control.setAnswers({ unknownBodyFields: 'reject' })
      const reply = await api.post(path, json)
      expect(reply.status).toBe(400)
      expect(reply.error).toContain(field)
      expect((await api.post(path, { action: 'manual', duration: 60, as_user: 'mem_bo' })).status).toBe(200)
    },
  )

  it('createSpace answers 400 when question contentType is strict and JSON comes under another content type', async () => {
    const post = (type: string) =>
      api.call('POST', '/spaces', { body: '{"name":"x"}', headers: { 'content-type': type } })
    expect((await post('text/plain')).status).toBe(200)
    await control.setAnswers({ contentType: 'strict' })
    expect((await post('text/plain')).status).toBe(400)
    expect((await post('application/json')).status).toBe(200)
    expect((await post('application/json; charset=utf-8')).status).toBe(200)
  })

  it.each([
    ['listRows', 'limit', '/datatables/tbl_many/rows', 500, '501'],
    ['listRows', 'pageSize', '/datatables/tbl_many/rows', 500, '501'],
    ['listRows', 'page', '/datatables/tbl_many/rows', 1, '0'],
    ['listRows', 'limit', '/datatables/tbl_many/rows', 1, 'x'],
    ['listTasks', 'limit', '/lists/lst_main/tasks', 200, '201'],
    ['listTasks', 'offset', '/lists/lst_main/tasks', 0, '-1'],
    ['listFormSubmissions', 'limit', '/forms/frm_task/submissions', 200, '201'],
    ['listFormSubmissions', 'since', '/forms/frm_task/submissions', 5, 'x'],
    ['listFormSubmissions', 'offset', '/forms/frm_task/submissions', 5, '1.5'],
  ])(
    '%s answers 400 when question limitAboveMax is reject and %s is unusable',
    async (_, name, path, good, bad) => {
      await control.setAnswers({ limitAboveMax: 'reject' })
      expect((await api.get(path, { query: { [name]: good } })).status).toBe(200)
      const reply = await api.get(path, { query: { [name]: bad } })
      expect(reply.status).toBe(400)
      expect(reply.error).toContain(name)
      expect(reply.error).toContain(bad)
    },
  )

  it('queryRows answers 400 when question limitAboveMax is reject and limit or page of the body is unusable', async () => {
    await control.setAnswers({ limitAboveMax: 'reject' })
    for (const body of [{ limit: 501 }, { limit: 'x' }, { page: 0 }])
      expect((await api.post('/datatables/tbl_many/query', body)).status).toBe(400)
  })

  it('listRows answers 200 with ids in sort, select and filters when question columnNames is namesAndIds', async () => {
    await control.setAnswers({ columnNames: 'namesAndIds' })
    const path = '/datatables/tbl_all/rows'
    expect((await api.get(path, { query: { col_text: 'Alpha' } })).at('total')).toBe(1)
    expect((await api.get(path, { query: { Title: 'Alpha' } })).at('total')).toBe(1)
    const reply = await api.get(path, { query: { sort: 'col_number:desc', select: 'col_number', limit: 1 } })
    expect(reply.at('rows.0')).toEqual({ id: 'row_2', version: 1, data: { col_number: 10 } })
  })

  it('listRows and queryRows answer 200 ignoring what names no column when question unknownSortColumn is ignore', async () => {
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

  it('listRows answers 400 naming the parameter when question unknownFilter is reject and no column has that name', async () => {
    await control.setAnswers({ unknownFilter: 'reject' })
    const reply = await api.get('/datatables/tbl_all/rows', { query: { Nothing: 'x' } })
    expect(reply.status).toBe(400)
    expect(reply.error).toContain('Nothing')
    expect((await api.get('/datatables/tbl_all/rows', { query: { Title: 'x', limit: 5 } })).status).toBe(200)
  })

  it.each([
    ['createSpace', 'POST', '/spaces', { name: ' ' }],
    ['updateSpace', 'PATCH', '/spaces/spc_main', { name: '' }],
    ['createList', 'POST', '/spaces/spc_main/lists', { name: '' }],
    ['updateList', 'PATCH', '/lists/lst_main', { name: '' }],
    ['createTask', 'POST', '/lists/lst_main/tasks', { title: '' }],
    ['updateTask', 'PATCH', '/tasks/tsk_full', { title: '' }],
    ['createComment', 'POST', '/tasks/tsk_full/comments', { content: '' }],
    ['updateComment', 'PATCH', '/tasks/tsk_full/comments/cmt_ada', { content: '' }],
  ])(
    '%s answers 2xx when question emptyNames is accept and a name, title or text is empty',
    async (_, method, path, json) => {
      expect((await api.call(method, path, { json })).status).toBe(400)
      await control.setAnswers({ emptyNames: 'accept' })
      expect((await api.call(method, path, { json })).status).toBeLessThan(300)
    },
  )

  it('updateTask answers 200 keeping only what is sent when question customDataPatch is replace', async () => {
    await control.setAnswers({ customDataPatch: 'replace' })
    await api.patch('/tasks/tsk_full', { custom_data: { fld_checkbox: true } })
    const custom = (await api.get('/tasks/tsk_full')).at('custom_data') as Record<string, unknown>
    expect(custom.fld_checkbox).toBe(true)
    expect(custom.fld_text ?? null).toBeNull()
    expect(custom.fld_number ?? null).toBeNull()
  })

  it('createRow and bulkInsertRows answer 200 ignoring unknown keys when question unknownRowKeys is ignore', async () => {
    await control.setAnswers({ unknownRowKeys: 'ignore' })
    const data = { nope: 1, col_name: 'kept' }
    const expected = { col_name: 'kept', col_count: null }
    expect((await api.post('/datatables/tbl_empty/rows', { data })).at('data')).toEqual(expected)
    const bulk = await api.post('/datatables/tbl_empty/rows/bulk', { rows: [data] })
    expect(bulk.json).toEqual({ success: true, count: 1, total: 1 })
  })

  it('createTask answers 201 ignoring unknown custom fields when question unknownCustomFields is ignore', async () => {
    await control.setAnswers({ unknownCustomFields: 'ignore' })
    const created = await api.post('/lists/lst_main/tasks', {
      title: 'x',
      custom_data: { nope: 1, fld_number: 2 },
    })
    expect(created.status).toBe(201)
    const custom = (await api.get(`/tasks/${created.string('id')}`)).at('custom_data')
    expect(custom).toMatchObject({ fld_number: 2 })
    expect(custom).not.toHaveProperty('nope')
  })

  it('createRow and updateTask answer 200 storing labels as ids when question typeChecks is dropdownLabels', async () => {
    await control.setAnswers({ typeChecks: 'dropdownLabels' })
    const data = { col_dropdown: 'Won', col_tags: ['Red', 'tag_blue'] }
    const created = await api.post('/datatables/tbl_all/rows', { data })
    expect(created.at('data')).toMatchObject({ col_dropdown: 'opt_won', col_tags: ['tag_red', 'tag_blue'] })
    expect((await api.post('/datatables/tbl_all/rows', { data: { col_dropdown: 'None' } })).status).toBe(400)
    await api.patch('/tasks/tsk_full', { custom_data: { fld_dropdown: 'Lost' } })
    expect((await api.get('/tasks/tsk_full')).at('custom_data.fld_dropdown')).toBe('opt_lost')
  })

  it('createRow answers 400 naming the column when question attachmentWrites is reject and an attachment column is sent', async () => {
    await control.setAnswers({ attachmentWrites: 'reject' })
    const reply = await api.post('/datatables/tbl_all/rows', { data: { col_attachment: [] } })
    expect(reply.status).toBe(400)
    expect(reply.error).toContain('col_attachment')
    const bulk = await api.post('/datatables/tbl_all/rows/bulk', { rows: [{ col_attachment: [] }, {}] })
    expect(bulk.json).toMatchObject({ count: 1, errors: [{ index: 0 }] })
    expect((await api.post('/datatables/tbl_all/rows', { data: { col_formula: 1 } })).status).toBe(200)
  })

  it('bulkInsertRows answers 413 when the body is larger than question bodyBytes allows', async () => {
    await control.setAnswers({ bodyBytes: 100 })
    const reply = await api.post('/datatables/tbl_empty/rows/bulk', { rows: times(50, () => ({})) })
    expect(reply.status).toBe(413)
    expect(reply.json).toEqual({ error: reply.error })
  })
})
