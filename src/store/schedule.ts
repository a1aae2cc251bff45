// Owns what happens later: the moments at which jobs, recurrences and purges are due, settled when next looked at.
import type { UndoLog } from './overlay.ts'

export type ScheduleKind = 'job' | 'repeat' | 'purge'

export interface ScheduleEntry {
  readonly kind: ScheduleKind
  readonly id: string
  readonly dueMs: number
}

export class Schedule {
  readonly #undo: UndoLog
  readonly #due: Map<string, ScheduleEntry>
  #next: ScheduleEntry | null | undefined

  constructor(undo: UndoLog, entries: Iterable<ScheduleEntry> = []) {
    this.#undo = undo
    this.#due = new Map([...entries].map((entry) => [keyOf(entry), entry]))
  }

  /** The entry due first, of several at one moment the one that was scheduled first. */
  get next(): ScheduleEntry | null {
    if (this.#next === undefined) {
      this.#next = null
      for (const entry of this.#due.values())
        if (!this.#next || entry.dueMs < this.#next.dueMs) this.#next = entry
    }
    return this.#next
  }

  entries(): ScheduleEntry[] {
    return [...this.#due.values()]
  }

  /** Schedules, or reschedules what has this kind and id. */
  add(entry: ScheduleEntry): void {
    this.#set(keyOf(entry), entry)
  }

  cancel(kind: ScheduleKind, id: string): void {
    this.#set(keyOf({ kind, id }), undefined)
  }

  #set(key: string, entry: ScheduleEntry | undefined): void {
    const before = this.#due.get(key)
    if (entry === before) return
    this.#put(key, entry)
    this.#undo.push(() => this.#put(key, before))
  }

  #put(key: string, entry: ScheduleEntry | undefined): void {
    this.#due.delete(key)
    if (entry) this.#due.set(key, entry)
    this.#next = undefined
  }
}

const keyOf = ({ kind, id }: Pick<ScheduleEntry, 'kind' | 'id'>) => `${kind}:${id}`
