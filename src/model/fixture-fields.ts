// Owns what the fields of a fixture are called, for the guess at a misspelt one.
import { limitNames } from '../contract/errors.ts'
import { RepeatConfig } from '../contract/tasks.ts'
import {
  Attachment,
  Column,
  Comment,
  Field,
  Form,
  Job,
  Key,
  List,
  Member,
  Option,
  RowInput,
  RuntimeInput,
  Space,
  Status,
  Submission,
  Table,
  Task,
  TimeEntry,
  Workspace,
  madeOf,
} from './fixture-schema.ts'
import { SeedInput } from './seed-schema.ts'

/** Fields by the name of the array or object they stand in. */
const fieldsIn = (): Readonly<Record<string, object>> => ({
  workspaces: madeOf(Workspace).shape,
  members: madeOf(Member).shape,
  keys: madeOf(Key).shape,
  tables: madeOf(Table).shape,
  columns: madeOf(Column).shape,
  options: madeOf(Option).shape,
  rows: madeOf(RowInput).shape,
  spaces: madeOf(Space).shape,
  lists: madeOf(List).shape,
  statuses: madeOf(Status).shape,
  fields: madeOf(Field).shape,
  tasks: madeOf(Task).shape,
  repeat_config: RepeatConfig.shape,
  comments: madeOf(Comment).shape,
  time_entries: madeOf(TimeEntry).shape,
  attachments: madeOf(Attachment).shape,
  forms: madeOf(Form).shape,
  submissions: madeOf(Submission).shape,
  jobs: madeOf(Job).shape,
  runtime: madeOf(RuntimeInput).shape,
  limits: Object.fromEntries(limitNames.map((name) => [name, name])),
  '': madeOf(SeedInput).shape,
})

/**
 * The names of the fields in what stands in an array or object of this name, of the whole for an empty one. For the
 * guess at a misspelt one.
 */
export function knownFields(place: string): readonly string[] {
  return Object.keys(fieldsIn()[place] ?? {})
}
