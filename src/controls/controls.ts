// The controls of a sandbox: time, state, faults, journal and actions outside the API.
import * as z from 'zod/mini'
import { operationIds } from '../contract/scopes.ts'
import type { Named } from '../contract/values/nearest.ts'
import { checked } from '../core/checked.ts'
import { resolveAnswers } from '../contract/questions/register.ts'
import { copyFormats, copyRequests } from './copy-as.ts'
import { copyTest } from './copy-test.ts'
import { createDb } from './db.ts'
import type { SnapshotBases } from './snapshot-bases.ts'
import { productControls } from './product.ts'
import { ControlError, assertExists } from '../core/control-error.ts'
import { delay } from '../core/failures.ts'
import { harOf } from '../core/journal/har.ts'
import { journalEntry, journalSummary } from '../core/journal/entry.ts'
import type { JournalFilter } from '../core/journal/journal.ts'
import type { Sandbox } from '../core/sandbox.ts'
import type { ClockControls, InspectControls, MockControls } from './mock-controls.ts'
import { exportFixture } from '../fixture/fixture.ts'
import { inspectedRowOf, rowPageOf } from './inspect-rows.ts'
import { taskDetailOf } from './inspect-task.ts'
import { listedSubmissionsOf, listedTasksOf, overviewOf } from './inspect.ts'
import { seedWorld } from '../fixture/seed.ts'
import { summariesOf } from './snapshot-summaries.ts'
import { durationMs } from '../store/clock.ts'
import { readSnapshot, takeSnapshot, type Snapshot } from '../store/snapshot.ts'
import { Store } from '../store/store.ts'

