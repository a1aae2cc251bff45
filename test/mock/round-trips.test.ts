// Random sequences of requests, mock.db and every control: an export contains everything they leave behind.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  createWorkspaceMock,
  type DbCollection,
  type Fixture,
  type MockControls,
  type Snapshot,
  type WorkspaceMock,
} from '../../src/index.ts'
import { resourceNames } from '../../src/contract/resources.ts'
import { testFixture } from '../behaviour/support/fixture.ts'
import { call, rows } from './support/changes.ts'

const start = () =>
  createWorkspaceMock({ fixture: structuredClone(testFixture) as unknown as Fixture, advanceOnPoll: false })

interface Step {
  readonly n: number
  readonly flag: boolean
}

/** Picks a record by a number of any size. */
const pick = <T>(records: readonly T[], n: number): T => records[n % Math.max(records.length, 1)]!
const idOf = (records: readonly { readonly id: string }[], n: number) => pick(records, n)?.id ?? 'none'

/** Controls that only read, or change what no export has: journal, faults, snapshots. */
type Unexported =
  | ('answers' | 'inspect' | 'events' | 'state' | 'faults')
  | (
      | 'usedFaults'
      | 'removeFault'
      | 'resetFaults'
      | 'requests'
      | 'requestSummaries'
      | 'request'
      | 'clearRequests'
    )
  | ('copyAs' | 'har' | 'coverage' | 'report' | 'explain' | 'workspaceOfKey')

type Steps<Names extends PropertyKey> = Readonly<Record<Names, (mock: WorkspaceMock, step: Step) => unknown>>

const advances = [1, 700, 60_000, 86_400_000, 31 * 86_400_000]
const copyOf = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T

const controls: Steps<Exclude<keyof MockControls, Unexported>> = {
  clock: ({ clock }, { n, flag }) =>
    flag ? clock.advance(pick(advances, n)) : clock.set(clock.now() + (n % 5) * 3600 - 7200),
  db: (mock, step) => pick(Object.values(writes), step.n)(mock, { ...step, n: step.n >> 4 }),
  reset: (mock, { n }) => n % 4 === 0 && mock.reset(),
  snapshot: (mock) => mock.restore(copyOf(mock.snapshot())),
  restore: (mock) => mock.restore(mock.snapshot()),
  snapshots: ({ snapshots, snapshot }, { n }) =>
    pick(
      [
        () => snapshots.save('kept'),
        () => snapshots.restore('kept'),
        () => snapshots.add('kept', copyOf<Snapshot>(snapshot())),
      ],
      n,
    )(),
  loadState: (mock) => mock.loadState(copyOf(mock.state())),
  seed: (mock, { n }) =>
    mock.seed({
      tasks: [{ title: 'Seeded', list_id: idOf(mock.db.lists.all(), n), comments: [{}], time_entries: [{}] }],
      tables: [{ id: 'tbl_empty', rows: [{ data: { col_name: String(n) } }] }],
    }),
  fault: (mock, { n, flag }) => {
    mock.fault(
      flag
        ? { operation: 'submitInsertJob', job: n % 2 === 0 ? 'failed' : 'errors', afterRows: n % 3 }
        : { operation: 'createTask', phase: 'after', status: 500 },
    )
  },
  setAnswers: (mock, { flag }) => mock.setAnswers({ taskReadExtras: flag }),
  setPlan: (mock, { n }) => mock.setPlan(pick(['free', 'pro', 'business', 'scale'], n)),
  setLimits: (mock, { n, flag }) => mock.setLimits({ bulkRowsPerRequest: flag ? n % 100 : null }),
  lapseBilling: (mock, { flag }) => mock.lapseBilling(flag),
  suspendKey: (mock, { flag }) => mock.suspendKey('wm_test_scoped', flag),
  lockTable: (mock, { n, flag }) => mock.lockTable(idOf(mock.db.tables.all(), n), flag),
  failJob: async (mock, { n }) => {
    await call(mock, 'POST', '/datatables/tbl_empty/jobs/insert', { rows: [{ col_name: 'job' }] })
    return mock.failJob(
      idOf(
        mock.db.jobs.findMany((q) => q.where({ completed_ms: null })),
        n,
      ),
    )
  },
  restoreTask: (mock, { n }) =>
    mock.restoreTask(
      idOf(
        mock.db.tasks.findMany((q) => q.where({ deleted_at: (at) => at !== null })),
        n,
      ),
    ),
  publishForm: (mock, { n, flag }) => mock.publishForm(idOf(mock.db.forms.all(), n), flag),
  submitForm: (mock, { n }) => mock.submitForm(idOf(mock.db.forms.all(), n), {}),
}

