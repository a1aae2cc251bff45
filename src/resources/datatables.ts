// Owns datatables and their columns as the model keeps them and as clients see them.
import * as z from 'zod/mini'
import { Id } from '../contract/common.ts'
import { Column, readOnlyColumnTypes, type DataTableSummary } from '../contract/datatables.ts'
import type { World } from '../store/store.ts'

/** A column, and for cross-table relations the table it points to, which the API does not show. */
export const ColumnRecord = z.object({ ...Column.shape, table_id: z.optional(Id) })
export type ColumnRecord = z.infer<typeof ColumnRecord>

export const TableRecord = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string(),
  locked: z.boolean(),
  columns: z.array(ColumnRecord),
})
export type TableRecord = z.infer<typeof TableRecord>

const readOnlyTypes: ReadonlySet<string> = new Set(readOnlyColumnTypes)

/** Source: contract, Column (readonly). */
export function isReadOnly({ readonly, type }: ColumnRecord): boolean {
  return readonly || readOnlyTypes.has(type)
}

/** The column without what the API does not show. */
export function presentColumn(column: ColumnRecord): Column {
  const shown: ColumnRecord = { ...column, readonly: isReadOnly(column) }
  delete shown.table_id
  return shown
}

export function presentTable(world: World, { id, name }: TableRecord): DataTableSummary {
  return { id, name, row_count: world.rows(id).count }
}

/** The datatables of a workspace. Assumption: listOrder */
export function tablesOf(world: World, workspaceId: string): Promise<TableRecord[]> {
  return world.tables.findMany((table) => table.workspace_id === workspaceId)
}
