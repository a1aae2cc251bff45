// Owns the shape of a fixture, and of a part of one that is seeded, as schemas: what stands where, and nothing else.
import * as z from 'zod/mini'
import { Flag, JsonObject, TextOrDocument } from '../contract/common.ts'
import { ColumnType } from '../contract/datatables.ts'
import { limitNames } from '../contract/errors.ts'
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

const Option = z.strictObject({ id: opt(Id), label: Text, color: opt(Color) })

const Member = z.strictObject({ id: opt(Id), name: Text })

const Key = z.strictObject({
  key: Id,
  name: opt(Id),
  kind: opt(z.enum(['master', 'scoped'])),
  scopes: opt(z.array(Text)),
  member_id: opt(Id),
  suspended: opt(z.boolean()),
})

const Column = z.strictObject({
  id: opt(Id),
  name: Text,
  type: ColumnType,
  options: opt(z.array(Option)),
  currency_code: opt(Text),
  format: opt(Text),
  formula: opt(Text),
  readonly: opt(z.boolean()),
  table_id: opt(Id),
})

export const RowAttachmentInput = z.strictObject({
  key: opt(Id),
  filename: Text,
  size: opt(Count),
  contentType: opt(Text),
  uploadedAt: opt(Seconds),
})

export const RowInput = z.strictObject({
  id: opt(Id),
  version: opt(z.int().check(z.gte(1))),
  data: opt(JsonObject),
  created_at: opt(Seconds),
  updated_at: opt(Seconds),
})

const Table = z.strictObject({
  id: opt(Id),
  name: Text,
  locked: opt(z.boolean()),
  columns: z.array(Column),
  // There may be 50,000: they are checked one by one as they are read, by what they are read with.
  rows: opt(z.array(Json)),
})

const Status = z.strictObject({ id: opt(Id), name: Text, color: opt(Color), type: z.enum(statusTypes) })

const Field = z.strictObject({
  id: opt(Id),
  name: Text,
  type: Text,
  options: opt(z.array(Option)),
  mode: opt(z.enum(['select', 'items'])),
  table_id: opt(Id),
  formula: opt(Text),
  readonly: opt(z.boolean()),
})

const Comment = z.strictObject({
  id: opt(Id),
  author_id: opt(Id),
  content: TextOrDocument,
  content_type: opt(z.enum(['text', 'tiptap'])),
  created_at: opt(Seconds),
  updated_at: opt(z.nullable(Seconds)),
  key: opt(z.nullable(Id)),
})

const TimeEntry = z.strictObject({
  id: opt(Id),
  user_id: opt(Id),
  duration: opt(Count),
  billable: opt(Switch),
  note: opt(Text),
  is_running: opt(Switch),
  date_start: opt(Seconds),
  date_end: opt(z.nullable(Seconds)),
})

const Attachment = z.strictObject({
  id: opt(Id),
  filename: Text,
  mime_type: opt(Text),
  size_bytes: opt(Count),
})

const Task = z.strictObject({
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
})

const List = z.strictObject({
  id: opt(Id),
  name: Text,
  folder_id: opt(z.nullable(Id)),
  color: opt(z.nullable(Color)),
  icon: opt(z.nullable(Text)),
  is_private: opt(z.boolean()),
  statuses: opt(z.array(Status)),
  fields: opt(z.array(Field)),
  tasks: opt(z.array(Task)),
})

const Space = z.strictObject({
  id: opt(Id),
  name: Text,
  color: opt(Color),
  icon: opt(Text),
  is_private: opt(z.boolean()),
  default_list_id: opt(Id),
  lists: opt(z.array(List)),
})

const Submission = z.strictObject({
  id: opt(Id),
  data: opt(JsonObject),
  created_entity_type: opt(z.enum(['task', 'datatable_row'])),
  created_entity_id: Id,
  created_at: opt(Seconds),
})

const Form = z.strictObject({
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
})

const Job = z.strictObject({
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
})

const Workspace = z.strictObject({
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
})

const AgendaEntry = z.strictObject({ kind: z.enum(['job', 'repeat', 'purge']), id: Id, dueMs: z.int() })

const RuntimeInput = z.strictObject({
  ids: opt(RuntimeState.shape.ids),
  autonumbers: opt(RuntimeState.shape.autonumbers),
  windows: opt(RuntimeState.shape.windows),
  now_ms: opt(Count),
  agenda: opt(z.array(AgendaEntry)),
  lists: opt(z.array(Id)),
})

const Files = z.record(Text, Text)

