// Owns the shape of a fixture as schemas: what stands where, and nothing else. Each is made when it is first asked for,
// since most test files check no fixture of their own and every one of them would wait for it.
import * as z from 'zod/mini'
import { Flag, JsonObject, TextOrDocument } from '../contract/common.ts'
import { ColumnType } from '../contract/datatables.ts'
import { Plan } from '../contract/identity.ts'
import { JobStatus } from '../contract/jobs.ts'
import { statusTypes } from '../contract/lists.ts'
import { RepeatConfig, priorities } from '../contract/tasks.ts'
import type { Fixture } from './fixture.ts'
import { RuntimeState } from './runtime.ts'
import { Limits } from './workspaces.ts'

const opt = z.optional
const Text = z.string()
const Id = z.string().check(z.minLength(1))
const Seconds = z.int()
const Count = z.int().check(z.gte(0))
/** Assumption: colors */
const Color = z.string().check(z.regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i))
const Switch = z.union([Flag, z.boolean()])
const Json = z.unknown()

export const Option = z.lazy(() => z.strictObject({ id: opt(Id), label: Text, color: opt(Color) }))

export const Member = z.lazy(() => z.strictObject({ id: opt(Id), name: Text }))

export const Key = z.lazy(() =>
  z.strictObject({
    key: Id,
    name: opt(Id),
    kind: opt(z.enum(['master', 'scoped'])),
    scopes: opt(z.array(Text)),
    member_id: opt(Id),
    suspended: opt(z.boolean()),
  }),
)

export const Column = z.lazy(() =>
  z.strictObject({
    id: opt(Id),
    name: Text,
    type: ColumnType,
    options: opt(z.array(Option)),
    currency_code: opt(Text),
    format: opt(Text),
    formula: opt(Text),
    readonly: opt(z.boolean()),
    table_id: opt(Id),
  }),
)

export const RowAttachmentInput = z.lazy(() =>
  z.strictObject({
    key: opt(Id),
    filename: Text,
    size: opt(Count),
    contentType: opt(Text),
    uploadedAt: opt(Seconds),
  }),
)

export const RowInput = z.lazy(() =>
  z.strictObject({
    id: opt(Id),
    version: opt(z.int().check(z.gte(1))),
    data: opt(JsonObject),
    created_at: opt(Seconds),
    updated_at: opt(Seconds),
  }),
)

export const Table = z.lazy(() =>
  z.strictObject({
    id: opt(Id),
    name: Text,
    locked: opt(z.boolean()),
    columns: z.array(Column),
    // There may be 50,000: they are checked one by one as they are read, by what they are read with.
    rows: opt(z.array(Json)),
  }),
)

export const Status = z.lazy(() =>
  z.strictObject({ id: opt(Id), name: Text, color: opt(Color), type: z.enum(statusTypes) }),
)

export const Field = z.lazy(() =>
  z.strictObject({
    id: opt(Id),
    name: Text,
    type: Text,
    options: opt(z.array(Option)),
    mode: opt(z.enum(['select', 'items'])),
    table_id: opt(Id),
    formula: opt(Text),
    readonly: opt(z.boolean()),
  }),
)

export const Comment = z.lazy(() =>
  z.strictObject({
    id: opt(Id),
    author_id: opt(Id),
    content: TextOrDocument,
    content_type: opt(z.enum(['text', 'tiptap'])),
    created_at: opt(Seconds),
    updated_at: opt(z.nullable(Seconds)),
    key: opt(z.nullable(Id)),
  }),
)

export const TimeEntry = z.lazy(() =>
  z.strictObject({
    id: opt(Id),
    user_id: opt(Id),
    duration: opt(Count),
    billable: opt(Switch),
    note: opt(Text),
    is_running: opt(Switch),
    date_start: opt(Seconds),
    date_end: opt(z.nullable(Seconds)),
  }),
)

export const Attachment = z.lazy(() =>
  z.strictObject({
    id: opt(Id),
    filename: Text,
    mime_type: opt(Text),
    size_bytes: opt(Count),
  }),
)

export const Task = z.lazy(() =>
  z.strictObject({
    id: opt(Id),
    title: Text,
    status_id: opt(Id),
    priority: opt(z.nullable(z.enum(priorities))),
    due_date: opt(z.nullable(Seconds)),
    date_start: opt(z.nullable(Seconds)),
    assignees: opt(z.array(Id)),
    custom_data: opt(JsonObject),
    description: opt(z.nullable(TextOrDocument)),
    time_estimate: opt(z.nullable(Count)),
    project_id: opt(z.nullable(Text)),
    parent_task_id: opt(z.nullable(Id)),
    type_id: opt(z.nullable(Text)),
    repeat_config: opt(z.nullable(z.strictObject(RepeatConfig.shape))),
    repeat_since: opt(z.nullable(Seconds)),
    created_at: opt(Seconds),
    updated_at: opt(Seconds),
    deleted_at: opt(z.nullable(Seconds)),
    comments: opt(z.array(Comment)),
    time_entries: opt(z.array(TimeEntry)),
    attachments: opt(z.array(Attachment)),
  }),
)

