// Owns tasks as the model keeps them and their life: created, changed, completed, repeated, deleted, restored, purged.
import * as z from 'zod/mini'
import { Id, JsonObject, TextOrDocument, UnixSeconds } from '../contract/common.ts'
import { Refusal } from '../contract/errors.ts'
import { quote } from '../contract/quote.ts'
import { RepeatConfig, priorities, type Task, type TaskCreate, type TaskPatch } from '../contract/tasks.ts'
import { presentCustomData } from './custom-fields.ts'
import { statusTypeOf, type ListRecord } from './lists.ts'
import { cloneOf, nextOccurrenceOf, repeatsOnCompletion } from './recurrence.ts'
import { removeAttachment } from './task-attachments.ts'
import { newTask, patchedTask } from './task-fields.ts'
import { memberOf, type WorkspaceRecord } from './workspaces.ts'
import type { Observe, World } from '../store/store.ts'

export const TaskRecord = z.object({
  id: Id,
  workspace_id: Id,
  list_id: Id,
  title: z.string(),
  status_id: Id,
  priority: z.nullable(z.enum(priorities)),
  due_date: z.nullable(UnixSeconds),
  date_start: z.nullable(UnixSeconds),
  assignees: z.array(Id),
  custom_data: JsonObject,
  description: z.nullable(TextOrDocument),
  time_estimate: z.nullable(z.int()),
  project_id: z.nullable(z.string()),
  parent_task_id: z.nullable(Id),
  type_id: z.nullable(z.string()),
  repeat_config: z.nullable(RepeatConfig),
  /** Occurrences count strictly after this: when repeat_config was set, or the last occurrence. Assumption: recurrence */
  repeat_since: z.nullable(UnixSeconds),
  created_at: UnixSeconds,
  updated_at: UnixSeconds,
  deleted_at: z.nullable(UnixSeconds),
})
export type TaskRecord = z.infer<typeof TaskRecord>

/** Seconds for which a soft-deleted task can be recovered. Source: contract, Limits. */
const recoverySeconds = 30 * 86_400
/** The moment of a purge in milliseconds: after the whole of the last second in which the task can be restored. Assumption: restoreTask */
export const purgeMsOf = (deletedAt: number) => (deletedAt + recoverySeconds + 1) * 1000
/** Most occurrences of one recurrence that are made when the clock jumps; the later ones are skipped. Assumption: recurrence */
const occurrencesAtOnce = 1000

function listOf(world: World, task: TaskRecord): ListRecord {
  const list = world.lists.get(task.list_id)
  if (!list) throw new Error(`task ${task.id} is in list ${task.list_id}, which does not exist`)
  return list
}

function workspaceOf(world: World, task: TaskRecord): WorkspaceRecord {
  const workspace = world.workspaces.get(task.workspace_id)
  if (!workspace)
    throw new Error(`task ${task.id} is in workspace ${task.workspace_id}, which does not exist`)
  return workspace
}

/** A task as read. Assumption: taskPriority, taskReadExtras */
export function presentTask(world: World, task: TaskRecord): Task {
  const { answers } = world
  const { id, title, status_id, priority, due_date, date_start, created_at, updated_at } = task
  const workspace = workspaceOf(world, task)
  const shown = {
    id,
    title,
    status_id,
    priority: answers.taskPriority[priority ?? 'none'],
    due_date,
    date_start,
    custom_data: presentCustomData(listOf(world, task), task.custom_data),
    assignees: task.assignees.map((member) => ({
      id: member,
      name: memberOf(workspace, member)?.name ?? member,
    })),
    created_at,
    updated_at,
  }
  if (!answers.taskReadExtras) return shown
  const { list_id, description, time_estimate, project_id, parent_task_id, type_id, repeat_config } = task
  return { ...shown, list_id, description, time_estimate, project_id, parent_task_id, type_id, repeat_config }
}

function emit(world: World, event: 'task.created' | 'task.completed', task: TaskRecord, at: number): void {
  const { workspace_id, list_id } = task
  world.emitLazily(event, () => ({ at, workspace_id, list_id, task: presentTask(world, task) }))
}

const newTaskId = (world: World) => world.runtime.nextId('task', (id) => world.tasks.has(id))

/** @throws {Refusal} validation */
export function createTask(
  world: World,
  workspace: WorkspaceRecord,
  list: ListRecord,
  fields: TaskCreate,
  observe: Observe = () => undefined,
): TaskRecord {
  const record = newTask({ world, workspace, list, observe }, fields)
  const task = world.tasks.put({ ...record, id: newTaskId(world) })
  emit(world, 'task.created', task, task.created_at)
  return task
}

/**
 * Changes what is sent. Coming to a status of type done completes the task, which may clone it forward.
 * @throws {Refusal} validation
 */
export function updateTask(world: World, task: TaskRecord, patch: TaskPatch, observe: Observe): TaskRecord {
  const list = listOf(world, task)
  const place = { world, workspace: workspaceOf(world, task), list, observe }
  const record = world.tasks.put(patchedTask(place, task, patch))
  if (patch.repeat_config !== undefined) scheduleRepeat(world, record)
  const wasDone = statusTypeOf(list, task.status_id) === 'done'
  if (!wasDone && statusTypeOf(list, record.status_id) === 'done') complete(world, record)
  return world.tasks.get(task.id) ?? record
}

