// A record's current values are accepted again as they were read; new references must exist. Assumption:
// unknownReferences
import { describe, expect, it } from 'vitest'
import { useMock } from '../support/harness.ts'

describe('references that lead nowhere any more', () => {
  const { api, control } = useMock({ answers: { taskReadExtras: true } })
  const task = '/tasks/tsk_full'
  const links = { fld_link_one: 'lin_1', fld_link_many: ['lin_2', 'lin_1'] }

  it('updateTask answers 200 when custom_data is sent as it was read and a linked row was deleted', async () => {
    await api.patch(task, { custom_data: links })
    await api.delete('/datatables/tbl_linked/rows/lin_1')
    const read = (await api.get(task)).at('custom_data')
    expect(read).toMatchObject(links)
    expect((await api.patch(task, { custom_data: read })).status).toBe(200)
    expect((await api.get(task)).at('custom_data')).toEqual(read)
  })

  it('updateTask answers 200 when fewer or other existing rows are sent next to a deleted row', async () => {
    await api.patch(task, { custom_data: { fld_link_many: ['lin_1'] } })
    await api.delete('/datatables/tbl_linked/rows/lin_1')
    for (const fld_link_many of [['lin_2', 'lin_1'], ['lin_1'], ['lin_2']]) {
      expect((await api.patch(task, { custom_data: { fld_link_many } })).status).toBe(200)
      expect((await api.get(task)).at('custom_data')).toMatchObject({ fld_link_many })
    }
  })

  it('updateTask answers 400 when a deleted row is new to the field', async () => {
    await api.patch(task, { custom_data: { fld_link_one: 'lin_1' } })
    await api.delete('/datatables/tbl_linked/rows/lin_1')
    for (const custom_data of [{ fld_link_many: ['lin_1'] }, { fld_link_many: ['lin_2', 'lin_1'] }])
      expect((await api.patch(task, { custom_data })).status).toBe(400)
    expect((await api.post('/lists/lst_main/tasks', { title: 'x', custom_data: links })).status).toBe(400)
    await api.patch(task, { custom_data: { fld_link_one: null, fld_link_many: ['lin_2'] } })
    for (const other of ['lin_1', 'lin_none'])
      expect((await api.patch(task, { custom_data: { fld_link_many: ['lin_2', other] } })).status).toBe(400)
    expect((await api.patch(task, { custom_data: { fld_link_one: 'lin_1' } })).status).toBe(400)
  })

  it.each(['tsk_private', 'tsk_deleted'])(
    'updateTask answers 200 when parent_task_id is sent as it was read and is %s, and 400 when it is new',
    async (parent_task_id) => {
      await control.seed({
        lists: [{ id: 'lst_main', tasks: [{ id: 'tsk_below', title: 'x', parent_task_id }] }],
      })
      expect((await api.get('/tasks/tsk_below')).at('parent_task_id')).toBe(parent_task_id)
      expect((await api.patch('/tasks/tsk_below', { parent_task_id })).status).toBe(200)
      expect((await api.patch(task, { parent_task_id })).status).toBe(400)
    },
  )

  it('updateTask answers 200 when every field is sent as it was read', async () => {
    await api.patch(task, { custom_data: links, parent_task_id: 'tsk_plain', description: { type: 'doc' } })
    await api.delete('/datatables/tbl_linked/rows/lin_1')
    await api.delete('/tasks/tsk_plain')
    const read = (await api.get(task)).json as Record<string, unknown>
    const { title, status_id, due_date, date_start, custom_data, description } = read
    const { time_estimate, project_id, parent_task_id, type_id, repeat_config } = read
    const fields = { title, status_id, due_date, date_start, custom_data, description }
    const extras = { time_estimate, project_id, parent_task_id, type_id, repeat_config }
    expect((await api.patch(task, { ...fields, ...extras })).status).toBe(200)
    expect((await api.get(task)).json).toEqual(read)
  })
})
