// The baseline: the final state of the fault-free run, against which the final states of other runs are compared.
import { GeneratedIds, moveClockTo, type Store } from '../../mock/explorable.ts'
import { findChangedRecords, type ChangedRecords } from './changes.ts'
import { compareRuns, type StateDifference } from './comparison.ts'
import { isSame } from './moments.ts'

/** Advances a state until its jobs have ended; without jobs, returns the same object. */
function endJobs(store: Store): Store {
  const jobs = store.schedule.entries().filter(({ kind }) => kind === 'job')
  const endMs = jobs.reduce((latest, { dueMs }) => Math.max(latest, dueMs), store.clock.nowMs())
  return jobs.length === 0 ? store : endJobs(moveClockTo(store, endMs))
}

export class BaselineEnd {
  readonly #start: Store
  readonly #end: Store
  #changed: { readonly of: Store; readonly records: ChangedRecords } | undefined
  /**
   * Ignored fields (`task.title`) and resources (`job`). Jobs are ignored because the rows they insert are compared.
   */
  readonly #ignored: Set<string>

  constructor(start: Store, end: Store, ignored = new Set(['job'])) {
    this.#start = start
    this.#end = endJobs(end)
    this.#ignored = ignored
  }

  ignore(differences: readonly StateDifference[]): void {
    for (const { resource, field } of differences)
      this.#ignored.add(field === undefined ? resource : `${resource}.${field}`)
    this.#changed = undefined
  }

  withEnd(end: Store): BaselineEnd {
    return new BaselineEnd(this.#start, end, this.#ignored)
  }

  findDifferences(end: Store): readonly StateDifference[] {
    const other = endJobs(end)
    const nowMs = Math.max(this.#end.clock.nowMs(), other.clock.nowMs())
    const slackSeconds = (nowMs - this.#start.clock.nowMs()) / 1000 + 2
    const mine = moveClockTo(this.#end, nowMs)
    if (this.#changed?.of !== mine) this.#changed = { of: mine, records: this.findChanges(mine) }
    const [a, b] = [this.#changed.records, this.findChanges(moveClockTo(other, nowMs))]
    // A shortcut: most runs make the same changes with the same ids.
    const isEqual = [...a].every(([key, { fields }]) => isSame(fields, b.get(key)?.fields, slackSeconds))
    if (a.size === b.size && isEqual) return []
    return compareRuns(a, b, new GeneratedIds(this.#start), slackSeconds, this.#ignored)
  }

  get changes(): ChangedRecords {
    return this.findChanges(this.#end)
  }

  findChanges(end: Store, ignored: ReadonlySet<string> = this.#ignored): ChangedRecords {
    return findChangedRecords(this.#start, end, ignored)
  }
}