const Count = z.optional(
  z.custom<number>(
    (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0,
    'must be an integer, 0 or more',
  ),
)
const Filter = z.strictObject({
  operation: z.optional(z.enum(operationIds)),
  status: Count,
  since: Count,
  after: Count,
  before: Count,
  record: z.optional(z.coerce.string()),
  limit: Count,
})
const Selected = z.union([z.number(), z.looseObject({ id: z.number() })])
const Copy = z.strictObject({
  format: z.enum(copyFormats),
  requests: z.optional(z.union([Selected, z.array(Selected)])),
})
const ReportedToo = z.strictObject({ assumptions: z.optional(z.boolean()) })

export interface ControlsOptions {
  /** Name of the sandbox; undefined for the main one. */
  readonly sandboxName?: string
  readonly baseUrl: string
  /** Makes a store from a fixture with the options of this mock. */
  readonly load: (fixture: unknown, sandbox: Sandbox) => Store
  readonly snapshotBases: SnapshotBases
}

/** The controls of a sandbox; every call looks up the sandbox again. */
export function createControls(sandboxOf: () => Sandbox, options: ControlsOptions): MockControls {
  const store = () => sandboxOf().settled()
  return {
    clock: clockControls(sandboxOf),
    db: createDb(store),
    inspect: inspectControls(store),
    events: {
      on: (name, listener) => {
        // What is due by now happened before anybody listened.
        store()
        return sandboxOf().events.on(name, listener)
      },
    },
    ...stateControls(sandboxOf, options),
    ...diagnosisControls(sandboxOf, options),
    ...productControls(store),
    get answers() {
      return sandboxOf().store.answers
    },
    setAnswers(answers) {
      const settled = store()
      settled.answers = resolveAnswers(answers, settled.answers)
      sandboxOf().signal({ event: 'state' })
      return settled.answers
    },
  }
}

function clockControls(sandboxOf: () => Sandbox): ClockControls {
  const clock = () => sandboxOf().store.clock
  const advance = (by: number | string) => {
    sandboxOf().moveClock((moved) => {
      moved.advance(by)
    })
  }
  return {
    get mode() {
      return clock().mode
    },
    set mode(mode) {
      sandboxOf().moveClock((moved) => {
        moved.setMode(mode)
      })
    },
    now: () => clock().now(),
    nowMs: () => clock().nowMs(),
    set: (seconds) => {
      sandboxOf().moveClock((moved) => {
        moved.set(seconds)
      })
    },
    advance,
    sleep: (ms) => {
      try {
        if (clock().mode === 'system') return delay(durationMs(ms))
        advance(ms)
        return Promise.resolve()
      } catch (error) {
        return Promise.reject(error instanceof Error ? error : new Error(String(error)))
      }
    },
  }
}

function inspectControls(store: () => Store): InspectControls {
  const existing = <T>(found: T | undefined, what: string, id: string, among: { all(): readonly Named[] }) =>
    structuredClone(assertExists(found, what, id, () => among.all()))
  return {
    overview: () => structuredClone(overviewOf(store())),
    rows: (tableId, page = {}) => {
      const at = store()
      return existing(rowPageOf(at, tableId, page), 'datatable', tableId, at.tables)
    },
    row: (tableId, rowId) =>
      structuredClone(assertExists(inspectedRowOf(store(), tableId, rowId), 'row', rowId)),
    task: (taskId) => {
      const at = store()
      return existing(taskDetailOf(at, taskId), 'task', taskId, at.tasks)
    },
    tasks: (listId) => {
      const at = store()
      return existing(listedTasksOf(at, listId), 'list', listId, at.lists)
    },
    submissions: (formId) => {
      const at = store()
      return existing(listedSubmissionsOf(at, formId), 'form', formId, at.forms)
    },
  }
}

type StateControls = Pick<
  MockControls,
  | 'reset'
  | 'snapshot'
  | 'restore'
  | 'saveSnapshot'
  | 'restoreSnapshot'
  | 'deleteSnapshot'
  | 'snapshotNames'
  | 'snapshotSummaries'
  | 'readSnapshot'
  | 'addSnapshot'
  | 'seed'
  | 'state'
  | 'loadState'
>

/** @throws {ControlError} */
function assertSnapshotName(name: string): void {
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new ControlError(
      `name must be 1 to 64 letters, digits, _, - or .; received ${JSON.stringify(name)}`,
    )
}

function stateControls(sandboxOf: () => Sandbox, { load, snapshotBases }: ControlsOptions): StateControls {
  const taken = (store: Store) => {
    const snapshot = takeSnapshot(store)
    snapshotBases.add(snapshot, store.base)
    return snapshot
  }
  const storeOf = (snapshot: Snapshot, { store, events }: Sandbox) => {
    const base = snapshotBases.of(snapshot) ?? store.base
    return new Store(base, { ...readSnapshot(snapshot, base), emit: events.emit })
  }
  const saved = (name: string) => {
    const { snapshots } = sandboxOf()
    return assertExists(snapshots.get(name), 'snapshot', name, () => [...snapshots.keys()])
  }
  return {
    reset: () => {
      sandboxOf().reset()
    },
    snapshot: () => taken(sandboxOf().settled()),
    restore: (snapshot) => {
      const sandbox = sandboxOf()
      sandbox.store = storeOf(snapshot, sandbox)
    },
    saveSnapshot: (name) => {
      assertSnapshotName(name)
      const sandbox = sandboxOf()
      sandbox.snapshots.set(name, sandbox.settled().fork())
      sandbox.signal({ event: 'state' })
    },
    restoreSnapshot: (name) => {
      const sandbox = sandboxOf()
      sandbox.store = saved(name).fork()
    },
    deleteSnapshot: (name) => {
      const sandbox = sandboxOf()
      saved(name)
      sandbox.snapshots.delete(name)
      sandbox.signal({ event: 'state' })
    },
    snapshotNames: () => [...sandboxOf().snapshots.keys()],
    snapshotSummaries: () => summariesOf(sandboxOf().snapshots, sandboxOf().settled()),
    readSnapshot: (name) => taken(saved(name)),
    addSnapshot: (name, snapshot) => {
      assertSnapshotName(name)
      const sandbox = sandboxOf()
      sandbox.snapshots.set(name, storeOf(snapshot, sandbox))
      sandbox.signal({ event: 'state' })
    },
    seed: (partial) => {
      const store = sandboxOf().settled()
      return store.change(() => seedWorld(store, partial))
    },
    state: () => exportFixture(sandboxOf().settled()),
    loadState: (fixture) => {
      const sandbox = sandboxOf()
      sandbox.store = load(fixture, sandbox)
    },
  }
}

type DiagnosisControls = Pick<
  MockControls,
  | 'fault'
  | 'faults'
  | 'usedFaults'
  | 'removeFault'
  | 'resetFaults'
  | 'requests'
  | 'requestSummaries'
  | 'request'
  | 'clearRequests'
  | 'har'
  | 'copyAs'
  | 'coverage'
  | 'report'
>

function diagnosisControls(
  sandboxOf: () => Sandbox,
  { baseUrl, sandboxName }: ControlsOptions,
): DiagnosisControls {
  /** For changes outside the store, such as faults. */
  const changed = <T>(change: (sandbox: Sandbox) => T): T => {
    const sandbox = sandboxOf()
    const result = change(sandbox)
    sandbox.signal({ event: 'state' })
    return result
  }
  const matching = (filter: JournalFilter = {}) =>
    sandboxOf().journal.exchanges(checked(Filter, filter, 'filter'))
  return {
    fault: (spec) => changed(({ faults }) => faults.add(spec)),
    faults: () => sandboxOf().faults.states(),
    usedFaults: () => sandboxOf().faults.used(),
    removeFault: (id) => changed(({ faults }) => faults.remove(id)),
    resetFaults: () => {
      changed(({ faults }) => {
        faults.clear()
      })
    },
    requests: (filter) => matching(filter).map(journalEntry),
    requestSummaries: (filter) => matching(filter).map(journalSummary),
    request: (id) => journalEntry(assertExists(sandboxOf().journal.find(id), 'request', String(id))),
    clearRequests: () => {
      changed(({ journal }) => {
        journal.clear()
      })
    },
    copyAs: (format, requests) => {
      const { requests: given } = checked(Copy, { format, requests }, 'copyAs')
      const { journal, store } = sandboxOf()
      const selected = given === undefined ? undefined : [given].flat()
      const exchanges =
        selected?.map((item) => {
          const id = typeof item === 'number' ? item : item.id
          return assertExists(journal.find(id), 'request', String(id))
        }) ?? journal.exchanges()
      const source = { store, sandboxName }
      return format === 'vitest' ? copyTest(exchanges, source) : copyRequests(format, exchanges, source)
    },
    har: () => harOf(baseUrl, sandboxOf().journal.exchanges()),
    coverage: () => sandboxOf().coverage.report(),
    report: (options = {}) => sandboxOf().report.findings(checked(ReportedToo, options, 'options')),
  }
}
