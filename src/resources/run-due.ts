// Owns the settling of time: everything that became due since the world was last looked at happens here, in order.
import type { AgendaEntry, AgendaKind } from '../store/schedule.ts'
import type { JobRecord } from './jobs.ts'
import { settleJob } from './jobs.ts'
import { purgeMsOf, settlePurge, settleRepeat, type TaskRecord } from './tasks.ts'
import type { World } from '../store/store.ts'

/** `made` counts the occurrences that this settling has made, by the id of the task that now repeats. */
type Settler = (world: World, id: string, made: Map<string, number>) => void

const settlers: Record<AgendaKind, Settler> = {
  job: settleJob,
  repeat: settleRepeat,
  purge: settlePurge,
}

/** Whether anything is due. */
export function isDue(world: World): boolean {
  const { next } = world.agenda
  return next !== null && next.dueMs <= world.clock.nowMs()
}

/** Brings the world up to its clock: due entries one after another, each rescheduling or cancelling itself. */
export function settle(world: World): void {
  const nowMs = world.clock.nowMs()
  const made = new Map<string, number>()
  for (let entry = world.agenda.next; entry && entry.dueMs <= nowMs; entry = world.agenda.next)
    settlers[entry.kind](world, entry.id, made)
  world.tellEvents()
}

/** What the records of a fixture make due; each settler works out the exact moment when it is called. */
export function agendaOf({
  jobs,
  tasks,
}: {
  jobs: readonly JobRecord[]
  tasks: readonly TaskRecord[]
}): AgendaEntry[] {
  const entries: AgendaEntry[] = []
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
