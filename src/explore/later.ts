// The state of a store at a later time.
import { runDue } from '../resources/run-due.ts'
import { noEvents } from '../store/events.ts'
import type { Store } from '../store/store.ts'

/** The store at a later time, after everything that is due until then; the store itself if nothing is. */
export function movedTo(store: Store, nowMs: number): Store {
  const { next } = store.schedule
  if (next === null || next.dueMs > nowMs) return store
  const copy = store.fork(noEvents)
  copy.clock.restore({ mode: 'manual', nowMs })
  runDue(copy)
  return copy
}

/** The store after the end of its jobs; the store itself if it has none. */
export function withJobsEnded(store: Store): Store {
  const jobs = store.schedule.entries().filter(({ kind }) => kind === 'job')
  if (jobs.length === 0) return store
  return withJobsEnded(movedTo(store, Math.max(store.clock.nowMs(), ...jobs.map(({ dueMs }) => dueMs))))
}
