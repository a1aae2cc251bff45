// Checks that a pull of a recording, from any tool, contains what the responses show and names what they do not.
import { expect, test } from 'vitest'
import { createWorkspaceMock, type AnswersInput, type WorkspaceMock } from 'workspace-api-mock'
import { CannotRun, pull } from 'workspace-api-mock/verify'
import { inProcess } from '../verify/support/scrambles.ts'
import { readsOf } from './support/reads.ts'
import { recorderOf } from './support/recorder.ts'

/** Records the calls of a client with the demo's master key. */
async function recording(
  calls: readonly (readonly [method: string, path: string, json?: unknown])[],
  answers: AnswersInput = {},
) {
  const mock = createWorkspaceMock({ answers })
  const recorder = recorderOf(mock)
  for (const [method, path, json] of calls)
    await recorder.fetch(
      new Request(mock.baseUrl + path, {
        method,
        headers: { authorization: 'Bearer wm_demo_master', 'content-type': 'application/json' },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      }),
    )
  return { ...recorder, mock }
}
const listsOf = (fixture: any) => fixture.workspaces[0].spaces.flatMap(({ lists }: any) => lists)

test('pull of the recording of a whole pull gives the same fixture, in any order of its entries', async () => {
  const mock = createWorkspaceMock()
  const recorder = recorderOf(mock)
  const live = await pull({ ...inProcess(mock, 'master'), fetch: recorder.fetch, files: true })
  const { log } = recorder.har()
  const recorded = await pull({ har: { log: { ...log, entries: log.entries.toReversed() } } })
  expect(recorded.fixture).toEqual(live.fixture)
  expect(recorded).toMatchObject({ answers: live.answers, missing: [], requests: 0 })
  expect(JSON.stringify(recorded)).not.toContain('wm_demo')
})

test.for([
  ['flat', 'flat'],
  ['data', 'data'],
  ['flatInLists', 'flatInLists'],
] as const)('pull of a recording sees the row shape %s', async ([rowShape]) => {
  const mock = createWorkspaceMock({ answers: { rowShape } })
  const recorder = recorderOf(mock)
  await pull({ ...inProcess(mock, 'master'), fetch: recorder.fetch, rows: 3 })
  const { fixture, answers } = await pull({ har: recorder.har(), rows: 3 })
  const replayed = createWorkspaceMock({ fixture, answers })
  const [first] = Object.values(await firstRows(replayed, 'wm_pulled_master'))
  const [source] = Object.values(await firstRows(mock, 'wm_demo_master'))
  expect(first).toEqual(source)
})
const firstRows = async (mock: WorkspaceMock, key: string) => {
  const headers = { authorization: `Bearer ${key}` }
  const { datatables } = await (
    await mock.fetch(new Request(`${mock.baseUrl}/datatables`, { headers }))
  ).json()
  const rows = await mock.fetch(
    new Request(`${mock.baseUrl}/datatables/${String(datatables[0].id)}/rows?limit=1`, { headers }),
  )
  return (await rows.json()).rows
}

test('pull of a recording takes neither order nor number of rows from a query that filters and sorts', async () => {
  const rowIds = (fixture: any) => {
    const table = fixture.workspaces[0].tables.find(({ id }: any) => id === 'tbl_shipments')
    return table.rows.map(({ id }: any) => id)
  }
  const pages = [1, 2, 3].map(
    (page) => ['GET', `/datatables/tbl_shipments/rows?limit=500&page=${String(page)}`] as const,
  )
  const column = createWorkspaceMock().db.tables.findFirst((query) => query.where({ id: 'tbl_shipments' }))!
    .columns[0]!.id
  const query = {
    filters: [{ column, operator: 'is_not_empty' }],
    sort: [{ column, direction: 'desc' }],
    limit: 3,
  }
  const { har } = await recording([...pages, ['POST', '/datatables/tbl_shipments/query', query]])
  const whole = await recording(pages)
  const { fixture, unseen } = await pull({ har: har() })
  expect(rowIds(fixture)).toEqual(rowIds((await pull({ har: whole.har() })).fixture))
  expect(unseen.join('\n')).not.toMatch(/rows were read/)
})

