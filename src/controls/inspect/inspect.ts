// Read access for consoles and failing tests: an overview, and rows, tasks and submissions by page.
import type { Column, TableRecord } from '../../contract/datatables.ts'
import { limitNames, type LimitName } from '../../contract/errors.ts'
import type { Form, FormSubmission } from '../../contract/forms.ts'
import type { ListRecord } from '../../contract/lists.ts'
import { questions, type QuestionId } from '../../contract/questions/register.ts'
import type { CommentRecord } from '../../contract/comments.ts'
import type { AttachmentRecord } from '../../contract/task-attachments.ts'
import type { TimeEntryRecord } from '../../contract/time-entries.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { toCustomData } from '../../resources/custom-fields.ts'
import { byParent } from '../../resources/tasks.ts'
import type { ScheduleEntry } from '../../store/schedule.ts'
import type { ClockMode } from '../../store/clock.ts'
import { toColumn } from '../../resources/datatables.ts'
import { toForm, toSubmission } from '../../resources/forms.ts'
import { usageOf } from '../../resources/limit-usage.ts'
import type { LimitUsage } from '../../resources/rate-limits.ts'
import { byList } from '../../resources/task-search.ts'
import type { JobRecord } from '../../contract/jobs.ts'
import { limitOf } from '../../contract/plan-limits.ts'
import type { TaskRecord } from '../../contract/tasks.ts'
import type { KeyRecord, WorkspaceRecord } from '../../contract/workspaces.ts'
import type { Store } from '../../store/store.ts'
import {
  inspectedRowOf,
  linksOf,
  rowPageOf,
  type InspectedRows,
  type RowLink,
  type RowPageQuery,
} from './rows.ts'
import { getRecord } from '../records.ts'
import { byWorkspace, isPrivateList } from '../../resources/lists.ts'

export interface TableOverview extends Pick<TableRecord, 'id' | 'name' | 'locked'> {
  readonly row_count: number
  readonly columns: readonly Column[]
}

/** `is_private` if its space is, too. */
export interface ListOverview extends Pick<ListRecord, 'id' | 'name' | 'is_private' | 'statuses'> {
  readonly space_name: string
  /** Without deleted ones. */
  readonly task_count: number
}

export interface WorkspaceOverview extends Omit<WorkspaceRecord, 'limits'> {
  /** Null is unlimited; `overridden` if it is not the plan's. */
  readonly limits: Readonly<
    Record<LimitName, { readonly limit: number | null; readonly overridden: boolean }>
  >
  /** Usage of the limits that are counted over several requests. */
  readonly usage: Readonly<Partial<Record<LimitName, LimitUsage>>>
  readonly keys: readonly Omit<KeyRecord, 'workspace_id'>[]
  readonly tables: readonly TableOverview[]
  readonly lists: readonly ListOverview[]
  readonly jobs: readonly JobRecord[]
  readonly forms: readonly Form[]
}

export interface DueOverview extends ScheduleEntry {
  /** Title of the task, name of the job's table. */
  readonly name: string
}

export interface Overview {
  readonly clock: { readonly now: number; readonly nowMs: number; readonly mode: ClockMode }
  /** What happens next, soonest first, eight at most. */
  readonly due: readonly DueOverview[]
  /** Open questions whose answer is not the default. */
  readonly changedAnswers: readonly QuestionId[]
  readonly workspaces: readonly WorkspaceOverview[]
}

type NamedTask = Pick<TaskRecord, 'id' | 'title'>

export interface TaskDetail {
  readonly task: TaskRecord
  readonly list: Pick<ListRecord, 'id' | 'name' | 'statuses' | 'fields'>
  /** Its `custom_data` as the API shows it, formulas computed. */
  readonly customData: JsonObject
  readonly parent: NamedTask | null
  readonly subtasks: readonly NamedTask[]
  /** Oldest first; without the keys that created them. */
  readonly comments: readonly Omit<CommentRecord, 'key'>[]
  readonly timeEntries: readonly TimeEntryRecord[]
  readonly attachments: readonly AttachmentRecord[]
  /** When it repeats next, in milliseconds; null if that is unknown. */
  readonly repeatsMs: number | null
  /** The rows linked by its custom fields, by id; absent if there are none. */
  readonly links?: Readonly<Record<string, RowLink>>
}

