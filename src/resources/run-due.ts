// Owns the settling of time: everything that became due since the store was last looked at happens here, in order.
import type { ScheduleEntry, ScheduleKind } from '../store/schedule.ts'
import type { JobRecord } from '../contract/jobs.ts'
import { settleJob } from './jobs.ts'
import { purgeMsOf, settlePurge, settleRepeat } from './tasks.ts'
import type { TaskRecord } from '../contract/tasks.ts'
import type { Store } from '../store/store.ts'

/** `made` counts the occurrences that this settling has made, by the id of the task that now repeats. */
type Settler = (store: Store, id: string, made: Map<string, number>) => void

const settlers: Record<ScheduleKind, Settler> = {
  job: settleJob,
  repeat: settleRepeat,
  purge: settlePurge,
}

/** Whether anything is due. */
function isDue(store: Store): boolean {
  const { next } = store.schedule
  return next !== null && next.dueMs <= store.clock.nowMs()
}

/** Brings the store up to its clock: due entries one after another, each rescheduling or cancelling itself. */
export function settle(store: Store): void {
  if (!isDue(store)) return
  const nowMs = store.clock.nowMs()
  const made = new Map<string, number>()
  for (let entry = store.schedule.next; entry && entry.dueMs <= nowMs; entry = store.schedule.next)
    settlers[entry.kind](store, entry.id, made)
  store.tellEvents()
}

/** What the records of a fixture make due; each settler works out the exact moment when it is called. */
export function agendaOf({
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
