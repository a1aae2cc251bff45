// Owns the writing of a fixture's tasks with their comments, time entries and files.
import type { JsonObject } from '../contract/common.ts'
import { Refusal } from '../contract/errors.ts'
import { quote } from '../contract/quote.ts'
import type { AttachmentInput, CommentInput, TaskInput, TimeEntryInput } from './seed-schema.ts'
import { jsonCopy, type FixtureWriter } from './fixture-writer.ts'
import { assertOwn } from './fixture-tables.ts'
import { firstStatus, type ListRecord } from './lists.ts'
import { assertRepeatConfig } from './recurrence.ts'
import type { TaskRecord } from './tasks.ts'
import { valueCheck } from './values.ts'
import type { WorkspaceRecord } from './workspaces.ts'

/** Where tasks and what belongs to them are written. */
interface Scene {
  readonly writer: FixtureWriter
  readonly workspace: WorkspaceRecord
  readonly list: ListRecord
}

const taskParts = ['comments', 'time_entries', 'attachments']

export function writeTasks(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  list: ListRecord,
  inputs: readonly TaskInput[],
  path: string,
): void {
  const scene = { writer, workspace, list }
  for (const [index, input] of inputs.entries()) {
    const at = `${path}[${String(index)}]`
    const task = writer.existing('tasks', input, at, taskParts) ?? newTask(scene, input, at)
    if (!task) continue
    assertOwn(writer, workspace, task, `task ${quote(task.id)}`, at)
    for (const [i, comment] of (input.comments ?? []).entries())
      writeComment(scene, task, comment, `${at}.comments[${String(i)}]`)
    for (const [i, entry] of (input.time_entries ?? []).entries())
      writeTimeEntry(scene, task, entry, `${at}.time_entries[${String(i)}]`)
    for (const [i, attachment] of (input.attachments ?? []).entries())
      writeAttachment(scene, task, attachment, `${at}.attachments[${String(i)}]`)
  }
}

function newTask(scene: Scene, input: TaskInput, path: string): TaskRecord | undefined {
  const { writer, workspace, list } = scene
  const { created_at = writer.now, updated_at = created_at } = input
  const title = writer.named('tasks', input.title, path, 'title', input.id)
  if (title === undefined) return undefined
  const { assignees = [], parent_task_id = null, repeat_config = null } = input
  const members = workspace.members.map(({ id }) => id)
  for (const [index, id] of assignees.entries())
    writer.mustBeOneOf(id, members, `${path}.assignees[${String(index)}]`)
  if (parent_task_id !== null)
    writer.later(() => checkParent(scene, parent_task_id, `${path}.parent_task_id`))
  checkRepeat(scene, repeat_config, path)
  const task: TaskRecord = {
    id: writer.id('tasks', input.id),
    workspace_id: workspace.id,
    list_id: list.id,
    title,
    status_id: statusOf(scene, input.status_id, `${path}.status_id`),
    priority: input.priority ?? null,
    due_date: input.due_date ?? null,
    date_start: input.date_start ?? null,
    assignees: [...new Set(assignees)],
    custom_data: customData(scene, input.custom_data ?? {}, `${path}.custom_data`),
    description: jsonCopy(input.description ?? null),
    time_estimate: input.time_estimate ?? null,
    project_id: input.project_id ?? null,
    parent_task_id,
    type_id: input.type_id ?? null,
    repeat_config,
    repeat_since: repeat_config ? (input.repeat_since ?? writer.now) : null,
    created_at,
    updated_at,
    deleted_at: input.deleted_at ?? null,
  }
  return writer.put('tasks', task, path)
}

function statusOf({ writer, list }: Scene, given: string | undefined, path: string): string {
  const id = given ?? firstStatus(list)?.id ?? ''
  writer.mustBeOneOf(
    id,
    list.statuses.map((status) => status.id),
    path,
  )
  return id
}

function checkParent({ writer, workspace }: Scene, id: string, path: string): void {
  const parent = writer.world.tasks.get(id)
  if (parent ? parent.workspace_id !== workspace.id : !writer.allowsLostLinks)
    writer.problems.add(path, `must be the id of a task of the workspace; received ${quote(id)}`)
}

function checkRepeat({ writer }: Scene, config: TaskRecord['repeat_config'], path: string): void {
  if (!config) return
  try {
    assertRepeatConfig(config)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // The message begins with the field's own path.
    const [field = '', ...text] = error.message.split(' ')
    writer.problems.add(`${path}.${field}`, text.join(' '))
  }
}

