// How pull reads deployments that page, redirect, show and omit differently from the mock.
import { expect, test } from 'vitest'
import { createWorkspaceMock, type Fixture, type WorkspaceMock } from 'workspace-api-mock'
import { pull } from 'workspace-api-mock/verify'
import { deployment, type Rewriting } from '../verify/support/deployment.ts'
import { inProcess } from '../verify/support/scrambles.ts'
import { readsOf } from './support/reads.ts'

const moment = 1_767_000_001
const numbers = [1, 2, 3, 4, 5, 6, 7]
const tasks = numbers.map((number) => ({
  id: `tsk_${String(number)}`,
  title: `Task ${String(number)}`,
  description: `Described ${String(number)}`,
  comments: [{ content: 'Seen', author_id: 'mbr_bo' }],
  attachments: [{ id: `att_${String(number)}`, filename: `file-${String(number)}.txt` }],
}))
const columns = [
  { id: 'col_name', name: 'Name', type: 'text' },
  { id: 'col_size', name: 'Size', type: 'number' },
  { id: 'col_files', name: 'Files', type: 'attachment' },
  { id: 'col_changed', name: 'Changed', type: 'updated_at' },
] as const
const submissions = numbers.map((number) => ({
  created_entity_id: `tsk_${String(number)}`,
  created_at: moment,
}))
const shop: Fixture = {
  clock: moment,
  workspaces: [
    {
      keys: [{ key: 'wm_shop', name: 'shop' }],
      members: [
        { id: 'mbr_ada', name: 'Ada' },
        { id: 'mbr_bo', name: 'Bo' },
      ],
      tables: [
        {
          id: 'tbl_shop',
          name: 'Shop',
          columns,
          rows: numbers.map((number) => ({
            id: `row_${String(number)}`,
            data: { col_name: `Row ${String(number)}`, col_size: number, col_files: [{ filename: 'a.txt' }] },
          })),
        },
      ],
      spaces: [
        {
          id: 'spc_shop',
          name: 'Shop',
          lists: [
            {
              id: 'lst_shop',
              name: 'Shop',
              fields: [{ id: 'fld_size', name: 'Size', type: 'number' }],
              tasks,
            },
          ],
        },
      ],
      forms: [
        {
          id: 'frm_shop',
          name: 'Shop',
          target_type: 'task',
          target_id: 'lst_shop',
          submission_count: 40,
          submissions,
        },
      ],
    },
  ],
  files: { att_1: btoa('the first') },
}

const newShop = () => createWorkspaceMock({ fixture: shop })
const direct = pull(inProcess(newShop(), 'shop'))

/** Pulls the shop with one operation rewritten. */
function pullWhere(operation: Parameters<typeof deployment>[1], rewriting: Rewriting) {
  const mock = newShop()
  return pull({ ...inProcess(mock, 'shop'), fetch: deployment(mock, operation, rewriting) })
}
/** Pulls the shop with one operation's successful responses edited. */
const pullEdited = (operation: Parameters<typeof deployment>[1], edit: (json: any, params: any) => void) =>
  pullWhere(operation, {
    reply: ({ status, json }, { params }) => {
      if (status === 200) edit(json, params)
    },
  })

const readsAs = async (mock: WorkspaceMock, fixture: Fixture) =>
  expect(await readsOf(createWorkspaceMock({ fixture }), 'wm_pulled_master')).toEqual(
    await readsOf(mock, mock.keys.shop!),
  )

test.for(['listTasks', 'listFormSubmissions', 'listRows'] as const)(
  'pull reads every page of a deployment with pages of three: %s',
  async (operation) => {
    const { fixture, unseen } = await pullWhere(operation, { ask: ({ query }) => query.set('limit', '3') })
    expect(fixture).toEqual((await direct).fixture)
    expect(unseen).toEqual((await direct).unseen)
  },
)

