// Rows of datatables: listing, query, single and bulk writes.
import { assertWithin } from '../../contract/plan-limits.ts'
import { insertRows, countItems } from '../rows/bulk.ts'
import { compileTable, toRow } from '../rows/columns.ts'
import { countBulkRequest } from './rate-limits.ts'
import { runListing } from '../rows/listing.ts'
import { measureQuery, runQuery } from '../rows/query.ts'
import { toRowText } from '../rows/row-text.ts'
import { assertUnlocked, removeRow, writeRow } from '../rows/rows.ts'
import { toDeleteResponse, type AdmittedRequest, type Handlers } from './request.ts'

/** @throws {ApiError} lockedTable */
export function assertWritable({ store, at }: AdmittedRequest<'createRow'>): void {
  assertUnlocked(store, at.table, 'row')
}

export const rowHandlers = {
  listRows: ({ store, at, query, otherQuery, reportBreach }) =>
    runListing(compileTable(store, at.table), query, otherQuery, reportBreach),

  queryRows: {
    measure: ({ json }) => measureQuery(json),
    run: ({ store, at, body, reportBreach }) => runQuery(compileTable(store, at.table), body, reportBreach),
  },

  createRow: {
    permit: assertWritable,
    run({ store, at, body, reportBreach }) {
      const table = compileTable(store, at.table)
      return toRow(table, writeRow(table, body.data, reportBreach))
    },
  },

  bulkInsertRows: {
    permit({ store, workspace, at }) {
      assertUnlocked(store, at.table, 'bulk')
      countBulkRequest(store, workspace)
    },
    /** Source: contract, Limits. */
    measure({ answers, workspace, json }) {
      const current = countItems(json, 'rows')
      const message = (limit: string) =>
        `rows must have at most ${limit} rows in a bulk request; received ${String(current)}`
      assertWithin(answers, workspace, 'rowsPerRequest', current, message)
    },
    run: ({ store, at, body, reportBreach }) => insertRows(compileTable(store, at.table), body, reportBreach),
  },

  getRow: ({ store, at }) => toRowText(store, at.table, at.row),

  updateRow: {
    permit: assertWritable,
    run({ store, at, body, reportBreach }) {
      const table = compileTable(store, at.table)
      return toRow(table, writeRow(table, body.data, reportBreach, at.row))
    },
  },

  deleteRow: {
    permit: assertWritable,
    run({ store, answers, at }) {
      removeRow(compileTable(store, at.table), at.row)
      return toDeleteResponse(answers)
    },
  },
} satisfies Partial<Handlers>
