// Answers for datatables and their schemas.
import type { OperationHandler } from '../core/context.ts'
import { toColumn, toTable, tablesOf } from '../resources/datatables.ts'

export const listDatatables: OperationHandler<'listDatatables'> = async ({ store, workspace }) => {
  const tables = await tablesOf(store, workspace.id)
  return { datatables: tables.map((table) => toTable(store, table)) }
}

export const getDatatableSchema: OperationHandler<'getDatatableSchema'> = ({ at }) => ({
  columns: at.tableId.columns.map(toColumn),
})