test.for([
  ['listTasks', 'tasks', 'offset'],
  ['listFormSubmissions', 'submissions', 'offset'],
  ['listRows', 'rows', 'page'],
] as const)('pull holds a record once that two pages show: %s', async ([operation, name, from]) => {
  let last: unknown
  const { fixture } = await pullWhere(operation, {
    ask: ({ query }) => query.set('limit', '3'),
    reply: ({ json }, { query }) => {
      if (Number(query.get(from)) > 1 && json[name].length > 0) json[name].unshift(last)
      last = json[name].at(-1)
    },
  })
  const ids = JSON.stringify(fixture).match(/"id":"(?:tsk|row|sub\w*)_\w+"/g)!
  expect(new Set(ids).size).toBe(ids.length)
})

test('pull reads tasks alone where a listed one shows less', async () => {
  const { fixture } = await pullEdited('listTasks', ({ tasks: listed }) => {
    for (const task of listed) delete task.due_date
  })
  const [source, pulled] = [newShop(), createWorkspaceMock({ fixture })]
  expect(pulled.db.tasks.findMany().map(({ due_date }) => due_date)).toEqual(
    source.db.tasks.findMany().map(({ due_date }) => due_date),
  )
  const { fixture: whole } = await pullWhere('getTask', {
    reply: ({ json }, { params }) => void (json.description = `Described ${params.taskId!}`),
  })
  const described = createWorkspaceMock({ fixture: whole }).db.tasks.findMany()
  expect(described.map(({ description }) => description)).toEqual(
    numbers.map((n) => `Described tsk_${String(n)}`),
  )
})

test('pull requests only once what the key may not read, and names it', async () => {
  let asked = 0
  const { unseen } = await pullWhere('listComments', {
    reply: (response) => {
      asked += 1
      response.status = 403
      response.json = { error: 'may not' }
    },
  })
  expect(asked).toBe(1)
  expect(unseen).toContain('This key may not call listComments: status 403, "may not".')
})

test('pull continues after failures that are not in a row', async () => {
  const { missing, fixture } = await pullWhere('listComments', {
    reply: (response) => void (response.json = []),
  })
  const ids = tasks.map(({ id }) => id)
  expect(missing).toEqual([expect.objectContaining({ kind: 'response', operation: 'listComments', ids })])
  expect(missing[0]!.text).toContain(
    'GET /tasks/tsk_1/comments responded with [], expected {"comments": […]}',
  )
  expect(createWorkspaceMock({ fixture }).db.tasks.count()).toBe(7)
})

test('pull keeps the lifetime count of submissions, of which fewer are listed', async () => {
  await readsAs(newShop(), (await direct).fixture)
  const { fixture } = await pullEdited('listForms', ({ forms }) => void (forms[0].submission_count = 2))
  expect(fixture.workspaces[0]!.forms![0]!.submission_count).toBe(40)
})

test('pull sets the clock to the newest moment of any record, rounded up to the minute', async () => {
  const whole = (seconds: number) => Math.ceil(seconds / 60) * 60
  expect((await direct).fixture.clock).toBe(whole(moment))
  const later = moment + 86_400
  for (const [operation, edit] of [
    ['listComments', ({ comments }) => void (comments[0].updated_at = later)],
    ['listRows', ({ rows }) => void (rows[0].data.col_changed = later)],
    ['listRows', ({ rows }) => void (rows[0].data.col_files[0].uploadedAt = later)],
    ['listFormSubmissions', ({ submissions: all }) => void (all[0].created_at = later)],
    ['listTasks', ({ tasks: all }) => void (all[0].updated_at = later)],
  ] as const satisfies readonly (readonly [string, (json: any) => void])[])
    expect((await pullEdited(operation, edit)).fixture.clock, operation).toBe(whole(later))
})

