// Which requests depended on an open question: each case next to a request of the same operation that did not.
import { expect, it } from 'vitest'
import { useReport } from '../support/report-mock.ts'

const { api, control } = useReport('manual')

/** The questions that the latest request depended on. */
async function assumed(): Promise<(string | undefined)[]> {
  const latest = (await control.requests()).length
  const findings = await control.report({ assumptions: true })
  const ofLatest = findings.filter(({ rule, requests }) => rule === 'assumption' && requests.includes(latest))
  return ofLatest.map(({ message }) => /question (\w+):/.exec(message)?.[1])
}

type Sent = readonly [method: string, path: string, json?: unknown]
const row = '/datatables/tbl_all/rows/row_1'
const bulk = '/datatables/tbl_empty/rows/bulk'
const query = '/datatables/tbl_all/query'
const entries = '/tasks/tsk_plain/time-entries'
const named = (name: string) => ({ col_name: name })

const cases: readonly (readonly [question: string, depends: Sent, independent: Sent])[] = [
  ['emptyColumns', ['GET', '/datatables/tbl_all/rows'], ['GET', '/datatables/tbl_many/rows?limit=1']],
  ['relationValues', ['GET', row], ['GET', '/datatables/tbl_many/rows?limit=1']],
  ['formulaLanguage', ['GET', row], ['GET', '/datatables/tbl_many/rows?limit=1']],
  [
    'customFieldTypes',
    ['PATCH', '/tasks/tsk_plain', { custom_data: { fld_text: 'x' } }],
    ['PATCH', '/tasks/tsk_plain', { title: 'x' }],
  ],
  ['customFieldOptions', ['GET', '/lists/lst_main/schema'], ['GET', '/lists/lst_board/schema']],
  [
    'bulkErrors',
    ['POST', bulk, { rows: [named('a'), { col_count: 'x' }] }],
    ['POST', bulk, { rows: [named('a')] }],
  ],
  [
    'bulkErrors',
    ['POST', bulk, { rows: [{ col_count: 'x' }] }],
    ['POST', bulk, { rows: [named('a')], mode: 'upsert', key_column: 'col_name' }],
  ],
  ['bulkAllFailed', ['POST', bulk, { rows: [] }], ['POST', bulk, { rows: [named('a')] }]],
  ['upsertMatch', ['POST', bulk, { rows: [], mode: 'insert' }], ['POST', bulk, { rows: [named('a')] }]],
  [
    'queryText',
    ['POST', query, { filters: [{ column: 'Title', operator: 'contains', value: 'a' }] }],
    ['POST', query, { filters: [{ column: 'Title', operator: 'eq', value: 'a' }] }],
  ],
  ['emptyValues', ['POST', query, { sort: [{ column: 'Title' }] }], ['POST', query, {}]],
  ['limitAboveMax', ['POST', query, { limit: 5000 }], ['POST', query, { limit: 5 }]],
  [
    'unknownSortColumn',
    ['POST', query, { sort: [{ column: 'None' }] }],
    ['POST', query, { sort: [{ column: 'Title' }] }],
  ],
  [
    'attachmentWrites',
    ['PATCH', row, { data: { col_attachment: [] } }],
    ['PATCH', row, { data: { col_text: 'x' } }],
  ],
  ['typeChecks', ['PATCH', row, { data: { col_text: 'x' } }], ['PATCH', row, { data: {} }]],
  ['unknownRowKeys', ['PATCH', row, { data: { Title: 'x' } }], ['PATCH', row, { data: { col_text: 'x' } }]],
  ['unknownBodyFields', ['POST', '/spaces', { name: 'a', odd: 1 }], ['POST', '/spaces', { name: 'a' }]],
  [
    'colors',
    ['PATCH', '/spaces/spc_main', { color: '#123456' }],
    ['PATCH', '/spaces/spc_main', { name: 'a' }],
  ],
  ['emptyNames', ['PATCH', '/spaces/spc_main', { name: ' ' }], ['PATCH', '/spaces/spc_main', { name: 'a' }]],
  [
    'clearing',
    ['PATCH', '/tasks/tsk_plain', { due_date: null }],
    ['PATCH', '/tasks/tsk_plain', { due_date: 5 }],
  ],
  [
    'projectId',
    ['PATCH', '/tasks/tsk_plain', { project_id: 'p' }],
    ['PATCH', '/tasks/tsk_plain', { title: 'x' }],
  ],
  [
    'statusTransitions',
    ['PATCH', '/tasks/tsk_plain', { status_id: 'st_done' }],
    ['PATCH', '/tasks/tsk_plain', { title: 'x' }],
  ],
  [
    'customDataPatch',
    ['PATCH', '/tasks/tsk_plain', { custom_data: {} }],
    ['PATCH', '/tasks/tsk_plain', { title: 'x' }],
  ],
  [
    'recurrence',
    ['PATCH', '/tasks/tsk_plain', { repeat_config: { trigger: 'on_complete' } }],
    ['PATCH', '/tasks/tsk_plain', { repeat_config: null }],
  ],
  [
    'manualEntry',
    ['POST', entries, { action: 'manual', duration: 60 }],
    ['POST', entries, { action: 'start' }],
  ],
  [
    'startEntry',
    ['POST', entries, { action: 'start' }],
    ['POST', entries, { action: 'manual', duration: 60 }],
  ],
  ['stopEntry', ['POST', entries, { action: 'stop' }], ['POST', entries, { action: 'manual', duration: 60 }]],
  [
    'runningDuration',
    ['POST', entries, { action: 'start' }],
    ['POST', entries, { action: 'manual', duration: 60 }],
  ],
  [
    'actingMember',
    ['POST', entries, { action: 'start' }],
    ['POST', entries, { action: 'start', as_user: 'mem_bo' }],
  ],
  ['taskStatusFilter', ['GET', '/lists/lst_main/tasks?status=Done'], ['GET', '/lists/lst_main/tasks']],
  [
    'limitAboveMax',
    ['GET', '/forms/frm_task/submissions?since=x'],
    ['GET', '/forms/frm_task/submissions?since=5'],
  ],
  ['formTargetType', ['GET', '/forms/frm_row'], ['GET', '/forms/frm_task']],
]

