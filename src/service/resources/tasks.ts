// The life of a task: created, changed, completed, repeated, deleted, restored, purged.
import { assumedLimits, recoverySeconds } from '../../contract/limits.ts'
import { idsOf } from '../../contract/data/maps.ts'
import type { QueryFor } from '../../contract/index.ts'
import type { ListRecord, Status } from '../../contract/lists.ts'
import { foldOf } from '../../contract/text/format.ts'
import { toExtras, toShown } from '../../contract/schema/field-values.ts'
import { taskFields, type TaskRecord, type Task, type TaskCreate } from '../../contract/tasks.ts'
import { ApiError } from '../../contract/errors.ts'
import { describeNearestRecord } from '../../contract/text/nearest.ts'
import { quote } from '../../contract/text/quote.ts'
import { toCustomData } from './custom-fields.ts'
import { statusTypeOf } from './lists.ts'
import { cloneOf, nextOccurrenceOf } from './recurrence.ts'
import { toDeleteResponse, toPatchResponse, type Handlers } from './request.ts'
import { assertFileSizes, attachFile, removeAttachment, toAttachment } from './task-attachments.ts'
import { newTask, patchTask, type TaskPlace } from './task-fields.ts'
import { nameOfMember } from './workspaces.ts'
import type { Index } from '../store/collection.ts'
import type { Store } from '../store/store.ts'

/** Tasks that are not deleted, by list. */
export const byList: Index<TaskRecord> = {
  keysOf: ({ list_id, deleted_at }) => (deleted_at === null ? [list_id] : []),
}

/** Tasks by parent, including deleted tasks. */
export const byParent: Index<TaskRecord> = {
  keysOf: ({ parent_task_id }) => (parent_task_id === null ? [] : [parent_task_id]),
}

/** When a task is purged: after the last second in which it can be restored. Assumption: restoreTask */
export const purgeMsOf = (deletedAt: number) => (deletedAt + recoverySeconds + 1) * 1000

/** Occurrences made and skipped since the clock moved. */
export interface OccurrenceCounts {
  /** Occurrences made, by the id of the task that now has the recurrence. */
  readonly madeOf: Map<string, number>
  made: number
  /** How many recurrences have skipped occurrences. */
  skipped: number
}

/** A task as shown in responses. Assumption: taskPriority, taskReadExtras */
export function toTask(store: Store, task: TaskRecord): Task {
  const { answers } = store
  const workspace = store.workspaces.getOrThrow(task.workspace_id)
  const shown = toShown(taskFields, task, {
    priority: answers.taskPriority[task.priority ?? 'none'],
    custom_data: toCustomData(store.lists.getOrThrow(task.list_id), task.custom_data),
    assignees: task.assignees.map((id) => ({ id, name: nameOfMember(workspace, id) })),
  })
  return answers.taskReadExtras ? { ...shown, ...toExtras(taskFields, task) } : shown
}

function emit(store: Store, event: 'task.created' | 'task.completed', task: TaskRecord, at: number): void {
  const { workspace_id, list_id } = task
  store.emit(event, () => ({ at, workspace_id, list_id, task: toTask(store, task) }))
}

export function addTask(place: TaskPlace, fields: TaskCreate): TaskRecord {
  const { store } = place
  const task = store.tasks.put(newTask(place, store.newId('tasks'), fields))
  emit(store, 'task.created', task, task.created_at)
  return task
}

/** Schedules the next occurrence of a task, or cancels it if the task does not repeat again. */
function scheduleRepeat(store: Store, task: TaskRecord): void {
  store.schedule.set('repeat', task.id, dueRepeat.dueMs(store, task.id))
}

/**
 * Creates the occurrence at a moment; the clone takes over the recurrence. Skips an occurrence whose dates would be out of
 * range, and returns null. Assumption: recurrence
 */
function cloneTask(store: Store, task: TaskRecord, at: number): TaskRecord | null {
  const clone = cloneOf(task, store.lists.getOrThrow(task.list_id), at, () => store.newId('tasks'))
  if (!clone) {
    store.tasks.put({ ...task, repeat_since: at })
    return null
  }
  store.tasks.put(clone)
  store.tasks.put({ ...task, repeat_config: null, repeat_since: null, updated_at: at })
  scheduleRepeat(store, clone)
  return clone
}

export const dueRepeat = {
  dueMs(store: Store, id: string): number | null {
    const task = store.tasks.get(id)
    const next = task && nextOccurrenceOf(task, store.workspaces.getOrThrow(task.workspace_id).timezone)
    return next == null ? null : next * 1000
  },
  run(store: Store, id: string, dueMs: number, counts: OccurrenceCounts) {
    const task = store.tasks.getOrThrow(id)
    const count = counts.madeOf.get(id) ?? 0
    const { ofOneTask, ofAll } = assumedLimits.recurrence
    if (count >= ofOneTask || counts.made >= ofAll) {
      counts.skipped += 1
      store.tasks.put({ ...task, repeat_since: store.clock.now() })
      return null
    }
    const at = dueMs / 1000
    const clone = cloneTask(store, task, at)
    counts.madeOf.set(clone?.id ?? id, count + 1)
    counts.made += 1
    if (clone) emit(store, 'task.created', clone, at)
    return clone && { id: clone.id, name: clone.title }
  },
}

