// What happens later: the moments at which jobs, recurrences and purges are due.
import type { UndoLog } from './overlay.ts'

export type ScheduleKind = 'job' | 'repeat' | 'purge'

export interface ScheduleEntry {
  readonly kind: ScheduleKind
  readonly id: string
  readonly dueMs: number
}

/** An entry with its place among those that were scheduled before and after it. */
interface Planned {
  readonly entry: ScheduleEntry
  readonly order: number
}

const keyOf = ({ kind, id }: Pick<ScheduleEntry, 'kind' | 'id'>) => `${kind}:${id}`
const isEarlier = (a: Planned, b: Planned) =>
  a.entry.dueMs < b.entry.dueMs || (a.entry.dueMs === b.entry.dueMs && a.order < b.order)

export class Schedule {
  readonly #undo: UndoLog
  readonly #due = new Map<string, Planned>()
  /** A binary heap, the earliest first. What was cancelled or rescheduled stays in it until it comes first. */
  #heap: Planned[] = []
  #lastOrder = 0

  constructor(undo: UndoLog, entries: Iterable<ScheduleEntry> = []) {
    this.#undo = undo
    for (const entry of entries) this.#put(keyOf(entry), { entry, order: ++this.#lastOrder })
  }

  /** The entry due first; of several due at one moment, the one that was scheduled first. */
  get next(): ScheduleEntry | null {
    for (let first = this.#heap[0]; first; first = this.#heap[0]) {
      if (this.#due.get(keyOf(first.entry)) === first) return first.entry
      this.#removeFirst()
    }
    return null
  }

  /** In the order in which they were scheduled. */
  entries(): ScheduleEntry[] {
    return [...this.#due.values()].sort((a, b) => a.order - b.order).map(({ entry }) => entry)
  }

  /** Schedules, or reschedules what has this kind and id. */
  add(entry: ScheduleEntry): void {
    this.#set(keyOf(entry), { entry, order: ++this.#lastOrder })
  }

  cancel(kind: ScheduleKind, id: string): void {
    this.#set(keyOf({ kind, id }), undefined)
  }

  #set(key: string, planned: Planned | undefined): void {
    const before = this.#due.get(key)
    if (planned === before) return
    this.#put(key, planned)
    this.#undo.push(() => {
      this.#put(key, before)
    })
  }

  #put(key: string, planned: Planned | undefined): void {
    if (!planned) {
      this.#due.delete(key)
      return
    }
    this.#due.set(key, planned)
    if (this.#heap.length > 64 && this.#heap.length > 4 * this.#due.size) this.#rebuild()
    else this.#insert(planned)
  }

  /** Drops cancelled entries from the heap; a sorted list is a heap. */
  #rebuild(): void {
    this.#heap = [...this.#due.values()].sort((a, b) => (isEarlier(a, b) ? -1 : 1))
  }

  #insert(planned: Planned): void {
    const heap = this.#heap
    let at = heap.push(planned) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = heap[parent]
      if (!above || !isEarlier(planned, above)) break
      heap[at] = above
      at = parent
    }
    heap[at] = planned
  }

  #removeFirst(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (!last || heap.length === 0) return
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const [a, b] = [heap[left], heap[left + 1]]
      const smaller = a && b && isEarlier(b, a) ? left + 1 : left
      const below = heap[smaller]
      if (!below || !isEarlier(below, last)) break
      heap[at] = below
      at = smaller
    }
    heap[at] = last
  }
}
