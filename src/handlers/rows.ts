// Handlers for rows: listing, query, single and bulk writes.
import type { OperationHandler } from '../core/context.ts'
import { deletedResponse } from '../core/mutation.ts'
import { bulkInsert, measureBulk } from '../rows/bulk.ts'
import { toRow } from '../rows/columns.ts'
import { countBulkRequest } from '../resources/rate-limits.ts'
import { measureQuery, runListing, runQuery } from '../rows/query.ts'
import { rowText } from '../rows/row-text.ts'
import * as rows from '../rows/rows.ts'

export const listRows: OperationHandler<'listRows'> = ({ store, at, query, otherQuery, reportBreach }) =>
  runListing(store, at.tableId, query, otherQuery, reportBreach)

export const queryRows: OperationHandler<'queryRows'> = {
  measure(_, json) {
    measureQuery(json)
  },
  run({ store, at, body }) {
    return runQuery(store, at.tableId, body)
  },
}

export const createRow: OperationHandler<'createRow'> = {
  permit({ store, at }) {
    rows.assertUnlocked(store, at.tableId, 'row')
  },
  run({ store, at, body, reportBreach }) {
    return toRow(store, at.tableId, rows.insertRow(store, at.tableId, body.data, reportBreach))
  },
}

export const bulkInsertRows: OperationHandler<'bulkInsertRows'> = {
  permit({ store, workspace, at }) {
    rows.assertUnlocked(store, at.tableId, 'bulk')
    countBulkRequest(store, workspace)
  },
  measure({ answers, workspace }, json) {
    measureBulk(answers, workspace, json)
  },
  run({ store, at, body, reportBreach }) {
    return bulkInsert(store, at.tableId, body, reportBreach)
  },
}

export const getRow: OperationHandler<'getRow'> = ({ store, at }) => rowText(store, at.tableId, at.rowId)

export const updateRow: OperationHandler<'updateRow'> = {
  permit({ store, at }) {
    rows.assertUnlocked(store, at.tableId, 'row')
  },
  run({ store, at, body, reportBreach }) {
    return toRow(store, at.tableId, rows.updateRow(store, at.tableId, at.rowId, body.data, reportBreach))
  },
}

export const deleteRow: OperationHandler<'deleteRow'> = {
  permit({ store, at }) {
    rows.assertUnlocked(store, at.tableId, 'row')
  },
  run({ store, answers, at }) {
    rows.removeRow(store, at.tableId, at.rowId)
    return deletedResponse(answers)
  },
}
