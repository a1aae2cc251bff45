// Counters for ids and autonumbers, and rate windows: small state, other than records, that affects later responses.
import { resourceNames, resources } from '../../contract/resources.ts'
import { Count, objectOf } from '../../contract/schema/common.ts'
import { toMapSchema } from '../../contract/schema/maps.ts'
import * as z from 'zod/mini'
import type { UndoLog } from './overlay.ts'

/** Prefixes of generated ids, such as `task` in `task_000001`. Ids for runs of a command use the same counters. */
export const idKinds = [
  ...resourceNames.map((name) => resources[name].singular),
  ...(['row', 'col', 'opt', 'status', 'fld', 'member', 'run'] as const),
]
export type IdKind = (typeof idKinds)[number]
const generatedId = new RegExp(`(${idKinds.join('|')})_(\\d{6,})`, 'g')

/** The counters that an export adds to a fixture. */
export const CountersState = objectOf(() => ({
  /** The last number of each kind of id. */
  ids: toMapSchema(Count, 'an integer from 0'),
  /** The last number of each autonumber column, by `tableId/columnId`. */
  autonumbers: toMapSchema(Count, 'an integer from 0'),
  windows: z.object({
    /** Bulk requests by workspace. Assumption: bulkInsertPerMinute */
    minute: toMapSchema(z.object({ start_ms: z.int(), count: Count }), 'a window'),
    /** Requests by workspace; month as `2026-01`. Assumption: requestsPerMonth */
    month: toMapSchema(z.object({ month: z.string(), count: Count }), 'a window'),
  }),
}))
export type CountersState = z.infer<typeof CountersState>

export class Counters {
  readonly #undo: UndoLog
  readonly #state: CountersState

  constructor(undo: UndoLog, state: CountersState) {
    this.#undo = undo
    this.#state = copyCounters(state)
  }

  /** The next id of a kind, such as `task_000001`; skips ids for which `isTaken` is true. */
  nextId(kind: IdKind, isTaken: (id: string) => boolean): string {
    let number = this.#state.ids[kind] ?? 0
    let id: string
    do {
      // A fixture can contain the largest number; counting then starts over.
      number = number < Number.MAX_SAFE_INTEGER ? number + 1 : 1
      id = `${kind}_${String(number).padStart(6, '0')}`
    } while (isTaken(id))
    this.#set(this.#state.ids, kind, number)
    return id
  }

  autonumber(key: string): number {
    return this.#state.autonumbers[key] ?? 0
  }

  setAutonumber(key: string, value: number): void {
    this.#set(this.#state.autonumbers, key, value)
  }

  #set(counts: Record<string, number>, key: string, count: number): void {
    const before = counts[key]
    counts[key] = count
    if (!this.#undo.isOpen) return
    this.#undo.push(() => {
      if (before === undefined) Reflect.deleteProperty(counts, key)
      else counts[key] = before
    })
  }

  /** Rate windows. They count refused requests too, so a rollback leaves them alone. */
  get windows(): CountersState['windows'] {
    return this.#state.windows
  }

  /** Runs a change without counting it in any rate window. */
  uncounted<T>(run: () => T): T {
    const { windows } = this.state()
    try {
      return run()
    } finally {
      this.#state.windows = windows
    }
  }

  get ids(): Readonly<CountersState['ids']> {
    return this.#state.ids
  }

  state(): CountersState {
    return copyCounters(this.#state)
  }
}

const copyValues = <T extends object>(map: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, { ...value }]))

/** `structuredClone` would take longer than the rest of a reset. */
const copyCounters = ({ ids, autonumbers, windows }: CountersState): CountersState => ({
  ids: { ...ids },
  autonumbers: { ...autonumbers },
  windows: { minute: copyValues(windows.minute), month: copyValues(windows.month) },
})

/** Recognizes ids generated after an initial state, even inside texts. */
export class GeneratedIds {
  readonly #before: Readonly<Record<string, number>>

  constructor(start: { readonly counters: Pick<Counters, 'ids'> }) {
    this.#before = { ...start.counters.ids }
  }

  /** `at` is the position of the id in the text. */
  replaceIds(text: string, by: (id: string, at: number) => string): string {
    return text.replace(generatedId, (id, kind: string, number: string, at: number) =>
      Number(number) > (this.#before[kind] ?? 0) ? by(id, at) : id,
    )
  }
}
