// Values that a mock returns and accepts are copies: changing one later changes neither the mock nor what it returns
// next.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock, type Fixture, type WorkspaceMock } from '../../src/index.ts'
import { testFixture } from '../behaviour/support/fixture.ts'

const fixture = () => structuredClone(testFixture) as unknown as Fixture
const start = () => createWorkspaceMock({ fixture: fixture(), advanceOnPoll: false })

const call = (mock: WorkspaceMock, method: string, path: string, json?: unknown) =>
  mock.fetch(
    new Request(`${mock.baseUrl}${path}`, {
      method,
      headers: { authorization: 'Bearer wm_test_master', 'content-type': 'application/json' },
      body: json === undefined ? null : JSON.stringify(json),
    }),
  )

/** Performs every kind of write, so that the mock returns changed records, not only the fixture's. */
async function write(mock: WorkspaceMock): Promise<void> {
  await call(mock, 'PATCH', '/tasks/tsk_plain', { custom_data: { fld_tags: [] }, title: 'Changed' })
  await call(mock, 'PATCH', '/datatables/tbl_all/rows/row_1', { data: { col_tags: [] } })
  await call(mock, 'POST', '/datatables/tbl_empty/rows', { data: { col_name: 'New' } })
  await call(mock, 'POST', '/datatables/tbl_empty/jobs/insert', { rows: [{ col_name: 'Job' }] })
  await call(mock, 'POST', '/tasks/tsk_plain/comments', { content: { type: 'doc', content: [] } })
  mock.submitForm('frm_row', { col_name: 'Form' })
  mock.setLimits({ spaces: 9 })
  mock.snapshots.save('kept')
  mock.fault({ operation: 'getTask', status: 503, times: 1, match: { path: '/tasks/tsk_doing' } })
  await call(mock, 'GET', '/tasks/tsk_doing')
  mock.fault({ operation: 'createSpace', status: 503, times: null, match: { body: { name: 'x' } } })
  mock.setAnswers({ taskPriority: { none: 0, low: 1, normal: 2, high: 3, urgent: 5 } })
}

/** Overwrites every value inside. Frozen values are unchanged, but are safe to share. */
function scramble(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    scramble(inner)
    if (typeof inner !== 'object' || inner === null) Reflect.set(value, name, 'scrambled')
  }
  if (!Object.isFrozen(value)) Reflect.set(value, 'added', 'scrambled')
}

const everything = (mock: WorkspaceMock) =>
  JSON.stringify([
    [mock.state(), mock.answers, mock.clock.nowMs(), mock.keys],
    [mock.requests(), mock.report({ assumptions: true }), mock.coverage()],
    [
      mock.faults(),
      consoleControlsOf(mock).usedFaults(),
      mock.snapshots
        .list()
        .map(({ name }) => name)
        .map((name) => mock.snapshots.read(name)),
    ],
  ])

const gives: Readonly<Record<string, (mock: WorkspaceMock) => unknown>> = {
  state: (mock) => mock.state(),
  snapshot: (mock) => mock.snapshot(),
  requests: (mock) => mock.requests(),
  har: (mock) => mock.har(),
  report: (mock) => mock.report(),
  request: (mock) => consoleControlsOf(mock).request(1),
  reason: (mock) => consoleControlsOf(mock).reason(1),
  requestSummaries: (mock) => consoleControlsOf(mock).requestSummaries(),
  'report with assumptions': (mock) => mock.report({ assumptions: true }),
  coverage: (mock) => mock.coverage(),
  faults: (mock) => mock.faults(),
  usedFaults: (mock) => consoleControlsOf(mock).usedFaults(),
  answers: (mock) => mock.answers,
  keys: (mock) => mock.keys,
  questions: (mock) => mock.questions,
  setAnswers: (mock) => mock.setAnswers({ taskPriority: { none: 0, low: 1, normal: 2, high: 3, urgent: 6 } }),
  readSnapshot: (mock) => mock.snapshots.read('kept'),
  snapshotSummaries: (mock) => mock.snapshots.list(),
  workspaceOfKey: (mock) => consoleControlsOf(mock).workspaceOfKey(null),
  lockTable: (mock) => mock.lockTable('tbl_all'),
  suspendKey: (mock) => mock.suspendKey('scoped'),
  'inspect.tasks': (mock) => consoleControlsOf(mock).inspect.tasks('lst_main'),
  'inspect.submissions': (mock) => consoleControlsOf(mock).inspect.submissions('frm_row'),
  'inspect.rows': (mock) => consoleControlsOf(mock).inspect.rows('tbl_all', { limit: 100 }),
  'inspect.overview': (mock) => consoleControlsOf(mock).inspect.overview(),
  submitForm: (mock) => mock.submitForm('frm_row', { col_name: 'x' }),
  setLimits: (mock) => mock.setLimits({ lists: 7 }),
  setPlan: (mock) => mock.setPlan('business'),
  lapseBilling: (mock) => mock.lapseBilling(false),
  publishForm: (mock) => mock.publishForm('frm_row'),
  'db.tasks.findMany': (mock) => mock.db.tasks.findMany(),
  'db.rows.findMany': (mock) => mock.db.rows('tbl_all').findMany(),
}