/** A copy without what is null; its values are checked once the rows that links name are there. */
function customData({ writer, workspace, list }: Scene, input: JsonObject, path: string): JsonObject {
  const values = Object.entries(input).filter(([, value]) => value !== null && value !== undefined)
  if (values.length === 0) return {}
  writer.later(() => {
    for (const [key, value] of values) {
      const field = list.fields.find(({ id }) => id === key)
      const at = `${path}.${key}`
      if (!field) {
        const allowed = list.fields.map(({ id }) => id).join(', ') || 'none'
        writer.problems.add(
          at,
          `is no field of the list, whose fields are ${allowed}; received ${quote(value)}`,
        )
      } else if (field.type === 'formula') {
        writer.problems.add(
          at,
          `must be left out: fields of type formula are computed; received ${quote(value)}`,
        )
      } else if (field.type !== 'datatable' || !writer.allowsLostLinks) {
        const checked = valueCheck(field, writer.world, workspace)(value)
        if ('error' in checked) writer.problems.add(at, checked.error)
      }
    }
  })
  return jsonCopy(Object.fromEntries(values))
}

function writeComment(scene: Scene, task: TaskRecord, input: CommentInput, path: string): void {
  const { writer, workspace } = scene
  const { content = 'New comment', created_at = writer.now, updated_at = null, key = null } = input
  const content_type = typeof content === 'string' ? 'text' : 'tiptap'
  if (input.content_type !== undefined && input.content_type !== content_type)
    writer.problems.add(
      `${path}.content_type`,
      `must be text for a string and tiptap for a document; received ${quote(input.content_type)}`,
    )
  const keys = writer.world.keys.all().filter(({ workspace_id }) => workspace_id === workspace.id)
  if (key !== null)
    writer.mustBeOneOf(
      key,
      keys.map(({ id }) => id),
      `${path}.key`,
    )
  const comment = {
    id: writer.id('comments', input.id),
    workspace_id: workspace.id,
    task_id: task.id,
    author_id: writer.member(workspace, input.author_id, `${path}.author_id`),
    content: jsonCopy(content),
    content_type,
    created_at,
    updated_at,
    key,
  } as const
  writer.put('comments', comment, path)
}

const flag = (value: 0 | 1 | boolean | undefined) => (value === 1 || value === true ? 1 : 0)

interface Times {
  readonly duration: number
  readonly date_start: number
  readonly date_end: number | null
}

/** Of a stopped entry, what is missing of start, end and duration follows from the rest, the end from the clock at last. */
function timesOf(input: TimeEntryInput, now: number): Times {
  if (flag(input.is_running))
    return { duration: input.duration ?? 0, date_start: input.date_start ?? now, date_end: null }
  const { date_start: start, duration, date_end } = input
  const end = date_end ?? (start !== undefined && duration !== undefined ? start + duration : now)
  const date_start = start ?? end - (duration ?? 0)
  return { duration: duration ?? end - date_start, date_start, date_end: end }
}

function writeTimeEntry(scene: Scene, task: TaskRecord, input: TimeEntryInput, path: string): void {
  const { writer, workspace } = scene
  const times = timesOf(input, writer.now)
  if (flag(input.is_running) && input.date_end !== undefined && input.date_end !== null)
    writer.problems.add(
      `${path}.date_end`,
      `must be null while the entry runs; received ${quote(input.date_end)}`,
    )
  if (times.duration < 0)
    writer.problems.add(
      `${path}.date_end`,
      `must not be before date_start; received ${quote(times.date_end)}`,
    )
  const entry = {
    id: writer.id('timeEntries', input.id),
    workspace_id: workspace.id,
    task_id: task.id,
    user_id: writer.member(workspace, input.user_id, `${path}.user_id`),
    billable: flag(input.billable),
    note: input.note ?? '',
    is_running: flag(input.is_running),
    ...times,
  } as const
  writer.put('timeEntries', entry, path)
}

function writeAttachment(scene: Scene, task: TaskRecord, input: AttachmentInput, path: string): void {
  const { writer, workspace } = scene
  const { filename = 'file.bin', mime_type = 'application/octet-stream' } = input
  const id = writer.id('attachments', input.id)
  const size_bytes = writer.file(id, input.size_bytes, `${path}.size_bytes`)
  writer.put(
    'attachments',
    { id, workspace_id: workspace.id, task_id: task.id, filename, mime_type, size_bytes },
    path,
  )
}
