// Owns datatables and their columns as the model keeps them and as clients see them.
import * as z from 'zod/mini'
import { Id } from '../contract/common.ts'
import { Column, readOnlyColumnTypes, type DataTableSummary } from '../contract/datatables.ts'
import type { Store } from '../store/store.ts'

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
export function toColumn(column: ColumnRecord): Column {
  const shown: ColumnRecord = { ...column, readonly: isReadOnly(column) }
  delete shown.table_id
  return shown
}

export function toTable(store: Store, { id, name }: TableRecord): DataTableSummary {
  return { id, name, row_count: store.rows(id).count }
}

/** The datatables of a workspace. Assumption: listOrder */
export function tablesOf(store: Store, workspaceId: string): Promise<TableRecord[]> {
  return store.tables.findMany((table) => table.workspace_id === workspaceId)
}