test('pull of a recording has records whose list and space no response shows', async () => {
  const { har, mock } = await recording([
    ['GET', '/tasks/tsk_label'],
    ['GET', '/tasks/tsk_label/comments'],
  ])
  const { fixture, unseen } = await pull({ har: har() })
  const [list] = listsOf(fixture)
  expect(list.tasks).toEqual([
    expect.objectContaining({
      id: 'tsk_label',
      title: mock.db.tasks.findFirst((query) => query.where({ id: 'tsk_label' }))!.title,
    }),
  ])
  expect(createWorkspaceMock({ fixture }).db.comments.count()).toBe(
    mock.db.comments.findMany((query) => query.where({ task_id: 'tsk_label' })).length,
  )
  expect(unseen.join('\n')).toMatch(/Not recorded: getIdentity \(once\)/)
  expect(unseen.join('\n')).toContain(
    'The statuses and custom fields of list list_recorded could not be read',
  )
})

test('pull of a recording has the state at its end, after creations, changes and deletions', async () => {
  const source = createWorkspaceMock()
  const [list] = source.db.lists.findMany((query) => query.where({ is_private: false }))
  const tasksOf = (list_id: string) => source.db.tasks.findMany((query) => query.where({ list_id }))
  const [task] = tasksOf(list!.id)
  const { har, entries } = await recording([
    ['GET', `/lists/${list!.id}/tasks?limit=200`],
    ['GET', `/tasks/${task!.id}`],
    ['PATCH', `/tasks/${task!.id}`, { title: 'Renamed' }],
    ['POST', `/lists/${list!.id}/tasks`, { title: 'Made' }],
    ['POST', `/tasks/${task!.id}/time-entries`, { action: 'manual', duration: 60 }],
  ])
  const { id } = JSON.parse(Buffer.from(entries[3].response.content.text, 'base64').toString())
  const unsure = await pull({ har: har() })
  expect(unsure.unseen).toContain(`The result of updateTask for ${task!.id} is not recorded.`)
  expect(unsure.unseen).toContain(`The result of createTask for ${String(id)} is not recorded.`)
  expect(listsOf(unsure.fixture)[0].tasks[0].time_entries).toEqual([
    expect.objectContaining({ duration: 60 }),
  ])
  const { har: later } = await recording([
    ['GET', `/lists/${list!.id}/tasks?limit=200`],
    ['PATCH', `/tasks/${task!.id}`, { title: 'Renamed' }],
    ['GET', `/tasks/${task!.id}`],
    ['DELETE', `/tasks/${tasksOf(list!.id)[1]!.id}`],
  ])
  const { fixture, unseen } = await pull({ har: later() })
  expect(unseen.join('\n')).not.toContain('is not recorded.')
  expect(listsOf(fixture)[0].tasks[0].title).toBe('Renamed')
  expect(listsOf(fixture)[0].tasks).toHaveLength(tasksOf(list!.id).length - 1)
})

