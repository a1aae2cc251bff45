// Spaces and lists with their statuses, custom fields, tasks and what belongs to these, as a fixture has them.
import {
  fieldFields,
  listFields,
  statusFields,
  type ServedCustomField,
  type List,
  type Status,
} from '../../contract/lists.ts'
import { optionFields } from '../../contract/datatables.ts'
import { mostPerPage } from '../../contract/limits.ts'
import { isUnset } from '../../contract/data/objects.ts'
import { spaceFields, type Space } from '../../contract/spaces.ts'
import { taskFields, type Task } from '../../contract/tasks.ts'
import type { FixtureField, FixtureList, FixtureSpace, FixtureTask } from '../../../fixtures/types.ts'
import type { Gathered } from './gathered.ts'
import { fixed, note } from './losses.ts'
import { byOffset, recordsIn } from './reader.ts'
import type { Shown } from './shown.ts'
import { taskDetails } from './task-details.ts'

/** A list as it is shown, with what belongs to it. */
interface WholeList {
  readonly list: Shown<List>
  /** Undefined where they are not shown. */
  readonly statuses: readonly Shown<Status>[] | undefined
  readonly fields: readonly Shown<ServedCustomField>[]
  readonly tasks: readonly Shown<Task>[]
}

/** All tasks, whole: where a task read alone shows more than a listed one, each is read alone. Assumption: taskReadExtras */
async function tasksOf(gathered: Gathered, listId: string): Promise<Shown<Task>[]> {
  const { reader, bounds } = gathered
  const paging = byOffset('tasks', mostPerPage.tasks, bounds.tasks)
  const { records, isWhole } = await reader.pages<Task>('listTasks', { listId }, ...paging)
  const tasks = records.slice(0, bounds.tasks)
  if (!isWhole && reader.isRecorded && tasks.length > 0)
    gathered.add(note`Whether list ${listId} has more tasks than ${tasks.length} is not recorded.`)
  const [first] = tasks
  if (!first) return tasks
  const alone = await reader.get('getTask', { taskId: first.id })
  gathered.observe('taskReadExtras', alone !== undefined && 'list_id' in alone)
  if (!alone || Object.keys(alone).length <= Object.keys(first).length) return tasks
  reader.plan(tasks.length - 1)
  const whole: Shown<Task>[] = []
  for (const task of tasks) {
    const { id } = task
    whole.push({ ...task, ...(await reader.get('getTask', { taskId: id })), id })
  }
  return whole
}

async function wholeList(gathered: Gathered, list: Shown<List>): Promise<WholeList> {
  const { reader, bounds } = gathered
  const schema = await reader.get('getListSchema', { listId: list.id })
  const read = recordsIn<ServedCustomField>(schema, 'fields')
  for (const { type } of read) if (type !== undefined) gathered.seeFieldType(type)
  const tasks = await tasksOf(gathered, list.id)
  for (const { priority } of tasks) gathered.seePriority(priority)
  reader.plan(3 * Math.min(tasks.length, bounds.details ?? Infinity))
  const statuses = recordsIn<Status>(schema, 'statuses')
  if (schema) return { list, statuses, fields: read, tasks }
  if (tasks.length > 0)
    gathered.add(
      note`Statuses and custom fields of list ${list.id} are not shown: they follow from its tasks.`,
    )
  return { list, statuses: usedStatuses(tasks), fields: usedFields(tasks), tasks }
}

/** Statuses for those that tasks have, where a list does not show its own. */
function usedStatuses(tasks: readonly Shown<Task>[]): Shown<Status>[] | undefined {
  const ids = new Set(tasks.flatMap(({ status_id }) => status_id ?? []))
  return ids.size === 0 ? undefined : [...ids].map((id) => ({ id, name: id, type: 'active' }))
}

/** Custom fields for the values that tasks have, where a list does not show its own. */
function usedFields(tasks: readonly Shown<Task>[]): Shown<ServedCustomField>[] {
  const types: Readonly<Record<string, string>> = { string: 'text', number: 'number', boolean: 'checkbox' }
  const values = tasks.flatMap(({ custom_data = {} }) => Object.entries(custom_data))
  const shown = new Map(values.filter(([, value]) => (typeof value) in types && !isUnset(value)))
  return [...shown].map(([id, value]) => ({
    id,
    name: id,
    type: types[typeof value] ?? 'text',
    readonly: false,
  }))
}

/** Option ids that the tasks of a list use for a field, in the order in which they are met. */
function usedOptions({ tasks }: WholeList, id: string): string[] {
  const values = tasks.flatMap(({ custom_data = {} }) => [custom_data[id]].flat())
  return [...new Set(values)].filter((value) => typeof value === 'string')
}

