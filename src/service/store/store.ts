// The store: the whole state of a mock or sandbox, over the baseline of its fixture.
import type { RuleId } from '../../contract/client-rules.ts'
import { resourceNames, resources, type Entity, type ResourceName } from '../../contract/resources.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { Schedule, type ScheduleEntry } from './schedule.ts'
import { Clock, type ClockState } from './clock.ts'
import { ResourceCollection } from './collection.ts'
import type { EventMap, EventName, EventSink } from './events.ts'
import { OverlayMap, UndoLog, type Effect } from './overlay.ts'
import { BaseTable, Table, type RowTable, type StoredRow, type TableChanges } from './table.ts'
import { Counters, type CountersState } from './counters.ts'
import type { Records } from '../../contract/types.d.ts'

type Collections = { readonly [Name in ResourceName]: ResourceCollection<Records[Name]> }

export const collectionOf = <Name extends ResourceName>(
  store: Collections,
  name: Name,
): ResourceCollection<Records[Name]> => store[name]

/** State loaded from a fixture. Immutable and shared by stores. */
export interface Baseline {
  readonly name: string
  /** The baseline from which this one was derived by moving its start. */
  readonly original?: Baseline
  readonly nowMs: number
  readonly records: { readonly [Name in ResourceName]: BaseTable<Records[Name]> }
  readonly rows: ReadonlyMap<string, BaseTable<StoredRow>>
  /** Bytes by attachment id or storage key. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Submitted rows by the id of their unfinished job. */
  readonly payloads: ReadonlyMap<string, readonly unknown[]>
  readonly counters: CountersState
  readonly schedule: readonly ScheduleEntry[]
}

/** Changes over a baseline; can be shared, since records and rows are immutable. */
export interface Changes {
  readonly records: { readonly [Name in ResourceName]: TableChanges<Records[Name]> }
  readonly rows: Map<string, TableChanges<StoredRow>>
  readonly files: Map<string, Uint8Array | null>
  readonly payloads: Map<string, readonly unknown[] | null>
  readonly counters: CountersState
  readonly schedule: readonly ScheduleEntry[]
}

/** Reports a breach of a client rule that only the service can detect, such as a write to a read-only column. */
export type ReportBreach = (rule: RuleId, subject: string, received?: unknown) => void

/** For writes that no request is to blame for: form submissions, and rows of jobs, which are checked after their request. */
export const ignoreBreach: ReportBreach = () => undefined

export interface StoreOptions {
  readonly answers: Answers
  readonly clock: ClockState
  readonly events: EventSink
  /** Represents the mock. Its stores cache under one owner, so that their memory has a common bound. Default: a new one. */
  readonly cacheOwner?: object
  /** Changes over the baseline; used as is, not copied. */
  readonly changes?: Changes
}

/** Merges the writes to each record into one, from before the first to after the last. */
function mergeEffects(effects: readonly Effect[]): readonly Effect[] {
  if (effects.length < 2 || effects.every(({ change }) => change === 'created')) return effects
  if (new Set(effects.map(({ id }) => id)).size === effects.length) return effects
  const merged = new Map<string, Effect>()
  for (const effect of effects) {
    const { resource, id, after = null } = effect
    const key = `${resource} ${id}`
    const earlier = merged.get(key)
    if (!earlier) merged.set(key, effect)
    else if (!earlier.before && !after) merged.delete(key)
    else {
      const change = !earlier.before ? 'created' : after ? 'changed' : 'deleted'
      merged.set(key, { resource, id, change, before: earlier.before ?? null, after })
    }
  }
  return [...merged.values()]
}