export const duePurge = {
  dueMs(store: Store, id: string): number | null {
    const { deleted_at = null } = store.tasks.get(id) ?? {}
    return deleted_at === null ? null : purgeMsOf(deleted_at)
  },
  run(store: Store, id: string) {
    const task = store.tasks.getOrThrow(id)
    removeTaskForGood(store, task)
    return { id, name: task.title }
  },
}

/**
 * Restores a soft-deleted task. Occurrences missed in the meantime are not made. Assumption: restoreTask, recurrence
 * @throws {ApiError} notFound, if it is not deleted or its 30 days have passed
 */
export function restoreTask(store: Store, taskId: string): TaskRecord {
  const task = store.tasks.get(taskId)
  const now = store.clock.now()
  const isRecoverable = ({ deleted_at }: TaskRecord) =>
    deleted_at !== null && now <= deleted_at + recoverySeconds
  if (!task || !isRecoverable(task))
    throw new ApiError(
      'notFound',
      `no task ${quote(taskId)} was deleted within the last 30 days${describeNearestRecord(taskId, store.tasks.all().filter(isRecoverable))}`,
    )
  const repeat_since = task.repeat_since === null ? null : Math.max(now, task.repeat_since)
  const restored = store.tasks.put({ ...task, deleted_at: null, repeat_since })
  store.schedule.set('purge', taskId, null)
  scheduleRepeat(store, restored)
  return restored
}

/** Permanently removes a task with everything it owns. Its subtasks stay, without a parent. */
export function removeTaskForGood(store: Store, task: TaskRecord): void {
  for (const { id } of [...store.comments.ownedBy(task.id)]) store.comments.remove(id)
  for (const { id } of [...store.timeEntries.ownedBy(task.id)]) store.timeEntries.remove(id)
  for (const attachment of [...store.attachments.ownedBy(task.id)]) removeAttachment(store, attachment)
  for (const child of [...store.tasks.of(byParent, task.id)])
    store.tasks.put({ ...child, parent_task_id: null })
  store.schedule.set('repeat', task.id, null)
  store.schedule.set('purge', task.id, null)
  store.tasks.remove(task.id)
}

/** Returns a predicate for the tasks that match a listing's filters. Assumption: queryText, taskStatusFilter */
export function createTaskTest(
  store: Store,
  list: ListRecord,
  { status, q = '' }: Pick<QueryFor<'listTasks'>, 'status' | 'q'>,
): (task: TaskRecord) => boolean {
  const fold = foldOf(store.answers)
  const part = fold(q)
  const byType = store.answers.taskStatusFilter === 'idNameOrType'
  const isNamed = ({ id, name, type }: Status) =>
    status === id || status === name || (byType && status === type)
  const statuses = status === undefined ? null : idsOf(list.statuses.filter(isNamed))
  return ({ status_id, title }) =>
    (statuses === null || statuses.includes(status_id)) && (part === '' || fold(title).includes(part))
}

/** A page of a list's matching tasks. Assumption: listOrder */
function findTasks(
  store: Store,
  list: ListRecord,
  { status, q, offset, limit }: QueryFor<'listTasks'>,
): readonly TaskRecord[] {
  const tasks = store.tasks.of(byList, list.id)
  if (status === undefined && !q) return tasks.slice(offset, offset + limit)
  const matches = createTaskTest(store, list, { status, q })
  const found: TaskRecord[] = []
  let passed = 0
  for (const task of tasks) {
    if (found.length === limit) break
    if (matches(task) && passed++ >= offset) found.push(task)
  }
  return found
}

export const taskHandlers = {
  listTasks: ({ store, at, query }) => ({
    tasks: findTasks(store, at.list, query).map((task) => toTask(store, task)),
    limit: query.limit,
    offset: query.offset,
  }),

  createTask: {
    measure: assertFileSizes,
    run({ store, workspace, at, body, files, baseUrl, reportBreach }) {
      const task = addTask({ store, workspace, list: at.list, reportBreach }, body)
      const attachments = files.map((file) => toAttachment(attachFile(store, task, file), baseUrl))
      return { id: task.id, attachments }
    },
  },

  getTask: ({ store, at }) => toTask(store, at.task),

  updateTask({ store, answers, workspace, at: { task }, body, reportBreach }) {
    const list = store.lists.getOrThrow(task.list_id)
    const record = store.tasks.put(patchTask({ store, workspace, list, reportBreach }, task, body))
    if (body.repeat_config !== undefined) scheduleRepeat(store, record)
    const wasDone = statusTypeOf(list, task.status_id) === 'done'
    if (!wasDone && statusTypeOf(list, record.status_id) === 'done') {
      const at = store.clock.now()
      const { trigger, end_date = Infinity } = record.repeat_config ?? {}
      const clone = trigger === 'on_complete' && at <= end_date ? cloneTask(store, record, at) : null
      emit(store, 'task.completed', store.tasks.get(task.id) ?? record, at)
      if (clone) emit(store, 'task.created', clone, at)
    }
    return toPatchResponse(answers, () => toTask(store, store.tasks.getOrThrow(task.id)))
  },

  /** Soft-deletes: recoverable for 30 days, then purged. Source: contract, Limits. */
  deleteTask({ store, answers, at: { task } }) {
    const deleted_at = store.clock.now()
    store.tasks.put({ ...task, deleted_at })
    store.schedule.set('repeat', task.id, null)
    store.schedule.set('purge', task.id, purgeMsOf(deleted_at))
    return toDeleteResponse(answers)
  },
} satisfies Partial<Handlers>
