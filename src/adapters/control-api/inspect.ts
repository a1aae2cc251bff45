// Read access for consoles and failing tests: an overview, and pages of rows, tasks and submissions.
import { limitNames, type LimitName } from '../../contract/errors.ts'
import { questions, type QuestionId } from '../../contract/questions/register.ts'
import { toCustomData } from '../../service/resources/custom-fields.ts'
import { byList, byParent } from '../../service/resources/tasks.ts'
import type { ScheduleEntry } from '../../service/store/schedule.ts'
import { toColumn } from '../../service/resources/datatables.ts'
import { toForm, toSubmission } from '../../service/resources/forms.ts'
import { usageOf } from '../../service/resources/workspaces.ts'
import { limitOf } from '../../contract/plan-limits.ts'
import type { NumberedHappening, Sandbox } from '../../mock/sandboxes/sandbox.ts'
import type { Store } from '../../service/store/store.ts'
import { inspectedRowOf, linksOf, rowPageOf, type InspectedRows, type RowPageQuery } from './rows.ts'
import { getRecord } from '../../mock/controls/records.ts'
import { byWorkspace, isPrivateList } from '../../service/resources/lists.ts'
import type {
  FormSubmission,
  ListRecord,
  TableRecord,
  TaskRecord,
  WorkspaceRecord,
} from '../../contract/types.d.ts'

/** A mock's contents, for a console or a failing test. Plain data; a new copy each time. */
export interface InspectControls {
  /** Workspaces with their plans, limits, keys, tables, lists, jobs and forms, without rows, tasks and submissions. */
  overview(): Overview
  /**
   * Rows of a table, searched, filtered and sorted; by default the first 50 in insertion order.
   * @throws {NotFoundError} for an unknown table
   * @throws {ControlError | ApiError} for an invalid query
   */
  rows(tableId: string, page?: RowPageQuery): InspectedRows
  /** One row, as a page with a single row. @throws {NotFoundError} for an unknown table or row */
  row(tableId: string, rowId: string): InspectedRows
  /**
   * A task with its list and everything that belongs to it.
   * @throws {NotFoundError} for an unknown task
   */
  task(taskId: string): TaskDetail
  /** A list's tasks, including deleted ones, with formula values. @throws {NotFoundError} for an unknown list */
  tasks(listId: string): readonly TaskRecord[]
  /**
   * The submissions of a form, newest first.
   * @throws {NotFoundError} for an unknown form
   */
  submissions(formId: string): readonly FormSubmission[]
}

function toTableOverview(store: Store, { id, name, locked, columns }: TableRecord) {
  return { id, name, locked, row_count: store.rows(id).count, columns: columns.map(toColumn) }
}
export type TableOverview = ReturnType<typeof toTableOverview>

function toListOverview(store: Store, list: ListRecord) {
  const { id, name, statuses, fields } = list
  return {
    id,
    name,
    statuses,
    fields,
    space_name: store.spaces.get(list.space_id)?.name ?? '',
    /** True if the list or its space is private. */
    is_private: isPrivateList(store, list),
    /** Excludes deleted tasks. */
    task_count: store.tasks.of(byList, id).length,
  }
}
export type ListOverview = ReturnType<typeof toListOverview>

function toWorkspaceOverview(store: Store, workspace: WorkspaceRecord) {
  const { id } = workspace
  const limits = limitNames.map((name) => {
    const limit = limitOf(store.answers, workspace, name)
    return [name, { limit, overridden: workspace.limits[name] !== undefined }] as const
  })
  return {
    ...workspace,
    /** A null `limit` means unlimited; `overridden` is true if it was set for this workspace. */
    limits: Object.fromEntries(limits) as Record<LimitName, (typeof limits)[number][1]>,
    /** Usage of the limits that span several requests. */
    usage: usageOf(store, workspace),
    keys: store.keys.ownedBy(id).map(({ workspace_id: _, ...key }) => key),
    tables: store.tables.ownedBy(id).map((table) => toTableOverview(store, table)),
    lists: store.lists.of(byWorkspace, id).map((list) => toListOverview(store, list)),
    jobs: store.jobs.ownedBy(id),
    forms: store.forms.ownedBy(id).map((form) => toForm(store, form)),
  }
}
export type WorkspaceOverview = ReturnType<typeof toWorkspaceOverview>