/** Options, of which the API may show the labels alone: then the ids in use are given to them in turn. Assumption: customFieldOptions */
function optionsOf(
  gathered: Gathered,
  whole: WholeList,
  field: Shown<ServedCustomField>,
): FixtureField['options'] {
  const options: readonly { readonly id?: string; readonly label: string; readonly color?: string }[] =
    field.options ?? []
  if (options.length === 0) return field.options ? [] : undefined
  const isWhole = options.every(({ id }) => id !== undefined)
  gathered.observe('customFieldOptions', isWhole ? 'full' : 'label')
  const labels = options.map(({ label }) => label)
  const used = usedOptions(whole, field.id)
  const spare = used.filter((id) => !labels.includes(id))
  if (!isWhole)
    gathered.add(fixed('Ids of options are not shown: those that tasks use are given to the labels in turn.'))
  return options.map(({ id = spare.shift(), ...option }, index) => {
    const { label } = option
    const made = used.includes(label) ? label : `${field.id}_${String(index + 1)}`
    return gathered.record(optionFields, { ...option, id: id ?? made })
  })
}

function fixtureField(gathered: Gathered, whole: WholeList, field: Shown<ServedCustomField>): FixtureField {
  const options = optionsOf(gathered, whole, field)
  if (field.type === 'formula')
    gathered.add(fixed('Formulas of custom fields are not shown: their values stay as they were read.'))
  return gathered.record(fieldFields, { ...field, options })
}

/** Values by field, without those that are not set. */
function customDataOf(gathered: Gathered, { fields }: WholeList, { custom_data = {} }: Shown<Task>) {
  const people = new Set(fields.flatMap(({ id, type }) => (type === 'people' ? [id] : [])))
  const given = Object.entries(custom_data).filter(([, value]) => !isUnset(value))
  for (const [id, value] of given)
    if (people.has(id) && Array.isArray(value))
      for (const person of value) if (typeof person === 'string') gathered.person(person)
  return Object.fromEntries(given)
}

async function fixtureTask(
  gathered: Gathered,
  whole: WholeList,
  task: Shown<Task>,
  isDetailed: boolean,
): Promise<FixtureTask> {
  const { id, priority, assignees = [] } = task
  const record = {
    ...gathered.record(taskFields, task),
    priority: gathered.priorityName(priority),
    custom_data: customDataOf(gathered, whole, task),
    assignees: assignees.map((member) => gathered.person(member.id, member.name)),
  }
  if (!isDetailed) return record
  return { ...record, ...(await taskDetails(gathered, id)) }
}

async function fixtureList(gathered: Gathered, whole: WholeList): Promise<FixtureList> {
  const fields = whole.fields.map((field) => fixtureField(gathered, whole, field))
  const statuses = whole.statuses?.map((status) => gathered.record(statusFields, status))
  const tasks: FixtureTask[] = []
  const { details = Infinity } = gathered.bounds
  for (const task of whole.tasks) tasks.push(await fixtureTask(gathered, whole, task, tasks.length < details))
  return { ...gathered.record(listFields, whole.list), ...(statuses && { statuses }), fields, tasks }
}

/** The spaces, and the ids of all lists in the order of their listing. */
export async function pulledSpaces(gathered: Gathered): Promise<{ spaces: FixtureSpace[]; order: string[] }> {
  const { reader, bounds } = gathered
  const spaces = await reader.list<Space>('listSpaces', 'spaces')
  const listed = await reader.list<List>('listLists', 'lists')
  for (const { id, space_id = '' } of listed)
    if (!spaces.some((space) => space.id === space_id)) {
      const sentence = note`List ${id} was left out: its space ${space_id} is not shown.`
      gathered.losses.add('homeless list', { kind: 'record', operation: 'listLists', note: sentence, id })
    }
  reader.plan(2 * listed.length)
  // All lists before any part of a task, so that the progress knows how much is to come.
  const whole: WholeList[] = []
  const wanted = spaces.flatMap(({ lists = [] }) => lists).slice(0, bounds.lists)
  for (const list of wanted) whole.push(await wholeList(gathered, list))
  if (whole.some(({ tasks }) => tasks.length > 0 && !tasks.some((task) => 'list_id' in task)))
    gathered.add(fixed('Tasks show neither description, estimate, project, parent, type nor recurrence.'))
  const made: FixtureSpace[] = []
  const taken = new Set<string>()
  for (const space of spaces) {
    const lists: FixtureList[] = []
    for (const { id } of space.lists ?? []) {
      const list = whole.find((one) => one.list.id === id)
      const sentence = note`List ${id} was left out of space ${space.id}: its id must be unique, and another space has it.`
      if (taken.has(id))
        gathered.losses.add('list twice', { kind: 'record', operation: 'listSpaces', note: sentence, id })
      else if (list) lists.push(await fixtureList(gathered, list))
      taken.add(id)
    }
    const record = gathered.record(spaceFields, space)
    const isOwn = lists.some((list) => list.id === space.default_list_id)
    if (!isOwn) gathered.add(note`The default list of space ${space.name ?? space.id} is not shown.`)
    const isOthers = !isOwn && taken.has(space.default_list_id ?? '')
    made.push({ ...record, ...(isOthers && { default_list_id: `${space.id}_list` }), lists })
  }
  return { spaces: made, order: listed.map(({ id }) => id) }
}
