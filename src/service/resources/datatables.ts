// Datatables and their columns.
import { toShown } from '../../contract/schema/field-values.ts'
import { columnFields, isReadOnly, tableFields } from '../../contract/datatables.ts'
import type { Column, ColumnRecord } from '../../contract/datatables.ts'
import type { Handlers } from './request.ts'

export function toColumn(column: ColumnRecord): Column {
  return toShown(columnFields, column, { readonly: isReadOnly(column) })
}

export const datatableHandlers = {
  /** Assumption: listOrder */
  listDatatables: ({ store, workspace }) => ({
    datatables: store.tables
      .ownedBy(workspace.id)
      .map((table) => toShown(tableFields, table, { row_count: store.rows(table.id).count })),
  }),

  getDatatableSchema: ({ at }) => ({ columns: at.table.columns.map(toColumn) }),
} satisfies Partial<Handlers>
