// Rows of datatables: listing, query, single and bulk writes.
import { bulkInsert, measureBulk } from '../rows/bulk.ts'
import { toRow } from '../rows/columns.ts'
import { countBulkRequest } from './rate-limits.ts'
import { measureQuery, runListing, runQuery } from '../rows/query.ts'
import { rowText } from '../rows/row-text.ts'
import { assertUnlocked, insertRow, removeRow, updateRow } from '../rows/rows.ts'
import { deletedResponse, type AdmittedRequest, type Handlers } from './request.ts'

/** Refuses single writes of rows in a locked table. @throws {ApiError} lockedTable */
export function assertWritable({ store, at }: AdmittedRequest<'createRow'>): void {
  assertUnlocked(store, at.tableId, 'row')
}

export const rowHandlers = {
  listRows: ({ store, at, query, otherQuery, reportBreach }) =>
    runListing(store, at.tableId, query, otherQuery, reportBreach),

  queryRows: {
    measure: (_, json) => measureQuery(json),
    run: ({ store, at, body }) => runQuery(store, at.tableId, body),
  },

  createRow: {
    permit: assertWritable,
    run: ({ store, at, body, reportBreach }) =>
      toRow(store, at.tableId, insertRow(store, at.tableId, body.data, reportBreach)),
  },

  bulkInsertRows: {
    permit({ store, workspace, at }) {
      assertUnlocked(store, at.tableId, 'bulk')
      countBulkRequest(store, workspace)
    },
    measure: ({ answers, workspace }, json) => measureBulk(answers, workspace, json),
    run: ({ store, at, body, reportBreach }) => bulkInsert(store, at.tableId, body, reportBreach),
  },

  getRow: ({ store, at }) => rowText(store, at.tableId, at.rowId),

  updateRow: {
    permit: assertWritable,
    run: ({ store, at, body, reportBreach }) =>
      toRow(store, at.tableId, updateRow(store, at.tableId, at.rowId, body.data, reportBreach)),
  },

  deleteRow: {
    permit: assertWritable,
    run({ store, answers, at }) {
      removeRow(store, at.tableId, at.rowId)
      return deletedResponse(answers)
    },
  },
} satisfies Partial<Handlers>
