// Fixtures and seeds that contradict themselves are refused with the path; states that the service comes to are not.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, FixtureError, type WorkspaceMock } from '../../src/index.ts'
import { DAY, NOW, testFixture } from '../behaviour/fixture.ts'

const start = () => createWorkspaceMock({ fixture: testFixture as never })
const ended = { table_id: 'tbl_empty', status: 'done', submitted: 4 }
const running = { table_id: 'tbl_empty', status: 'processing', rows: [{}, {}, {}, {}] }
const column = { name: 'A', type: 'text' }

const jobs: [string, object, string][] = [
  [
    'more messages than three',
    { ...ended, row_count: 0, errors: 4, messages: ['a', 'b', 'c', 'd'] },
    'messages',
  ],
  ['an error without a message', { ...ended, row_count: 3, errors: 1 }, 'messages'],
  ['a message without an error', { ...ended, messages: ['a'] }, 'messages'],
  ['more errors than rows', { ...ended, row_count: 0, errors: 5, messages: ['a', 'b', 'c'] }, 'errors'],
  ['more rows handled than submitted', { ...running, handled: 8 }, 'handled'],
  ['an end with half of the rows handled', { ...ended, handled: 2 }, 'handled'],
  ['all rows handled before the end', { ...running, handled: 4 }, 'handled'],
  ['rows handled while it is queued', { ...running, status: 'queued', handled: 1 }, 'handled'],
  ['more rows inserted than handled', { ...running, handled: 1, row_count: 2 }, 'row_count'],
  ['fewer rows inserted than handled without an error', { ...ended, row_count: 3 }, 'row_count'],
  [
    'more rows than are left beside the errors',
    { ...ended, errors: 1, messages: ['a'], row_count: 4 },
    'row_count',
  ],
  ['failure without an error', { ...ended, status: 'failed' }, 'errors'],
  ['no end although it is done', { ...ended, completed_ms: null }, 'completed_ms'],
  ['an end although it runs', { ...running, completed_ms: NOW * 1000 }, 'completed_ms'],
  ['an end before its start', { ...ended, completed_ms: 1, updated_ms: NOW * 1000 }, 'completed_ms'],
  ['progress before its start', { ...running, updated_ms: 1 }, 'updated_ms'],
  ['rows after its end', { ...ended, rows: [{}] }, 'rows'],
  ['fewer rows than submitted', { ...running, submitted: 5 }, 'rows'],
]

const seeds: [string, object, string][] = [
  ...jobs.map(([what, job, field]): [string, object, string] => [
    `a job with ${what}`,
    { jobs: [{ created_ms: NOW * 1000, ...job }] },
    `jobs[0].${field}`,
  ]),
  [
    'a task that is its own parent',
    { tasks: [{ id: 'a', title: 'A', parent_task_id: 'a' }] },
    'tasks[0].parent_task_id',
  ],
  [
    'tasks that are parents of each other',
    {
      tasks: [
        { id: 'a', title: 'A', parent_task_id: 'b' },
        { id: 'b', title: 'B', parent_task_id: 'c' },
        { id: 'c', title: 'C', parent_task_id: 'a' },
      ],
    },
    'tasks[0].parent_task_id',
  ],
  [
    'two columns of one name',
    { tables: [{ name: 'T', columns: [column, column] }] },
    'tables[0].columns[1].name',
  ],
  [
    'two columns of one id',
    {
      tables: [
        {
          name: 'T',
          columns: [
            { ...column, id: 'a' },
            { ...column, id: 'a', name: 'B' },
          ],
        },
      ],
    },
    'tables[0].columns[1].id',
  ],
  [
    'two statuses of one name',
    {
      lists: [
        {
          name: 'L',
          statuses: [
            { name: 'S', type: 'active' },
            { name: 'S', type: 'done' },
          ],
        },
      ],
    },
    'lists[0].statuses[1].name',
  ],
  ['a key with a space', { keys: [{ key: 'wm one', name: 'one' }] }, 'keys[0].key'],
  ['a key with a line break', { keys: [{ key: 'wm\none', name: 'one' }] }, 'keys[0].key'],
  ['a key that no header can carry', { keys: [{ key: 'wm_€', name: 'one' }] }, 'keys[0].key'],
  ...[
    { date_start: NOW, date_end: NOW - 1 },
    { date_start: NOW, date_end: NOW - 1, duration: 5 },
    { date_start: NOW - 60, date_end: NOW, is_running: 1 },
  ].map((entry): [string, object, string] => [
    `a time entry ${JSON.stringify(entry)}`,
    { tasks: [{ title: 'A', time_entries: [entry] }] },
    'tasks[0].time_entries[0].date_end',
  ]),
  [
    'a submission that made a task of another workspace',
    { forms: [{ id: 'frm_task', submissions: [{ created_entity_id: 'tsk_free' }] }] },
    'forms[0].submissions[0].created_entity_id',
  ],
  [
    'a form for a table of another workspace',
    { forms: [{ name: 'F', target_type: 'datatable', target_id: 'tbl_free' }] },
    'forms[0].target_id',
  ],
  [
    'a default list of another space',
    { spaces: [{ name: 'S', default_list_id: 'lst_main' }] },
    'spaces[0].default_list_id',
  ],
  [
    'a moment beyond the year 9999',
    { tasks: [{ title: 'A', created_at: Date.UTC(2026, 0) }] },
    'tasks[0].created_at',
  ],
]

