// Single tasks: reading, changing, soft deletion, recovery.
import { describe, expect, it } from 'vitest'
import { DAY, NOW } from '../support/fixture.ts'
import { multipart, useMock } from '../support/harness.ts'

const list = '/lists/lst_main/tasks'

describe('single tasks', () => {
  const { api, control } = useMock()
  const patch = (json: unknown) => api.patch('/tasks/tsk_full', json)
  const read = async (id = 'tsk_full') => (await api.get(`/tasks/${id}`)).json

  it('updateTask answers 400 when the parent is the task itself or one below it, however deep', async () => {
    const ids: string[] = []
    for (const title of ['top', 'middle', 'low']) {
      const parent_task_id = ids.at(-1) ?? null
      ids.push((await api.post(list, { title, parent_task_id })).string('id'))
    }
    const [top = '', middle = '', low = ''] = ids
    for (const [id, parent_task_id, status] of [
      [top, top, 400],
      [top, middle, 400],
      [top, low, 400],
      [middle, low, 400],
      [low, top, 200],
      [top, low, 400],
      [top, middle, 400],
      [middle, low, 200],
      [low, middle, 400],
    ] as const)
      expect((await api.patch(`/tasks/${id}`, { parent_task_id })).status).toBe(status)
  })

  it('getTask answers 200 with the documented fields when the task has them all', async () => {
    const reply = await api.get('/tasks/tsk_full')
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({
      id: 'tsk_full',
      title: 'Write the proposal',
      status_id: 'st_todo',
      priority: 3,
      due_date: NOW + DAY,
      date_start: NOW,
      custom_data: { fld_text: 'REF-1', fld_number: 3, fld_currency: 2, fld_formula: 6 },
      assignees: [
        { id: 'mem_bo', name: 'Bo Lindqvist' },
        { id: 'mem_ada', name: 'Ada Quill' },
      ],
      created_at: NOW - DAY,
      updated_at: NOW - DAY,
    })
  })

  it.each(['tsk_none', 'tsk_free', 'tsk_deleted', 'tsk_private', 'tsk_board'])(
    'getTask, updateTask and deleteTask answer 404 when the task is %s',
    async (id) => {
      expect((await api.get(`/tasks/${id}`)).status).toBe(404)
      expect((await api.patch(`/tasks/${id}`, { title: 'x' })).status).toBe(404)
      expect((await api.delete(`/tasks/${id}`)).status).toBe(404)
    },
  )

  it('updateTask answers 200 and changes them when fields are sent', async () => {
    await control.advance('1h')
    const before = await read()
    const reply = await patch({ title: 'Renamed', status_id: 'st_done', priority: 'low', assignees: [] })
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ success: true })
    expect(await read()).toEqual({
      ...(before as object),
      title: 'Renamed',
      status_id: 'st_done',
      priority: 1,
      assignees: [],
      updated_at: NOW + 3600,
    })
  })

  it('updateTask answers 200 and clears what can be cleared when null is sent', async () => {
    await control.setAnswers({ taskReadExtras: true })
    await patch({
      description: 'Text',
      time_estimate: 5,
      project_id: 'p',
      parent_task_id: 'tsk_plain',
      type_id: 't',
    })
    expect(await read()).toMatchObject({
      description: 'Text',
      time_estimate: 5,
      project_id: 'p',
      parent_task_id: 'tsk_plain',
      type_id: 't',
    })
    const cleared = {
      priority: null,
      due_date: null,
      date_start: null,
      description: null,
      time_estimate: null,
      project_id: null,
      parent_task_id: null,
      type_id: null,
      repeat_config: null,
    }
    expect((await patch(cleared)).status).toBe(200)
    expect(await read()).toMatchObject({ ...cleared, priority: 0 })
  })

  it('updateTask answers 200 and merges when custom data is sent, null clearing a key', async () => {
    await patch({ custom_data: { fld_text: null, fld_dropdown: 'opt_won' } })
    expect((await api.get('/tasks/tsk_full')).at('custom_data')).toEqual({
      fld_number: 3,
      fld_currency: 2,
      fld_dropdown: 'opt_won',
      fld_formula: 6,
    })
  })

  it('createTask and updateTask answer 2xx keeping each assignee once, in order, when some are repeated', async () => {
    const assignees = ['mem_cy', 'mem_ada', 'mem_cy', 'mem_bo', 'mem_ada']
    const once = ['mem_cy', 'mem_ada', 'mem_bo']
    const created = await api.post(list, { title: 'x', assignees })
    const task = await api.get(`/tasks/${created.string('id')}`)
    expect(task.pluck('assignees', 'id')).toEqual(once)
    expect((await patch({ assignees })).status).toBe(200)
    expect((await api.get('/tasks/tsk_full')).pluck('assignees', 'id')).toEqual(once)
  })

  it('updateTask answers 200 when the description is rich text, which is kept', async () => {
    await control.setAnswers({ taskReadExtras: true })
    const description = { type: 'doc', content: [{ type: 'paragraph' }] }
    expect((await patch({ description })).status).toBe(200)
    expect((await api.get('/tasks/tsk_full')).at('description')).toEqual(description)
  })

  it.each([
    [{ title: null }, 'title'],
    [{ title: '' }, 'title'],
    [{ status_id: null }, 'status_id'],
    [{ status_id: 'st_none' }, 'status_id'],
    [{ priority: 'asap' }, 'priority'],
    [{ due_date: 'tomorrow' }, 'due_date'],
    [{ assignees: ['mem_none'] }, 'assignees'],
    [{ custom_data: { fld_none: 1 } }, 'fld_none'],
    [{ custom_data: { fld_checkbox: 'yes' } }, 'fld_checkbox'],
    [{ parent_task_id: 'tsk_none' }, 'parent_task_id'],
    [{ description: 5 }, 'description'],
    [{ type_id: 5 }, 'type_id'],
    [{ time_estimate: 'x' }, 'time_estimate'],
  ])('updateTask answers 400 and changes nothing when the body has %j', async (json, cause) => {
    const before = await read()
    const reply = await patch({ due_date: 1, ...json })
    expect(reply.status).toBe(400)
    expect(reply.error).toContain(cause)
    expect(await read()).toEqual(before)
  })

  it('updateTask answers 400 when the parent is deleted or private, unless private ones can be named', async () => {
    await api.delete('/tasks/tsk_done')
    for (const parent_task_id of ['tsk_done', 'tsk_private', 'tsk_none']) {
      const reply = await patch({ parent_task_id })
      expect(reply.status).toBe(400)
      expect(reply.error).toContain('parent_task_id')
    }
    await control.setAnswers({ privateById: 'visible' })
    expect((await patch({ parent_task_id: 'tsk_private' })).status).toBe(200)
  })

  it('deleteTask answers 200 when the task exists, which can then no longer be reached', async () => {
    const reply = await api.delete('/tasks/tsk_full')
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ success: true })
    for (const path of ['', '/comments', '/time-entries', '/attachments', '/attachments/att_brief'])
      expect((await api.get(`/tasks/tsk_full${path}`)).status).toBe(404)
    expect((await api.get(list)).pluck('tasks', 'id')).toEqual(['tsk_plain', 'tsk_doing', 'tsk_done'])
    expect((await api.delete('/tasks/tsk_full')).status).toBe(404)
  })

  it('getTask answers 200 again with all it had when a deleted task is restored', async () => {
    const before = [await read(), (await api.get('/tasks/tsk_full/comments')).json]
    await api.delete('/tasks/tsk_full')
    await control.advance('29d')
    await control.restoreTask('tsk_full')
    expect([await read(), (await api.get('/tasks/tsk_full/comments')).json]).toEqual(before)
    expect((await api.get('/tasks/tsk_full/attachments/att_brief')).text).toBe('hello')
  })

  it('mock.restoreTask() brings a deleted task back until 30 days have passed, inclusive', async () => {
    await api.delete('/tasks/tsk_full')
    await control.advance(30 * DAY * 1000)
    await control.restoreTask('tsk_full')
    expect((await api.get('/tasks/tsk_full')).status).toBe(200)
    await api.delete('/tasks/tsk_full')
    await control.advance(30 * DAY * 1000 + 1000)
    await expect(control.restoreTask('tsk_full')).rejects.toThrow('tsk_full')
  })

  it('mock.restoreTask() refuses a task that is not deleted', async () => {
    await expect(control.restoreTask('tsk_plain')).rejects.toThrow('tsk_plain')
    await expect(control.restoreTask('tsk_none')).rejects.toThrow('tsk_none')
  })

  it('getTask answers 200 without a parent and with all else when the task above was deleted 30 days ago', async () => {
    await control.setAnswers({ taskReadExtras: true })
    const child = (await api.post(list, { title: 'Below', parent_task_id: 'tsk_full' })).string('id')
    const other = (await api.post(list, { title: 'Beside', parent_task_id: 'tsk_plain' })).string('id')
    await api.post(`/tasks/${child}/time-entries`, { action: 'manual', duration: 60 })
    await api.post(`/tasks/${child}/comments`, { content: 'Stays' })
    await api.call('POST', `/tasks/${child}/attachments`, {
      body: multipart([{ filename: 'a.txt', content: 'stays' }]),
    })
    await api.delete('/tasks/tsk_full')
    await control.advance('31d')
    expect(await read(child)).toMatchObject({ parent_task_id: null })
    expect(await read(other)).toMatchObject({ parent_task_id: 'tsk_plain' })
    for (const part of ['comments', 'attachments'])
      expect((await api.get(`/tasks/${child}/${part}`)).list(part)).toHaveLength(1)
    expect((await api.get(`/tasks/${child}/time-entries`)).at('total_seconds')).toBe(60)
  })

  it('mock.state() no longer holds a deleted task and its files when 30 days are over', async () => {
    await api.delete('/tasks/tsk_full')
    await control.advance('31d')
    await api.get('/me')
    const state = JSON.stringify(await control.state())
    expect(state).not.toContain('tsk_full')
    expect(state).not.toContain('att_brief')
  })

  it('mock.state() no longer holds the comments, files, entries and running timer when their task was purged', async () => {
    await control.setAnswers({ startEntry: 'reject' })
    const id = (await api.post(list, { title: 'To be purged' })).string('id')
    const entries = `/tasks/${id}/time-entries`
    const manual = (await api.post(entries, { action: 'manual', duration: 60 })).string('id')
    const running = (await api.post(entries, { action: 'start' })).string('id')
    const comment = (await api.post(`/tasks/${id}/comments`, { content: 'Gone' })).string('id')
    const body = multipart([{ filename: 'a.txt', content: 'gone' }])
    const file = (await api.call('POST', `/tasks/${id}/attachments`, { body })).string('attachment.id')
    await api.delete(`/tasks/${id}`)
    await control.advance('31d')
    const state = JSON.stringify(await control.state())
    expect([id, manual, running, comment, file].filter((gone) => state.includes(gone))).toEqual([])
    expect((await api.post('/tasks/tsk_plain/time-entries', { action: 'start' })).status).toBe(200)
    expect((await api.post(list, { title: 'New' })).string('id')).not.toBe(id)
  })
})
