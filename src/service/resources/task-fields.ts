// The fields of a task: checks on a request body, and the record it creates or changes.
import { newRecord, patchRecord } from '../../contract/schema/field-values.ts'
import { taskFields, type TaskCreate, type TaskPatch, type TaskRecord } from '../../contract/tasks.ts'
import { ApiError } from '../../contract/errors.ts'
import { mostCompared, suggestId } from '../../contract/text/nearest.ts'
import { quote } from '../../contract/text/quote.ts'
import { toAllowedNote, assertNotBlank, toValueError } from '../../contract/schema/checks.ts'
import { checkCustomData, mergeCustomData } from './custom-fields.ts'
import { findFirstStatus, isPrivateList, statusTypeOf } from './lists.ts'
import type { ListRecord } from '../../contract/lists.ts'
import { findRepeatProblem, toStoredRepeatConfig } from './recurrence.ts'
import { memberOf } from './workspaces.ts'
import type { WorkspaceRecord } from '../../contract/workspaces.ts'
import type { ReportBreach, Store } from '../store/store.ts'

/** Where a task is or will be, and how to report breaches of client rules. */
export interface TaskPlace {
  readonly store: Store
  readonly workspace: WorkspaceRecord
  readonly list: ListRecord
  readonly reportBreach: ReportBreach
}

/** Assumption: unknownReferences. @throws {ApiError} validation */
function assertStatus(list: ListRecord, statusId: string): void {
  if (statusTypeOf(list, statusId) !== undefined) return
  const allowed = list.statuses.map(({ id, name }) => `${id} ${name}`)
  throw toValueError('status_id', `the id of a status of the task's list${toAllowedNote(allowed)}`, statusId)
}

/** Assumption: statusTransitions. @throws {ApiError} validation, if the types of the statuses do not allow the change */
function assertTransition(store: Store, list: ListRecord, from: string, to: string): void {
  const transitions = store.answers.statusTransitions
  const fromType = statusTypeOf(list, from)
  const toType = statusTypeOf(list, to)
  if (transitions === 'any' || from === to || !fromType || !toType) return
  const allowed = transitions[fromType] ?? []
  if (allowed.includes(toType)) return
  const types = allowed.length > 0 ? `only to type ${allowed.join(' or ')}` : 'to no other'
  throw new ApiError(
    'validation',
    `status_id cannot change from ${from} (${fromType}) to ${to} (${toType}): a status of type ${fromType} can change ${types}`,
  )
}

/** Checks assignees and removes duplicates. Assumption: unknownReferences. @throws {ApiError} validation */
function checkAssignees(
  workspace: WorkspaceRecord,
  assignees: readonly string[],
  held: readonly string[] = [],
): string[] {
  for (const [index, id] of assignees.entries()) {
    if (memberOf(workspace, id) || held.includes(id)) continue
    const allowed = toAllowedNote(workspace.members.map((member) => member.id))
    throw toValueError(`assignees[${String(index)}]`, `the id of a workspace member${allowed}`, id)
  }
  return [...new Set(assignees)]
}

/** A task the API can reach in the workspace. Assumption: privateById */
function findReachableTask(store: Store, workspace: WorkspaceRecord, id: string): TaskRecord | undefined {
  const task = store.tasks.get(id)
  if (!task || task.workspace_id !== workspace.id || task.deleted_at !== null) return undefined
  const list = store.lists.get(task.list_id)
  return list && isPrivateList(store, list) && store.answers.privateById === 'hidden' ? undefined : task
}

export const parentRule = 'must be neither the task itself nor one of its subtasks'

/** Whether a task is its own ancestor. @param checked ids of tasks that need no check; visited tasks are added */
export function isInLoop(tasks: Store['tasks'], task: TaskRecord, checked = new Set<string>()): boolean {
  const passed = new Set<string>()
  let at: TaskRecord | undefined = task
  while (at && !checked.has(at.id) && !passed.has(at.id)) {
    passed.add(at.id)
    at = tasks.get(at.parent_task_id ?? '')
  }
  const isLoop = passed.size > 0 && at?.id === task.id
  for (const id of passed) {
    // The loop does not contain this task; checking a task inside it will find it.
    if (!isLoop && id === at?.id) break
    checked.add(id)
  }
  return isLoop
}

