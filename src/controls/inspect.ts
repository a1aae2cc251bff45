// Owns what a person who looks at a mock is shown: everything there is at a glance, and its rows, tasks and
// submissions piece by piece. Reads only, and synchronously, so that looking never gets in the way of a request.
import type { Column } from '../contract/datatables.ts'
import { limitNames, type LimitName } from '../contract/errors.ts'
import type { Form, FormSubmission } from '../contract/forms.ts'
import type { Plan } from '../contract/identity.ts'
import type { Status } from '../contract/lists.ts'
import type { Row } from '../contract/rows.ts'
import type { Member } from '../contract/common.ts'
import type { AgendaEntry } from '../store/schedule.ts'
import type { ClockMode } from '../store/clock.ts'
import { presentColumn } from '../resources/datatables.ts'
import { presentForm, presentSubmission } from '../resources/forms.ts'
import type { JobRecord } from '../resources/jobs.ts'
import { limitOf } from '../resources/plans.ts'
import { presentRow } from '../rows/columns.ts'
import type { TaskRecord } from '../resources/tasks.ts'
import type { KeyRecord, WorkspaceRecord } from '../resources/workspaces.ts'
import type { World } from '../store/store.ts'

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
  /** Be it by itself or by its space. */
  readonly is_private: boolean
  readonly statuses: readonly Status[]
  /** Without those that are deleted. */
  readonly task_count: number
}

export interface LimitOverview {
  /** Null is unlimited. */
  readonly limit: number | null
  /** Whether it stands in place of the plan's. */
  readonly overridden: boolean
}

export interface WorkspaceOverview {
  readonly id: string
  readonly name: string
  readonly plan: Plan
  readonly timezone: string
  readonly billing: 'ok' | 'lapsed'
  readonly limits: Readonly<Record<LimitName, LimitOverview>>
  readonly members: readonly Member[]
  readonly keys: readonly Omit<KeyRecord, 'workspace_id'>[]
  readonly tables: readonly TableOverview[]
  readonly lists: readonly ListOverview[]
  readonly jobs: readonly JobRecord[]
  readonly forms: readonly Form[]
}

export interface Overview {
  readonly clock: { readonly now: number; readonly nowMs: number; readonly mode: ClockMode }
  /** What happens next by itself, soonest first, eight at most. */
  readonly due: readonly AgendaEntry[]
  readonly workspaces: readonly WorkspaceOverview[]
}

export interface RowPage {
  readonly total: number
  readonly rows: readonly Row[]
}

const dueShown = 8

interface OfWorkspace {
  readonly workspace_id: string
}

function limitsOf(world: World, workspace: WorkspaceRecord): WorkspaceOverview['limits'] {
  const limits = limitNames.map((name): [LimitName, LimitOverview] => [
    name,
    { limit: limitOf(world.answers, workspace, name), overridden: workspace.limits[name] !== undefined },
  ])
  return Object.fromEntries(limits) as Record<LimitName, LimitOverview>
}

function listsOf(world: World, { id }: WorkspaceRecord): ListOverview[] {
  const counts = new Map<string, number>()
  for (const { list_id, deleted_at } of world.tasks.all())
    if (deleted_at === null) counts.set(list_id, (counts.get(list_id) ?? 0) + 1)
  return world.lists
    .all()
    .filter(({ workspace_id }) => workspace_id === id)
    .map((list) => {
      const space = world.spaces.get(list.space_id)
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

function workspaceOverview(world: World, workspace: WorkspaceRecord): WorkspaceOverview {
  const { id, name, plan, timezone, billing, members } = workspace
  const isOurs = ({ workspace_id }: OfWorkspace) => workspace_id === id
  return {
    id,
    name,
    plan,
    timezone,
    billing,
    limits: limitsOf(world, workspace),
    members,
    keys: world.keys
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
    tables: world.tables
      .all()
      .filter(isOurs)
      .map((table) => ({
        id: table.id,
        name: table.name,
        locked: table.locked,
        row_count: world.rows(table.id).count,
        columns: table.columns.map(presentColumn),
      })),
    lists: listsOf(world, workspace),
    jobs: world.jobs.all().filter(isOurs),
    forms: world.forms
      .all()
      .filter(isOurs)
      .map((form) => presentForm(world, form)),
  }
}

/** Everything there is but rows, tasks, submissions and files. */
export function overviewOf(world: World): Overview {
  const { clock } = world
  return {
    clock: { now: clock.now(), nowMs: clock.nowMs(), mode: clock.mode },
    due: world.agenda
      .entries()
      .sort((a, b) => a.dueMs - b.dueMs)
      .slice(0, dueShown),
    workspaces: world.workspaces.all().map((workspace) => workspaceOverview(world, workspace)),
  }
}

/** Rows of a table from the one at `offset` on, whatever its id is; undefined where there is no such table. */
export function rowPageOf(world: World, tableId: string, offset: number, limit: number): RowPage | undefined {
  const table = world.tables.get(tableId)
  if (!table) return undefined
  const rows = world.rows(tableId)
  const page = rows.slice(offset, limit)
  return { total: rows.count, rows: page.map((row) => presentRow(world, table, row, 'data')) }
}

/** The tasks of a list, deleted ones too; undefined where there is no such list. */
export function listedTasksOf(world: World, listId: string): readonly TaskRecord[] | undefined {
  if (!world.lists.has(listId)) return undefined
  return world.tasks.all().filter(({ list_id }) => list_id === listId)
}

/** The submissions of a form, newest first; undefined where there is no such form. */
export function listedSubmissionsOf(world: World, formId: string): readonly FormSubmission[] | undefined {
  if (!world.forms.has(formId)) return undefined
  return world.submissions
    .all()
    .filter(({ form_id }) => form_id === formId)
    .sort((a, b) => b.created_at - a.created_at)
    .map(presentSubmission)
}
