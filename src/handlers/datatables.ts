// Handlers for datatables and their schemas.
import type { OperationHandler } from '../core/context.ts'
import { toColumn, toTable, tablesOf } from '../resources/datatables.ts'

export const listDatatables: OperationHandler<'listDatatables'> = ({ store, workspace }) => ({
  datatables: tablesOf(store, workspace.id).map((table) => toTable(store, table)),
})

export const getDatatableSchema: OperationHandler<'getDatatableSchema'> = ({ at }) => ({
  columns: at.tableId.columns.map(toColumn),
})
