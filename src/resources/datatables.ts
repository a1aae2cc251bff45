// Datatables and their columns.
import { toShown } from '../contract/schema/field-values.ts'
import {
  columnFields,
  tableFields,
  type ColumnRecord,
  type TableRecord,
  Column,
  isReadOnly,
  type DataTableSummary,
} from '../contract/datatables.ts'
import type { Store } from '../store/store.ts'

/** The column without what the API does not show. */
export function toColumn(column: ColumnRecord): Column {
  return toShown(columnFields, column, { readonly: isReadOnly(column) })
}

export function toTable(store: Store, table: TableRecord): DataTableSummary {
  return toShown(tableFields, table, { row_count: store.rows(table.id).count })
}

/** The datatables of a workspace. Assumption: listOrder */
export function tablesOf(store: Store, workspaceId: string): readonly TableRecord[] {
  return store.tables.ownedBy(workspaceId)
}
