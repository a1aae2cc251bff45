// Converts spaces and lists, with everything they own, to the shape of a fixture.
import { commentFields } from '../../contract/comments.ts'
import type { Member } from '../../contract/schema/common.ts'
import { optionFields } from '../../contract/datatables.ts'
import { isUnset } from '../../contract/data/objects.ts'
import {
  fieldFields,
  listFields,
  statusFields,
  type List,
  type ServedCustomField,
  type Status,
} from '../../contract/lists.ts'
import { spaceFields } from '../../contract/spaces.ts'
import { taskFields, type Task } from '../../contract/tasks.ts'
import { timeEntryFields } from '../../contract/time-entries.ts'
import type {
  FixtureComment,
  FixtureField,
  FixtureList,
  FixtureSpace,
  FixtureTask,
  FixtureTimeEntry,
} from '../../../fixtures/types.ts'
import type { Gathered } from './gathered.ts'
import { findRecords, type Shown } from './listings.ts'
import { toNote } from './notes.ts'
import { guessSpecs } from './tables.ts'

/** When the API shows only labels, options get the ids that tasks use, in order. Assumption: customFieldOptions */
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
    gathered.notes.add(
      'The API does not show the ids of options: the ids that tasks use are assigned to the labels in order.',
    )
  return options.map(({ id = spare.shift(), ...option }, index) => {
    const made = used.has(option.label) ? option.label : `${field.id}_${String(index + 1)}`
    return gathered.toRecord(optionFields, { ...option, id: id ?? made })
  })
}

function toComments(gathered: Gathered, taskId: string): FixtureComment[] {
  const comments = gathered.bag.recordsOf('listComments', taskId)
  if (comments.length > 0) gathered.notes.add('The API does not show which key created a comment.')
  // Drops `content_type`, which follows from the content.
  return comments.map(({ content_type: _, author_id = 'member_unknown', ...comment }) => ({
    ...gathered.toRecord(commentFields, comment),
    author_id: gathered.addPerson(author_id, comment.author_name),
  }))
}

/** Assumption: timeEntryUsers, runningDuration */
function toEntries(gathered: Gathered, taskId: string): FixtureTimeEntry[] {
  for (const user of findRecords<Member>(gathered.bag.find('listTimeEntries', taskId)?.body, 'users')) {
    gathered.addPerson(user.id, user.name)
    gathered.observe('timeEntryUsers', 'total_seconds' in user ? 'totals' : 'names')
  }
  return gathered.bag.recordsOf('listTimeEntries', taskId).map((entry) => {
    const { is_running, date_start = 0, duration = 0, user_id = 'member_unknown' } = entry
    const isElapsed = is_running === 1 && duration > 0
    if (isElapsed) gathered.observe('runningDuration', 'elapsed')
    if (is_running === 1) gathered.noteMoments(date_start + duration)
    return {
      ...gathered.toRecord(timeEntryFields, entry),
      user_id: gathered.addPerson(user_id),
      ...(entry.duration !== undefined && { duration: isElapsed ? 0 : duration }),
      ...(is_running === 1 && { date_end: null }),
    }
  })
}

function toFixtureList(gathered: Gathered, list: Shown<List>): FixtureList {
  const { bag, notes } = gathered
  const schema = bag.find('getListSchema', list.id)?.body
  const tasks = bag.recordsOf('listTasks', list.id)
  const [first] = tasks
  if (first && bag.isRecorded && !bag.contentOf('listTasks', list.id).isWhole)
    notes.add(
      toNote`The recording does not show whether list ${list.id} has more than ${tasks.length} tasks.`,
    )
  if (first && !schema)
    notes.add(
      toNote`The statuses and custom fields of list ${list.id} could not be read: they are derived from its tasks.`,
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
    notes.add('The API does not show the formulas of custom fields: their values are kept as they were read.')
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
        comments: toComments(gathered, id),
        time_entries: toEntries(gathered, id),
        attachments: bag
          .recordsOf('listTaskAttachments', id)
          .map(({ id: fileId, filename = 'file', mime_type, size_bytes = 0 }) => ({
            id: fileId,
            filename,
            ...(mime_type !== undefined && { mime_type }),
            size_bytes: gathered.addFile(fileId, filename, size_bytes, bag.files.get(fileId)),
          })),
      }
    }),
  }
}

/** @returns the spaces, and the ids of all lists in listing order */
export function toSpaces(gathered: Gathered): { spaces: FixtureSpace[]; order: string[] } {
  const { bag, notes } = gathered
  gathered.noteFieldTypes(bag.allOf('getListSchema'))
  const tasks = bag.allOf('listTasks')
  gathered.namePriorities(tasks)
  if (tasks.length > 0 && !tasks.some((task) => 'list_id' in task))
    notes.add(
      'The API does not show the description, estimate, project, parent, type or recurrence of tasks.',
    )
  const lists = new Map(bag.recordsOf('listLists').map((list) => [list.id, list]))
  const owners = new Map<string, string>()
  const spaces = bag.recordsOf('listSpaces').map((space): FixtureSpace => {
    const own = findRecords(space, 'lists').flatMap(({ id }) => {
      const list = lists.get(id)
      const sentence = toNote`List ${id} was left out of space ${space.id}: another space already has a list with this id.`
      if (owners.has(id)) notes.lose(sentence, { kind: 'record', operation: 'listSpaces', id })
      const isNew = list && !owners.has(id)
      owners.set(id, owners.get(id) ?? space.id)
      return isNew ? toFixtureList(gathered, list) : []
    })
    const owner = owners.get(space.default_list_id ?? '')
    if (owner !== space.id)
      notes.add(toNote`The API does not show the default list of space ${space.name ?? space.id}.`)
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
