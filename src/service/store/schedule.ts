// The schedule: the moments at which jobs, recurrences and purges are due.
import { findFirstIndex } from './collection.ts'
import type { UndoLog } from './overlay.ts'

export const scheduleKinds = ['job', 'repeat', 'purge'] as const
export type ScheduleKind = (typeof scheduleKinds)[number]

export interface ScheduleEntry {
  readonly kind: ScheduleKind
  readonly id: string
  readonly dueMs: number
}

/** An entry with its position in scheduling order. */
interface Planned {
  readonly entry: ScheduleEntry
  readonly order: number
}

const entryKeyOf = ({ kind, id }: Pick<ScheduleEntry, 'kind' | 'id'>) => `${kind}:${id}`
const isEarlier = (a: Planned, b: Planned) =>
  a.entry.dueMs < b.entry.dueMs || (a.entry.dueMs === b.entry.dueMs && a.order < b.order)

export class Schedule {
  readonly #undo: UndoLog
  readonly #byKey = new Map<string, Planned>()
  /** The entries, latest first, so that the next one can be popped off the end. */
  readonly #planned: Planned[]
  #lastOrder = 0

  constructor(undo: UndoLog, entries: Iterable<ScheduleEntry> = []) {
    this.#undo = undo
    for (const entry of entries) this.#byKey.set(entryKeyOf(entry), { entry, order: ++this.#lastOrder })
    this.#planned = [...this.#byKey.values()].sort((a, b) => (isEarlier(a, b) ? 1 : -1))
  }

  /** The entry that is due first. If several are due at the same moment, the one scheduled first. */
  get next(): ScheduleEntry | null {
    return this.#planned.at(-1)?.entry ?? null
  }

  /** The entries in scheduling order. */
  entries(): ScheduleEntry[] {
    return [...this.#byKey.values()].sort((a, b) => a.order - b.order).map(({ entry }) => entry)
  }

  /** Schedules, reschedules or, if given null, cancels the entry with a kind and id. */
  set(kind: ScheduleKind, id: string, dueMs: number | null): void {
    const key = entryKeyOf({ kind, id })
    const planned = dueMs === null ? undefined : { entry: { kind, id, dueMs }, order: ++this.#lastOrder }
    const before = this.#replace(key, planned)
    this.#undo.push(() => this.#replace(key, before))
  }

  /** @returns the previous entry with this key */
  #replace(key: string, planned: Planned | undefined): Planned | undefined {
    const before = this.#byKey.get(key)
    if (before) this.#planned.splice(this.#placeOf(before), 1)
    if (planned) {
      this.#planned.splice(this.#placeOf(planned), 0, planned)
      this.#byKey.set(key, planned)
    } else this.#byKey.delete(key)
    return before
  }

  #placeOf(planned: Planned): number {
    return findFirstIndex(this.#planned, (other) => !isEarlier(planned, other))
  }
}
