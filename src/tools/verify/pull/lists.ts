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
import { findRecords, type Shown } from './listings.ts'
import { toNote } from './notes.ts'
import { guessSpecs } from './tables.ts'
import { toDetails } from './task-details.ts'

/** Where the API shows labels alone, options get the ids that tasks use, in turn. Assumption: customFieldOptions */
function optionsOf(
  gathered: Gathered,
  tasks: readonly Shown<Task>[],
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

function toFixtureList(gathered: Gathered, list: Shown<List>): FixtureList {
  const { bag, notes } = gathered
  const schema = bag.find('getListSchema', list.id)?.body
  const tasks = bag.recordsOf('listTasks', list.id)
  const [first] = tasks
  if (first && bag.isRecorded && !bag.contentOf('listTasks', list.id).isWhole)
    notes.add(toNote`Whether list ${list.id} has more tasks than ${tasks.length} is not recorded.`)
  if (first && !schema)
    notes.add(
      toNote`Statuses and custom fields of list ${list.id} are not shown: they follow from its tasks.`,
    )
  if (first) gathered.observe('taskReadExtras', 'list_id' in first)
  const used = [...new Set(tasks.flatMap(({ status_id }) => status_id ?? []))]
  const statuses = schema
    ? findRecords<Status>(schema, 'statuses')
    : used.map((id) => ({ id, name: id, type: 'active' as const }))
  const fields = schema
    ? findRecords<ServedCustomField>(schema, 'fields')
    : guessSpecs(tasks.map(({ custom_data = {} }) => custom_data))
  if (fields.some(({ type }) => type === 'formula'))
    notes.add('Formulas of custom fields are not shown: their values stay as they were read.')
  return {
    ...gathered.toRecord(listFields, list),
    ...((schema !== undefined || used.length > 0) && {
      statuses: statuses.map((one) => gathered.toRecord(statusFields, one)),
    }),
    fields: fields.map((field) =>
      gathered.toRecord(fieldFields, { ...field, options: optionsOf(gathered, tasks, field) }),
    ),
    tasks: tasks.map((task): FixtureTask => {
      const { id, priority, assignees = [], custom_data = {} } = task
      for (const field of fields) gathered.addPeopleIn(field.type, custom_data[field.id])
      return {
        ...gathered.toRecord(taskFields, task),
        priority: gathered.toPriorityName(priority),
        custom_data: Object.fromEntries(Object.entries(custom_data).filter(([, value]) => !isUnset(value))),
        assignees: assignees.map((member) => gathered.addPerson(member.id, member.name)),
        ...toDetails(gathered, id),
      }
    }),
  }
}

/** @returns the spaces, and the ids of all lists in the order of their listing */
export function toSpaces(gathered: Gathered): { spaces: FixtureSpace[]; order: string[] } {
  const { bag, notes } = gathered
  gathered.noteFieldTypes(bag.allOf('getListSchema'))
  const tasks = bag.allOf('listTasks')
  gathered.namePriorities(tasks)
  if (tasks.length > 0 && !tasks.some((task) => 'list_id' in task))
    notes.add('Tasks show neither description, estimate, project, parent, type nor recurrence.')
  const lists = new Map(bag.recordsOf('listLists').map((list) => [list.id, list]))
  const owners = new Map<string, string>()
  const spaces = bag.recordsOf('listSpaces').map((space): FixtureSpace => {
    const own = findRecords(space, 'lists').flatMap(({ id }) => {
      const list = lists.get(id)
      const sentence = toNote`List ${id} was left out of space ${space.id}: its id must be unique, and another space has it.`
      if (owners.has(id)) notes.lose(sentence, { kind: 'record', operation: 'listSpaces', id })
      const isNew = list && !owners.has(id)
      owners.set(id, owners.get(id) ?? space.id)
      return isNew ? toFixtureList(gathered, list) : []
    })
    const owner = owners.get(space.default_list_id ?? '')
    if (owner !== space.id)
      notes.add(toNote`The default list of space ${space.name ?? space.id} is not shown.`)
    const isOthers = owner !== undefined && owner !== space.id
    const record = gathered.toRecord(spaceFields, space)
    return { ...record, ...(isOthers && { default_list_id: `${space.id}_list` }), lists: own }
  })
  for (const { id, space_id = '' } of lists.values()) {
    const sentence = toNote`List ${id} was left out: its space ${space_id} does not show it.`
    if (!owners.has(id)) notes.lose(sentence, { kind: 'record', operation: 'listLists', id })
  }
  return { spaces, order: [...lists.keys()] }
}