describe('mock.seed and mock.loadState', () => {
  it.each(seeds)('refuse %s, naming the path, and change nothing', (_, part, path) => {
    const mock = start()
    const before = mock.state()
    let refusal: unknown
    try {
      mock.seed(part)
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(FixtureError)
    expect((refusal as FixtureError).problems.map((problem) => problem.path)).toContain(path)
    expect(mock.state()).toEqual(before)
    const { tasks = [], lists = [], spaces = [], ...own } = part as Record<string, object[]>
    const space = { id: 's', name: 'S', lists: [{ id: 'lst_main', name: 'L', tasks }, ...lists] }
    const workspace = {
      id: 'w',
      members: [{ id: 'm', name: 'M' }],
      tables: [{ id: 'tbl_empty', name: 'T', columns: [] }],
    }
    const fixture = { workspaces: [{ ...workspace, spaces: [space, ...spaces], ...own }] }
    expect(() => mock.loadState(fixture as never)).toThrow(FixtureError)
    expect(mock.state()).toEqual(before)
  })

  it('loadState takes a default list that the fixture does not hold', () => {
    const mock = start()
    const spaces = [{ id: 's', name: 'S', default_list_id: 'lst_hidden', lists: [] }]
    mock.loadState({ workspaces: [{ spaces }] })
    expect(mock.state().workspaces[0]?.spaces).toEqual([expect.objectContaining(spaces[0]!)])
  })
})

type Act = (mock: WorkspaceMock) => unknown

const call =
  (method: string, path: string, body?: unknown): Act =>
  async (mock) =>
    (
      await mock.fetch(
        new Request(mock.baseUrl + path, {
          method,
          headers: { authorization: 'Bearer wm_test_master', 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      )
    ).text()

const taskIds = [
  'tsk_full',
  'tsk_plain',
  'tsk_doing',
  'tsk_done',
  'task_000001',
  'task_000002',
  'task_000003',
]
const task = fc.constantFrom(...taskIds)
const link = fc.constantFrom('lin_1', 'lin_2')
const far = fc.constantFrom(NOW + DAY, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER)
const repeats = [{ trigger: 'on_schedule', frequency: 'daily' }, { trigger: 'on_complete' }, null]

/** Whatever a client, a test or time may do; much of it is refused. */
const acts: fc.Arbitrary<Act>[] = [
  fc
    .record({ title: fc.constant('New'), parent_task_id: fc.option(task), due_date: far })
    .map((body) => call('POST', '/lists/lst_main/tasks', body)),
  fc.tuple(task, task).map(([id, parent_task_id]) => call('PATCH', `/tasks/${id}`, { parent_task_id })),
  fc
    .tuple(task, link)
    .map(([id, row]) =>
      call('PATCH', `/tasks/${id}`, { custom_data: { fld_link_one: row, fld_link_many: [row] } }),
    ),
  fc
    .tuple(task, fc.constantFrom(...repeats), far)
    .map(([id, repeat_config, due_date]) => call('PATCH', `/tasks/${id}`, { repeat_config, due_date })),
  fc
    .tuple(task, fc.constantFrom('st_done', 'st_todo'))
    .map(([id, status_id]) => call('PATCH', `/tasks/${id}`, { status_id })),
  task.map((id) => call('DELETE', `/tasks/${id}`)),
  task.map((id) => (mock: WorkspaceMock) => mock.restoreTask(id)),
  link.map((id) => call('DELETE', `/datatables/tbl_linked/rows/${id}`)),
  fc
    .tuple(task, fc.constantFrom('start', 'stop'))
    .map(([id, action]) => call('POST', `/tasks/${id}/time-entries`, { action })),
  fc
    .tuple(task, far)
    .map(([id, date_start]) =>
      call('POST', `/tasks/${id}/time-entries`, { action: 'manual', duration: 5, date_start }),
    ),
  task.map((id) => call('POST', `/tasks/${id}/comments`, { content: { type: 'doc' } })),
  fc
    .constantFrom([{ col_name: 'x' }], [{ col_name: 1 }], [{ col_name: 'x' }, { no: 1 }, {}])
    .map((rows) => call('POST', '/datatables/tbl_empty/jobs/insert', { rows })),
  fc.constant(call('POST', '/spaces', { name: 'Space' })),
  fc.constant((mock: WorkspaceMock) => mock.submitForm('frm_task', { title: 'By form' })),
  fc.constant((mock: WorkspaceMock) => mock.submitForm('frm_row', { col_name: 'By form' })),
  fc.constantFrom('500ms', '1s', '1d', '31d').map((by) => (mock: WorkspaceMock) => mock.clock.advance(by)),
  fc.constantFrom(NOW - DAY, NOW, 253_402_300_799).map((at) => (mock: WorkspaceMock) => mock.clock.set(at)),
  fc
    .constantFrom('failedOnAnyChunk', 'failedWhenNothingIn')
    .map((jobTransitions) => (mock: WorkspaceMock) => mock.setAnswers({ jobTransitions })),
  fc.constant((mock: WorkspaceMock) => mock.setAnswers({ startEntry: 'allow', emptyNames: 'accept' })),
]

it('loadState takes every state that requests, controls and time lead to, and gives it back as it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(...acts), { minLength: 5, maxLength: 25 }), async (done) => {
      const mock = start()
      for (const act of done) {
        try {
          await act(mock)
        } catch {
          // Much is refused, which leads to no other state.
        }
      }
      const state = mock.state()
      mock.loadState(state)
      expect(mock.state()).toEqual(state)
      const other = createWorkspaceMock({ fixture: structuredClone(state), answers: mock.answers })
      expect(other.state()).toEqual(state)
    }),
    { numRuns: 60 },
  )
})
