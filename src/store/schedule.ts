// Owns what happens later: the moments at which jobs, recurrences and purges are due, settled when next looked at.
import type { UndoLog } from './overlay.ts'

export type AgendaKind = 'job' | 'repeat' | 'purge'

export interface AgendaEntry {
  readonly kind: AgendaKind
  readonly id: string
  readonly dueMs: number
}

export class Agenda {
  readonly #undo: UndoLog
  readonly #due: Map<string, AgendaEntry>
  #next: AgendaEntry | null | undefined

  constructor(undo: UndoLog, entries: Iterable<AgendaEntry> = []) {
    this.#undo = undo
    this.#due = new Map([...entries].map((entry) => [keyOf(entry), entry]))
  }

  /** The entry due first, of several at one moment the one that was scheduled first. */
  get next(): AgendaEntry | null {
    if (this.#next === undefined) {
      this.#next = null
      for (const entry of this.#due.values())
        if (!this.#next || entry.dueMs < this.#next.dueMs) this.#next = entry
    }
    return this.#next
  }

  entries(): AgendaEntry[] {
    return [...this.#due.values()]
  }

  /** Schedules, or reschedules what has this kind and id. */
  schedule(entry: AgendaEntry): void {
    this.#set(keyOf(entry), entry)
  }

  cancel(kind: AgendaKind, id: string): void {
    this.#set(keyOf({ kind, id }), undefined)
  }

  #set(key: string, entry: AgendaEntry | undefined): void {
    const before = this.#due.get(key)
    if (entry === before) return
    this.#put(key, entry)
    this.#undo.push(() => this.#put(key, before))
  }

  #put(key: string, entry: AgendaEntry | undefined): void {
    this.#due.delete(key)
    if (entry) this.#due.set(key, entry)
    this.#next = undefined
  }
}

const keyOf = ({ kind, id }: Pick<AgendaEntry, 'kind' | 'id'>) => `${kind}:${id}`
