// Runs what became due since the last call, in order of time.
import type { ScheduleEntry, ScheduleKind } from '../store/schedule.ts'
import type { JobRecord } from '../contract/jobs.ts'
import { runDueJob } from './jobs.ts'
import { purgeMsOf, runDuePurge, runDueRepeat } from './tasks.ts'
import type { TaskRecord } from '../contract/tasks.ts'
import type { Store } from '../store/store.ts'

/** `made` counts the occurrences made by this run, by the id of the task that now repeats. */
type Runner = (store: Store, id: string, made: Map<string, number>) => void

const runners: Record<ScheduleKind, Runner> = {
  job: runDueJob,
  repeat: runDueRepeat,
  purge: runDuePurge,
}

/** Whether anything is due. */
function isDue(store: Store): boolean {
  const { next } = store.schedule
  return next !== null && next.dueMs <= store.clock.nowMs()
}

/** Brings the store up to its clock: due entries one after another, each rescheduling or cancelling itself. */
export function runDue(store: Store): void {
  if (!isDue(store)) return
  const nowMs = store.clock.nowMs()
  const made = new Map<string, number>()
  for (let entry = store.schedule.next; entry && entry.dueMs <= nowMs; entry = store.schedule.next)
    runners[entry.kind](store, entry.id, made)
  store.emitEvents()
}

/** The schedule of a fixture's records; each runner computes the exact moment when it is called. */
export function scheduleOf({
  jobs,
  tasks,
}: {
  jobs: readonly JobRecord[]
  tasks: readonly TaskRecord[]
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
