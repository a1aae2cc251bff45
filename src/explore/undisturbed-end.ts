// The final state of the undisturbed run, with which those of the other runs are compared.
import type { Store } from '../store/store.ts'
import { changedRecords, type ChangedRecords } from '../compare/changes.ts'
import { Comparison, type StateDifference } from '../compare/comparison.ts'
import { isSame } from '../compare/moments.ts'
import { GeneratedIds } from '../compare/references.ts'
import { movedTo, withJobsEnded } from './later.ts'

export class UndisturbedEnd {
  readonly #start: Store
  readonly #end: Store
  readonly #ids: GeneratedIds
  #changed: { readonly of: Store; readonly records: ChangedRecords } | undefined
  /** Fields such as `task.title`, and whole resources. Jobs, since what they insert is compared, however it gets there. */
  readonly #ignored: Set<string>

  constructor(start: Store, end: Store, ignored = new Set(['job'])) {
    this.#start = start
    this.#end = withJobsEnded(end)
    this.#ignored = ignored
    this.#ids = new GeneratedIds(start)
  }

  /** Leaves these fields and resources out of later comparisons. */
  ignore(differences: readonly StateDifference[]): void {
    for (const { resource, field } of differences)
      this.#ignored.add(field === undefined ? resource : `${resource}.${field}`)
    this.#changed = undefined
  }

  /** The same with another final state. */
  withEnd(end: Store): UndisturbedEnd {
    return new UndisturbedEnd(this.#start, end, this.#ignored)
  }

  /** How the final state of another run differs from this one. */
  differences(end: Store): readonly StateDifference[] {
    const other = withJobsEnded(end)
    const nowMs = Math.max(this.#end.clock.nowMs(), other.clock.nowMs())
    const slackSeconds = (nowMs - this.#start.clock.nowMs()) / 1000 + 2
    const mine = movedTo(this.#end, nowMs)
    if (this.#changed?.of !== mine) this.#changed = { of: mine, records: this.changedIn(mine) }
    const [a, b] = [this.#changed.records, this.changedIn(movedTo(other, nowMs))]
    if (isEqual(a, b, slackSeconds)) return []
    return new Comparison(a, b, this.#ids, slackSeconds, this.#ignored).differences
  }

  /** The changes of a run, given its final state. */
  changedIn(end: Store): ChangedRecords {
    return changedRecords(this.#start, end, this.#ignored)
  }
}

/** Whether two runs made the same changes with the same ids, as most do. */
function isEqual(a: ChangedRecords, b: ChangedRecords, slackSeconds: number): boolean {
  if (a.size !== b.size) return false
  for (const [key, { fields }] of a) {
    const other = b.get(key)
    if (!other || !isSame(fields, other.fields, slackSeconds)) return false
  }
  return true
}