const fixtureSchema = <W extends z.ZodMiniType>(workspace: W) =>
  z.strictObject({
    $schema: opt(Text),
    name: opt(Text),
    clock: opt(Count),
    workspaces: z.array(workspace).check(z.minLength(1)),
    files: opt(Files),
    runtime: opt(RuntimeInput),
  })

export const FixtureInput = fixtureSchema(Workspace)
export type FixtureInput = z.output<typeof FixtureInput>

// A part to seed names what is there by its id, and of what is new only what matters need be given.
const SeedMember = z.partial(Member)
const SeedComment = z.partial(Comment)
const SeedAttachment = z.partial(Attachment)
const SeedTask = z.extend(z.partial(Task), {
  comments: opt(z.array(SeedComment)),
  attachments: opt(z.array(SeedAttachment)),
})
const SeedField = z.partial(Field)
const SeedList = z.extend(z.partial(List), {
  fields: opt(z.array(SeedField)),
  tasks: opt(z.array(SeedTask)),
})
const SeedSpace = z.extend(z.partial(Space), { lists: opt(z.array(SeedList)) })
const SeedColumn = z.partial(Column)
const SeedTable = z.extend(z.partial(Table), { columns: opt(z.array(SeedColumn)) })
const SeedForm = z.partial(Form)
const SeedWorkspace = z.extend(Workspace, {
  members: opt(z.array(SeedMember)),
  tables: opt(z.array(SeedTable)),
  spaces: opt(z.array(SeedSpace)),
  forms: opt(z.array(SeedForm)),
})
const SeedContents = {
  members: SeedWorkspace.shape.members,
  keys: Workspace.shape.keys,
  tables: SeedWorkspace.shape.tables,
  spaces: SeedWorkspace.shape.spaces,
  lists: opt(z.array(SeedList)),
  tasks: SeedList.shape.tasks,
  forms: SeedWorkspace.shape.forms,
  jobs: Workspace.shape.jobs,
}
export const SeedInput = z.strictObject({
  workspaces: opt(z.array(SeedWorkspace)),
  ...SeedContents,
  files: opt(Files),
})
export type SeedInput = z.output<typeof SeedInput>

export type WorkspaceInput = z.output<typeof SeedWorkspace>
export type MemberInput = z.output<typeof SeedMember>
export type KeyInput = z.output<typeof Key>
export type TableInput = z.output<typeof SeedTable>
export type ColumnInput = z.output<typeof SeedColumn>
export type OptionInput = z.output<typeof Option>
export type RowInput = z.output<typeof RowInput>
export type RowAttachmentInput = z.output<typeof RowAttachmentInput>
export type SpaceInput = z.output<typeof SeedSpace>
export type ListInput = z.output<typeof SeedList>
export type FieldInput = z.output<typeof SeedField>
export type TaskInput = z.output<typeof SeedTask>
export type CommentInput = z.output<typeof SeedComment>
export type TimeEntryInput = z.output<typeof TimeEntry>
export type AttachmentInput = z.output<typeof SeedAttachment>
export type FormInput = z.output<typeof SeedForm>
export type SubmissionInput = z.output<typeof Submission>
export type JobInput = z.output<typeof Job>

/** Fields by the name of the array or object they stand in. */
const fieldsIn: Readonly<Record<string, object>> = {
  workspaces: Workspace.shape,
  members: Member.shape,
  keys: Key.shape,
  tables: Table.shape,
  columns: Column.shape,
  options: Option.shape,
  rows: RowInput.shape,
  spaces: Space.shape,
  lists: List.shape,
  statuses: Status.shape,
  fields: Field.shape,
  tasks: Task.shape,
  repeat_config: RepeatConfig.shape,
  comments: Comment.shape,
  time_entries: TimeEntry.shape,
  attachments: Attachment.shape,
  forms: Form.shape,
  submissions: Submission.shape,
  jobs: Job.shape,
  runtime: RuntimeInput.shape,
  limits: Object.fromEntries(limitNames.map((name) => [name, name])),
  '': SeedInput.shape,
}

/**
 * The names of the fields in what stands in an array or object of this name, of the whole for an empty one. For the
 * guess at a misspelt one.
 */
export function knownFields(place: string): readonly string[] {
  return Object.keys(fieldsIn[place] ?? {})
}

/** The schema with rows spelt out, for documents. */
export function documentedFixture(): z.ZodMiniType<unknown, Fixture> {
  const table = z.extend(Table, { rows: opt(z.array(RowInput)) })
  const workspace = z.extend(Workspace, { tables: opt(z.array(table)) })
  return fixtureSchema(workspace) as z.ZodMiniType<unknown, Fixture>
}