/** Writes of `mock.db`. */
const writes: Steps<string> = {
  deleteAny: ({ db }, { n, flag }) => {
    const collection = db[pick(resourceNames, n)] as unknown as DbCollection<{ readonly id: string }>
    // Deleting more often would soon leave no records.
    if (flag && n % 3 === 0) collection.delete({ id: idOf(collection.all(), n >> 3) })
  },
  createAgain: async ({ db }, { n }) => {
    const task = pick(db.tasks.all(), n)
    if (!task) return
    db.tasks.delete(task)
    await db.tasks.create({ ...task, parent_task_id: null })
  },
  moveTask: ({ db }, { n }) =>
    db.tasks.update(pick(db.tasks.all(), n), {
      data: (task) => void Object.assign(task, { title: `Moved ${String(n)}`, priority: 'high' }),
    }),
  addTask: ({ db }, { n }) => db.tasks.create({ title: 'Added', list_id: idOf(db.lists.all(), n) }),
  addComment: ({ db }, { n }) => db.comments.create({ task_id: idOf(db.tasks.all(), n), content: 'Added' }),
  addNumbers: ({ db }, { n }) =>
    db.tables.update(pick(db.tables.all(), n), {
      data: (table) => {
        const id = `col_${String(table.columns.length)}`
        table.columns = [
          ...table.columns,
          { id, name: id, type: 'autonumber', format: 'N-{00}', readonly: true },
        ]
      },
    }),
  changeJob: ({ db }, { n }) => db.jobs.update(pick(db.jobs.all(), n), { data: () => undefined }),
  changeRow: ({ db }, { n }) => {
    const table = db.rows(idOf(db.tables.all(), n))
    return table.update(pick(table.all(), n), { data: () => undefined })
  },
}

const requests: Steps<string> = {
  createRow: (mock, { n }) => call(mock, 'POST', rows, { data: { col_name: String(n) } }),
  deleteRow: (mock, { n }) => call(mock, 'DELETE', `${rows}/${idOf(mock.db.rows('tbl_empty').all(), n)}`),
  createTask: (mock, { n }) =>
    call(mock, 'POST', `/lists/${idOf(mock.db.lists.all(), n)}/tasks`, { title: 'Sent' }),
  deleteTask: (mock, { n }) => call(mock, 'DELETE', `/tasks/${idOf(mock.db.tasks.all(), n)}`),
  repeatTask: (mock, { n }) =>
    call(mock, 'PATCH', `/tasks/${idOf(mock.db.tasks.all(), n)}`, {
      repeat_config: { trigger: 'on_schedule', frequency: 'daily' },
    }),
  completeTask: (mock, { n }) =>
    call(mock, 'PATCH', `/tasks/${idOf(mock.db.tasks.all(), n)}`, { status_id: 'st_done' }),
  submitJob: (mock, { n }) =>
    call(mock, 'POST', '/datatables/tbl_empty/jobs/insert', {
      rows: Array.from({ length: 1 + (n % 4) }, (_, index) =>
        index === 1 ? { wrong: 1 } : { col_name: 'job' },
      ),
    }),
}

const all = { ...controls, ...requests }
const step = fc.record({ name: fc.constantFrom(...Object.keys(all)), n: fc.nat(10_000), flag: fc.boolean() })

/** Everything in order, grouped as in an export or not. Past clock events are not part of a state. */
const everything = (mock: WorkspaceMock) => ({
  state: mock.state(),
  records: resourceNames.map((name) => mock.db[name].all()),
  overview: { ...consoleControlsOf(mock).inspect.overview(), past: [] },
})

it('state and loadState keep all that requests and controls do, in the order of its creation', async () => {
  const failed = new Set<string>()
  const succeeded = new Set<string>()
  const [mock, loaded] = [start(), start()]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (steps) => {
      mock.reset()
      for (const name of mock.snapshots.list().map(({ name }) => name)) mock.snapshots.delete(name)
      for (const { name, ...given } of steps) {
        try {
          await all[name as keyof typeof all](mock, given)
          succeeded.add(name)
        } catch {
          failed.add(name)
        }
      }
      loaded.reset()
      loaded.setAnswers(mock.answers)
      loaded.loadState(copyOf(mock.state()))
      expect(everything(loaded)).toEqual(everything(mock))
      for (const each of [mock, loaded]) {
        each.resetFaults()
        await call(each, 'POST', rows, { data: { col_name: 'next' } })
        each.clock.advance('33d')
      }
      expect(everything(loaded)).toEqual(everything(mock))
    }),
    { numRuns: 40 },
  )
  expect([...failed].filter((name) => !succeeded.has(name))).toEqual([])
})

it('an autonumber column that db.tables.update adds numbers the rows as a fixture with it would', async () => {
  const mock = start()
  for (const col_name of ['a', 'b']) await call(mock, 'POST', rows, { data: { col_name } })
  await mock.db.tables.update((query) => query.where({ id: 'tbl_empty' }), {
    data: (table) => {
      table.columns = [
        ...table.columns,
        { id: 'col_no', name: 'No', type: 'autonumber', format: 'N-{00}', readonly: true },
      ]
    },
  })
  await call(mock, 'POST', rows, { data: { col_name: 'c' } })
  const numbers = () =>
    mock.db
      .rows('tbl_empty')
      .all()
      .map(({ data }) => data.col_no)
  expect(numbers()).toEqual(['N-01', 'N-02', 'N-03'])
  mock.loadState(mock.state())
  expect(numbers()).toEqual(['N-01', 'N-02', 'N-03'])
})

it('failJob leaves a job that db.jobs changes and an export keeps', async () => {
  const mock = start()
  await call(mock, 'POST', '/datatables/tbl_empty/jobs/insert', {
    rows: [{ col_name: 'a' }, { col_name: 'b' }],
  })
  const { id } = mock.db.jobs.findFirst((query) => query.where({ completed_ms: null }))!
  mock.failJob(id)
  await mock.db.jobs.update((query) => query.where({ id }), {
    data: (job) => {
      job.table_name = 'Renamed'
    },
  })
  const state = mock.state()
  mock.loadState(state)
  expect(mock.state()).toEqual(state)
  expect(mock.db.jobs.findFirst((query) => query.where({ id }))).toMatchObject({
    status: 'failed',
    handled: 0,
  })
})