it.each(cases)(
  'mock.report() finds the assumption %s only where the response depended on it: %j, not %j',
  async (question, ...requests) => {
    const found: boolean[] = []
    for (const [method, path, json] of requests) {
      await control.reset()
      await api.call(method, path, json === undefined ? {} : { json })
      found.push((await assumed()).includes(question))
    }
    expect(found).toEqual([true, false])
  },
)

it('mock.report() finds the assumptions about keys and plans', async () => {
  await api.get('/spaces', { key: 'wm_test_scoped' })
  expect(await assumed()).toContain('scopes')
  await api.get('/spaces')
  expect(await assumed()).not.toContain('scopes')
  expect(await assumed()).not.toContain('scalePlan')
  await control.setPlan('scale')
  await api.post('/datatables/tbl_empty/jobs/insert', { rows: [{}] })
  expect(await assumed()).toContain('scalePlan')
  await control.lockTable('tbl_empty')
  await api.post('/datatables/tbl_empty/rows', { data: {} })
  expect(await assumed()).toContain('lockedTable')
})

it('mock.report() finds assumptions of bodies that the journal no longer holds', async () => {
  await api.patch('/tasks/tsk_plain', { description: 'x'.repeat(70_000) })
  expect(await assumed()).toEqual(expect.arrayContaining(['statusTransitions', 'clearing']))
})

const oddBodies = [null, [null], [1, 'x'], [[]], {}, 'x', 0, true].flatMap((odd): Sent[] => [
  ['POST', query, { filters: odd, sort: odd, select: odd, page: odd, limit: odd }],
  ['POST', query, odd],
  ['POST', bulk, { rows: odd, mode: odd, key_column: odd }],
  ['PATCH', row, { data: odd }],
  ['PATCH', '/tasks/tsk_plain', { custom_data: odd, repeat_config: odd, status_id: odd }],
  ['POST', entries, { action: odd, duration: odd }],
  ['POST', '/spaces', { name: odd, color: odd }],
])

it.each(oddBodies.map((sent) => ({ sent })))(
  'mock.report() finds assumptions of a request with any body: $sent',
  async ({ sent: [method, path, json] }) => {
    await api.call(method, path, { json })
    expect(await assumed()).not.toEqual([])
  },
)
