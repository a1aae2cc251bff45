// mock.db writes what a fixture would hold, and an update whose state is replaced stops.
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
      /^mock\.db\.tasks: the state was reset or replaced during an update; 2 of \d+ records were already changed$/,
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

  const late = 253_402_300_800
  it.each<[string, string, (record: any) => void, (record: any) => void, RegExp]>([
    [
      'a column name that is repeated',
      'tables',
      ({ columns }) => columns.push({ ...columns[0], id: 'col_again' }),
      ({ columns }) => columns.push({ ...columns[1], id: 'col_new' }),
      /columns\[\d+\]\.name must be unique/,
    ],
    [
      'a status name that is repeated',
      'lists',
      ({ statuses }) => statuses.push({ ...statuses[0], id: 'sts_again' }),
      ({ statuses }) => statuses.push({ ...statuses[1], id: 'sts_new' }),
      /statuses\[\d+\]\.name must be unique/,
    ],
    [
      'a formula field without a formula',
      'lists',
      ({ fields }) => fields.push({ id: 'fld_lost', name: 'Lost', type: 'formula' }),
      ({ fields }) => fields.push({ id: 'fld_new', name: 'New', type: 'formula', readonly: true }),
      /formula is required for a formula field/,
    ],
    [
      'a parent that does not exist',
      'tasks',
      (task) => (task.parent_task_id = 'tsk_gone'),
      (task) => (task.parent_task_id = 'tsk_gone_too'),
      /parent_task_id must be the id of a task/,
    ],
    [
      'a date beyond the clock',
      'tasks',
      (task) => (task.due_date = late),
      (task) => (task.date_start = late),
      /date_start must be at most/,
    ],
    [
      'a late end of a recurrence',
      'tasks',
      (task) => (task.repeat_config = { trigger: 'on_complete', end_date: late }),
      (task) => (task.repeat_config = { trigger: 'on_complete', end_date: late + 1 }),
      /repeat_config\.end_date must be at most/,
    ],
    [
      'a target that does not exist',
      'forms',
      (form) => (form.target_id = 'gone'),
      (form) => (form.target_id = 'gone_too'),
      /target_id must be one of/,
    ],
    [
      'a target of another kind that does not exist',
      'forms',
      (form) => (form.target_id = 'gone'),
      (form) => (form.target_type = form.target_type === 'task' ? 'datatable' : 'task'),
      /target_id must be one of/,
    ],
  ])('keeps %s, and refuses one more', async (_, name, lose, loseMore, message) => {
    const mock = createWorkspaceMock()
    const state: any = mock.state()
    const [{ tables, spaces, forms }] = state.workspaces
    const list = spaces[0].lists[0]
    const record = { tables: tables[0], lists: list, tasks: list.tasks[0], forms: forms[0] }[name]
    lose(record)
    mock.loadState(state)
    const db = loose(mock, name)
    const update = (data: (record: any) => void) =>
      db.update((query) => query.where({ id: record.id as string }), { data })
    const held = db.findFirst((query) => query.where({ id: record.id as string }))
    expect(await update(() => undefined)).toEqual(held)
    await expect(update(loseMore)).rejects.toThrow(message)
    expect(db.findFirst((query) => query.where({ id: record.id as string }))).toEqual(held)
    const { runtime: _runtime, ...withoutRuntime } = state
    expect(() => mock.loadState(withoutRuntime)).toThrow()
  })

  it('of a list without an active status keeps it so, and lets no other list be so', async () => {
    const mock = createWorkspaceMock()
    const state: any = mock.state()
    const [list] = state.workspaces[0].spaces[0].lists
    for (const status of list.statuses) status.type = 'done'
    mock.loadState(state)
    const lists = mock.db.lists
    await lists.update((query) => query.where({ id: list.id }), { data: (each) => void (each.name = 'New') })
    expect(lists.findFirst((query) => query.where({ id: list.id }))?.name).toBe('New')
    const others = lists.updateMany((query) => query.where(({ id }) => id !== list.id), {
      data: (each) => void (each.statuses = each.statuses.map((status) => ({ ...status, type: 'done' }))),
    })
    await expect(others).rejects.toThrow('statuses must contain an active status')
  })

  it('of a row and of a task keeps a late date and a lost link of custom fields, and refuses others', async () => {
    const mock = createWorkspaceMock()
    const state: any = mock.state()
    const [{ tables, spaces }] = state.workspaces
    const [table] = tables
    const [list] = spaces[0].lists
    table.columns.push({ id: 'col_late', name: 'Late', type: 'date' })
    table.rows[0].data.col_late = late
    list.fields.push({ id: 'fld_late', name: 'Late', type: 'date' })
    list.fields.push({ id: 'fld_lost', name: 'Lost', type: 'datatable', mode: 'items', table_id: table.id })
    const [task] = list.tasks
    task.custom_data = { fld_late: late, fld_lost: ['row_gone'] }
    mock.loadState(state)
    const held = { row: table.rows[0].id as string, task: task.id as string }
    const rows = mock.db.rows(table.id)
    const row = rows.findFirst((query) => query.where({ id: held.row }))!
    const found = mock.db.tasks.findFirst((query) => query.where({ id: held.task }))!
    expect(await rows.update(row, { data: () => undefined })).toEqual(row)
    expect(await mock.db.tasks.update(found, { data: () => undefined })).toEqual(found)
    const lateRow = rows.update(row, { data: ({ data }) => void Object.assign(data, { col_late: late + 1 }) })
    await expect(lateRow).rejects.toThrow('data.col_late must be at most')
    const setField = (values: object) =>
      mock.db.tasks.update(found, { data: ({ custom_data }) => void Object.assign(custom_data, values) })
    await expect(setField({ fld_late: late + 1 })).rejects.toThrow('custom_data.fld_late must be at most')
    await expect(setField({ fld_lost: ['row_gone', 'row_other'] })).rejects.toThrow(
      'custom_data.fld_lost must be',
    )
    expect((await setField({ fld_lost: [] }))?.custom_data).toMatchObject({ fld_late: late })
  })

  it('of a list of links keeps those to deleted rows, and refuses another', async () => {
    const mock = createWorkspaceMock()
    const table = mock.db.tables.findFirst((query) =>
      query.where(({ columns }) => columns.some(({ type }) => type === 'datatable')),
    )!
    const { id: column, table_id } = table.columns.find(({ type }) => type === 'datatable')!
    const rows = mock.db.rows(table.id)
    const [first, second] = mock.db.rows(table_id!).all()
    const row = await rows.create({ data: { [column]: [first!.id, second!.id] } })
    mock.db.rows(table_id!).delete(first!)
    const link = (ids: readonly string[]) =>
      rows.update(row, { data: (each) => void Object.assign(each.data, { [column]: ids }) })
    expect((await link([first!.id]))?.data[column]).toEqual([first!.id])
    await expect(link([first!.id, 'row_gone'])).rejects.toThrow(`data.${column} must be`)
    expect(rows.findFirst((query) => query.where({ id: row.id }))?.data[column]).toEqual([first!.id])
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
