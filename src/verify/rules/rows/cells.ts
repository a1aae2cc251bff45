// What the values of a column look like, and which columns and values of a table suit a check.
import type { Column } from '../../../contract/datatables.ts'
import { RowAttachment } from '../../../contract/row-attachments.ts'
import type { SeenRow, SeenTable, WholeTable } from '../../engine/discovery.ts'
import { needed } from '../../engine/expect.ts'

const textTypes: readonly Column['type'][] = ['text', 'longtext', 'email', 'phone', 'link']
const numberTypes: readonly Column['type'][] = ['number', 'currency', 'slider']
const reserved: readonly string[] = ['page', 'limit', 'pageSize', 'sort', 'select']

/** Assumption: emptyValues */
export const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Whether a column can be named in sort, select and filters without being taken for something else. */
export const isPlain = ({ name }: Column, { columns }: SeenTable) =>
  !/[,:]/.test(name) &&
  name.trim() === name &&
  !reserved.includes(name) &&
  columns.filter((other) => other.name === name).length === 1

export const isTextual = ({ type }: Column) => textTypes.includes(type)
export const isNumeric = ({ type }: Column) => numberTypes.includes(type) || type === 'date'

export const valuesOf = ({ rows }: WholeTable, { id }: Column) => rows.map(({ cells }) => cells[id])

const filledValues = (table: WholeTable, column: Column) =>
  valuesOf(table, column).filter((value) => !isEmpty(value))

/** The different values of a column, save empty ones. */
export const distinctValues = (table: WholeTable, column: Column) => [...new Set(filledValues(table, column))]

export const hasRepeats = (table: WholeTable, column: Column) =>
  distinctValues(table, column).length < filledValues(table, column).length

function columnOf(table: WholeTable, types: readonly Column['type'][], what: string, values: number): Column {
  const found = table.columns.find(
    (column) =>
      types.includes(column.type) && isPlain(column, table) && distinctValues(table, column).length >= values,
  )
  return needed(
    found,
    `table ${table.table.name} has no ${what} column with ${String(values)} different values`,
  )
}

/** @throws {Unreachable} as the following do, where there is none */
export const textColumn = (table: WholeTable, values = 2) => columnOf(table, textTypes, 'text', values)
export const numberColumn = (table: WholeTable, values = 2) => columnOf(table, numberTypes, 'number', values)
export const checkboxColumn = (table: WholeTable) => columnOf(table, ['checkbox'], 'checkbox', 1)
export const dropdownColumn = (table: WholeTable) => columnOf(table, ['dropdown'], 'dropdown', 1)

/** A value of a column that some rows have and others do not. */
export function someValue(table: WholeTable, column: Column): unknown {
  const values = filledValues(table, column)
  return values[Math.floor(values.length / 2)]
}

type Test = (value: unknown) => boolean

export const isText: Test = (value) => typeof value === 'string'
export const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
const isNumber: Test = (value) => Number.isFinite(value)

/** Values of columns and custom fields of these types. Assumption: typeChecks */
const typeTests: Readonly<Record<string, Test>> = {
  ...{ text: isText, longtext: isText, email: isText, phone: isText, link: isText, autonumber: isText },
  ...{ number: isNumber, currency: isNumber, slider: isNumber },
  checkbox: (value) => typeof value === 'boolean',
  date: Number.isSafeInteger,
  people: areTexts,
}

interface ValueSpec {
  readonly type: string
  readonly options?: readonly object[] | undefined
}

/** Whether a value that is not empty is of the type of its column or custom field, as far as the type says what it is. */
export function fitsType({ type, options = [] }: ValueSpec, value: unknown): boolean {
  const isOption: Test = (id) => options.some((option) => 'id' in option && option.id === id)
  if (type === 'dropdown') return isOption(value)
  if (type === 'tags') return Array.isArray(value) && value.every(isOption)
  return typeTests[type]?.(value) ?? true
}

/** `ORD-{0000}` takes ORD- and four characters or more. */
export function fitsFormat(format: string, value: unknown): boolean {
  const match = /^(.*?)\{([^}]*)\}(.*)$/.exec(format)
  if (!match || typeof value !== 'string') return typeof value === 'string'
  const [, prefix = '', digits = '', suffix = ''] = match
  return (
    value.startsWith(prefix) &&
    value.endsWith(suffix) &&
    value.length >= prefix.length + digits.length + suffix.length
  )
}

function isRowFile(value: unknown, tableId: string, row: SeenRow, column: Column): boolean {
  const file = RowAttachment.safeParse(value)
  return file.success && file.data.key === `dt/${tableId}/row/${row.id}/${column.id}/${file.data.filename}`
}

/** Whether a number can be a moment of a service in Unix seconds: from 2001 to the year 5138. */
export const isSeconds = (value: unknown) => Number(value) >= 1e9 && Number(value) < 1e11

/** Whether a value that is not empty is of the type of its column. Source: contract, Column; Row attachments. */
export function fitsColumn(tableId: string, row: SeenRow, column: Column): boolean {
  const value = row.cells[column.id]
  switch (column.type) {
    case 'created_at':
    case 'updated_at':
      return Number.isInteger(value) && isSeconds(value)
    case 'datatable':
      return areTexts(value)
    case 'attachment':
      return Array.isArray(value) && value.every((item) => isRowFile(item, tableId, row, column))
    case 'autonumber':
      return fitsFormat(column.format ?? '', value)
    case 'formula':
      return typeof value !== 'object'
    default:
      return fitsType(column, value)
  }
}