test('pull adds the elapsed seconds of a running entry to its start, and keeps no duration', async () => {
  const entry = {
    id: 'ent_1',
    user_id: 'mbr_bo',
    note: '',
    billable: 0,
    is_running: 1,
    date_start: moment,
    date_end: null,
  }
  const { fixture, answers } = await pullEdited('listTimeEntries', (json, { taskId }) => {
    if (taskId === 'tsk_1') json.entries.push({ ...entry, duration: 3600 })
  })
  expect(answers).toEqual({ runningDuration: 'elapsed' })
  expect(fixture.clock).toBe(Math.ceil((moment + 3600) / 60) * 60)
  expect(fixture.workspaces[0]!.spaces![0]!.lists![0]!.tasks![0]!.time_entries).toEqual([
    expect.objectContaining({ duration: 0, date_end: null, is_running: 1 }),
  ])
})

test('pull makes members of people that only records name, and notes it', async () => {
  const { fixture, unseen } = await pullEdited('listComments', ({ comments }) => {
    for (const comment of comments) Object.assign(comment, { author_id: 'mbr_gone', author_name: 'Cy' })
  })
  expect(fixture.workspaces[0]!.members).toEqual([
    { id: 'mbr_ada', name: 'Ada' },
    { id: 'mbr_bo', name: 'Bo' },
    { id: 'mbr_gone', name: 'Cy' },
  ])
  expect(unseen).toContain('Named by records but no longer members, added to the fixture as members: Cy.')
  expect((await direct).unseen.join()).not.toContain('no longer members')
})

test('pull leaves out what a fixture does not allow, and notes it', async () => {
  const { fixture: pale } = await pullEdited('listLists', ({ lists }) => void (lists[0].color = 'tomato'))
  expect(createWorkspaceMock({ fixture: pale }).db.lists.findFirst()?.color).toBeNull()
  const { fixture: spaced } = await pullEdited('listSpaces', ({ spaces }) => {
    spaces[0].color = 'tomato'
    spaces[0].lists[0].color = 'rgb(1, 2, 3)'
  })
  expect(createWorkspaceMock({ fixture: spaced }).db.spaces.count()).toBe(1)

  const cases = [
    ['listTasks', ({ tasks: all }) => void (all[0].status_id = 'sta_gone'), 'tasks[0].status_id', 'tsk_1'],
    [
      'listTasks',
      ({ tasks: all }) => void (all[0].custom_data = { fld_size: 'wide', fld_none: null }),
      'tasks[0].custom_data.fld_size',
      'tsk_1',
    ],
    ['listRows', ({ rows }) => void (rows[0].data.col_size = 'wide'), 'rows[0].data.col_size', 'row_1'],
  ] as const satisfies readonly (readonly [string, (json: any) => void, string, string])[]
  for (const [operation, edit, where, id] of cases) {
    const { fixture, missing } = await pullEdited(operation, edit)
    expect(missing.map(({ kind, ids }) => [kind, ids])).toEqual([['value', [id]]])
    expect(missing[0]!.text).toContain(`${where} of ${id} left out: it must be `)
    const mock = createWorkspaceMock({ fixture })
    expect(mock.db.tasks.count()).toBe(7)
    expect(mock.db.tasks.findFirst()?.custom_data).toEqual({})
  }
  expect((await direct).missing).toEqual([])
})

test('pull leaves out files of rows under keys of other rows', async () => {
  const { fixture } = await pullEdited('listRows', ({ rows }) => {
    rows[0].data.col_files[0].key = rows[1].data.col_files[0].key
  })
  const [first, second] = fixture.workspaces[0]!.tables![0]!.rows!
  expect(first!.data!.col_files).toEqual([])
  expect(second!.data!.col_files).toHaveLength(1)
  expect(createWorkspaceMock({ fixture }).db.rows('tbl_shop').count()).toBe(7)
})

test('pull takes the change of a row for its creation where no column shows that', async () => {
  const { fixture } = await pullEdited('listRows', ({ rows }) => void (rows[0].data.col_changed = moment - 9))
  expect(fixture.workspaces[0]!.tables![0]!.rows![0]).toMatchObject({
    created_at: moment - 9,
    updated_at: moment - 9,
  })
})

