// What consoles and failing tests show of a mock: an overview, and rows, tasks and submissions by page.
// Reads only, and synchronously, so that it never gets in the way of a request.
import type { Column } from '../contract/datatables.ts'
import { limitNames, type LimitName } from '../contract/errors.ts'
import type { Form, FormSubmission } from '../contract/forms.ts'
import type { Plan } from '../contract/identity.ts'
import type { Status } from '../contract/lists.ts'
import { questions, type Answers, type QuestionId } from '../contract/questions/register.ts'
import type { Member } from '../contract/schema/common.ts'
import type { ScheduleEntry } from '../store/schedule.ts'
import type { ClockMode } from '../store/clock.ts'
import { toColumn } from '../resources/datatables.ts'
import { toForm, toSubmission } from '../resources/forms.ts'
import { usageOf, type LimitUsage } from '../resources/limit-usage.ts'
import type { JobRecord } from '../contract/jobs.ts'
import { limitOf } from '../contract/plan-limits.ts'
import type { TaskRecord } from '../contract/tasks.ts'
import type { KeyRecord, WorkspaceRecord } from '../contract/workspaces.ts'
import type { Store } from '../store/store.ts'

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
  /** By itself or by its space. */
  readonly is_private: boolean
  readonly statuses: readonly Status[]
  /** Without those that are deleted. */
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
  /** Of the limits that are counted over several requests. */
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
  /** Due entries, soonest first, eight at most. */
  readonly due: readonly DueOverview[]
  /** Open questions whose answer is not the default. */
  readonly changedAnswers: readonly QuestionId[]
  readonly workspaces: readonly WorkspaceOverview[]
}

const dueShown = 8

interface OfWorkspace {
  readonly workspace_id: string
}

function limitsOf(store: Store, workspace: WorkspaceRecord): WorkspaceOverview['limits'] {
  const limits = limitNames.map((name): [LimitName, LimitOverview] => [
    name,
    { limit: limitOf(store.answers, workspace, name), overridden: workspace.limits[name] !== undefined },
  ])
  return Object.fromEntries(limits) as Record<LimitName, LimitOverview>
}

function listsOf(store: Store, { id }: WorkspaceRecord): ListOverview[] {
  const counts = new Map<string, number>()
  for (const { list_id, deleted_at } of store.tasks.all())
    if (deleted_at === null) counts.set(list_id, (counts.get(list_id) ?? 0) + 1)
  return store.lists
    .all()
    .filter(({ workspace_id }) => workspace_id === id)
    .map((list) => {
      const space = store.spaces.get(list.space_id)
      return {
        id: list.id,
        name: list.name,
        space_name: space?.name ?? '',
        is_private: list.is_private || space?.is_private === true,
        statuses: list.statuses,
        task_count: counts.get(list.id) ?? 0,
      }
    })
}

function workspaceOverview(store: Store, workspace: WorkspaceRecord): WorkspaceOverview {
  const { id, name, plan, timezone, billing, members } = workspace
  const isOurs = ({ workspace_id }: OfWorkspace) => workspace_id === id
  return {
    id,
    name,
    plan,
    timezone,
    billing,
    limits: limitsOf(store, workspace),
    usage: usageOf(store, workspace),
    members,
    keys: store.keys
      .all()
      .filter(isOurs)
      .map(({ id: key, name: keyName, kind, scopes, member_id, suspended }) => ({
        id: key,
        name: keyName,
        kind,
        scopes,
        member_id,
        suspended,
      })),
    tables: store.tables
      .all()
      .filter(isOurs)
      .map((table) => ({
        id: table.id,
        name: table.name,
        locked: table.locked,
        row_count: store.rows(table.id).count,
        columns: table.columns.map(toColumn),
      })),
    lists: listsOf(store, workspace),
    jobs: store.jobs.all().filter(isOurs),
    forms: store.forms
      .all()
      .filter(isOurs)
      .map((form) => toForm(store, form)),
  }
}

function changedAnswersOf(answers: Answers): QuestionId[] {
  const ids = Object.keys(questions) as QuestionId[]
  return ids.filter((id) => JSON.stringify(answers[id]) !== JSON.stringify(questions[id].default))
}

/** Everything except rows, tasks, submissions and files. */
export function overviewOf(store: Store): Overview {
  const { clock } = store
  return {
    clock: { now: clock.now(), nowMs: clock.nowMs(), mode: clock.mode },
    due: store.schedule
      .entries()
      .sort((a, b) => a.dueMs - b.dueMs)
      .slice(0, dueShown)
      .map((entry) => ({
        ...entry,
        name:
          (entry.kind === 'job' ? store.jobs.get(entry.id)?.table_name : store.tasks.get(entry.id)?.title) ??
          '',
      })),
    changedAnswers: changedAnswersOf(store.answers),
    workspaces: store.workspaces.all().map((workspace) => workspaceOverview(store, workspace)),
  }
}

/** The tasks of a list, deleted ones too; undefined for an unknown list. */
export function listedTasksOf(store: Store, listId: string): readonly TaskRecord[] | undefined {
  if (!store.lists.has(listId)) return undefined
  return store.tasks.all().filter(({ list_id }) => list_id === listId)
}

/** The submissions of a form, newest first; undefined for an unknown form. */
export function listedSubmissionsOf(store: Store, formId: string): readonly FormSubmission[] | undefined {
  if (!store.forms.has(formId)) return undefined
  return store.submissions
    .all()
    .filter(({ form_id }) => form_id === formId)
    .sort((a, b) => b.created_at - a.created_at)
    .map(toSubmission)
}
