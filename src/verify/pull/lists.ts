// Spaces and lists with their statuses, custom fields, tasks and what belongs to these, as a fixture has them.
import {
  fieldFields,
  listFields,
  statusFields,
  type ServedCustomField,
  type List,
  type Status,
} from '../../contract/lists.ts'
import { commentFields, type Comment } from '../../contract/comments.ts'
import { optionFields } from '../../contract/datatables.ts'
import type { Member } from '../../contract/schema/common.ts'
import { isObject } from '../../contract/data/objects.ts'
import { spaceFields, type Space } from '../../contract/spaces.ts'
import type { Attachment } from '../../contract/task-attachments.ts'
import { taskFields, type Task } from '../../contract/tasks.ts'
import { timeEntryFields, type TimeEntry } from '../../contract/time-entries.ts'
import type {
  FixtureAttachment,
  FixtureComment,
  FixtureField,
  FixtureList,
  FixtureSpace,
  FixtureTask,
  FixtureTimeEntry,
} from '../../../fixtures/types.ts'
import type { Gathered } from './gathered.ts'
import { recordsIn } from './reader.ts'

/** A list as it is shown, with what belongs to it. */
interface WholeList {
  readonly list: List
  readonly statuses: readonly Status[]
  readonly fields: readonly ServedCustomField[]
  readonly tasks: readonly Task[]
}

/** All tasks, whole: where a task read alone shows more than a listed one, each is read alone. Assumption: taskReadExtras */
async function tasksOf(gathered: Gathered, listId: string): Promise<Task[]> {
  const { reader } = gathered
  const tasks = await reader.pages<Task>('listTasks', 'tasks', { listId })
  const [first] = tasks
  if (!first) return tasks
  const alone = await reader.get('getTask', { taskId: first.id })
  gathered.observe('taskReadExtras', alone !== undefined && 'list_id' in alone)
  if (!alone || Object.keys(alone).length <= Object.keys(first).length) return tasks
  reader.plan(tasks.length - 1)
  const whole: Task[] = []
  for (const task of tasks) {
    const read = await reader.get('getTask', { taskId: task.id })
    whole.push(read ? { ...task, ...read } : task)
  }
  return whole
}

async function wholeList(gathered: Gathered, list: List): Promise<WholeList> {
  const { reader } = gathered
  const schema = await reader.get('getListSchema', { listId: list.id })
  const fields = recordsIn<ServedCustomField>(schema, 'fields')
  for (const { type } of fields) gathered.seeFieldType(type)
  const tasks = await tasksOf(gathered, list.id)
  for (const { priority } of tasks) gathered.seePriority(priority)
  reader.plan(3 * tasks.length)
  return { list, statuses: recordsIn<Status>(schema, 'statuses'), fields, tasks }
}

/** Option ids that the tasks of a list use for a field, in the order in which they are met. */
function usedOptions({ tasks }: WholeList, { id }: ServedCustomField): string[] {
  const values = tasks.flatMap(({ custom_data }) => (isObject(custom_data) ? [custom_data[id]].flat() : []))
  return [...new Set(values)].filter((value) => typeof value === 'string')
}

/** Options, of which the API may show the labels alone: then the ids in use are given to them in turn. Assumption: customFieldOptions */
function optionsOf(gathered: Gathered, whole: WholeList, field: ServedCustomField): FixtureField['options'] {
  const options: readonly { readonly id?: string; readonly label: string; readonly color?: string }[] =
    field.options ?? []
  if (options.length === 0) return field.options ? [] : undefined
  const isWhole = options.every(({ id }) => id !== undefined)
  gathered.observe('customFieldOptions', isWhole ? 'full' : 'label')
  const labels = options.map(({ label }) => label)
  const spare = usedOptions(whole, field).filter((id) => !labels.includes(id))
  if (!isWhole)
    gathered.notes.add('Ids of options are not shown: those that tasks use are given to the labels in turn.')
  return options.map(({ id = spare.shift(), ...option }, index) => {
    const { label } = option
    const isUsed = usedOptions(whole, field).includes(label)
    return gathered.record(optionFields, {
      ...option,
      id: id ?? (isUsed ? label : `${field.id}_${String(index + 1)}`),
    })
  })
}

function fixtureField(gathered: Gathered, whole: WholeList, field: ServedCustomField): FixtureField {
  const options = optionsOf(gathered, whole, field)
  if (field.type === 'formula')
    gathered.notes.add('Formulas of custom fields are not shown: their values stay as they were read.')
  return gathered.record(fieldFields, { ...field, options })
}

function customDataOf(gathered: Gathered, where: string, fields: readonly FixtureField[], task: Task) {
  const { custom_data: read } = task
  const given = Object.entries(isObject(read) ? read : {}).filter(([key, value]) => {
    const field = fields.find(({ id }) => id === key)
    const spec = { name: key, type: 'dropdown', ...field }
    return value !== null && gathered.fits(where, spec, value)
  })
  return Object.fromEntries(given)
}

