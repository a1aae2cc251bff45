// Owns the contract of datatables and their columns.
import * as z from 'zod/mini'
import { Id } from './common.ts'
import { defineOperation } from './operation.ts'

export const DataTableSummary = z.object({ id: Id, name: z.string(), row_count: z.int() })
export type DataTableSummary = z.infer<typeof DataTableSummary>

/** The 19 column types. Source: contract, Column. */
export const columnTypes = [
  'text',
  'longtext',
  'email',
  'phone',
  'link',
  'number',
  'currency',
  'slider',
  'checkbox',
  'date',
  'dropdown',
  'tags',
  'people',
  'datatable',
  'formula',
  'autonumber',
  'attachment',
  'created_at',
  'updated_at',
] as const
export const ColumnType = z.enum(columnTypes)
export type ColumnType = z.infer<typeof ColumnType>

/** Column types the API never writes. Source: contract, Column (readonly). */
export const readOnlyColumnTypes = ['datatable', 'formula', 'autonumber', 'created_at', 'updated_at'] as const

export const Option = z.object({ id: Id, label: z.string(), color: z.string() })
export type Option = z.infer<typeof Option>

export const Column = z.object({
  id: Id,
  name: z.string(),
  type: ColumnType,
  options: z.optional(z.array(Option)),
  currency_code: z.optional(z.string()),
  format: z.optional(z.string()),
  formula: z.optional(z.string()),
  readonly: z.boolean(),
})
export type Column = z.infer<typeof Column>

/** A column, and for cross-table relations the table it points to, which the API does not show. */
export const ColumnRecord = z.object({ ...Column.shape, table_id: z.optional(Id) })
export type ColumnRecord = z.infer<typeof ColumnRecord>

export const TableRecord = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string(),
  locked: z.boolean(),
  columns: z.array(ColumnRecord),
})
export type TableRecord = z.infer<typeof TableRecord>

export const listDatatables = defineOperation({
  id: 'listDatatables',
  method: 'GET',
  path: '/datatables',
  tag: 'Datatables',
  summary: 'List the datatables of the workspace',
  success: {
    status: 200,
    schema: z.object({ datatables: z.array(DataTableSummary) }),
    description: 'Every datatable with its number of rows.',
  },
  documentedErrors: [401],
})

export const getDatatableSchema = defineOperation({
  id: 'getDatatableSchema',
  method: 'GET',
  path: '/datatables/{tableId}/schema',
  tag: 'Datatables',
  summary: 'Read the columns of a datatable',
  success: {
    status: 200,
    schema: z.object({ columns: z.array(Column) }),
    description: 'The columns in their order.',
  },
  documentedErrors: [404],
})
