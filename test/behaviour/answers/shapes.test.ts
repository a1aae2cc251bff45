// What the other answers to each open question change: the shapes of bodies.
import { describe, expect, it } from 'vitest'
import { useMock } from '../support/harness.ts'

const rowPath = '/datatables/tbl_linked/rows'

describe('answers about shapes', () => {
  const { api, control } = useMock()

  it('getRow, listRows, queryRows, createRow and updateRow answer 200 with flat rows when question rowShape is flat', async () => {
    await control.setAnswers({ rowShape: 'flat' })
    const flat = { id: 'lin_1', version: 1, col_name: 'One', col_count: 1 }
    expect((await api.get(`${rowPath}/lin_1`)).json).toEqual(flat)
    expect((await api.get(rowPath)).at('rows.0')).toEqual(flat)
    expect((await api.post('/datatables/tbl_linked/query', {})).at('rows.0')).toEqual(flat)
    const created = await api.post(rowPath, { data: { col_name: 'New' } })
    expect(created.json).toEqual({ id: created.string('id'), version: 1, col_name: 'New', col_count: null })
    expect((await api.patch(`${rowPath}/lin_1`, { data: {} })).json).toEqual({ ...flat, version: 2 })
  })

  it('listRows and queryRows answer 200 with flat rows when question rowShape is flatInLists, getRow and createRow with data', async () => {
    await control.setAnswers({ rowShape: 'flatInLists' })
    const flat = { id: 'lin_1', version: 1, col_name: 'One', col_count: 1 }
    expect((await api.get(rowPath)).at('rows.0')).toEqual(flat)
    expect((await api.post('/datatables/tbl_linked/query', {})).at('rows.0')).toEqual(flat)
    expect((await api.get(`${rowPath}/lin_1`)).at('data')).toEqual({ col_name: 'One', col_count: 1 })
    expect((await api.post(rowPath, { data: {} })).at('data')).toEqual({ col_name: null, col_count: null })
  })

  it('getRow and listRows answer 200 without empty columns when question emptyColumns is absent', async () => {
    await control.setAnswers({ emptyColumns: 'absent' })
    const row = await api.get('/datatables/tbl_all/rows/row_5')
    expect(Object.keys(row.at('data') as object).sort()).toEqual([
      'col_autonumber',
      'col_created',
      'col_updated',
    ])
    expect((await api.get('/datatables/tbl_all/rows')).at('rows.3.data')).not.toHaveProperty('col_email')
  })

  it('getTask answers 200 with other integers when question taskPriority has them, and updateTask takes names', async () => {
    await control.setAnswers({ taskPriority: { none: 9, urgent: 1, low: 4 } })
    expect((await api.get('/tasks/tsk_plain')).at('priority')).toBe(9)
    await api.patch('/tasks/tsk_plain', { priority: 'urgent' })
    expect((await api.get('/tasks/tsk_plain')).at('priority')).toBe(1)
    expect((await api.get('/tasks/tsk_full')).at('priority')).toBe(3)
  })

  it('getTask and listTasks answer 200 with all that can be written when question taskReadExtras is true', async () => {
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

  it('getListSchema answers 200 with the fields as they are when question customFieldTypes has other types', async () => {
    await control.setAnswers({ customFieldTypes: ['text', 'number', 'rating'] })
    expect((await control.answers()).customFieldTypes).toEqual(['text', 'number', 'rating'])
    expect((await api.get('/lists/lst_second/schema')).status).toBe(200)
  })

  it('getListSchema answers 200 with options as labels alone when question customFieldOptions is label', async () => {
    await control.setAnswers({ customFieldOptions: 'label' })
    const schema = await api.get('/lists/lst_main/schema')
    expect(schema.at('fields.10')).toMatchObject({
      id: 'fld_dropdown',
      options: [{ label: 'Lead' }, { label: 'Won' }, { label: 'Lost' }],
    })
    expect(schema.at('fields.10.options.0')).toEqual({ label: 'Lead' })
  })

  it('listTimeEntries answers 200 with users without totals when question timeEntryUsers is names', async () => {
    await control.setAnswers({ timeEntryUsers: 'names' })
    expect((await api.get('/tasks/tsk_full/time-entries')).at('users')).toEqual([
      { id: 'mem_ada', name: 'Ada Quill' },
      { id: 'mem_bo', name: 'Bo Lindqvist' },
    ])
  })

  it('listForms and getForm answer 200 with datatable_row as target_type when question formTargetType says so', async () => {
    await control.setAnswers({ formTargetType: 'datatable_row' })
    expect((await api.get('/forms')).pluck('forms', 'target_type')).toEqual(['task', 'datatable_row', 'task'])
    expect((await api.get('/forms/frm_row')).at('form.target_type')).toBe('datatable_row')
  })

  const mixed = [{ col_name: 'a' }, { col_count: 'x' }]
  const bulk = (rows: unknown[], more = {}) => api.post(`${rowPath}/bulk`, { rows, ...more })
  const upsert = { mode: 'upsert', key_column: 'col_name' }

  it('bulkInsertRows answers 200 with errors as {row, message}, counted from 1, when question bulkErrors is numbered', async () => {
    await control.setAnswers({ bulkErrors: 'numbered' })
    const reply = await bulk(mixed)
    expect(reply.at('errors')).toEqual([{ row: 2, message: reply.string('errors.0.message') }])
    const upserted = await bulk([{ col_count: 'x' }, { col_name: 'One' }], upsert)
    expect(upserted.json).toMatchObject({ updated: 1, errorCount: 1, errors: [{ row: 1 }] })
    expect((await bulk([{ col_count: 'x' }])).at('errors.0.row')).toBe(1)
  })

  it('bulkInsertRows answers 200 without errors when question bulkErrors is omit', async () => {
    await control.setAnswers({ bulkErrors: 'omit' })
    expect((await bulk(mixed)).json).toEqual({ success: true, count: 1, total: 2 })
    expect((await bulk(mixed, upsert)).json).toMatchObject({ errorCount: 1 })
    const refused = await bulk([{ col_count: 'x' }])
    expect(refused.status).toBe(400)
    expect(refused.json).toEqual({ error: refused.error })
  })

  it('bulkInsertRows answers 200 with zero counts when question bulkAllFailed is 200 and no row goes in', async () => {
    await control.setAnswers({ bulkAllFailed: 200 })
    const reply = await bulk([{ col_count: 'x' }])
    expect(reply.status).toBe(200)
    expect(reply.json).toMatchObject({ success: true, count: 0, total: 1, errors: [{ index: 0 }] })
    expect((await bulk([])).json).toEqual({ success: true, count: 0, total: 0 })
    expect((await bulk([], upsert)).json).toEqual({
      success: true,
      inserted: 0,
      updated: 0,
      total: 0,
      errorCount: 0,
    })
  })

  it('bulkInsertRows answers 200 with the number of rows in the table as total when question bulkTotal is table', async () => {
    await control.setAnswers({ bulkTotal: 'table' })
    expect((await bulk(mixed)).json).toMatchObject({ count: 1, total: 3 })
    expect((await bulk([{ col_name: 'a' }], upsert)).json).toMatchObject({ updated: 1, total: 3 })
  })

  const patches: [string, string, unknown, string][] = [
    ['updateSpace', '/spaces/spc_main', { name: 'X' }, 'name'],
    ['updateList', '/lists/lst_main', { name: 'X' }, 'name'],
    ['updateTask', '/tasks/tsk_full', { title: 'X' }, 'title'],
    ['updateComment', '/tasks/tsk_full/comments/cmt_ada', { content: 'X' }, 'content'],
    ['updateTimeEntry', '/tasks/tsk_full/time-entries/ent_ada', { note: 'X' }, 'note'],
  ]
  it.each(patches)(
    '%s answers 200 with the resource when question mutationBody is resource',
    async (_, path, json, field) => {
      await control.setAnswers({ mutationBody: 'resource' })
      const reply = await api.patch(path, json)
      expect(reply.status).toBe(200)
      expect(reply.at('id')).toBe(path.split('/').at(-1))
      expect(reply.at(field)).toBe('X')
    },
  )

  it('updateSpace answers 200 with the space as listSpaces has it when question mutationBody is resource', async () => {
    await control.setAnswers({ mutationBody: 'resource' })
    const reply = await api.patch('/spaces/spc_main', { name: 'X' })
    const listed = (await api.get('/spaces')).list('spaces') as { id: string }[]
    expect(reply.json).toEqual(listed.find(({ id }) => id === 'spc_main'))
  })

  it.each(patches)('%s answers 200 with {} when question mutationBody is empty', async (_, path, json) => {
    await control.setAnswers({ mutationBody: 'empty' })
    const reply = await api.patch(path, json)
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({})
  })

  it.each([
    ['deleteRow', '/datatables/tbl_all/rows/row_1'],
    ['deleteComment', '/tasks/tsk_full/comments/cmt_ada'],
    ['deleteTimeEntry', '/tasks/tsk_full/time-entries/ent_ada'],
    ['deleteTaskAttachment', '/tasks/tsk_full/attachments/att_brief'],
    ['deleteTask', '/tasks/tsk_full'],
  ])(
    '%s answers 200 with {} when question mutationBody is empty, with success when it is resource',
    async (_, path) => {
      await control.setAnswers({ mutationBody: 'empty' })
      expect((await api.delete(path)).json).toEqual({})
      await control.reset()
      await control.setAnswers({ mutationBody: 'resource' })
      expect((await api.delete(path)).json).toEqual({ success: true })
    },
  )
})
