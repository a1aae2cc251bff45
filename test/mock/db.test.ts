// mock.db: the model, for arranging and asserting in tests.
import { beforeEach, describe, expect, it } from 'vitest'
import { createWorkspaceMock, type DbCollection, type WorkspaceMock } from '../../src/index.ts'

const names = [
  'workspaces',
  'keys',
  'tables',
  'spaces',
  'lists',
  'tasks',
  'comments',
  'timeEntries',
  'attachments',
  'forms',
  'submissions',
  'jobs',
] as const

const collection = (mock: WorkspaceMock, name: (typeof names)[number]) =>
  mock.db[name] as unknown as DbCollection<{ readonly id: string }>

async function get(mock: WorkspaceMock, path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${mock.keys.master ?? ''}` }
  const response = await mock.fetch(new Request(mock.baseUrl + path, { headers }))
  return response.json()
}

it.each(names)('db.%s.update leaves a record that nothing changes as it is', async (name) => {
  const mock = createWorkspaceMock()
  const before = mock.state()
  const records = collection(mock, name).all()
  expect(records.length).toBeGreaterThan(0)
  for (const { id } of records.slice(0, 4))
    await collection(mock, name).update((query) => query.where({ id }), { data: () => undefined })
  expect(mock.state()).toEqual(before)
})

/** Excludes spaces, which need a list, and attachments, which need a file. */
const alone = names.filter((name) => name !== 'spaces' && name !== 'attachments')

it.each(alone)('db.%s.create adds a copy of a record under an id of its own', async (name) => {
  const mock = createWorkspaceMock()
  const [first] = collection(mock, name).all()
  const copy = {
    ...structuredClone(first),
    id: `${first!.id}_copy`,
    ...(name === 'keys' && { name: 'copy' }),
  }
  expect(await collection(mock, name).create(copy)).toMatchObject(copy)
  const after = mock.state()
  mock.loadState(after)
  expect(mock.state()).toEqual(after)
})

it('db.spaces.create gives a space its first list', async () => {
  const { db } = createWorkspaceMock()
  const { id } = await db.spaces.create({ name: 'Depot' })
  expect(db.lists.count((query) => query.where({ space_id: id }))).toBe(1)
})

it.each(names)('db.%s.delete leaves a state that can be loaded, or changes nothing', (name) => {
  const mock = createWorkspaceMock()
  const gone: string[] = []
  for (const { id } of collection(mock, name).all().slice(0, 3)) {
    mock.reset()
    const before = mock.state()
    try {
      collection(mock, name).delete((query) => query.where({ id }))
      gone.push(id)
    } catch {
      expect(mock.state()).toEqual(before)
      continue
    }
    expect(collection(mock, name).count((query) => query.where({ id }))).toBe(0)
    const after = mock.state()
    mock.loadState(after)
    expect(mock.state()).toEqual(after)
  }
  expect(gone).not.toEqual([])
})

it('db.tasks.findMany finds by where, and, or, and counts skip and take in the order asked for', () => {
  const { db } = createWorkspaceMock()
  const all = db.tasks.all()
  const high = db.tasks.findMany((query) => query.where({ priority: 'high' }))
  expect(high).toEqual(all.filter(({ priority }) => priority === 'high'))
  const either = db.tasks.findMany((query) =>
    query.where({ priority: 'high' }).or({ deleted_at: (moment) => moment !== null }),
  )
  expect(either).toEqual(all.filter((task) => task.priority === 'high' || task.deleted_at !== null))
  const both = db.tasks.findMany((query) => query.where({ priority: 'high' }).and({ deleted_at: null }))
  expect(both).toEqual(all.filter((task) => task.priority === 'high' && task.deleted_at === null))
  const latest = db.tasks.findMany(undefined, { orderBy: { title: 'desc' }, skip: 2, take: 3 })
  const titles = all.map(({ title }) => title).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0))
  expect(latest.map(({ title }) => title)).toEqual(titles.slice(2, 5))
  expect(db.tasks.findMany(undefined, { take: -2 })).toEqual(all.slice(-2).reverse())
  expect(db.tasks.findFirst((query) => query.where({ id: 'nothing' }))).toBeUndefined()
  expect(() => db.tasks.findFirst((query) => query.where({ id: 'nothing' }), { strict: true })).toThrow(
    'findFirst',
  )
})

describe('db.rows().findMany', () => {
  const numbers = [3, 1, 2, 3, 1]
  const rows = numbers.map((number, index) => ({
    id: `row_${String(index)}`,
    data: { number, letter: 'edcba'[index] },
  }))
  const columns = [
    { id: 'number', name: 'Number', type: 'number' as const },
    { id: 'letter', name: 'Letter', type: 'text' as const },
  ]
  const workspace = {
    keys: [{ key: 'wm', name: 'master' }],
    members: [{ name: 'Ada' }],
    tables: [{ id: 'tbl', name: 'Table', columns, rows }],
  }
  const { db } = createWorkspaceMock({ fixture: { workspaces: [workspace] } })
  type Table = ReturnType<typeof db.rows>
  const find = (...given: Parameters<Table['findMany']>) =>
    db
      .rows('tbl')
      .findMany(...given)
      .map(({ id }) => Number(id.replace('row_', '')))
  const big: Parameters<Table['findMany']>[0] = (query) =>
    query.where({ data: (data) => Number(data.number) > 1 })

  it.each([
    [{ orderBy: { data: { number: 'asc' } } }, [1, 4, 2, 0, 3]],
    [{ orderBy: { data: { number: 'desc' } } }, [0, 3, 2, 1, 4]],
    [{ orderBy: { data: { number: 'asc', letter: 'asc' } } }, [4, 1, 2, 3, 0]],
    [{ orderBy: [{ data: { number: 'desc' } }, { data: { letter: 'asc' } }] }, [3, 0, 2, 4, 1]],
    [{ orderBy: [{ data: { letter: 'asc' } }], skip: 1, take: 2 }, [3, 2]],
    [{ orderBy: { data: { letter: 'asc' } }, take: -2 }, [0, 1]],
    [{ skip: 2 }, [2, 3, 4]],
    [{ take: -2 }, [4, 3]],
    [{ take: -2, skip: 1 }, [3, 2]],
    [{ take: -Infinity }, [4, 3, 2, 1, 0]],
    [{ take: Infinity, skip: 3 }, [3, 4]],
    [{ take: 0 }, []],
  ] as const)('gives with %j the rows %j', (options, expected) => {
    expect(find(undefined, options)).toEqual(expected)
  })

  it.each([
    [{}, [0, 2, 3]],
    [{ take: 2 }, [0, 2]],
    [{ take: 1, skip: 1 }, [2]],
    [{ take: -1 }, [3]],
    [{ take: -1, skip: 1 }, [2]],
    [{ orderBy: { data: { letter: 'asc' } }, take: 1 }, [3]],
    [{ orderBy: { data: { letter: 'asc' } }, skip: 1, take: 1 }, [2]],
  ] as const)('gives with a condition and %j the rows %j', (options, expected) => {
    expect(find(big, options)).toEqual(expected)
  })

  it('takes conditions, functions and queries for and, or, in any number', () => {
    expect(find((query) => query.where(({ id }) => id > 'row_2'))).toEqual([3, 4])
    expect(find((query) => big(query).and({ data: { letter: 'c' } }))).toEqual([2])
    expect(
      find((query) =>
        big(query).and(
          ({ id }) => id > 'row_0',
          query.where(({ id }) => id < 'row_3'),
        ),
      ),
    ).toEqual([2])
    expect(find((query) => query.where({ id: 'row_4' }).or({ id: 'row_1' }, big(query)))).toEqual([
      0, 1, 2, 3, 4,
    ])
    expect(find((query) => query.where({ id: 'row_4' }).or(({ id }) => id === 'row_0'))).toEqual([0, 4])
    expect(
      find((query) =>
        query
          .where({ data: { number: 1 } })
          .and({ data: { letter: 'd' } })
          .or({ id: 'row_2' }),
      ),
    ).toEqual([1, 2])
  })

  it.each([
    [{ skip: -1 }, 'skip must be an integer of at least 0; received -1'],
    [{ skip: 1.5 }, 'skip must be'],
    [{ skip: Infinity }, 'skip must be'],
    [{ take: NaN }, 'take must be an integer; received NaN'],
    [{ orderBy: { data: { number: 'up' } } }, 'orderBy.data.number must be "asc" or "desc"; received "up"'],
  ])('refuses %j', (options, message) => {
    expect(() => find(undefined, options as never)).toThrow(message)
  })
})

it('db.tasks.findMany passes lists and objects whole to functions, and compares their items and fields with values', () => {
  const { db } = createWorkspaceMock()
  const all = db.tasks.all()
  const ids = (tasks: readonly { readonly id: string }[]) => tasks.map(({ id }) => id)
  const found = (...[selection]: Parameters<typeof db.tasks.findMany>) => ids(db.tasks.findMany(selection))
  const many = ids(all.filter(({ assignees }) => assignees.length > 1))
  expect(many).not.toEqual([])
  expect(found((query) => query.where({ assignees: ({ length }) => length > 1 }))).toEqual(many)
  const repeating = ids(all.filter((task) => task.repeat_config !== null))
  expect(found((query) => query.where({ repeat_config: (rule) => rule !== null }))).toEqual(repeating)
  const daily = ids(all.filter((task) => task.repeat_config?.frequency === 'weekly'))
  expect(daily).not.toEqual([])
  expect(found((query) => query.where({ repeat_config: { frequency: 'weekly' } }))).toEqual(daily)
  const [member = ''] = all.flatMap(({ assignees }) => assignees)
  const alone = ids(all.filter(({ assignees }) => assignees.every((id) => id === member)))
  expect(found((query) => query.where({ assignees: member }))).toEqual(alone)
  const without = ids(all.filter(({ assignees }) => assignees.length === 0))
  expect(found((query) => query.where({ assignees: member.slice(0, -1) }))).toEqual(without)
})

it('db.tasks.create is answered by the API at once, fires no event, and fills in what is left out', async () => {
  const mock = createWorkspaceMock()
  const told: unknown[] = []
  mock.events.on('task.created', (event) => told.push(event))
  const list = mock.db.lists.findFirst((query) => query.where({ is_private: false }))
  const task = await mock.db.tasks.create({ list_id: list?.id ?? '', title: 'Arranged', priority: 'urgent' })
  expect(await get(mock, `/tasks/${task.id}`)).toMatchObject({
    title: 'Arranged',
    status_id: list?.statuses[0]?.id,
  })
  expect(told).toEqual([])
})

it.each([
  [{ title: 'x', status_id: 'nothing' }, 'status_id must be one of'],
  [{ title: 'x', list_id: 'nothing' }, 'list_id must be the id of a list'],
  [{ title: 'x', workspace_id: 'nothing' }, 'workspace_id must be'],
  [{ id: 'tsk_clean_afterburner', title: 'x' }, 'already exists'],
  [{ title: 5 as never }, 'title must be'],
  [{ title: 'x', nothing: 5 }, 'nothing is not a field'],
])('db.tasks.create refuses %j and changes nothing', async (values, message) => {
  const mock = createWorkspaceMock()
  const before = mock.state()
  await expect(mock.db.tasks.create(values)).rejects.toThrow(message)
  expect(mock.state()).toEqual(before)
})

it('db.tasks.update changes what the API reads and leaves updated_at alone', async () => {
  const mock = createWorkspaceMock()
  const [task] = mock.db.tasks.findMany((query) => query.where({ deleted_at: null }))
  const updated = await mock.db.tasks.update((query) => query.where({ id: task?.id ?? '' }), {
    data(draft) {
      draft.title = 'Changed'
    },
  })
  expect(updated).toEqual({ ...task, title: 'Changed' })
  expect(mock.db.tasks.findFirst((query) => query.where({ title: 'Changed' }))).toEqual(updated)
  const wrong = mock.db.tasks.update((query) => query.where({ title: 'Changed' }), {
    data(draft) {
      draft.assignees = ['nobody']
    },
  })
  await expect(wrong).rejects.toThrow('assignees[0] must be one of')
})

it('db.lists.update refuses to remove a status that tasks have', async () => {
  const mock = createWorkspaceMock()
  const before = mock.state()
  const { status_id = '' } = mock.db.tasks.findFirst() ?? {}
  const update = mock.db.lists.update(
    (query) => query.where((list) => list.statuses.some(({ id }) => id === status_id)),
    {
      data(list) {
        list.statuses = list.statuses.filter(({ id }) => id !== status_id)
      },
    },
  )
  await expect(update).rejects.toThrow('status')
  expect(mock.state()).toEqual(before)
})

it('db returns copies', () => {
  const mock = createWorkspaceMock()
  const before = mock.state()
  for (const task of mock.db.tasks.all()) task.assignees.push('nobody')
  expect(mock.state()).toEqual(before)
})

it('db.rows reads, changes, counts and removes the rows of a table', async () => {
  const mock = createWorkspaceMock()
  const table = mock.db.tables.findFirst((query) => query.where({ columns: () => true, locked: false }))
  const rows = mock.db.rows(table?.id ?? '')
  const before = rows.count()
  const column = table?.columns.find(({ type }) => type === 'text')?.id ?? ''
  const row = await rows.create({ data: { [column]: 'arranged' } })
  expect(rows.findFirst((query) => query.where({ data: { [column]: 'arranged' } }))).toEqual(row)
  const changed = await rows.update(row, {
    data(draft) {
      Object.assign(draft, { data: { ...draft.data, [column]: 'changed' } })
    },
  })
  expect(changed).toMatchObject({ id: row.id, version: 1, updated_at: row.updated_at })
  expect(await get(mock, `/datatables/${table?.id ?? ''}/rows/${row.id}`)).toMatchObject({ id: row.id })
  await expect(rows.create({ data: { nothing: 1 } })).rejects.toThrow('data.nothing is not a column id')
  expect(rows.delete(row)).toEqual(changed)
  expect(rows.count()).toBe(before)
  expect(() => mock.db.rows('nothing')).toThrow('does not exist')
})

it('db reads and writes the state of the sandbox or boundary that it is used in', async () => {
  const mock = createWorkspaceMock()
  const count = mock.db.tasks.count()
  const inner = await mock.boundary(async () => {
    await mock.db.tasks.create({ title: 'Inside' })
    return mock.db.tasks.count()
  })()
  await mock.sandbox('other').db.tasks.createMany(2, (index) => ({ title: `Other ${String(index)}` }))
  expect([inner, mock.sandbox('other').db.tasks.count(), mock.db.tasks.count()]).toEqual([
    count + 1,
    count + 2,
    count,
  ])
  mock.db.tasks.deleteMany((query) => query.where(() => true))
  mock.reset()
  expect(mock.db.tasks.count()).toBe(count)
})

it.each(['comments', 'timeEntries', 'attachments'] as const)(
  'db.%s holds the records of every task except a purged one',
  async (name) => {
    const mock = createWorkspaceMock()
    const owners = () => mock.db[name].all().map(({ task_id }) => task_id)
    const before = owners()
    const [purged] = before
    const headers = { authorization: `Bearer ${mock.keys.master ?? ''}` }
    await mock.fetch(`/tasks/${purged ?? ''}`, { method: 'DELETE', headers })
    expect(owners()).toEqual(before)
    mock.clock.advance('31d')
    expect(owners()).toEqual(before.filter((id) => id !== purged))
  },
)

describe('db.tasks.update', () => {
  const mock = createWorkspaceMock({ fixture: 'demo' })
  const { db } = mock
  const clones = () =>
    db.tasks.findMany((query) => query.where({ title: 'Water the plants' })).filter(({ id }) => id !== taskId)
  const schedule = { trigger: 'on_schedule', frequency: 'daily' } as const
  let taskId: string
  beforeEach(async () => {
    mock.reset()
    const [list] = db.lists.all()
    taskId = (await db.tasks.create({ list_id: list!.id, title: 'Water the plants' })).id
  })
  const update = (values: object) =>
    db.tasks.update((query) => query.where({ id: taskId }), {
      data: (task) => void Object.assign(task, values),
    })

  it('starts and ends the recurrence of a task', async () => {
    mock.clock.advance('2d')
    expect(clones()).toEqual([])
    await update({ repeat_config: schedule })
    mock.clock.advance('2d')
    const made = clones()
    expect(made.length).toBeGreaterThan(0)
    const last = made.at(-1)!
    await db.tasks.update(last, { data: (task) => void (task.repeat_config = null) })
    mock.clock.advance('9d')
    expect(clones()).toHaveLength(made.length)
  })

  it('starts and ends the time after which a deleted task is purged', async () => {
    await update({ deleted_at: mock.clock.now() })
    mock.clock.advance('20d')
    await update({ deleted_at: null })
    mock.clock.advance('20d')
    expect(db.tasks.findFirst((query) => query.where({ id: taskId }))).toMatchObject({ deleted_at: null })
    await update({ deleted_at: mock.clock.now() })
    mock.clock.advance('31d')
    expect(db.tasks.findFirst((query) => query.where({ id: taskId }))).toBeUndefined()
  })

  it('changes only the first match in order of creation, and waits for its data', async () => {
    const others = await db.tasks.createMany(2, () => ({ title: 'Water the plants' }))
    const named: Parameters<typeof db.tasks.findMany>[0] = (query) =>
      query.where({ title: 'Water the plants' })
    const updated = await db.tasks.update(named, {
      async data(task) {
        await Promise.resolve()
        task.title = 'Watered'
      },
    })
    expect(updated).toMatchObject({ id: taskId, title: 'Watered' })
    expect(db.tasks.findMany(named)).toEqual(others)
    expect(db.tasks.delete(named)).toEqual(others[0])
    expect(db.tasks.findMany(named)).toEqual(others.slice(1))
  })

  it('resolves to undefined when nothing matches, or rejects if it is strict, without calling data', async () => {
    const before = mock.state()
    const missing = { id: 'tsk_none' } as NonNullable<ReturnType<typeof db.tasks.findFirst>>
    let calls = 0
    const data = () => void (calls += 1)
    expect(await db.tasks.update((query) => query.where({ id: 'tsk_none' }), { data })).toBeUndefined()
    expect(await db.tasks.update(missing, { data })).toBeUndefined()
    expect(await db.tasks.updateMany((query) => query.where({ id: 'tsk_none' }), { data })).toEqual([])
    expect(db.tasks.delete(missing)).toBeUndefined()
    for (const method of ['update', 'updateMany'] as const)
      await expect(
        db.tasks[method]((query) => query.where({ id: 'tsk_none' }), { data, strict: true }),
      ).rejects.toThrow(`mock.db.tasks.${method} found no record that matches`)
    expect(calls).toBe(0)
    expect(mock.state()).toEqual(before)
  })

  it('changes nothing when its data throws, even after changes', async () => {
    const before = mock.state()
    const update = db.tasks.updateMany((query) => query.where({ id: taskId }), {
      data(task) {
        task.title = 'Half'
        throw new Error('stop here')
      },
    })
    await expect(update).rejects.toThrow('stop here')
    expect(mock.state()).toEqual(before)
  })

  it('refuses another id, and changes nothing', async () => {
    await expect(update({ id: 'tsk_other' })).rejects.toThrow(
      `id of tasks cannot be changed from "${taskId}"; received "tsk_other"`,
    )
    expect(db.tasks.findFirst((query) => query.where({ id: taskId }))).toBeDefined()
    expect(db.tasks.findFirst((query) => query.where({ id: 'tsk_other' }))).toBeUndefined()
  })
})

it('db.rows.createMany, updateMany and deleteMany write each record that matches', async () => {
  const mock = createWorkspaceMock({ fixture: 'demo' })
  const [table] = mock.db.tables.all()
  const rows = mock.db.rows(table!.id)
  const [text, number] = ['text', 'number'].map(
    (type) => table!.columns.find((column) => column.type === type)!.id,
  )
  const before = rows.count()
  const made = await rows.createMany(5, (index) => ({ data: { [text!]: index < 3 ? 'few' : 'rest' } }))
  expect(made.map(({ data }) => data[text!])).toEqual(['few', 'few', 'few', 'rest', 'rest'])
  const updated = await rows.updateMany((query) => query.where({ data: { [text!]: 'few' } }), {
    data: ({ data }) => void Object.assign(data, { [number!]: 7.25 }),
  })
  expect(updated).toHaveLength(3)
  expect(rows.deleteMany((query) => query.where({ data: { [number!]: 7.25 } }))).toEqual(updated)
  expect(rows.all().slice(before)).toEqual(made.slice(3))
  expect(() =>
    rows.deleteMany((query) => query.where({ data: { [number!]: 7.25 } }), { strict: true }),
  ).toThrow('mock.db.rows.deleteMany found no record that matches')
})

describe('arguments of mock.db', () => {
  const mock = createWorkspaceMock({ fixture: 'demo' })
  beforeEach(() => mock.reset())

  it.each([
    ['a predicate of records', (task: { id: string }) => task.id === 'tsk_label', 'one that returns false'],
    ['a condition', { status_id: 'x' }, '{"status_id":"x"}'],
    ['an id', 'tsk_label', '"tsk_label"'],
    ['a list', [undefined], '[null]'],
  ])('findMany, count, update and delete reject %s in place of a query', async (_, selection, received) => {
    const message = `select records with a function such as (query) => query.where({ id: 'x' }); received ${received}`
    const { tasks } = mock.db
    const before = mock.state()
    expect(() => tasks.findMany(selection as never)).toThrow(message)
    expect(() => tasks.count(selection as never)).toThrow(message)
    expect(() => tasks.delete(selection as never)).toThrow(message)
    expect(() => tasks.deleteMany(selection as never)).toThrow(message)
    await expect(tasks.update(selection as never, { data: () => undefined })).rejects.toThrow(message)
    expect(mock.state()).toEqual(before)
  })

  it.each([
    [{ data: { title: 'x' } }, '{"title":"x"}'],
    [undefined, 'nothing'],
  ])(
    'update and updateMany reject %j in place of a function that changes the record',
    async (options, received) => {
      for (const method of ['update', 'updateMany'] as const)
        await expect(mock.db.tasks[method](undefined as never, options as never)).rejects.toThrow(
          `mock.db.tasks.${method}: data must be a function that changes the record, such as (task) => { task.title = 'x' }; received ${received}`,
        )
    },
  )

  it.each([-1, 1.5, NaN, '3', undefined])('createMany rejects %j in place of a count', async (count) => {
    const before = mock.state()
    await expect(mock.db.tasks.createMany(count as never, () => ({ title: 'x' }))).rejects.toThrow(
      'mock.db.tasks.createMany: count must be an integer, 0 or more; received',
    )
    expect(mock.state()).toEqual(before)
  })
})
