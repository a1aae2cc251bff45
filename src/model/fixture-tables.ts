// Owns the writing of a fixture's datatables and their columns.
import { quote } from '../contract/quote.ts'
import { isReadOnly, type ColumnRecord, type TableRecord } from './datatables.ts'
import { writeRows } from './fixture-rows.ts'
import type { ColumnInput, TableInput } from './fixture-schema.ts'
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
  const { name, columns: inputs, locked = false } = input
  if (!writer.has(name, path, 'name', input.id) || !writer.has(inputs, path, 'columns', input.id))
    return undefined
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
  const { name, type, options, currency_code, format, formula, table_id } = input
  const isTaken = (id: string) => before.some((column) => column.id === id)
  const id = input.id ?? writer.world.runtime.nextId('col', isTaken)
  if (isTaken(id))
    writer.problems.add(`${path}.id`, `must be one of a kind in its table; ${quote(id)} is taken`)
  checkOptions(writer, options ?? [], path)
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

/** Adds problems for options of which two have one id. */
export function checkOptions(
  writer: FixtureWriter,
  options: readonly { readonly id: string }[],
  path: string,
): void {
  const taken = new Set<string>()
  for (const [index, { id }] of options.entries()) {
    if (taken.has(id))
      writer.problems.add(
        `${path}.options[${String(index)}].id`,
        `must be one of a kind; ${quote(id)} is taken`,
      )
    taken.add(id)
  }
}
