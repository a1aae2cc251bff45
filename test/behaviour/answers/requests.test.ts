// What each open question's other answers change: how requests are read.
import { describe, expect, it } from 'vitest'
import { times, useMock } from '../support/harness.ts'

describe('answers about requests', () => {
  const { api, control } = useMock()

  it.each([
    ['POST', '/spaces', { name: 'x', colour: '#fff' }],
    ['POST', '/datatables/tbl_empty/rows', { data: {}, colour: 1 }],
    ['POST', '/datatables/tbl_empty/query', { colour: 1 }],
    [
      'POST',
      '/datatables/tbl_all/query',
      { filters: [{ column: 'col_text', operator: 'is_empty', colour: 1 }] },
    ],
    ['PATCH', '/tasks/tsk_full', { repeat_config: null, colour: 1 }],
    [
      'PATCH',
      '/tasks/tsk_full',
      { repeat_config: { trigger: 'on_schedule', frequency: 'daily', colour: 1 } },
    ],
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

  it.each([
    [{ action: 'start', duration: 60 }, 'duration'],
    [{ action: 'stop', as_user: 'mem_bo' }, 'as_user'],
  ])('unknownBodyFields reject: %j answers 400 since the field is of another action', async (json, field) => {
    const path = '/tasks/tsk_plain/time-entries'
    await api.post(path, { action: 'start' })
    await control.setAnswers({ unknownBodyFields: 'reject' })
    const reply = await api.post(path, json)
    expect(reply.status).toBe(400)
    expect(reply.error).toContain(field)
    expect((await api.post(path, { action: 'manual', duration: 60, as_user: 'mem_bo' })).status).toBe(200)
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
  ])(
    'limitAboveMax reject: GET %s answers 400 naming %s unless it is usable',
    async (path, name, good, bad) => {
      await control.setAnswers({ limitAboveMax: 'reject' })
      expect((await api.get(path, { query: { [name]: good } })).status).toBe(200)
      const reply = await api.get(path, { query: { [name]: bad } })
      expect(reply.status).toBe(400)
      expect(reply.error).toContain(name)
      expect(reply.error).toContain(bad)
    },
  )

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
    expect(custom.fld_checkbox).toBe(true)
    expect(custom.fld_text ?? null).toBeNull()
    expect(custom.fld_number ?? null).toBeNull()
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
    const created = await api.post('/lists/lst_main/tasks', {
      title: 'x',
      custom_data: { nope: 1, fld_number: 2 },
    })
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
