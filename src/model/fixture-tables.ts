// Owns the writing of a fixture's datatables and their columns.
import type { Option } from '../contract/datatables.ts'
import { quote } from '../contract/quote.ts'
import { isReadOnly, type ColumnRecord, type TableRecord } from './datatables.ts'
import { writeRows } from './fixture-rows.ts'
import type { ColumnInput, OptionInput, TableInput } from './seed-schema.ts'
import type { FixtureWriter } from './fixture-writer.ts'
import type { WorkspaceRecord } from './workspaces.ts'

export function writeTables(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  inputs: readonly TableInput[],
  path: string,
): void {
  for (const [index, input] of inputs.entries()) {
    const at = `${path}[${String(index)}]`
    const table = writer.existing('tables', input, at, ['rows']) ?? newTable(writer, workspace, input, at)
    if (!table) continue
    assertOwn(writer, workspace, table, `table ${quote(table.id)}`, at)
    writeRows(writer, workspace, table, input.rows ?? [], `${at}.rows`)
  }
}

/** Adds a problem where what is named by its id belongs to another workspace. */
export function assertOwn(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  record: { readonly workspace_id: string },
  what: string,
  path: string,
): void {
  if (record.workspace_id === workspace.id) return
  writer.problems.add(
    `${path}.id`,
    `must be of workspace ${workspace.id}; ${what} is of ${record.workspace_id}`,
  )
}

function newTable(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  input: TableInput,
  path: string,
): TableRecord | undefined {
  const { locked = false } = input
  const name = writer.named('tables', input.name, path, 'name', input.id)
  if (name === undefined) return undefined
  const inputs = input.columns ?? [{ name: 'Name' }]
  const columns: ColumnRecord[] = []
  for (const [index, column] of inputs.entries())
    columns.push(newColumn(writer, workspace, column, columns, `${path}.columns[${String(index)}]`))
  const id = writer.id('tables', input.id)
  return writer.put('tables', { id, workspace_id: workspace.id, name, locked, columns }, path)
}

/** The record, with the columns before it in the table. */
function newColumn(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  input: ColumnInput,
  before: readonly ColumnRecord[],
  path: string,
): ColumnRecord {
  const { name = `Column ${String(before.length + 1)}`, type = 'text' } = input
  const { currency_code, format, formula, table_id } = input
  const isTaken = (id: string) => before.some((column) => column.id === id)
  const id = input.id ?? writer.world.runtime.nextId('col', isTaken)
  if (isTaken(id))
    writer.problems.add(`${path}.id`, `must be one of a kind in its table; ${quote(id)} is taken`)
  const options = optionsOf(writer, input.options, path)
  if (type === 'formula' && formula === undefined)
    writer.problems.add(`${path}.formula`, 'is required of a formula column; received nothing')
  const isComputed = isReadOnly({ id, name, type, readonly: false })
  if (isComputed && input.readonly === false)
    writer.problems.add(
      `${path}.readonly`,
      `must be true: the API never writes columns of type ${type}; received false`,
    )
  if (table_id !== undefined) writer.later(() => checkTable(writer, workspace, table_id, path))
  return {
    id,
    name,
    type,
    ...(type === 'dropdown' || type === 'tags' ? { options: options ?? [] } : options && { options }),
    ...(type === 'currency' ? { currency_code: currency_code ?? 'USD' } : currency_code && { currency_code }),
    ...(type === 'autonumber' ? { format: format ?? '{0}' } : format && { format }),
    ...(formula !== undefined && { formula }),
    readonly: input.readonly ?? isComputed,
    ...(table_id !== undefined && { table_id }),
  }
}

/** Adds a problem unless the table is one of the workspace. */
export function checkTable(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  tableId: string,
  path: string,
): void {
  const tables = writer.world.tables.all().filter(({ workspace_id }) => workspace_id === workspace.id)
  writer.mustBeOneOf(
    tableId,
    tables.map(({ id }) => id),
    `${path}.table_id`,
  )
}

/** The options of a column or field, with ids and colours where none are given. Adds problems where two have one id. */
export function optionsOf(
  writer: FixtureWriter,
  inputs: readonly OptionInput[] | undefined,
  path: string,
): Option[] | undefined {
  const taken = new Set<string>()
  return inputs?.map(({ id: given, label, color = '#6b7280' }, index) => {
    const id = given ?? writer.world.runtime.nextId('opt', (next) => taken.has(next))
    if (taken.has(id))
      writer.problems.add(
        `${path}.options[${String(index)}].id`,
        `must be one of a kind; ${quote(id)} is taken`,
      )
    taken.add(id)
    return { id, label, color }
  })
}
