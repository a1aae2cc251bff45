// Owns the writing of a world as a fixture, from which the same world can be made again.
import { limitNames } from '../contract/errors.ts'
import { toBase64 } from './base64.ts'
import type { ColumnRecord, TableRecord } from './datatables.ts'
import type {
  Fixture,
  FixtureColumn,
  FixtureForm,
  FixtureJob,
  FixtureKey,
  FixtureList,
  FixtureRuntime,
  FixtureSpace,
  FixtureTable,
  FixtureTask,
  FixtureWorkspace,
} from './fixture.ts'
import type { FormRecord } from './forms.ts'
import type { JobRecord } from './jobs.ts'
import type { FieldRecord, ListRecord } from './lists.ts'
import type { SpaceRecord } from './spaces.ts'
import type { TaskRecord } from './tasks.ts'
import type { KeyRecord, WorkspaceRecord } from './workspaces.ts'
import type { World } from './world.ts'

/** Records by what owns them, each group in order of creation. */
function grouped<T>(records: readonly T[], ownerOf: (record: T) => string): (owner: string) => readonly T[] {
  const groups = new Map<string, T[]>()
  for (const record of records) {
    const owner = ownerOf(record)
    const group = groups.get(owner)
    if (group) group.push(record)
    else groups.set(owner, [record])
  }
  return (owner) => groups.get(owner) ?? []
}

const byWorkspace = <T extends { readonly workspace_id: string }>(records: readonly T[]) =>
  grouped(records, (record) => record.workspace_id)
const byTask = <T extends { readonly task_id: string }>(records: readonly T[]) =>
  grouped(records, (record) => record.task_id)

function indexOf(world: World) {
  return {
    keys: byWorkspace(world.keys.all()),
    tables: byWorkspace(world.tables.all()),
    spaces: byWorkspace(world.spaces.all()),
    forms: byWorkspace(world.forms.all()),
    jobs: byWorkspace(world.jobs.all()),
    lists: grouped(world.lists.all(), (list) => list.space_id),
    tasks: grouped(world.tasks.all(), (task) => task.list_id),
    comments: byTask(world.comments.all()),
    timeEntries: byTask(world.timeEntries.all()),
    attachments: byTask(world.attachments.all()),
    submissions: grouped(world.submissions.all(), (submission) => submission.form_id),
  }
}
type Index = ReturnType<typeof indexOf>

function fixtureKey({ id: key, name, kind, scopes, member_id, suspended }: KeyRecord): FixtureKey {
  return { key, name, kind, scopes, member_id, suspended }
}

const fixtureOption = ({ id, label, color }: { id: string; label: string; color: string }) => ({
  id,
  label,
  color,
})

function fixtureColumn(column: ColumnRecord): FixtureColumn {
  const { id, name, type, options, currency_code, format, formula, readonly, table_id } = column
  return {
    id,
    name,
    type,
    ...(options && { options: options.map(fixtureOption) }),
    ...(currency_code !== undefined && { currency_code }),
    ...(format !== undefined && { format }),
    ...(formula !== undefined && { formula }),
    readonly,
    ...(table_id !== undefined && { table_id }),
  }
}

function fixtureTable(world: World, { id, name, locked, columns }: TableRecord): FixtureTable {
  const rows = world
    .rows(id)
    .all()
    .map(({ id, version, data, created_at, updated_at }) => ({ id, version, data, created_at, updated_at }))
  return { id, name, locked, columns: columns.map(fixtureColumn), rows }
}

function fixtureField({ id, name, type, options, mode, table_id, formula, readonly }: FieldRecord) {
  return {
    id,
    name,
    type,
    ...(options && { options: options.map(fixtureOption) }),
    ...(mode && { mode }),
    ...(table_id !== undefined && { table_id }),
    ...(formula !== undefined && { formula }),
    readonly,
  }
}

