// Owns the writing of a fixture's spaces and lists, with the statuses and custom fields of lists.
import type { Status } from '../contract/lists.ts'
import { quote } from '../contract/quote.ts'
import type { FieldInput, ListInput, SpaceInput } from './seed-schema.ts'
import { assertOwn, checkTable, optionsOf } from './fixture-tables.ts'
import { writeTasks } from './fixture-tasks.ts'
import type { FixtureWriter } from './fixture-writer.ts'
import { defaultStatuses, type FieldRecord, type ListRecord } from './lists.ts'
import type { SpaceRecord } from './spaces.ts'
import type { WorkspaceRecord } from './workspaces.ts'

export function writeSpaces(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  inputs: readonly SpaceInput[],
  path: string,
): void {
  for (const [index, input] of inputs.entries()) {
    const at = `${path}[${String(index)}]`
    const space = writer.existing('spaces', input, at, ['lists'])
    if (space) {
      assertOwn(writer, workspace, space, `space ${quote(space.id)}`, at)
      writeLists(writer, workspace, space, input.lists ?? [], `${at}.lists`)
    } else {
      writeNewSpace(writer, workspace, input, at)
    }
  }
}

/** Assumption: colors. Source: contract, Spaces and lists (creating a space). */
function writeNewSpace(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  input: SpaceInput,
  path: string,
): void {
  const { color = '#6b7280', icon = 'folder', is_private = false, lists = [{ name: 'Tasks' }] } = input
  const name = writer.named('spaces', input.name, path, 'name', input.id)
  if (name === undefined) return
  const id = writer.id('spaces', input.id)
  const space = { id, workspace_id: workspace.id, name, color, icon, is_private, default_list_id: '' }
  const written = writeLists(writer, workspace, space, lists, `${path}.lists`)
  const ids = written.map((list) => list.id)
  if (lists.length === 0) writer.problems.add(`${path}.lists`, 'must hold one list at least; received none')
  else if (input.default_list_id !== undefined)
    writer.mustBeOneOf(input.default_list_id, ids, `${path}.default_list_id`)
  writer.put('spaces', { ...space, default_list_id: input.default_list_id ?? ids[0] ?? '' }, path)
}

/** @param space where new lists go; there may be none only if all lists exist */
export function writeLists(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  space: SpaceRecord | undefined,
  inputs: readonly ListInput[],
  path: string,
): ListRecord[] {
  const lists: ListRecord[] = []
  for (const [index, input] of inputs.entries()) {
    const at = `${path}[${String(index)}]`
    const existing = writer.existing('lists', input, at, ['tasks'])
    const list = existing ?? newList(writer, workspace, space, input, at)
    if (!list) continue
    assertOwn(writer, workspace, list, `list ${quote(list.id)}`, at)
    lists.push(list)
    writeTasks(writer, workspace, list, input.tasks ?? [], `${at}.tasks`)
  }
  return lists
}

function newList(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  space: SpaceRecord | undefined,
  input: ListInput,
  path: string,
): ListRecord | undefined {
  const { folder_id = null, color = null, icon = null, is_private = false } = input
  const name = writer.named('lists', input.name, path, 'name', input.id)
  if (name === undefined) return undefined
  if (!space) {
    writer.problems.add(path, 'must stand in a space: the workspace has none')
    return undefined
  }
  const statuses = statusesOf(writer, input.statuses, `${path}.statuses`)
  const fields: FieldRecord[] = []
  for (const [index, field] of (input.fields ?? []).entries())
    fields.push(newField(writer, workspace, field, fields, `${path}.fields[${String(index)}]`))
  const id = writer.id('lists', input.id)
  const place = { workspace_id: workspace.id, space_id: space.id }
  return writer.put(
    'lists',
    { id, ...place, name, folder_id, color, icon, is_private, statuses, fields },
    path,
  )
}

/** Assumption: defaultStatuses */
function statusesOf(
  writer: FixtureWriter,
  inputs: ListInput['statuses'] = defaultStatuses.map((status) => ({ ...status })),
  path: string,
): Status[] {
  const { world, problems } = writer
  const ofOthers = new Set(world.lists.all().flatMap(({ statuses }) => statuses.map(({ id }) => id)))
  const taken = new Set<string>()
  if (!inputs.some(({ type }) => type === 'active'))
    problems.add(path, `must hold an active status, which new tasks take; received ${quote(inputs)}`)
  return inputs.map(({ id: given, name, color = '#6b7280', type }, index) => {
    const id = given ?? world.runtime.nextId('status', (next) => taken.has(next) || ofOthers.has(next))
    if (taken.has(id))
      problems.add(`${path}[${String(index)}].id`, `must be one of a kind in its list; ${quote(id)} is taken`)
    taken.add(id)
    return { id, name, color, type }
  })
}

/** The record, with the fields before it in the list. */
function newField(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  input: FieldInput,
  before: readonly FieldRecord[],
  path: string,
): FieldRecord {
  const { name = `Field ${String(before.length + 1)}`, type = 'text', formula, table_id } = input
  const { problems, world } = writer
  const isTaken = (id: string) => before.some((field) => field.id === id)
  const id = input.id ?? world.runtime.nextId('fld', isTaken)
  if (isTaken(id)) problems.add(`${path}.id`, `must be one of a kind in its list; ${quote(id)} is taken`)
  checkFieldType(writer, { ...input, type }, path)
  const options = optionsOf(writer, input.options, path)
  if (table_id !== undefined) checkTable(writer, workspace, table_id, path)
  return {
    id,
    name,
    type,
    ...(type === 'dropdown' || type === 'tags' ? { options: options ?? [] } : options && { options }),
    ...(type === 'datatable' && { mode: input.mode ?? 'select' }),
    ...(table_id !== undefined && { table_id }),
    ...(formula !== undefined && { formula }),
    readonly: input.readonly ?? type === 'formula',
  }
}

/** Assumption: customFieldTypes */
function checkFieldType(
  { world, problems }: FixtureWriter,
  input: FieldInput & { readonly type: string },
  path: string,
): void {
  const { type, mode, table_id, formula } = input
  const types = world.answers.customFieldTypes
  if (!types.includes(type))
    problems.add(
      `${path}.type`,
      `must be one of ${types.join(', ')} (question customFieldTypes); received ${quote(type)}`,
    )
  if (type === 'datatable' && table_id === undefined)
    problems.add(`${path}.table_id`, 'is required of a datatable link; received nothing')
  if (type !== 'datatable' && (mode !== undefined || table_id !== undefined))
    problems.add(
      `${path}.${mode === undefined ? 'table_id' : 'mode'}`,
      `belongs to datatable links alone; the type is ${type}`,
    )
  if (type === 'formula' && formula === undefined)
    problems.add(`${path}.formula`, 'is required of a formula field; received nothing')
  if (type === 'formula' && input.readonly === false)
    problems.add(`${path}.readonly`, 'must be true of a formula field; received false')
}