/** The contents of a mock, for a console or a failing test. Plain data, a copy each time. */
export interface InspectControls {
  /** Workspaces with their plans, limits, keys, tables, lists, jobs and forms; no rows, tasks, submissions. */
  overview(): Overview
  /**
   * Rows of a table, searched, filtered and sorted; by default the first 50 in insertion order.
   * @throws {NotFoundError} for an unknown table
   * @throws {ControlError | ApiError} for a wrong query
   */
  rows(tableId: string, page?: RowPageQuery): InspectedRows
  /**
   * One row, as a page of its own.
   * @throws {NotFoundError} for an unknown table or row
   */
  row(tableId: string, rowId: string): InspectedRows
  /**
   * A task with its list and everything that belongs to it.
   * @throws {NotFoundError} for an unknown task
   */
  task(taskId: string): TaskDetail
  /**
   * The tasks of a list, deleted ones too.
   * @throws {NotFoundError} for an unknown list
   */
  tasks(listId: string): readonly TaskRecord[]
  /**
   * The submissions of a form, newest first.
   * @throws {NotFoundError} for an unknown form
   */
  submissions(formId: string): readonly FormSubmission[]
}

const dueShown = 8

function workspaceOverview(store: Store, workspace: WorkspaceRecord): WorkspaceOverview {
  const { id } = workspace
  const limits = limitNames.map((name) => [
    name,
    { limit: limitOf(store.answers, workspace, name), overridden: workspace.limits[name] !== undefined },
  ])
  return {
    ...workspace,
    limits: Object.fromEntries(limits) as WorkspaceOverview['limits'],
    usage: usageOf(store, workspace),
    keys: store.keys.ownedBy(id).map(({ workspace_id: _, ...key }) => key),
    tables: store.tables.ownedBy(id).map(({ id: tableId, name, locked, columns }) => ({
      id: tableId,
      name,
      locked,
      row_count: store.rows(tableId).count,
      columns: columns.map(toColumn),
    })),
    lists: store.lists.of(byWorkspace, id).map((list) => ({
      id: list.id,
      name: list.name,
      space_name: store.spaces.get(list.space_id)?.name ?? '',
      is_private: isPrivateList(store, list),
      statuses: list.statuses,
      task_count: store.tasks.of(byList, list.id).length,
    })),
    jobs: store.jobs.ownedBy(id),
    forms: store.forms.ownedBy(id).map((form) => toForm(store, form)),
  }
}

function dueOf(store: Store): DueOverview[] {
  const nameOf = ({ kind, id }: ScheduleEntry) =>
    kind === 'job' ? store.jobs.get(id)?.table_name : store.tasks.get(id)?.title
  return store.schedule
    .entries()
    .sort((a, b) => a.dueMs - b.dueMs)
    .slice(0, dueShown)
    .map((entry) => ({ ...entry, name: nameOf(entry) ?? '' }))
}

function overviewOf(store: Store): Overview {
  const { clock, answers } = store
  const ids = Object.keys(questions) as QuestionId[]
  return {
    clock: { now: clock.now(), nowMs: clock.nowMs(), mode: clock.mode },
    due: dueOf(store),
    changedAnswers: ids.filter((id) => JSON.stringify(answers[id]) !== JSON.stringify(questions[id].default)),
    workspaces: store.workspaces.all().map((workspace) => workspaceOverview(store, workspace)),
  }
}

function taskDetailOf(store: Store, taskId: string): TaskDetail {
  const task = getRecord(store, 'tasks', taskId)
  const list = getRecord(store, 'lists', task.list_id)
  const { id, name, statuses, fields } = list
  const toNamed = (named: TaskRecord): NamedTask => ({ id: named.id, title: named.title })
  const parent = store.tasks.get(task.parent_task_id ?? '')
  const links = linksOf(store, task.workspace_id, fields, (field) => [task.custom_data[field.id]])
  const next = store.schedule.entries().find((entry) => entry.kind === 'repeat' && entry.id === taskId)
  const subtasks = store.tasks.of(byParent, taskId).filter(({ deleted_at }) => deleted_at === null)
  return {
    task,
    list: { id, name, statuses, fields },
    customData: toCustomData(list, task.custom_data),
    parent: parent ? toNamed(parent) : null,
    subtasks: subtasks.map(toNamed),
    comments: store.comments.ownedBy(taskId).map(({ key: _, ...comment }) => comment),
    timeEntries: store.timeEntries.ownedBy(taskId),
    attachments: store.attachments.ownedBy(taskId),
    repeatsMs: next?.dueMs ?? null,
    ...(links && { links }),
  }
}

export function inspectControls(storeOf: () => Store): InspectControls {
  const cloneResult =
    <Args extends unknown[], Result>(read: (store: Store, ...args: Args) => Result) =>
    (...args: Args) =>
      structuredClone(read(storeOf(), ...args))
  return {
    overview: cloneResult(overviewOf),
    rows: cloneResult(rowPageOf),
    row: cloneResult(inspectedRowOf),
    task: cloneResult(taskDetailOf),
    tasks: cloneResult((store, listId: string) => store.tasks.ownedBy(getRecord(store, 'lists', listId).id)),
    submissions: cloneResult((store, formId: string) => {
      const submissions = store.submissions.ownedBy(getRecord(store, 'forms', formId).id)
      return submissions.toSorted((a, b) => b.created_at - a.created_at).map(toSubmission)
    }),
  }
}
