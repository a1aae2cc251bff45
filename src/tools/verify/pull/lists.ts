// Spaces and lists with their statuses, custom fields and tasks, as a fixture has them.
import { optionFields } from '../../../contract/datatables.ts'
import { isUnset } from '../../../contract/data/objects.ts'
import {
  fieldFields,
  listFields,
  statusFields,
  type List,
  type ServedCustomField,
  type Status,
} from '../../../contract/lists.ts'
import { spaceFields } from '../../../contract/spaces.ts'
import { taskFields, type Task } from '../../../contract/tasks.ts'
import type { FixtureField, FixtureList, FixtureSpace, FixtureTask } from '../../../../fixtures/types.ts'
import type { Gathered } from './gathered.ts'
import type { Shown } from './lenient.ts'
import { toNote } from './notes.ts'
import { findRecords } from './reader.ts'
import { guessSpecs } from './tables.ts'
import { readDetails } from './task-details.ts'

interface WholeList {
  readonly list: Shown<List>
  /** Undefined where they are not shown. */
  readonly statuses: readonly Shown<Status>[] | undefined
  readonly fields: readonly Shown<ServedCustomField>[]
  readonly tasks: readonly Shown<Task>[]
}

/** Where a task read alone shows more than a listed one, each is read alone. Assumption: taskReadExtras */
async function readTasks(gathered: Gathered, listId: string): Promise<Shown<Task>[]> {
  const { reader, notes, bounds } = gathered
  const { records: tasks, isWhole, isCut } = await reader.readPages('listTasks', { listId }, bounds.tasks)
  if (isCut) gathered.partial.add(listId)
  const [first] = tasks
  if (!first) return tasks
  if (!isWhole && reader.isRecorded)
    notes.add(toNote`Whether list ${listId} has more tasks than ${tasks.length} is not recorded.`)
  const alone = await reader.get('getTask', { taskId: first.id })
  gathered.observe('taskReadExtras', alone !== undefined && 'list_id' in alone)
  if (!alone || Object.keys(alone).length <= Object.keys(first).length) return tasks
  reader.planRequests(tasks.length - 1)
  const whole: Shown<Task>[] = []
  for (const task of tasks)
    whole.push({ ...task, ...(await reader.get('getTask', { taskId: task.id })), id: task.id })
  return whole
}

async function readList(gathered: Gathered, list: Shown<List>): Promise<WholeList> {
  const { reader, notes, bounds } = gathered
  const schema = await reader.get('getListSchema', { listId: list.id })
  const fields = findRecords<ServedCustomField>(schema, 'fields')
  const tasks = await readTasks(gathered, list.id)
  reader.planRequests(3 * Math.min(tasks.length, bounds.details?.[0] ?? Infinity))
  if (schema) return { list, statuses: findRecords<Status>(schema, 'statuses'), fields, tasks }
  if (tasks.length > 0)
    notes.add(
      toNote`Statuses and custom fields of list ${list.id} are not shown: they follow from its tasks.`,
    )
  const used = [...new Set(tasks.flatMap(({ status_id }) => status_id ?? []))]
  const statuses = used.map((id) => ({ id, name: id, type: 'active' as const }))
  const guesses = guessSpecs(tasks.map(({ custom_data = {} }) => custom_data))
  return { list, ...(used.length > 0 ? { statuses } : { statuses: undefined }), fields: guesses, tasks }
}

/** Where the API shows labels alone, options get the ids that tasks use, in turn. Assumption: customFieldOptions */
function optionsOf(
  gathered: Gathered,
  { tasks }: WholeList,
  field: Shown<ServedCustomField>,
): FixtureField['options'] {
  const options: readonly { readonly id?: string; readonly label: string; readonly color?: string }[] =
    field.options ?? []
  if (options.length === 0) return field.options && []
  const isWhole = options.every(({ id }) => id !== undefined)
  gathered.observe('customFieldOptions', isWhole ? 'full' : 'label')
  const used = new Set(tasks.flatMap(({ custom_data = {} }) => [custom_data[field.id]].flat()))
  const labels = new Set<unknown>(options.map(({ label }) => label))
  const spare = [...used].filter((id) => typeof id === 'string' && !labels.has(id)) as string[]
  if (!isWhole)
    gathered.notes.add('Ids of options are not shown: those that tasks use are given to the labels in turn.')
  return options.map(({ id = spare.shift(), ...option }, index) => {
    const made = used.has(option.label) ? option.label : `${field.id}_${String(index + 1)}`
    return gathered.toRecord(optionFields, { ...option, id: id ?? made })
  })
}

