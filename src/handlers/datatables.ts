// Answers for datatables and their schemas.
import type { OperationHandler } from '../core/context.ts'
import { presentColumn, presentTable, tablesOf } from '../resources/datatables.ts'

export const listDatatables: OperationHandler<'listDatatables'> = async ({ world, workspace }) => {
  const tables = await tablesOf(world, workspace.id)
  return { datatables: tables.map((table) => presentTable(world, table)) }
}

export const getDatatableSchema: OperationHandler<'getDatatableSchema'> = ({ at }) => ({
  columns: at.tableId.columns.map(presentColumn),
})