/** Has each collection as a property. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- its constructor sets its properties
const WithCollections = class {
  constructor(base: Baseline, undo: UndoLog, changes?: Changes) {
    for (const name of resourceNames) {
      const changed = changes?.records[name]
      Reflect.set(this, name, new ResourceCollection<Entity>(name, base.records[name], undo, changed))
    }
  }
} as new (base: Baseline, undo: UndoLog, changes?: Changes) => Collections

export class Store extends WithCollections {
  readonly base: Baseline
  readonly clock: Clock
  readonly cacheOwner: object
  readonly undo: UndoLog
  /** Bytes by attachment id or storage key. */
  readonly files: OverlayMap<Uint8Array>
  /** Submitted rows by the id of their unfinished job. */
  readonly payloads: OverlayMap<readonly unknown[]>
  readonly counters: Counters
  readonly schedule: Schedule
  /** The current answers to open questions; replaced as a whole, never mutated. */
  answers: Answers
  /** Number of times a test has changed the state through the controls. */
  interventions = 0
  readonly #rows = new Map<string, RowTable>()
  readonly #rowChanges: Changes['rows'] | undefined
  /** Replaced with `noEvents` once another store takes this one's place. */
  events: EventSink
  /** Functions that emit the events of changes not yet known to succeed. */
  #pending: (() => void)[] = []

  constructor(base: Baseline, { answers, clock, events, cacheOwner = {}, changes }: StoreOptions) {
    const undo = new UndoLog()
    super(base, undo, changes)
    this.base = base
    this.cacheOwner = cacheOwner
    this.undo = undo
    this.answers = answers
    this.clock = new Clock(clock)
    this.events = events
    this.files = new OverlayMap(base.files, this.undo, changes?.files)
    this.payloads = new OverlayMap(base.payloads, this.undo, changes?.payloads)
    this.counters = new Counters(this.undo, changes?.counters ?? base.counters)
    this.schedule = new Schedule(this.undo, changes?.schedule ?? base.schedule)
    this.#rowChanges = changes?.rows
  }

  /** The rows of an existing table. */
  rows(tableId: string): RowTable {
    const { base, undo } = this
    return getOrInsert(this.#rows, tableId, () => {
      const changes = this.#rowChanges?.get(tableId)
      return new Table('row', base.rows.get(tableId) ?? emptyRows, undo, changes)
    })
  }

  /** The tables whose rows differ from the baseline, by id. */
  changedTables(): (readonly [string, RowTable])[] {
    const ids = new Set([...(this.#rowChanges?.keys() ?? []), ...this.#rows.keys()])
    return [...ids].map((id) => [id, this.rows(id)] as const).filter(([, table]) => !table.isUnchanged)
  }

  /** Copies what has changed since the baseline; shares records, rows and bytes. */
  changes(): Changes {
    const records = Object.fromEntries(resourceNames.map((name) => [name, this[name].changes()]))
    return {
      records: records as Changes['records'],
      rows: new Map(this.changedTables().map(([id, table]) => [id, table.changes()])),
      files: new Map(this.files.changes),
      payloads: new Map(this.payloads.changes),
      counters: this.counters.state(),
      schedule: this.schedule.entries(),
    }
  }

  fork(events: EventSink = this.events): Store {
    return new Store(this.base, {
      answers: this.answers,
      clock: this.clock.state(),
      events,
      cacheOwner: this.cacheOwner,
      changes: this.changes(),
    })
  }

  /** Emits an event once the request that caused it has succeeded. Calls `event` only then, if there is a listener. */
  emit<Name extends EventName>(name: Name, event: () => EventMap[Name]): void {
    if (this.events.hasListeners(name)) this.#pending.push(() => this.events.emit(name, event))
  }

  /** The next id of a resource, such as `task_000001`. */
  newId(name: ResourceName): string {
    return this.counters.nextId(resources[name].singular, (id) => this[name].has(id))
  }

  /** Runs a change completely or, if it throws, not at all. The outermost transaction then emits the events. */
  transaction<T>(run: () => T): { readonly result: T; readonly effects: readonly Effect[] } {
    const pending = this.#pending.length
    const outer = this.undo.begin()
    let result: T
    try {
      result = run()
    } catch (error) {
      this.undo.rollback(outer)
      this.#pending.length = pending
      throw error
    }
    const { undos, effects } = this.undo.commit(outer)
    if (!outer) {
      if (undos.length > 0) this.events.changed()
      this.emitEvents()
    }
    return { result, effects: mergeEffects(effects) }
  }

  /** Runs a change made by a test through the controls. */
  change<T>(run: () => T): T {
    this.interventions += 1
    return this.transaction(run).result
  }

  emitEvents(): void {
    const pending = this.#pending
    this.#pending = []
    for (const emit of pending) emit()
  }
}

const emptyRows = new BaseTable<StoredRow>([])