async function pulledComments(gathered: Gathered, taskId: string): Promise<FixtureComment[]> {
  const comments = await gathered.reader.list<Comment>('listComments', 'comments', { taskId })
  if (comments.length > 0) gathered.notes.add('Which key made a comment is not shown.')
  // The type of the content follows from the content.
  return comments.map(({ content_type: _, ...comment }) => ({
    ...gathered.record(commentFields, comment),
    author_id: gathered.person(comment.author_id, comment.author_name),
  }))
}

/** Assumption: timeEntryUsers, runningDuration */
async function pulledEntries(gathered: Gathered, taskId: string): Promise<FixtureTimeEntry[]> {
  const body = await gathered.reader.get('listTimeEntries', { taskId })
  const users = recordsIn<Member>(body, 'users')
  for (const user of users) {
    gathered.person(user.id, user.name)
    gathered.observe('timeEntryUsers', 'total_seconds' in user ? 'totals' : 'names')
  }
  return recordsIn<TimeEntry>(body, 'entries').map((entry) => {
    const { is_running, date_start, duration } = entry
    const isElapsed = is_running === 1 && duration > 0
    if (isElapsed) gathered.observe('runningDuration', 'elapsed')
    if (is_running === 1) gathered.saw(date_start + duration)
    return {
      ...gathered.record(timeEntryFields, entry),
      user_id: gathered.person(entry.user_id),
      duration: isElapsed ? 0 : duration,
      ...(is_running === 1 && { date_end: null }),
    }
  })
}

async function pulledAttachments(gathered: Gathered, taskId: string): Promise<FixtureAttachment[]> {
  const { reader, wantsFiles } = gathered
  const attachments: FixtureAttachment[] = []
  const found = await reader.list<Attachment>('listTaskAttachments', 'attachments', { taskId })
  if (wantsFiles) reader.plan(found.length)
  for (const { id, filename, mime_type, size_bytes } of found) {
    const contents = wantsFiles ? await reader.file({ taskId, attachmentId: id }) : undefined
    const size = gathered.file(id, size_bytes, contents)
    if (size !== size_bytes)
      gathered.notes.add(`File ${filename} has ${String(size)} bytes, not ${String(size_bytes)} as listed.`)
    attachments.push({ id, filename, mime_type, size_bytes: size })
  }
  return attachments
}

async function fixtureTask(
  gathered: Gathered,
  { list, statuses }: WholeList,
  fields: readonly FixtureField[],
  task: Task,
): Promise<FixtureTask> {
  const where = `list ${list.name}`
  const { status_id, ...record } = gathered.record(taskFields, task)
  const isStatus = statuses.some((status) => status.id === status_id)
  if (!isStatus) gathered.fits(where, { name: 'status_id', type: 'dropdown' }, status_id)
  return {
    ...record,
    ...(isStatus && { status_id }),
    priority: gathered.priorityName(task.priority),
    custom_data: customDataOf(gathered, where, fields, task),
    assignees: (task.assignees ?? []).map((member) => gathered.person(member.id, member.name)),
    comments: await pulledComments(gathered, task.id),
    time_entries: await pulledEntries(gathered, task.id),
    attachments: await pulledAttachments(gathered, task.id),
  }
}

async function fixtureList(gathered: Gathered, whole: WholeList): Promise<FixtureList> {
  const fields = whole.fields.map((field) => fixtureField(gathered, whole, field))
  const statuses = whole.statuses.map((status) => gathered.record(statusFields, status))
  const tasks: FixtureTask[] = []
  for (const task of whole.tasks) tasks.push(await fixtureTask(gathered, whole, fields, task))
  return { ...gathered.record(listFields, whole.list), statuses, fields, tasks }
}

/** The spaces, and the ids of all lists in the order of their listing. */
export async function pulledSpaces(gathered: Gathered): Promise<{ spaces: FixtureSpace[]; order: string[] }> {
  const { reader } = gathered
  const spaces = await reader.list<Space>('listSpaces', 'spaces')
  const listed = await reader.list<List>('listLists', 'lists')
  const homeless = listed.filter(({ space_id }) => !spaces.some(({ id }) => id === space_id))
  if (homeless.length > 0)
    gathered.notes.add(`${String(homeless.length)} lists are of spaces that are not shown and were left out.`)
  reader.plan(2 * listed.length)
  // All lists before any part of a task, so that the progress knows how much is to come.
  const whole: WholeList[] = []
  for (const { lists } of spaces) for (const list of lists ?? []) whole.push(await wholeList(gathered, list))
  if (whole.some(({ tasks }) => tasks.length > 0 && !tasks.some((task) => 'list_id' in task)))
    gathered.notes.add('Tasks show neither description, estimate, project, parent, type nor recurrence.')
  const made: FixtureSpace[] = []
  for (const space of spaces) {
    const lists: FixtureList[] = []
    for (const { id: listId } of space.lists ?? []) {
      const list = whole.find((one) => one.list.id === listId)
      if (list) lists.push(await fixtureList(gathered, list))
    }
    if (!lists.some((list) => list.id === space.default_list_id))
      gathered.notes.add(`The default list of space ${space.name} is not shown.`)
    made.push({ ...gathered.record(spaceFields, space), lists })
  }
  return { spaces: made, order: listed.map(({ id }) => id) }
}