function complete(world: World, task: TaskRecord): void {
  const at = world.clock.now()
  const clone = repeatsOnCompletion(task, at) ? cloneForward(world, task, at) : null
  emit(world, 'task.completed', world.tasks.get(task.id) ?? task, at)
  if (clone) emit(world, 'task.created', clone, at)
}

/** Puts the moment of a task's next occurrence on the agenda, or takes it off where there is none. */
function scheduleRepeat(world: World, task: TaskRecord): void {
  const next = nextOccurrenceOf(task, workspaceOf(world, task).timezone)
  if (next === null) world.agenda.cancel('repeat', task.id)
  else world.agenda.schedule({ kind: 'repeat', id: task.id, dueMs: next * 1000 })
}

/** Makes the occurrence at a moment, in Unix seconds: the clone takes over the recurrence. Assumption: recurrence */
function cloneForward(world: World, task: TaskRecord, at: number): TaskRecord {
  const clone = world.tasks.put(cloneOf(task, listOf(world, task), newTaskId(world), at))
  const original = world.tasks.put({ ...task, repeat_config: null, repeat_since: null, updated_at: at })
  scheduleRepeat(world, original)
  scheduleRepeat(world, clone)
  return clone
}

/**
 * Makes the one occurrence of a task that is due, and puts that of its clone on the agenda; where none is due yet,
 * only sees to the agenda.
 * @param made how many occurrences this settling has made before, by the id of the task that now repeats
 */
export function settleRepeat(world: World, taskId: string, made = new Map<string, number>()): void {
  const task = world.tasks.get(taskId)
  const next = task ? nextOccurrenceOf(task, workspaceOf(world, task).timezone) : null
  if (!task || next === null) {
    world.agenda.cancel('repeat', taskId)
    return
  }
  // The agenda of a fixture knows no exact moments: such an entry first takes its place among the others.
  const { next: entry } = world.agenda
  const isEarly = entry?.kind === 'repeat' && entry.id === taskId && entry.dueMs < next * 1000
  if (isEarly || next * 1000 > world.clock.nowMs()) {
    scheduleRepeat(world, task)
    return
  }
  const count = made.get(taskId) ?? 0
  if (count >= occurrencesAtOnce) {
    scheduleRepeat(world, world.tasks.put({ ...task, repeat_since: world.clock.now() }))
    return
  }
  const clone = cloneForward(world, task, next)
  made.set(clone.id, count + 1)
  emit(world, 'task.created', clone, next)
}

/** Soft-deletes: recoverable for 30 days, then purged. Source: contract, Limits. */
export function deleteTask(world: World, task: TaskRecord): void {
  const deleted_at = world.clock.now()
  world.tasks.put({ ...task, deleted_at })
  world.agenda.cancel('repeat', task.id)
  world.agenda.schedule({ kind: 'purge', id: task.id, dueMs: purgeMsOf(deleted_at) })
}

/**
 * Recovers a soft-deleted task; occurrences missed meanwhile stay unmade. Assumption: restoreTask, recurrence
 * @throws {Refusal} absent, if it is not deleted or its 30 days have passed
 */
export function restoreTask(world: World, taskId: string): TaskRecord {
  const task = world.tasks.get(taskId)
  const now = world.clock.now()
  if (!task || task.deleted_at === null || now > task.deleted_at + recoverySeconds)
    throw new Refusal('absent', `no task ${quote(taskId)} was deleted within the last 30 days`)
  const repeat_since = task.repeat_since === null ? null : Math.max(now, task.repeat_since)
  const restored = world.tasks.put({ ...task, deleted_at: null, repeat_since })
  world.agenda.cancel('purge', taskId)
  scheduleRepeat(world, restored)
  return restored
}

/** Ends a soft-deleted task whose time of recovery has passed. */
export function settlePurge(world: World, taskId: string): void {
  const task = world.tasks.get(taskId)
  const dueMs = task?.deleted_at == null ? null : purgeMsOf(task.deleted_at)
  if (!task || dueMs === null) world.agenda.cancel('purge', taskId)
  else if (dueMs > world.clock.nowMs()) world.agenda.schedule({ kind: 'purge', id: taskId, dueMs })
  else removeTaskForGood(world, task)
}

/** Removes a task with its comments, time entries and attachments; tasks below it live on without a parent. */
function removeTaskForGood(world: World, task: TaskRecord): void {
  const ofTask = ({ task_id }: { readonly task_id: string }) => task_id === task.id
  for (const { id } of world.comments.all().filter(ofTask)) world.comments.remove(id)
  for (const { id } of world.timeEntries.all().filter(ofTask)) world.timeEntries.remove(id)
  for (const attachment of world.attachments.all().filter(ofTask)) removeAttachment(world, attachment)
  for (const child of world.tasks.all().filter(({ parent_task_id }) => parent_task_id === task.id))
    world.tasks.put({ ...child, parent_task_id: null })
  world.agenda.cancel('repeat', task.id)
  world.agenda.cancel('purge', task.id)
  world.tasks.remove(task.id)
}
