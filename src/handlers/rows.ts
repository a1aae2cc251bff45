// Answers for rows: listing, query, single and bulk writes.
import type { OperationHandler } from '../core/context.ts'
import { deletedAnswer } from '../core/mutation.ts'
import { bulkInsert, measureBulk } from '../rows/bulk.ts'
import { presentRow } from '../rows/columns.ts'
import { countBulkRequest } from '../resources/rate-limits.ts'
import { runListing, runQuery } from '../rows/query.ts'
import * as rows from '../rows/rows.ts'

export const listRows: OperationHandler<'listRows'> = ({ world, at, query, otherQuery, observe }) =>
  runListing(world, at.tableId, query, otherQuery, observe)

export const queryRows: OperationHandler<'queryRows'> = ({ world, at, body }) =>
  runQuery(world, at.tableId, body)

export const createRow: OperationHandler<'createRow'> = {
  permit({ world, at }) {
    rows.assertUnlocked(world, at.tableId, 'row')
  },
  run({ world, at, body, observe }) {
    return presentRow(world, at.tableId, rows.insertRow(world, at.tableId, body.data, observe))
  },
}

export const bulkInsertRows: OperationHandler<'bulkInsertRows'> = {
  permit({ world, workspace, at }) {
    rows.assertUnlocked(world, at.tableId, 'bulk')
    countBulkRequest(world, workspace)
  },
  measure({ answers, workspace }, json) {
    measureBulk(answers, workspace, json)
  },
  run({ world, workspace, at, body, observe }) {
    return bulkInsert(world, workspace, at.tableId, body, observe)
  },
}

export const getRow: OperationHandler<'getRow'> = ({ world, at }) => presentRow(world, at.tableId, at.rowId)

export const updateRow: OperationHandler<'updateRow'> = {
  permit({ world, at }) {
    rows.assertUnlocked(world, at.tableId, 'row')
  },
  run({ world, at, body, observe }) {
    return presentRow(world, at.tableId, rows.updateRow(world, at.tableId, at.rowId, body.data, observe))
  },
}

export const deleteRow: OperationHandler<'deleteRow'> = {
  permit({ world, at }) {
    rows.assertUnlocked(world, at.tableId, 'row')
  },
  run({ world, answers, at }) {
    rows.removeRow(world, at.tableId, at.rowId)
    return deletedAnswer(answers)
  },
}