export const List = z.lazy(() =>
  z.strictObject({
    id: opt(Id),
    name: Text,
    folder_id: opt(z.nullable(Id)),
    color: opt(z.nullable(Color)),
    icon: opt(z.nullable(Text)),
    is_private: opt(z.boolean()),
    statuses: opt(z.array(Status)),
    fields: opt(z.array(Field)),
    tasks: opt(z.array(Task)),
  }),
)

export const Space = z.lazy(() =>
  z.strictObject({
    id: opt(Id),
    name: Text,
    color: opt(Color),
    icon: opt(Text),
    is_private: opt(z.boolean()),
    default_list_id: opt(Id),
    lists: opt(z.array(List)),
  }),
)

export const Submission = z.lazy(() =>
  z.strictObject({
    id: opt(Id),
    data: opt(JsonObject),
    created_entity_type: opt(z.enum(['task', 'datatable_row'])),
    created_entity_id: Id,
    created_at: opt(Seconds),
  }),
)

export const Form = z.lazy(() =>
  z.strictObject({
    id: opt(Id),
    name: Text,
    slug: opt(Text),
    target_type: z.enum(['task', 'datatable', 'datatable_row']),
    target_id: Id,
    is_published: opt(Switch),
    submission_count: opt(Count),
    field_config: opt(z.array(Json)),
    rules: opt(z.union([z.array(Json), JsonObject])),
    settings: opt(JsonObject),
    created_at: opt(Seconds),
    updated_at: opt(Seconds),
    submissions: opt(z.array(Submission)),
  }),
)

export const Job = z.lazy(() =>
  z.strictObject({
    id: opt(Id),
    table_id: Id,
    table_name: opt(Text),
    status: opt(JobStatus),
    created_ms: opt(z.int()),
    updated_ms: opt(z.int()),
    completed_ms: opt(z.nullable(z.int())),
    submitted: opt(Count),
    handled: opt(Count),
    row_count: opt(Count),
    errors: opt(Count),
    messages: opt(z.array(Text)),
    rows: opt(z.array(Json)),
  }),
)

export const Workspace = z.lazy(() =>
  z.strictObject({
    id: opt(Id),
    name: opt(Text),
    plan: opt(Plan),
    timezone: opt(Text),
    billing: opt(z.enum(['ok', 'lapsed'])),
    limits: opt(Limits),
    members: opt(z.array(Member)),
    keys: opt(z.array(Key)),
    tables: opt(z.array(Table)),
    spaces: opt(z.array(Space)),
    forms: opt(z.array(Form)),
    jobs: opt(z.array(Job)),
  }),
)

const AgendaEntry = z.lazy(() =>
  z.strictObject({ kind: z.enum(['job', 'repeat', 'purge']), id: Id, dueMs: z.int() }),
)

export const RuntimeInput = z.lazy(() =>
  z.strictObject({
    ids: opt(RuntimeState.shape.ids),
    autonumbers: opt(RuntimeState.shape.autonumbers),
    windows: opt(RuntimeState.shape.windows),
    now_ms: opt(Count),
    agenda: opt(z.array(AgendaEntry)),
    lists: opt(z.array(Id)),
  }),
)

export const Files = z.lazy(() => z.record(Text, Text))

/** What a schema that is made when it is asked for is made of. */
export const madeOf = <Schema extends z.ZodMiniType>(schema: z.ZodMiniLazy<Schema>): Schema =>
  schema._zod.innerType

const fixtureSchema = <W extends z.ZodMiniType>(workspace: W) =>
  z.strictObject({
    $schema: opt(Text),
    name: opt(Text),
    clock: opt(Count),
    workspaces: z.array(workspace).check(z.minLength(1)),
    files: opt(Files),
    runtime: opt(RuntimeInput),
  })

export const FixtureInput = z.lazy(() => fixtureSchema(Workspace))
export type FixtureInput = z.output<typeof FixtureInput>

export type RowInput = z.output<typeof RowInput>
export type RowAttachmentInput = z.output<typeof RowAttachmentInput>

/** The schema with rows spelt out, for documents. */
export function documentedFixture(): z.ZodMiniType<unknown, Fixture> {
  const table = z.extend(madeOf(Table), { rows: opt(z.array(RowInput)) })
  const workspace = z.extend(madeOf(Workspace), { tables: opt(z.array(table)) })
  return fixtureSchema(workspace) as z.ZodMiniType<unknown, Fixture>
}
