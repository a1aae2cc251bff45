// What mock.db writes is what a fixture would hold, and an update that loses its state stops.
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, type DbCollection, type WorkspaceMock } from '../../src/index.ts'

const loose = (mock: WorkspaceMock, name: string) =>
  mock.db[name as 'tasks'] as unknown as DbCollection<Record<string, unknown>>

describe('create', () => {
  it.each([
    ['tasks', { list_id: 'lst_production' }, 'title is required'],
    ['lists', { space_id: 'spc_roastery' }, 'space_id must be the id of a space'],
    ['lists', {}, 'name is required'],
    ['spaces', {}, 'name is required'],
    ['tables', { name: 'T' }, 'columns is required'],
    ['comments', { task_id: 'tsk_clean_afterburner' }, 'content is required'],
    ['comments', { content: 'x' }, 'task_id is required'],
    ['attachments', { task_id: 'tsk_clean_afterburner' }, 'filename is required'],
    ['forms', { name: 'F' }, 'target_type is required'],
    ['submissions', {}, 'form_id is required'],
    ['jobs', {}, 'table_id is required'],
    ['keys', { name: 'x' }, 'key is required'],
  ])('of %s refuses %j as a fixture does', async (name, values, message) => {
    const mock = createWorkspaceMock()
    const before = mock.state()
    await expect(loose(mock, name).create(values)).rejects.toThrow(message)
    expect(mock.state()).toEqual(before)
  })

  it('of submissions counts with its form', async () => {
    const { db } = createWorkspaceMock()
    const form = db.forms.findFirst((query) => query.where({ target_type: 'task' }))!
    await db.submissions.create({ form_id: form.id, created_entity_id: 'tsk_gone', data: {} })
    expect(db.forms.findFirst((query) => query.where({ id: form.id }))?.submission_count).toBe(
      form.submission_count + 1,
    )
  })
})

describe('update', () => {
  it.each(['reset', 'loadState', 'restore'] as const)('stops at a %s in between', async (control) => {
    const mock = createWorkspaceMock()
    const [state, snapshot] = [mock.state(), mock.snapshot()]
    let count = 0
    const update = mock.db.tasks.updateMany((query) => query.where({ deleted_at: null }), {
      async data(task) {
        task.title = 'Changed'
        await Promise.resolve()
        if (++count < 3) return
        if (control === 'reset') mock.reset()
        else if (control === 'loadState') mock.loadState(state)
        else mock.restore(snapshot)
      },
    })
    await expect(update).rejects.toThrow(
      /^mock\.db\.tasks: the state was reset or replaced during an update; 2 of \d+ records were changed before$/,
    )
    expect(mock.db.tasks.count((query) => query.where({ title: 'Changed' }))).toBe(0)
  })

  it('stops at a record that was removed in between', async () => {
    const { db } = createWorkspaceMock()
    const [task] = db.tasks.all()
    const update = db.tasks.update(task!, { data: () => void db.tasks.delete(task!) })
    await expect(update).rejects.toThrow(`${task!.id} was removed during an update`)
    expect(db.tasks.count((query) => query.where({ id: task!.id }))).toBe(0)
  })

  it.each(['id', 'workspace_id'])('refuses another %s', async (field) => {
    const { db } = createWorkspaceMock()
    const update = db.tasks.update(db.tasks.all()[0]!, {
      data: (task) => void Object.assign(task, { [field]: 'x' }),
    })
    await expect(update).rejects.toThrow(`${field} of tasks cannot be changed`)
  })

  it('of a record keeps a link to a row that was deleted since, and refuses a new one', async () => {
    const mock = createWorkspaceMock()
    const isLinked = ({ data }: { readonly data: Readonly<Record<string, unknown>> }) =>
      Array.isArray(data[link!.id]) && (data[link!.id] as unknown[]).length > 0
    const table = mock.db.tables.findFirst((query) =>
      query.where(({ columns }) => columns.some(({ type }) => type === 'datatable')),
    )!
    const link = table.columns.find(({ type }) => type === 'datatable')
    const row = mock.db.rows(table.id).all().find(isLinked)!
    mock.db.rows(link!.table_id!).deleteMany((query) => query.where(() => true))
    const kept = await mock.db.rows(table.id).update(row, { data: () => undefined })
    expect(kept?.data[link!.id]).toEqual(row.data[link!.id])
  })

  it.each([
    ['workspaces', (record: any) => (record.members = record.members.slice(1)), /must be one of/],
    [
      'tables',
      (record: any) => (record.columns = record.columns.slice(1)),
      /^(- )?rows\.\S+\.data\.\S+ is not a column id/m,
    ],
    [
      'lists',
      (record: any) => (record.statuses = record.statuses.slice(1)),
      /^(- )?tasks\.\S+\.status_id must be one of/m,
    ],
    ['forms', (record: any) => (record.submission_count = 0), /submission_count must be at least/],
  ])('of %s refuses what other records need, naming one', async (name, data, message) => {
    const mock = createWorkspaceMock()
    const before = mock.state()
    const update = loose(mock, name).updateMany((query) => query.where(() => true), { data })
    await expect(update).rejects.toThrow(message)
    expect(() => mock.loadState(mock.state())).not.toThrow()
    expect(mock.state().workspaces).toHaveLength(before.workspaces.length)
  })
})

it('delete of a table refuses while a column or field links to it, naming that', () => {
  const mock = createWorkspaceMock()
  const linked = mock.db.tables
    .all()
    .flatMap(({ columns }) => columns.flatMap(({ table_id = [] }) => table_id))
  const before = mock.state()
  expect(() => mock.db.tables.delete({ id: linked[0]! } as never)).toThrow(
    /(columns|fields)\[\d+\]\.table_id must be/,
  )
  expect(mock.state()).toEqual(before)
})

it('a task that is removed and made again comes last', async () => {
  const { db } = createWorkspaceMock()
  const [first] = db.tasks.all()
  db.tasks.delete(first!)
  await db.tasks.create(first!)
  expect(db.tasks.all().at(-1)?.id).toBe(first!.id)
  expect(db.tasks.findMany((query) => query.where({ list_id: first!.list_id })).at(-1)?.id).toBe(first!.id)
})
