// Contract of datatables and their columns.
import * as z from 'zod/mini'
import { Color, neutralColor } from './schema/colors.ts'
import { valueTypes } from './column-types.ts'
import { Bool, FixtureId, Id, OptionalId, OptionalText, Text, Whole } from './schema/common.ts'
import { field, recordOf, shownOf } from './schema/fields.ts'
import { operationsOf } from './operation.ts'
import type * as types from './types.d.ts'

/** The 19 column types. Source: contract, Column. */
export const columnTypes = [
  ...valueTypes,
  'datatable',
  'formula',
  'autonumber',
  'attachment',
  'created_at',
  'updated_at',
] as const

export const ColumnType = z.enum(columnTypes)
export type ColumnType = types.ColumnType

export const optionFields = {
  id: field(Id),
  label: field(Text, { fixture: 'required' }),
  color: field(Text, { fixture: Color, initial: neutralColor, note: 'Hex colour.' }),
}
export const Option = recordOf(optionFields)
export type Option = types.Option

export const columnFields = {
  id: field(Id, { note: 'The key of its values in a row.' }),
  name: field(Text, { fixture: 'required' }),
  type: field(ColumnType, { fixture: 'required' }),
  options: field(z.optional(z.array(Option)), { note: 'Choices of a dropdown or tags column.' }),
  currency_code: field(OptionalText, { note: 'ISO code, on currency columns.', byDefault: 'USD' }),
  format: field(OptionalText, {
    note: 'On autonumber columns: a prefix, then braces with one character per digit, such as INV-{0000}.',
    byDefault: 'the bare number',
  }),
  formula: field(OptionalText, {
    note: 'On formula columns: an expression that refers to other columns by name.',
  }),
  readonly: field(Bool, {
    note: 'Whether values sent for the column are dropped silently.',
    byDefault: 'true for the types that the API never writes',
  }),
  table_id: field(OptionalId, {
    shown: false,
    fixture: z.optional(FixtureId),
    note: 'On datatable columns: the table of the linked rows; without it they are not checked.',
  }),
}
/** A column as stored. It includes the linked table, which the API does not show. */
export const ColumnRecord = recordOf(columnFields)
export type ColumnRecord = types.ColumnRecord

const readOnlyTypes = new Set<string>(['datatable', 'formula', 'autonumber', 'created_at', 'updated_at'])

/** Source: contract, Column (readonly). */
export function isReadOnly({ readonly, type }: ColumnRecord): boolean {
  return readonly || readOnlyTypes.has(type)
}
export const Column = shownOf(columnFields)
export type Column = types.Column

export const tableFields = {
  id: field(Id),
  workspace_id: field(Id, { shown: false, fixture: false }),
  name: field(Text, { fixture: 'required' }),
  locked: field(Bool, { shown: false, initial: false }),
  columns: field(z.array(ColumnRecord), { shown: false, fixture: 'required' }),
  row_count: field(Whole, { kept: false, fixture: false, note: 'Number of rows.' }),
}
export type TableRecord = types.TableRecord
export const DataTableSummary = shownOf(tableFields)
export type DataTableSummary = types.DataTableSummary

export const datatableOperations = operationsOf('Datatables', {
  listDatatables: {
    route: 'GET /datatables',
    summary: 'List the datatables of the workspace',
    success: {
      schema: () => z.object({ datatables: z.array(DataTableSummary) }),
      description: 'The datatables and their row counts.',
    },
    documentedErrors: [401],
  },
  getDatatableSchema: {
    route: 'GET /datatables/{tableId}/schema',
    summary: 'Read the columns of a datatable',
    success: {
      schema: () => z.object({ columns: z.array(Column) }),
      description: 'The columns, in order.',
    },
    documentedErrors: [404],
  },
})