test('pull of a recording has no value that was cleared, and those that a page with some columns does not show', async () => {
  const rows = '/datatables/tbl_orders/rows'
  const { rows: before } = await firstPage(rows)
  const { columns } = createWorkspaceMock().db.tables.findFirst((query) => query.where({ id: 'tbl_orders' }))!
  const column = columns.find(({ id: each, type }) => type === 'text' && before[0].data[each])!.id
  const cellsIn = async (calls: readonly (readonly [method: string, path: string, json?: unknown])[]) => {
    const { har } = await recording(calls, { emptyColumns: 'absent' })
    const { fixture } = await pull({ har: har() })
    return fixture.workspaces[0]!.tables!.find(({ id }) => id === 'tbl_orders')!.rows![0]!.data!
  }
  const id = String(before[0].id)
  const clear = ['PATCH', `${rows}/${id}`, { data: { [column]: null } }] as const
  expect(await cellsIn([['GET', rows], clear])).not.toHaveProperty(column)
  expect(await cellsIn([['GET', rows], clear, ['GET', rows]])).not.toHaveProperty(column)
  const others = Object.keys(before[0].data).filter((each) => each !== column)
  const selected = ['GET', `${rows}?select=${others[0]!}`] as const
  expect(await cellsIn([['GET', rows], selected])).toHaveProperty(column, before[0].data[column])
})
const firstPage = async (path: string) => {
  const mock = createWorkspaceMock()
  const headers = { authorization: 'Bearer wm_demo_master' }
  return (await mock.fetch(mock.baseUrl + path, { headers })).json()
}

test('pull of a recording leaves out other addresses, and bodies that were cut', async () => {
  const { entries, mock } = await recording([
    ['GET', '/me'],
    ['GET', '/datatables'],
    ['GET', '/spaces'],
  ])
  const cut = structuredClone(entries[1])
  cut.response.content = { size: 9, mimeType: 'application/json', text: '{"datata' }
  const foreign = structuredClone(entries[0])
  foreign.request.url = 'https://other.example/v1/me'
  const page = { request: { method: 'GET', url: 'https://app.example/index.html' }, response: {} }
  const har = { log: { entries: [page, 7, foreign, entries[0], cut, entries[2]] } }
  const { fixture, unseen } = await pull({ har })
  expect(fixture.workspaces[0]).toMatchObject({ name: mock.db.workspaces.findFirst()!.name, tables: [] })
  expect(unseen).toContain(
    `Requests to https://other.example/v1 were left out: the workspace is the one at ${mock.baseUrl}.`,
  )
  expect(unseen).toContain('A response to listDatatables was recorded with an incomplete body.')
  expect(unseen).toContain('An entry of the recording has no method or no valid address.')
  expect(unseen).toContain('1 request skipped: no matching operation in this API.')
  const other = await pull({ har, baseUrl: 'https://other.example/v1' })
  expect(other.fixture.workspaces[0]!.spaces).toEqual([])
})

test.for(['flat', 'data', 'flatInLists'] as const)(
  'pull of a recording sees the row shape %s where a row is read before its listing',
  async (rowShape) => {
    const mock = createWorkspaceMock({ answers: { rowShape } })
    const recorder = recorderOf(mock)
    const headers = { authorization: 'Bearer wm_demo_master' }
    const rows = `${mock.baseUrl}/datatables/tbl_orders/rows`
    for (const url of [`${rows}/row_order_1`, rows]) await recorder.fetch(new Request(url, { headers }))
    const { answers } = await pull({ har: recorder.har() })
    expect(answers.rowShape ?? 'data').toBe(rowShape)
  },
)

test.for([
  [{}, 'not in HAR format'],
  [{ log: { entries: [] } }, 'has no request to an address of this API'],
  [{ log: { entries: [{ request: { method: 'GET', url: 'nowhere' } }] } }, 'has no request'],
] as const)('pull rejects %j with CannotRun', async ([har, message]) => {
  await expect(pull({ har })).rejects.toThrow(CannotRun)
  await expect(pull({ har })).rejects.toThrow(message)
})

test('pull of a recording gives a mock that responds to the reads of an incident as recorded', async () => {
  const mock = createWorkspaceMock()
  const recorder = recorderOf(mock)
  const reads = await readsOf({ ...mock, fetch: recorder.fetch }, 'wm_demo_master', false)
  const { fixture, answers } = await pull({ har: recorder.har() })
  const replayed = createWorkspaceMock({ fixture, answers })
  expect(await readsOf(replayed, 'wm_pulled_master', false)).toEqual(reads)
})