/** Fields of a task in the order in which they are written. */
const taskFields = [
  'id',
  'title',
  'status_id',
  'priority',
  'due_date',
  'date_start',
  'assignees',
  'custom_data',
  'description',
  'time_estimate',
  'project_id',
  'parent_task_id',
  'type_id',
  'repeat_config',
  'repeat_since',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies readonly (keyof TaskRecord & keyof FixtureTask)[]

function fixtureTask(index: Index, task: TaskRecord): FixtureTask {
  const written = Object.fromEntries(taskFields.map((name) => [name, task[name]]))
  return {
    ...(written as unknown as Pick<TaskRecord, (typeof taskFields)[number]>),
    comments: index.comments(task.id).map((comment) => {
      const { id, author_id, content, content_type, created_at, updated_at, key } = comment
      return { id, author_id, content, content_type, created_at, updated_at, key }
    }),
    time_entries: index.timeEntries(task.id).map((entry) => {
      const { id, user_id, duration, billable, note, is_running, date_start, date_end } = entry
      return { id, user_id, duration, billable, note, is_running, date_start, date_end }
    }),
    attachments: index.attachments(task.id).map((attachment) => {
      const { id, filename, mime_type, size_bytes } = attachment
      return { id, filename, mime_type, size_bytes }
    }),
  }
}

function fixtureList(index: Index, list: ListRecord): FixtureList {
  const { id, name, folder_id, color, icon, is_private, statuses, fields } = list
  return {
    id,
    name,
    folder_id,
    color,
    icon,
    is_private,
    statuses: statuses.map(({ id, name, color, type }) => ({ id, name, color, type })),
    fields: fields.map(fixtureField),
    tasks: index.tasks(id).map((task) => fixtureTask(index, task)),
  }
}

function fixtureSpace(index: Index, space: SpaceRecord): FixtureSpace {
  const { id, name, color, icon, is_private, default_list_id } = space
  const lists = index.lists(id).map((list) => fixtureList(index, list))
  return { id, name, color, icon, is_private, default_list_id, lists }
}

function fixtureForm(index: Index, form: FormRecord): FixtureForm {
  const { id, name, slug, target_type, target_id, is_published, submission_count } = form
  const { field_config, rules, settings, created_at, updated_at } = form
  return {
    id,
    name,
    slug,
    target_type,
    target_id,
    is_published,
    submission_count,
    field_config,
    rules,
    settings,
    created_at,
    updated_at,
    submissions: index.submissions(id).map((submission) => {
      const { id, data, created_entity_type, created_entity_id, created_at } = submission
      return { id, data, created_entity_type, created_entity_id, created_at }
    }),
  }
}

function fixtureJob(world: World, job: JobRecord): FixtureJob {
  const { id, table_id, table_name, status, created_ms, updated_ms, completed_ms } = job
  const { submitted, handled, row_count, errors, messages } = job
  const rows = world.payloads.get(id)
  const moments = { created_ms, updated_ms, completed_ms }
  const counts = { submitted, handled, row_count, errors, messages }
  return { id, table_id, table_name, status, ...moments, ...counts, ...(rows && { rows }) }
}

function fixtureWorkspace(world: World, index: Index, workspace: WorkspaceRecord): FixtureWorkspace {
  const { id, name, plan, timezone, billing, members } = workspace
  const limits = limitNames.flatMap((limit) => {
    const value = workspace.limits[limit]
    return value === undefined ? [] : [[limit, value] as const]
  })
  return {
    id,
    name,
    plan,
    timezone,
    billing,
    limits: Object.fromEntries(limits),
    members: members.map(({ id, name }) => ({ id, name })),
    keys: index.keys(id).map(fixtureKey),
    tables: index.tables(id).map((table) => fixtureTable(world, table)),
    spaces: index.spaces(id).map((space) => fixtureSpace(index, space)),
    forms: index.forms(id).map((form) => fixtureForm(index, form)),
    jobs: index.jobs(id).map((job) => fixtureJob(world, job)),
  }
}

function runtimeOf(world: World, index: Index): FixtureRuntime {
  const nowMs = world.clock.nowMs()
  const { ids, autonumbers, windows } = world.runtime.state()
  const asCreated = world.lists.all().map(({ id }) => id)
  const nested = world.workspaces
    .all()
    .flatMap(({ id }) => index.spaces(id).flatMap((space) => index.lists(space.id)))
  const isNested = nested.every(({ id }, position) => id === asCreated[position])
  return {
    ids,
    autonumbers,
    windows,
    // A clock that runs is past it anyway before it is read again.
    ...(world.clock.mode === 'manual' && nowMs % 1000 !== 0 && { now_ms: nowMs }),
    agenda: world.agenda.entries().map(({ kind, id, dueMs }) => ({ kind, id, dueMs })),
    ...(!isNested && { lists: asCreated }),
  }
}

/** The whole state as a fixture: all that the future depends on save the answers. It shares nothing with the world. */
export function exportFixture(world: World): Fixture {
  const index = indexOf(world)
  // In an order of their own, so that an import exports the same bytes again.
  const files = [...world.files.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, bytes]) => [key, toBase64(bytes)])
  return structuredClone({
    name: world.base.name,
    clock: world.clock.now(),
    workspaces: world.workspaces.all().map((workspace) => fixtureWorkspace(world, index, workspace)),
    files: Object.fromEntries(files) as Record<string, string>,
    runtime: runtimeOf(world, index),
  })
}
