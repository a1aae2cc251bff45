// What the journal says each operation changed, field by field.
import { describe, expect, it } from 'vitest'
import { multipart, useMock } from '../support/harness.ts'

describe('changes in the journal', () => {
  const { api, control } = useMock()
  const last = async () => (await control.requests()).at(-1)?.changes ?? []
  const fieldsOf = async (resource: string) =>
    (await last()).find((change) => change.resource === resource)?.fields

  it('createRow, updateRow and deleteRow answer 200 when they leave the values before and after', async () => {
    const created = await api.post('/datatables/tbl_empty/rows', { data: { col_name: 'Nord' } })
    const id = created.string('id')
    expect(await fieldsOf('row')).toContainEqual({ field: 'data.col_name', after: 'Nord' })
    await api.patch(`/datatables/tbl_empty/rows/${id}`, { data: { col_name: 'Süd' } })
    expect(await last()).toEqual([
      {
        resource: 'row',
        id,
        change: 'changed',
        fields: [
          { field: 'version', before: 1, after: 2 },
          { field: 'data.col_name', before: 'Nord', after: 'Süd' },
        ],
      },
    ])
    await api.delete(`/datatables/tbl_empty/rows/${id}`)
    expect(await fieldsOf('row')).toContainEqual({ field: 'data.col_name', before: 'Süd' })
    expect(await control.requests({ record: id })).toHaveLength(3)
  })

  it('updateTask answers 200 when the fields that differ are in the journal, of custom_data one by one', async () => {
    await api.patch('/tasks/tsk_full', { title: 'Sign', custom_data: { fld_number: 4 } })
    const fields = (await fieldsOf('tasks')) ?? []
    expect(fields).toContainEqual({ field: 'title', before: 'Write the proposal', after: 'Sign' })
    expect(fields).toContainEqual({ field: 'custom_data.fld_number', before: 3, after: 4 })
    expect(fields.map(({ field }) => field)).toContain('updated_at')
    expect(fields).toHaveLength(3)
  })

  it('deleteTask answers 200 when the task is kept as deleted', async () => {
    await api.delete('/tasks/tsk_full')
    expect(await fieldsOf('tasks')).toContainEqual({
      field: 'deleted_at',
      before: null,
      after: await control.now(),
    })
  })

  it('createComment answers 200 when its text is in the journal, and the key is not', async () => {
    await api.post('/tasks/tsk_full/comments', { content: 'Hello' })
    expect(await fieldsOf('comments')).toContainEqual({ field: 'content', after: 'Hello' })
    expect(JSON.stringify(await last())).not.toContain('wm_test')
  })

  it('uploadTaskAttachment answers 200 when the file is in the journal', async () => {
    await api.call('POST', '/tasks/tsk_full/attachments', {
      body: multipart([{ filename: 'a.txt', content: 'a' }], {}),
    })
    expect(await fieldsOf('attachments')).toContainEqual({ field: 'filename', after: 'a.txt' })
  })

  it('updateTask answers 404 when nothing is changed', async () => {
    await api.patch('/tasks/tsk_none', { title: 'x' })
    expect(await last()).toEqual([])
  })
})