test('pull reads as many rows of a table as wanted, even 0, and notes how many it has', async () => {
  for (const [rows, held] of [
    [3, 3],
    [0, 0],
    [7, 7],
    [8, 7],
  ] as const) {
    const { fixture, unseen } = await pull({ ...inProcess(newShop(), 'shop'), rows })
    expect(fixture.workspaces[0]!.tables![0]!.rows).toHaveLength(held)
    const sentence = `Table Shop: ${String(held)} of 7 rows were read.`
    expect(unseen.includes(sentence)).toBe(held < 7)
  }
})

test('pull fetches files that are stored elsewhere only if asked for, without the key, and notes other sizes than listed', async () => {
  const mock = newShop()
  const keys: (string | null)[] = []
  const fetch = async (request: Request) => {
    if (request.url.startsWith('https://storage.example/')) {
      keys.push(request.headers.get('authorization'))
      return new Response('stored elsewhere')
    }
    const isFile = request.url.endsWith('/attachments/att_1')
    return isFile ? Response.redirect('https://storage.example/att_1', 302) : mock.fetch(request)
  }
  const options = { ...inProcess(mock, 'shop'), fetch, files: true }
  const stayed = await pull(options)
  expect(keys).toEqual([])
  expect(stayed.missing.map(({ text }) => text)).toEqual([
    expect.stringContaining(
      '/attachments/att_1 redirects to https://storage.example, which is followed only if',
    ),
  ])
  const { fixture, unseen } = await pull({ ...options, followRedirects: true })
  expect(atob(fixture.files!.att_1!)).toBe('stored elsewhere')
  expect(keys).toEqual([null])
  expect(unseen).toContain('File file-1.txt has 16 bytes, not 9 as listed.')
  expect(createWorkspaceMock({ fixture }).db.attachments.findFirst()?.size_bytes).toBe(16)
})

test('pull gives option labels without ids the ids that tasks hold', async () => {
  const options = [
    { id: 'opt_a', label: 'Alpha' },
    { id: 'opt_b', label: 'Beta' },
  ]
  const [{ fields = [], ...list }] = shop.workspaces[0]!.spaces![0]!.lists! as [any]
  const field = { id: 'fld_kind', name: 'Kind', type: 'dropdown', options }
  const held = tasks.map((task, index) => ({
    ...task,
    custom_data: { fld_kind: ['opt_b', 'opt_a'][index % 2] },
  }))
  const spaces = [{ name: 'Shop', lists: [{ ...list, fields: [...fields, field], tasks: held }] }]
  const workspaces = [{ ...shop.workspaces[0]!, spaces }]
  const mock = createWorkspaceMock({
    fixture: { ...shop, workspaces },
    answers: { customFieldOptions: 'label' },
  })
  const { fixture, answers, unseen } = await pull(inProcess(mock, 'shop'))
  expect(answers).toEqual({ customFieldOptions: 'label' })
  expect(unseen.join()).toContain('The API does not show the ids of options')
  const pulledField = fixture.workspaces[0]!.spaces![0]!.lists![0]!.fields!.find(
    ({ id }) => id === 'fld_kind',
  )
  expect(pulledField!.options!.map(({ id, label }) => [id, label])).toEqual([
    ['opt_b', 'Alpha'],
    ['opt_a', 'Beta'],
  ])
  // If a task contains a label itself, that label is the id.
  const byLabel = deployment(mock, 'listTasks', {
    reply: ({ json }) => {
      for (const task of json.tasks)
        task.custom_data.fld_kind = { opt_a: 'Alpha', opt_b: 'opt_b' }[task.custom_data.fld_kind as 'opt_a']
    },
  })
  const other = await pull({ ...inProcess(mock, 'shop'), fetch: byLabel })
  const [, again] = other.fixture.workspaces[0]!.spaces![0]!.lists![0]!.fields!
  expect(again!.options!.map(({ id }) => id)).toEqual(['opt_b', 'fld_kind_2'])
})