describe.each(Object.entries(gives))('%s', (_, give) => {
  it('returns a copy: changing it changes nothing', async () => {
    const mock = start()
    await write(mock)
    const given = give(mock)
    const before = everything(mock)
    const next = mock.snapshot()
    const text = JSON.stringify(next)
    scramble(given)
    expect(everything(mock)).toBe(before)
    expect(JSON.stringify(mock.snapshot())).toBe(text)
    mock.restore(next)
    expect(JSON.stringify(mock.snapshot())).toBe(text)
  })

  it('returns a value that later writes do not change', async () => {
    const mock = start()
    await write(mock)
    const given = give(mock)
    const text = JSON.stringify(given)
    await write(mock)
    await call(mock, 'DELETE', '/tasks/tsk_plain')
    mock.clock.advance('31d')
    mock.reset()
    expect(JSON.stringify(given)).toBe(text)
  })
})

const takes: Readonly<Record<string, (mock: WorkspaceMock) => unknown>> = {
  restore: (mock) => {
    const snapshot = mock.snapshot()
    mock.restore(snapshot)
    return snapshot
  },
  loadState: (mock) => {
    const state = mock.state()
    mock.loadState(state)
    return state
  },
  seed: (mock) => {
    const data = { col_name: 'Seeded' }
    const part = { workspaces: [{ id: 'ws_main', tables: [{ id: 'tbl_empty', rows: [{ data }] }] }] }
    mock.seed(part)
    return part
  },
  addSnapshot: (mock) => {
    const snapshot = mock.snapshot()
    mock.snapshots.add('added', snapshot)
    return snapshot
  },
  setAnswers: (mock) => {
    const answers = {
      taskPriority: { none: 0, low: 1, normal: 2, high: 3, urgent: 6 },
      customFieldTypes: ['rating'],
    }
    mock.setAnswers(answers)
    return answers
  },
  fault: (mock) => {
    const spec = { operation: 'updateTask' as const, status: 503 as const, match: { body: { title: 'x' } } }
    mock.fault(spec)
    return spec
  },
  'db.tasks.create': async (mock) => {
    const values = { list_id: 'lst_main', title: 'x', assignees: ['mem_ada'], custom_data: { fld_text: 'x' } }
    await mock.db.tasks.create(values)
    return values
  },
  'db.rows.create': async (mock) => {
    const values = { data: { col_name: 'Created' } }
    await mock.db.rows('tbl_empty').create(values)
    return values
  },
  'the draft of db.tasks.update': async (mock) => {
    const custom_data = { fld_tags: ['tag_red'] }
    let kept: object = {}
    await mock.db.tasks.update((query) => query.where({ id: 'tsk_plain' }), {
      data: (draft) => {
        kept = draft
        draft.custom_data = custom_data
      },
    })
    return [kept, custom_data]
  },
  submitForm: (mock) => {
    const data = { col_name: 'Form' }
    mock.submitForm('frm_row', data)
    return data
  },
}

describe.each(Object.entries(takes))('%s', (_, take) => {
  it('takes a copy: changing the argument afterwards changes nothing', async () => {
    const mock = start()
    await write(mock)
    const given = await take(mock)
    const before = everything(mock)
    scramble(given)
    expect(everything(mock)).toBe(before)
    mock.clock.advance('1m')
    expect(JSON.stringify(mock.state())).not.toContain('scrambled')
  })
})

it('createWorkspaceMock takes a copy of its fixture', () => {
  const own = fixture()
  const mock = createWorkspaceMock({ fixture: own })
  const before = everything(mock)
  scramble(own)
  expect(everything(mock)).toBe(before)
  mock.reset()
  expect(everything(mock)).toBe(before)
})

it('createWorkspaceMock takes a copy of its answers and limits', () => {
  const answers = {
    taskPriority: { none: 0, low: 1, normal: 2, high: 3, urgent: 6 },
    bulkInsertPerMinute: { free: 1, pro: 2, business: 3, scale: 4 },
  }
  const limits = { spaces: 9 }
  const mock = createWorkspaceMock({ fixture: fixture(), answers, limits })
  const before = everything(mock)
  scramble(answers)
  scramble(limits)
  expect(everything(mock)).toBe(before)
  mock.reset()
  expect(everything(mock)).toBe(before)
})

it.each([{ body: { title: () => 'x' } }, { body: Symbol('x') }])(
  'fault refuses to match what is no plain data, and changes nothing: %o',
  (match) => {
    const mock = start()
    expect(() => mock.fault({ operation: 'updateTask', match })).toThrow(
      /match must be plain data, or a function/,
    )
    expect(mock.faults()).toEqual([])
  },
)

describe('events', () => {
  const names = ['row.inserted', 'task.created', 'task.completed', 'job.finished', 'form.submitted'] as const

  it.each(names)(
    '%s passes each listener a copy: changing it changes neither the state nor the other copies',
    async (name) => {
      const quiet = start()
      const mock = start()
      const heard: string[] = []
      mock.events.on(name, scramble)
      mock.events.on(name, (event) => void heard.push(JSON.stringify(event)))
      for (const one of [quiet, mock]) {
        await write(one)
        await call(one, 'POST', '/lists/lst_main/tasks', { title: 'New' })
        await call(one, 'PATCH', '/tasks/tsk_plain', { status_id: 'st_done' })
        one.clock.advance('1m')
      }
      expect(heard.length).toBeGreaterThan(0)
      expect(heard.join()).not.toContain('scrambled')
      expect(mock.state()).toEqual(quiet.state())
    },
  )
})

it('createWorkspaceMock takes a copy: changing its fixture afterwards changes nothing, after a reset neither', async () => {
  const source = start()
  await write(source)
  const fixture = structuredClone(source.state())
  const mock = createWorkspaceMock({ fixture })
  const before = everything(mock)
  scramble(fixture)
  expect(everything(mock)).toBe(before)
  mock.reset()
  expect(everything(mock)).toBe(before)
})
