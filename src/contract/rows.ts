// Contract of datatable rows: listing, query, single and bulk writes.
import { assumedLimits, bulkRowsPerRequest, mostPerPage, perPage, textOperators } from './limits.ts'
import * as z from 'zod/mini'
import { Id, OptionalText, Text, deleteResponse, objectOf } from './schema/common.ts'
import { JsonObject } from './schema/maps.ts'
import { operationsOf, type QueryParameters, type Schema } from './operation.ts'
import type { Answers } from './questions/register.ts'
import type * as types from './types.d.ts'

const RowData = objectOf(() => ({ id: Id, version: z.int(), data: JsonObject }))
const FlatRow = z.catchall(z.object({ id: Id, version: z.int() }), z.unknown())

/** A row in its default shape: values under `data`. Assumption: rowShape */
type NestedRow = types.Row
/** A row under the answer `flat` to `rowShape`: values next to `id`. */
export type FlatRow = types.FlatRow
/** A row in responses. Assumption: rowShape */
export type Row = NestedRow | FlatRow
export const Row = (answers: Answers): Schema<Row> => (answers.rowShape === 'flat' ? FlatRow : RowData)
/** A row in a listing or a query result. Assumption: rowShape */
export const ListedRow = (answers: Answers): Schema<Row> => (answers.rowShape === 'data' ? RowData : FlatRow)

export const RowPage = (answers: Answers) =>
  z.object({ rows: z.array(ListedRow(answers)), total: z.int(), page: z.int(), pageSize: z.int() })
export interface RowPage {
  rows: Row[]
  total: number
  page: number
  pageSize: number
}

/** Rows per page: 50 by default, at most 500. Source: contract, Limits. */
export const rowPaging = {
  page: { kind: 'integer', description: 'Page number, from 1.', minimum: 1, default: 1 },
  limit: {
    kind: 'integer',
    description: `Rows per page, at most ${String(mostPerPage.rows)}.`,
    minimum: 1,
    maximum: mostPerPage.rows,
    default: perPage,
    alias: 'pageSize',
  },
} as const satisfies QueryParameters

/** The 17 operators of the structured query. Source: contract, Datatables. */
export const operators = [
  'eq',
  'neq',
  ...textOperators,
  'in',
  'not_in',
  'is_empty',
  'is_not_empty',
  'is_true',
  'is_false',
] as const
export const Operator = z.enum(operators)
export type Operator = types.RowOperator

export const Filter = objectOf(() => ({
  column: Text,
  operator: Operator,
  value: z.optional(z.unknown()),
}))
export type Filter = types.RowFilter
export const Sort = objectOf(() => ({ column: Text, direction: OptionalText }))

const { entries: mostEntries } = assumedLimits.queryBody

/** Assumption: queryBody */
export const RowQuery = objectOf(() => ({
  filters: z.optional(z.array(Filter).check(z.maxLength(mostEntries))),
  match: z.optional(z.enum(['all', 'any'])),
  sort: z.optional(z.array(Sort).check(z.maxLength(mostEntries))),
  select: z.optional(z.array(z.string()).check(z.maxLength(mostEntries))),
  page: z.optional(z.unknown()),
  limit: z.optional(z.unknown()),
}))
export type RowQuery = types.RowQuery

export const RowWrite = objectOf(() => ({ data: JsonObject }))

/** More than 250 rows get 413, but not from this schema. Source: contract, Limits. */
export const BulkRows = objectOf(() => ({
  rows: z.array(z.unknown()),
  mode: z.optional(z.enum(['insert', 'upsert'])),
  key_column: OptionalText,
}))
export type BulkRows = types.BulkRows

const IndexedRowErrors = z.array(objectOf(() => ({ index: z.int(), error: z.string() })))
const NumberedRowErrors = z.array(objectOf(() => ({ row: z.int(), message: z.string() })))
/** The rows of a bulk request that failed. Assumption: bulkErrors */
export type RowErrors = types.RowErrors
export const RowErrors = (answers: Answers): Schema<RowErrors> =>
  answers.bulkErrors === 'numbered' ? NumberedRowErrors : IndexedRowErrors

