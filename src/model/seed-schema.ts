// Owns the shape of a part of a fixture that is seeded: it names what is there by its id, and of what is new only what
// matters need be given.
import * as z from 'zod/mini'
import {
  Attachment,
  Column,
  Comment,
  Field,
  Files,
  Form,
  List,
  Member,
  Space,
  Table,
  Task,
  Workspace,
  madeOf,
  type Job,
  type Key,
  type Option,
  type Submission,
  type TimeEntry,
} from './fixture-schema.ts'

const opt = z.optional

const SeedMember = z.lazy(() => z.partial(madeOf(Member)))
const SeedComment = z.lazy(() => z.partial(madeOf(Comment)))
const SeedAttachment = z.lazy(() => z.partial(madeOf(Attachment)))
const SeedTask = z.lazy(() =>
  z.extend(z.partial(madeOf(Task)), {
    comments: opt(z.array(SeedComment)),
    attachments: opt(z.array(SeedAttachment)),
  }),
)
const SeedField = z.lazy(() => z.partial(madeOf(Field)))
const SeedList = z.lazy(() =>
  z.extend(z.partial(madeOf(List)), {
    fields: opt(z.array(SeedField)),
    tasks: opt(z.array(SeedTask)),
  }),
)
const SeedSpace = z.lazy(() => z.extend(z.partial(madeOf(Space)), { lists: opt(z.array(SeedList)) }))
const SeedColumn = z.lazy(() => z.partial(madeOf(Column)))
const SeedTable = z.lazy(() => z.extend(z.partial(madeOf(Table)), { columns: opt(z.array(SeedColumn)) }))
const SeedForm = z.lazy(() => z.partial(madeOf(Form)))
const SeedWorkspace = z.lazy(() =>
  z.extend(madeOf(Workspace), {
    members: opt(z.array(SeedMember)),
    tables: opt(z.array(SeedTable)),
    spaces: opt(z.array(SeedSpace)),
    forms: opt(z.array(SeedForm)),
  }),
)
export const SeedInput = z.lazy(() => {
  const { members, keys, tables, spaces, forms, jobs } = madeOf(SeedWorkspace).shape
  const { tasks } = madeOf(SeedList).shape
  const lists = opt(z.array(SeedList))
  return z.strictObject({
    workspaces: opt(z.array(SeedWorkspace)),
    members,
    keys,
    tables,
    spaces,
    lists,
    tasks,
    forms,
    jobs,
    files: opt(Files),
  })
})
export type SeedInput = z.output<typeof SeedInput>

export type WorkspaceInput = z.output<typeof SeedWorkspace>
export type MemberInput = z.output<typeof SeedMember>
export type KeyInput = z.output<typeof Key>
export type TableInput = z.output<typeof SeedTable>
export type ColumnInput = z.output<typeof SeedColumn>
export type OptionInput = z.output<typeof Option>
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
