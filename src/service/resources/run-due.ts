// Runs the scheduled entries that became due, in order of time.
import type { ScheduleEntry, ScheduleKind } from '../store/schedule.ts'
import type { JobRecord } from '../../contract/jobs.ts'
import { dueJob } from './jobs.ts'
import { duePurge, dueRepeat, purgeMsOf, type OccurrenceCounts } from './tasks.ts'
import type { TaskRecord } from '../../contract/tasks.ts'
import type { Happening } from '../store/events.ts'
import type { Store } from '../store/store.ts'

interface DueKind {
  /** When an entry of this kind is due; null if it no longer is. */
  readonly dueMs: (store: Store, id: string) => number | null
  /** Runs the entry; `dueMs` then returns when it is due again. @returns what happened, if anything */
  readonly run: (
    store: Store,
    id: string,
    dueMs: number,
    counts: OccurrenceCounts,
  ) => Omit<Happening, 'kind' | 'atMs'> | null
}

const dueKinds: Record<ScheduleKind, DueKind> = { job: dueJob, repeat: dueRepeat, purge: duePurge }

/** Brings the store up to its clock: runs due entries in order of their exact moments. */
export function runDue(store: Store): void {
  const { schedule } = store
  const nowMs = store.clock.nowMs()
  if (!schedule.next || schedule.next.dueMs > nowMs) return
  const counts: OccurrenceCounts = { madeOf: new Map(), made: 0, skipped: 0 }
  for (let { next } = schedule; next && next.dueMs <= nowMs; { next } = schedule) {
    const { kind, id } = next
    const { dueMs, run } = dueKinds[kind]
    const exactMs = dueMs(store, id)
    // A fixture's schedule has no exact moments, so such an entry first moves to its place among the others.
    if (exactMs !== next.dueMs) schedule.set(kind, id, exactMs)
    else {
      const brought = run(store, id, exactMs, counts)
      schedule.set(kind, id, dueMs(store, id))
      if (brought) store.events.happened({ kind, atMs: exactMs, ...brought })
    }
  }
  if (counts.skipped > 0) store.events.skipped({ made: counts.made, tasks: counts.skipped })
  store.emitEvents()
}

/** The schedule for a fixture's records. Exact moments are computed when entries are due. */
export function scheduleOf({
  jobs,
  tasks,
}: {
  readonly jobs: readonly JobRecord[]
  readonly tasks: readonly TaskRecord[]
}): ScheduleEntry[] {
  const entries: ScheduleEntry[] = []
  for (const job of jobs)
    if (job.completed_ms === null) entries.push({ kind: 'job', id: job.id, dueMs: job.updated_ms })
  for (const task of tasks) {
    if (task.deleted_at !== null)
      entries.push({ kind: 'purge', id: task.id, dueMs: purgeMsOf(task.deleted_at) })
    else if (task.repeat_config?.trigger === 'on_schedule' && task.repeat_since !== null)
      entries.push({ kind: 'repeat', id: task.id, dueMs: task.repeat_since * 1000 })
  }
  return entries
}