export const BulkInsertResult = (answers: Answers) =>
  z.strictObject({
    success: z.literal(true),
    count: z.int(),
    total: z.int(),
    errors: z.optional(RowErrors(answers)),
  })
export const UpsertResult = (answers: Answers) =>
  z.strictObject({
    success: z.literal(true),
    inserted: z.int(),
    updated: z.int(),
    total: z.int(),
    errorCount: z.int(),
    errors: z.optional(RowErrors(answers)),
  })

/** How rows are written: one at a time, in a bulk request, or by a job. */
export type WriteKind = 'row' | 'bulk' | 'job'
/** What a locked table refuses. Assumption: lockedTable */
export const refusedByLock: Readonly<
  Record<Answers['lockedTable'], { readonly writes: readonly WriteKind[]; readonly says: string }>
> = {
  bulk: { writes: ['bulk', 'job'], says: 'bulk requests and jobs' },
  jobs: { writes: ['job'], says: 'jobs' },
  writes: { writes: ['row', 'bulk', 'job'], says: 'all writes of rows' },
}

const rowPages = { items: 'rows', by: 'page' } as const
const rowSuccess = { schema: Row, description: 'The row with all its columns.' } as const

export const rowOperations = operationsOf('Datatables', {
  listRows: {
    route: 'GET /datatables/{tableId}/rows',
    summary: 'List rows, page by page',
    description:
      'Any other query parameter named after a column keeps only rows with that value in the column.',
    query: {
      ...rowPaging,
      sort: {
        kind: 'string',
        description:
          'Comma-separated `Column:direction` pairs, by column name; direction asc (default) or desc.',
      },
      select: { kind: 'string', description: 'Comma-separated names of the columns to return.' },
    },
    columnFilters: true,
    paging: rowPages,
    success: { schema: RowPage, description: 'One page of rows.' },
    documentedErrors: [404],
  },
  queryRows: {
    route: 'POST /datatables/{tableId}/query',
    summary: 'Query rows with operators',
    body: { json: RowQuery },
    paging: rowPages,
    success: { schema: RowPage, description: 'One page of the matching rows.' },
  },
  createRow: {
    route: 'POST /datatables/{tableId}/rows',
    summary: 'Create a row',
    body: { json: RowWrite },
    success: rowSuccess,
    documentedErrors: [400, 404],
    errors: ['lockedTable'],
  },
  bulkInsertRows: {
    route: 'POST /datatables/{tableId}/rows/bulk',
    summary: `Insert or upsert up to ${String(bulkRowsPerRequest)} rows at once`,
    body: { json: BulkRows },
    partialOutcome: 'rows',
    success: {
      schema: (answers: Answers) => z.union([BulkInsertResult(answers), UpsertResult(answers)]),
      description: 'Counts, and the rows that failed.',
    },
    documentedErrors: [403, 413, 429],
    errors: ['lockedTable', 'bulkRate', 'rowsPerRequest'],
  },
  getRow: {
    route: 'GET /datatables/{tableId}/rows/{rowId}',
    summary: 'Read a row',
    success: rowSuccess,
    documentedErrors: [404],
  },
  updateRow: {
    route: 'PATCH /datatables/{tableId}/rows/{rowId}',
    summary: 'Change some columns of a row',
    body: { json: RowWrite },
    success: rowSuccess,
    documentedErrors: [404],
    errors: ['lockedTable'],
  },
  deleteRow: {
    route: 'DELETE /datatables/{tableId}/rows/{rowId}',
    summary: 'Delete a row for good',
    success: { schema: deleteResponse, description: 'The row was deleted.' },
    documentedErrors: [404],
    errors: ['lockedTable'],
  },
})