function overviewOf(store: Store, past: readonly NumberedHappening[]) {
  const { clock, answers } = store
  const ids = Object.keys(questions) as QuestionId[]
  const nameOf = ({ kind, id }: ScheduleEntry) =>
    kind === 'job' ? store.jobs.get(id)?.table_name : store.tasks.get(id)?.title
  /** Recurrences use their workspace's time zone. */
  const zoneOf = ({ kind, id }: Pick<ScheduleEntry, 'kind' | 'id'>) => {
    const task = kind === 'repeat' ? store.tasks.get(id) : undefined
    const timezone = task && store.workspaces.get(task.workspace_id)?.timezone
    return timezone === undefined ? {} : { timezone }
  }
  const entries = store.schedule.entries().sort((a, b) => a.dueMs - b.dueMs)
  return {
    clock: { now: clock.now(), nowMs: clock.nowMs(), mode: clock.mode },
    /**
     * What happens next: at most eight entries, soonest first. `name` is the title of the task or the name
     * of the job's table. Repeating tasks also have their workspace's time zone.
     */
    due: entries.slice(0, 8).map((entry) => ({ ...entry, name: nameOf(entry) ?? '', ...zoneOf(entry) })),
    /** What has become due since the last reset: the latest 50 entries, oldest first. */
    past: past.map((happening) => ({ ...happening, ...zoneOf(happening) })),
    /** Open questions whose answer is not the default. */
    changedAnswers: ids.filter((id) => JSON.stringify(answers[id]) !== JSON.stringify(questions[id].default)),
    workspaces: store.workspaces.all().map((workspace) => toWorkspaceOverview(store, workspace)),
  }
}
export type Overview = ReturnType<typeof overviewOf>

function taskDetailOf(store: Store, taskId: string) {
  const task = getRecord(store, 'tasks', taskId)
  const list = getRecord(store, 'lists', task.list_id)
  const { id, name, statuses, fields } = list
  const toNamed = (named: TaskRecord) => ({ id: named.id, title: named.title })
  const parent = store.tasks.get(task.parent_task_id ?? '')
  const links = linksOf(store, task.workspace_id, fields, (field) => [task.custom_data[field]])
  const next = store.schedule.entries().find((entry) => entry.kind === 'repeat' && entry.id === taskId)
  const subtasks = store.tasks.of(byParent, taskId).filter(({ deleted_at }) => deleted_at === null)
  return {
    task,
    list: { id, name, statuses, fields },
    /** Its `custom_data` as the API shows it, with computed formulas. */
    customData: toCustomData(list, task.custom_data),
    parent: parent ? toNamed(parent) : null,
    subtasks: subtasks.map(toNamed),
    /** Oldest first; without the keys that created them. */
    comments: store.comments.ownedBy(taskId).map(({ key: _, ...comment }) => comment),
    timeEntries: store.timeEntries.ownedBy(taskId),
    attachments: store.attachments.ownedBy(taskId),
    /** Time of the next repetition, in milliseconds; null if unknown. */
    repeatsMs: next?.dueMs ?? null,
    /** Rows that its custom fields link to, by id; absent if there are none. */
    ...(links && { links }),
  }
}
export type TaskDetail = ReturnType<typeof taskDetailOf>

export function createInspectControls(sandboxOf: () => Sandbox): InspectControls {
  const storeOf = () => sandboxOf().bringUpToDate()
  const cloneResult =
    <Args extends unknown[], Result>(read: (store: Store, ...args: Args) => Result) =>
    (...args: Args) =>
      structuredClone(read(storeOf(), ...args))
  return {
    overview: cloneResult((store) => overviewOf(store, sandboxOf().happenings)),
    rows: cloneResult(rowPageOf),
    row: cloneResult(inspectedRowOf),
    task: cloneResult(taskDetailOf),
    tasks: cloneResult((store, listId: string) => {
      const list = getRecord(store, 'lists', listId)
      return store.tasks
        .ownedBy(list.id)
        .map((task) => ({ ...task, custom_data: toCustomData(list, task.custom_data) }))
    }),
    submissions: cloneResult((store, formId: string) => {
      const submissions = store.submissions.ownedBy(getRecord(store, 'forms', formId).id)
      return submissions.toSorted((a, b) => b.created_at - a.created_at).map(toSubmission)
    }),
  }
}
