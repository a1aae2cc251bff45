// The task listing, and task creation as JSON.
import { describe, expect, it } from 'vitest'
import { DAY, NOW } from '../support/fixture.ts'
import { useMock } from '../support/harness.ts'

const list = '/lists/lst_main/tasks'

describe('task listing', () => {
  const { api } = useMock()

  it('listTasks answers 200 with the tasks in order of creation when some are deleted, which are left out', async () => {
    const reply = await api.get(list)
    expect(reply.status).toBe(200)
    expect(reply.pluck('tasks', 'id')).toEqual(['tsk_full', 'tsk_plain', 'tsk_doing', 'tsk_done'])
    expect(reply.at('limit')).toBe(50)
    expect(reply.at('offset')).toBe(0)
    expect(reply.at('tasks.0')).toEqual((await api.get('/tasks/tsk_full')).json)
  })

  it.each([
    ['limit=2', 2, 0, ['tsk_full', 'tsk_plain']],
    ['limit=2&offset=1', 2, 1, ['tsk_plain', 'tsk_doing']],
    ['offset=3', 50, 3, ['tsk_done']],
    ['offset=4', 50, 4, []],
    ['limit=200', 200, 0, ['tsk_full', 'tsk_plain', 'tsk_doing', 'tsk_done']],
    ['limit=201', 200, 0, ['tsk_full', 'tsk_plain', 'tsk_doing', 'tsk_done']],
    ['limit=0', 50, 0, ['tsk_full', 'tsk_plain', 'tsk_doing', 'tsk_done']],
    ['limit=x&offset=-1', 50, 0, ['tsk_full', 'tsk_plain', 'tsk_doing', 'tsk_done']],
    ['status=st_todo', 50, 0, ['tsk_full', 'tsk_plain']],
    ['status=Doing', 50, 0, ['tsk_doing']],
    ['status=done', 50, 0, []],
    ['status=nothing', 50, 0, []],
    ['q=the', 50, 0, ['tsk_full', 'tsk_plain', 'tsk_doing', 'tsk_done']],
    ['q=PRINTER', 50, 0, ['tsk_plain']],
    ['q=nothing', 50, 0, []],
    ['q=the&status=st_done', 50, 0, ['tsk_done']],
    ['q=the&limit=1&offset=2', 1, 2, ['tsk_doing']],
  ])('listTasks answers 200 when the query is %s', async (query, limit, offset, expected) => {
    const reply = await api.get(list, { query })
    expect(reply.status).toBe(200)
    expect(reply.pluck('tasks', 'id')).toEqual(expected)
    expect(reply.at('limit')).toBe(limit)
    expect(reply.at('offset')).toBe(offset)
  })

  it('listTasks answers 200 with at most 200 tasks when there are more', async () => {
    for (let index = 0; index < 205; index++)
      await api.post('/lists/lst_second/tasks', { title: `Task ${String(index)}` })
    expect((await api.get('/lists/lst_second/tasks', { query: { limit: 1000 } })).list('tasks')).toHaveLength(
      200,
    )
    const rest = await api.get('/lists/lst_second/tasks', { query: { limit: 200, offset: 200 } })
    expect(rest.pluck('tasks', 'title')).toEqual(['Task 200', 'Task 201', 'Task 202', 'Task 203', 'Task 204'])
  })
})

