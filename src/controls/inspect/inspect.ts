// Read access for consoles and failing tests: an overview, and rows, tasks and submissions by page.
import type { Column, TableRecord } from '../../contract/datatables.ts'
import { limitNames, type LimitName } from '../../contract/errors.ts'
import type { Form, FormSubmission } from '../../contract/forms.ts'
import type { Plan } from '../../contract/identity.ts'
import type { ListRecord, Status } from '../../contract/lists.ts'
import { questions, type QuestionId } from '../../contract/questions/register.ts'
import type { Member } from '../../contract/schema/common.ts'
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
import { inspectedRowOf, rowPageOf, type InspectedRows, type RowPageQuery } from './rows.ts'
import { taskDetailOf, type TaskDetail } from './task.ts'
import { getRecord } from '../records.ts'
import { byWorkspace, isPrivateList } from '../../resources/lists.ts'

export interface TableOverview {
  readonly id: string
  readonly name: string
  readonly locked: boolean
  readonly row_count: number
  readonly columns: readonly Column[]
}

export interface ListOverview {
  readonly id: string
  readonly name: string
  readonly space_name: string
  /** Whether the list or its space is private. */
  readonly is_private: boolean
  readonly statuses: readonly Status[]
  /** Without deleted ones. */
  readonly task_count: number
}

export interface LimitOverview {
  /** Null is unlimited. */
  readonly limit: number | null
  /** Whether it overrides the plan's. */
  readonly overridden: boolean
}

export interface WorkspaceOverview {
  readonly id: string
  readonly name: string
  readonly plan: Plan
  readonly timezone: string
  readonly billing: 'ok' | 'lapsed'
  readonly limits: Readonly<Record<LimitName, LimitOverview>>
  /** Usage of the limits that are counted over several requests. */
  readonly usage: Readonly<Partial<Record<LimitName, LimitUsage>>>
  readonly members: readonly Member[]
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

function limitsOf(store: Store, workspace: WorkspaceRecord): WorkspaceOverview['limits'] {
  const limits = limitNames.map((name): [LimitName, LimitOverview] => [
    name,
    { limit: limitOf(store.answers, workspace, name), overridden: workspace.limits[name] !== undefined },
  ])
  return Object.fromEntries(limits) as Record<LimitName, LimitOverview>
}

function tableOverview(store: Store, { id, name, locked, columns }: TableRecord): TableOverview {
  return { id, name, locked, row_count: store.rows(id).count, columns: columns.map(toColumn) }
}

function listOverview(store: Store, list: ListRecord): ListOverview {
  const { id, name, space_id, statuses } = list
  const space = store.spaces.get(space_id)
  return {
    id,
    name,
    space_name: space?.name ?? '',
    is_private: isPrivateList(store, list),
    statuses,
    task_count: store.tasks.of(byList, id).length,
  }
}

function workspaceOverviews(store: Store): WorkspaceOverview[] {
  return store.workspaces.all().map((workspace) => {
    const { id } = workspace
    return {
      ...workspace,
      limits: limitsOf(store, workspace),
      usage: usageOf(store, workspace),
      keys: store.keys.ownedBy(id).map(({ workspace_id: _, ...key }) => key),
      tables: store.tables.ownedBy(id).map((table) => tableOverview(store, table)),
      lists: store.lists.of(byWorkspace, id).map((list) => listOverview(store, list)),
      jobs: store.jobs.ownedBy(id),
      forms: store.forms.ownedBy(id).map((form) => toForm(store, form)),
    }
  })
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
    workspaces: workspaceOverviews(store),
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
    tasks: cloneResult((store, listId: string) => {
      const { id } = getRecord(store, 'lists', listId)
      return store.tasks.ownedBy(id)
    }),
    submissions: cloneResult((store, formId: string) => {
      const { id } = getRecord(store, 'forms', formId)
      return store.submissions
        .ownedBy(id)
        .toSorted((a, b) => b.created_at - a.created_at)
        .map(toSubmission)
    }),
  }
}