/** Assumption: unknownReferences. @param task the task to move, absent for a new task. @throws {ApiError} validation */
function assertParent(store: Store, workspace: WorkspaceRecord, parentId: string, task?: TaskRecord): void {
  if (!findReachableTask(store, workspace, parentId)) {
    const { message } = toValueError('parent_task_id', 'the id of a task in the workspace', parentId)
    const known = store.tasks.slice(0, mostCompared)
    const ids = known.map(({ id }) => id).filter((id) => findReachableTask(store, workspace, id))
    const near = suggestId(parentId, ids)
    throw new ApiError('validation', message, near === undefined ? {} : { hint: `did you mean ${near}?` })
  }
  if (task && isInLoop(store.tasks, { ...task, parent_task_id: parentId }))
    throw new ApiError('validation', `parent_task_id ${parentRule}; received ${quote(parentId)}`)
}

/** Creates the record of a new task; null counts as absent. @throws {ApiError} validation */
export function newTask(place: TaskPlace, id: string, fields: TaskCreate): TaskRecord {
  const { store, workspace, list, reportBreach } = place
  assertNotBlank(store.answers, 'title', fields.title)
  const status_id = fields.status_id ?? findFirstStatus(list)?.id
  if (status_id === undefined)
    throw toValueError('status_id', "the id of a status of the task's list, which has none", status_id)
  assertStatus(list, status_id)
  const assignees = checkAssignees(workspace, fields.assignees ?? [])
  if (typeof fields.parent_task_id === 'string') assertParent(store, workspace, fields.parent_task_id)
  const values = checkCustomData(store, workspace, list, fields.custom_data ?? {}, reportBreach)
  const now = store.clock.now()
  return newRecord(taskFields, fields, {
    id,
    workspace_id: workspace.id,
    list_id: list.id,
    status_id,
    assignees,
    custom_data: mergeCustomData({}, values),
    created_at: now,
    updated_at: now,
  })
}

/** Applies a PATCH to a task: null clears, absent fields stay. Assumption: clearing. @throws {ApiError} validation */
export function patchTask(
  { store, workspace, list, reportBreach }: TaskPlace,
  task: TaskRecord,
  patch: TaskPatch,
): TaskRecord {
  assertNotBlank(store.answers, 'title', patch.title)
  if (patch.status_id !== undefined && patch.status_id !== task.status_id) {
    assertStatus(list, patch.status_id)
    assertTransition(store, list, task.status_id, patch.status_id)
  }
  const { parent_task_id, repeat_config, assignees } = patch
  if (typeof parent_task_id === 'string' && parent_task_id !== task.parent_task_id)
    assertParent(store, workspace, parent_task_id, task)
  const wrong = repeat_config ? findRepeatProblem(repeat_config) : undefined
  if (wrong) throw new ApiError('validation', `repeat_config.${wrong.field} ${wrong.problem}`)
  const now = store.clock.now()
  const checkedAssignees = assignees && checkAssignees(workspace, assignees, task.assignees)
  let { custom_data } = task
  if (patch.custom_data) {
    const values = checkCustomData(store, workspace, list, patch.custom_data, reportBreach, custom_data)
    // Assumption: customDataPatch
    custom_data = mergeCustomData(store.answers.customDataPatch === 'merge' ? custom_data : {}, values)
  }
  return patchRecord(taskFields, task, patch, {
    assignees: checkedAssignees ?? task.assignees,
    custom_data,
    repeat_config:
      repeat_config === undefined ? task.repeat_config : repeat_config && toStoredRepeatConfig(repeat_config),
    repeat_since: repeat_config === undefined ? task.repeat_since : repeat_config && now,
    updated_at: now,
  })
}