async function toFixtureTask(
  gathered: Gathered,
  { fields }: WholeList,
  task: Shown<Task>,
  isDetailed: boolean,
): Promise<FixtureTask> {
  const { id, priority, assignees = [], custom_data = {} } = task
  for (const field of fields) gathered.addPeopleIn(field.type, custom_data[field.id])
  return {
    ...gathered.toRecord(taskFields, task),
    priority: gathered.toPriorityName(priority),
    custom_data: Object.fromEntries(Object.entries(custom_data).filter(([, value]) => !isUnset(value))),
    assignees: assignees.map((member) => gathered.addPerson(member.id, member.name)),
    ...(isDetailed && (await readDetails(gathered, id))),
  }
}

async function toFixtureList(gathered: Gathered, whole: WholeList): Promise<FixtureList> {
  if (whole.fields.some(({ type }) => type === 'formula'))
    gathered.notes.add('Formulas of custom fields are not shown: their values stay as they were read.')
  const fields = whole.fields.map((field) =>
    gathered.toRecord(fieldFields, { ...field, options: optionsOf(gathered, whole, field) }),
  )
  const statuses = whole.statuses?.map((status) => gathered.toRecord(statusFields, status))
  const tasks: FixtureTask[] = []
  for (const task of whole.tasks)
    tasks.push(await toFixtureTask(gathered, whole, task, gathered.takeDetails(tasks.length)))
  return { ...gathered.toRecord(listFields, whole.list), ...(statuses && { statuses }), fields, tasks }
}

/** @returns the spaces, and the ids of all lists in the order of their listing */
export async function readSpaces(gathered: Gathered): Promise<{ spaces: FixtureSpace[]; order: string[] }> {
  const { reader, notes } = gathered
  const spaces = await reader.list('listSpaces')
  const listed = await reader.list('listLists')
  for (const { id, space_id = '' } of listed)
    if (!spaces.some((space) => space.id === space_id)) {
      const sentence = toNote`List ${id} was left out: its space ${space_id} is not shown.`
      notes.lose(sentence, { kind: 'record', operation: 'listLists', id })
    }
  const all = spaces.flatMap(({ lists = [] }) => lists)
  const chosen = new Set(
    gathered
      .chooseOwners('lists', [...new Map(all.map((list) => [list.id, list])).values()])
      .map(({ id }) => id),
  )
  reader.planRequests(2 * chosen.size)
  // All lists before any part of a task, so that the progress knows how much is to come.
  const whole = new Map<string, WholeList>()
  for (const list of all)
    if (!whole.has(list.id))
      whole.set(
        list.id,
        chosen.has(list.id)
          ? await readList(gathered, list)
          : { list, statuses: undefined, fields: [], tasks: [] },
      )
  gathered.noteFieldTypes(
    [...whole.values()].flatMap(({ fields }) => fields.flatMap(({ type }) => type ?? [])),
  )
  const tasks = [...whole.values()].flatMap((one) => one.tasks)
  gathered.namePriorities(tasks.map(({ priority }) => priority))
  if (tasks.length > 0 && !tasks.some((task) => 'list_id' in task))
    notes.add('Tasks show neither description, estimate, project, parent, type nor recurrence.')
  const made: FixtureSpace[] = []
  const owners = new Map<string, string>()
  for (const space of spaces) {
    const lists: FixtureList[] = []
    for (const { id } of space.lists ?? []) {
      const list = whole.get(id)
      const sentence = toNote`List ${id} was left out of space ${space.id}: its id must be unique, and another space has it.`
      if (owners.has(id)) notes.lose(sentence, { kind: 'record', operation: 'listSpaces', id })
      else if (list) lists.push(await toFixtureList(gathered, list))
      owners.set(id, owners.get(id) ?? space.id)
    }
    const owner = owners.get(space.default_list_id ?? '')
    if (owner !== space.id)
      notes.add(toNote`The default list of space ${space.name ?? space.id} is not shown.`)
    const isOthers = owner !== undefined && owner !== space.id
    const record = gathered.toRecord(spaceFields, space)
    made.push({ ...record, ...(isOthers && { default_list_id: `${space.id}_list` }), lists })
  }
  return { spaces: made, order: listed.map(({ id }) => id) }
}
