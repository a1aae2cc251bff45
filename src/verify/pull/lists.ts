// Spaces and lists with their statuses, custom fields and tasks, as a fixture has them.
import type { ServedCustomField, List, Status } from '../../contract/lists.ts'
import { isObject, type JsonObject } from '../../contract/values/objects.ts'
import type { Space } from '../../contract/spaces.ts'
import type { Task } from '../../contract/tasks.ts'
import type { FixtureField, FixtureList, FixtureSpace, FixtureTask } from '../../../fixtures/types.ts'
import { colorOf, present, type Gathered } from './gathered.ts'
import { recordsIn } from './reader.ts'
import { pulledParts } from './task-parts.ts'

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
  if (options.length === 0) return field.options && []
  const isWhole = options.every(({ id }) => id !== undefined)
  gathered.observe('customFieldOptions', isWhole ? 'full' : 'label')
  const labels = options.map(({ label }) => label)
  const spare = usedOptions(whole, field).filter((id) => !labels.includes(id))
  if (!isWhole)
    gathered.notes.add('Ids of options are not shown: those that tasks use are given to the labels in turn.')
  return options.map(({ id = spare.shift(), label, color }, index) => ({
    id: id ?? (usedOptions(whole, field).includes(label) ? label : `${field.id}_${String(index + 1)}`),
    label,
    ...(colorOf(color) !== undefined && { color: color ?? '' }),
  }))
}

function fixtureField(gathered: Gathered, whole: WholeList, field: ServedCustomField): FixtureField {
  const { id, name, type, mode, table_id, readonly } = field
  const options = optionsOf(gathered, whole, field)
  if (type === 'formula')
    gathered.notes.add('Formulas of custom fields are not shown: their values stay as they were read.')
  return {
    id,
    name,
    type,
    ...(options && { options }),
    ...(mode !== undefined && { mode }),
    ...(table_id !== undefined && { table_id }),
    readonly,
  }
}

function customDataOf(gathered: Gathered, where: string, fields: readonly FixtureField[], task: Task) {
  const data: JsonObject = {}
  for (const [key, value] of Object.entries(present(task.custom_data))) {
    const field = fields.find(({ id }) => id === key)
    const spec = { id: key, name: key, type: 'dropdown', ...field }
    if (gathered.fits(where, spec, value)) data[key] = value
  }
  return data
}

const extras = [
  'description',
  'time_estimate',
  'project_id',
  'parent_task_id',
  'type_id',
  'repeat_config',
] as const

async function fixtureTask(
  gathered: Gathered,
  { list, statuses }: WholeList,
  fields: readonly FixtureField[],
  task: Task,
): Promise<FixtureTask> {
  const { id, title, status_id, due_date, date_start, created_at, updated_at } = task
  const where = `list ${list.name}`
  gathered.saw(created_at, updated_at)
  const isStatus = statuses.some((status) => status.id === status_id)
  if (!isStatus) gathered.fits(where, { id: 'status_id', name: 'status_id', type: 'dropdown' }, status_id)
  return {
    id,
    title,
    ...(isStatus && { status_id }),
    priority: gathered.priorityNames()(task.priority),
    due_date,
    date_start,
    custom_data: customDataOf(gathered, where, fields, task),
    assignees: (task.assignees ?? []).map((member) => gathered.person(member.id, member.name)),
    created_at,
    updated_at,
    ...Object.fromEntries(extras.flatMap((name) => (name in task ? [[name, Reflect.get(task, name)]] : []))),
    ...(await pulledParts(gathered, id)),
  }
}

async function fixtureList(gathered: Gathered, whole: WholeList): Promise<FixtureList> {
  const { id, name, folder_id, color, icon } = whole.list
  const fields = whole.fields.map((field) => fixtureField(gathered, whole, field))
  const statuses = whole.statuses.map((status) => ({
    id: status.id,
    name: status.name,
    ...(colorOf(status.color) !== undefined && { color: status.color }),
    type: status.type,
  }))
  const tasks: FixtureTask[] = []
  for (const task of whole.tasks) tasks.push(await fixtureTask(gathered, whole, fields, task))
  return { id, name, folder_id, color: colorOf(color) ?? null, icon, statuses, fields, tasks }
}

export interface PulledSpaces {
  readonly spaces: FixtureSpace[]
  /** Ids of all lists in the order of their listing. */
  readonly order: string[]
}

export async function pulledSpaces(gathered: Gathered): Promise<PulledSpaces> {
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
  for (const { id, name, color, icon, default_list_id, lists: shown } of spaces) {
    const lists: FixtureList[] = []
    for (const { id: listId } of shown ?? []) {
      const list = whole.find((one) => one.list.id === listId)
      if (list) lists.push(await fixtureList(gathered, list))
    }
    if (!lists.some((list) => list.id === default_list_id))
      gathered.notes.add(`The default list of space ${name} is not shown.`)
    made.push({ id, name, ...(colorOf(color) !== undefined && { color }), icon, default_list_id, lists })
  }
  return { spaces: made, order: listed.map(({ id }) => id) }
}