describe('task creation', () => {
  const { api } = useMock()
  const create = (json: unknown) => api.post(list, json)

  it('createTask answers 201 with id and no attachments when a title is sent', async () => {
    const created = await create({ title: 'New' })
    expect(created.status).toBe(201)
    expect(created.json).toEqual({ id: created.string('id'), attachments: [] })
    expect((await api.get(`/tasks/${created.string('id')}`)).json).toEqual({
      id: created.string('id'),
      title: 'New',
      status_id: 'st_todo',
      priority: 0,
      due_date: null,
      date_start: null,
      custom_data: { fld_formula: null },
      assignees: [],
      created_at: NOW,
      updated_at: NOW,
    })
    expect((await api.get(list)).pluck('tasks', 'id').at(-1)).toBe(created.string('id'))
  })

  it('createTask answers 201 storing every field when all are sent', async () => {
    const created = await create({
      title: 'Everything',
      status_id: 'st_doing',
      priority: 'urgent',
      due_date: NOW + DAY,
      date_start: NOW,
      assignees: ['mem_cy', 'mem_ada'],
      custom_data: { fld_number: 2, fld_dropdown: 'opt_won' },
      time_estimate: 90,
      project_id: 'anything',
      parent_task_id: 'tsk_plain',
    })
    expect(created.status).toBe(201)
    expect((await api.get(`/tasks/${created.string('id')}`)).json).toMatchObject({
      status_id: 'st_doing',
      priority: 4,
      due_date: NOW + DAY,
      date_start: NOW,
      assignees: [
        { id: 'mem_cy', name: 'Cy Marlow' },
        { id: 'mem_ada', name: 'Ada Quill' },
      ],
      custom_data: { fld_number: 2, fld_dropdown: 'opt_won' },
    })
  })

  it.each([
    [null, 0],
    ['low', 1],
    ['normal', 2],
    ['high', 3],
    ['urgent', 4],
  ])('createTask answers 201 when priority is %s, read as %i', async (priority, number) => {
    const created = await create({ title: 'x', priority })
    expect((await api.get(`/tasks/${created.string('id')}`)).at('priority')).toBe(number)
  })

  it.each([
    ['no body', undefined, ''],
    ['no title', {}, 'title'],
    ['an empty title', { title: '' }, 'title'],
    ['a blank title', { title: ' ' }, 'title'],
    ['a title that is no string', { title: 5 }, 'title'],
    ['an unknown priority', { title: 'x', priority: 'asap' }, 'priority'],
    ['a priority by number', { title: 'x', priority: 3 }, 'priority'],
    ['an unknown status', { title: 'x', status_id: 'st_none' }, 'status_id'],
    ["another list's status", { title: 'x', status_id: 'st_todo_lst_second' }, 'status_id'],
    ['a due date that is text', { title: 'x', due_date: '2026-01-01' }, 'due_date'],
    ['a fractional start', { title: 'x', date_start: 1.5 }, 'date_start'],
    ['an unknown assignee', { title: 'x', assignees: ['mem_ada', 'mem_free'] }, 'assignees'],
    ['assignees that are no array', { title: 'x', assignees: 'mem_ada' }, 'assignees'],
    ['an estimate that is text', { title: 'x', time_estimate: '90' }, 'time_estimate'],
    ['an unknown parent', { title: 'x', parent_task_id: 'tsk_none' }, 'parent_task_id'],
    ['a foreign parent', { title: 'x', parent_task_id: 'tsk_free' }, 'parent_task_id'],
    ['a project that is no string', { title: 'x', project_id: 5 }, 'project_id'],
    ['custom data that is an array', { title: 'x', custom_data: [] }, 'custom_data'],
    ['an unknown custom field', { title: 'x', custom_data: { fld_none: 1 } }, 'fld_none'],
    ['a custom value of the wrong type', { title: 'x', custom_data: { fld_number: 'x' } }, 'fld_number'],
    ['a linked row that is unknown', { title: 'x', custom_data: { fld_link_one: 'row_1' } }, 'fld_link_one'],
  ])('createTask answers 400 naming the cause when there is %s', async (_, json, cause) => {
    const reply = await create(json)
    expect(reply.status).toBe(400)
    expect(reply.error).toContain(cause)
    expect((await api.get(list)).list('tasks')).toHaveLength(4)
  })

  it('createTask answers 400 with the allowed priorities when the priority is unknown', async () => {
    const { error } = await create({ title: 'x', priority: 'asap' })
    for (const word of ['priority', 'low', 'normal', 'high', 'urgent', 'asap']) expect(error).toContain(word)
  })

  it.each([
    ['fld_text', 'x', 5],
    ['fld_longtext', 'x', 5],
    ['fld_email', 'x', 5],
    ['fld_phone', 'x', 5],
    ['fld_link', 'x', 5],
    ['fld_number', 1.5, '1'],
    ['fld_currency', 1.5, '1'],
    ['fld_slider', 1.5, '1'],
    ['fld_checkbox', true, 'true'],
    ['fld_date', 5, '5'],
    ['fld_dropdown', 'opt_won', 'Won'],
    ['fld_tags', ['tag_red'], ['Red']],
    ['fld_people', ['mem_ada'], ['Ada Quill']],
    ['fld_link_one', 'lin_1', ['lin_1']],
    ['fld_link_many', ['lin_2', 'lin_1'], 'lin_1'],
  ])('createTask answers 201 or 400 when custom field %s is %j or %j', async (field, good, bad) => {
    const created = await create({ title: 'x', custom_data: { [field]: good } })
    expect(created.status).toBe(201)
    expect((await api.get(`/tasks/${created.string('id')}`)).at(`custom_data.${field}`)).toEqual(good)
    const refused = await create({ title: 'x', custom_data: { [field]: bad } })
    expect(refused.status).toBe(400)
    expect(refused.error).toContain(field)
  })

  it('createTask answers 201 when a value is sent for a read-only custom field, which is ignored', async () => {
    const created = await create({
      title: 'x',
      custom_data: { fld_formula: 99, fld_number: 2, fld_currency: 3 },
    })
    expect(created.status).toBe(201)
    expect((await api.get(`/tasks/${created.string('id')}`)).at('custom_data.fld_formula')).toBe(6)
  })
})
