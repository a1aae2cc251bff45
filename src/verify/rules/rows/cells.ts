// What the values of a column look like, and which columns and values of a table suit a check.
import type { Column } from '../../../contract/datatables.ts'
import { isEmpty } from '../../../contract/data/objects.ts'
import { RowAttachment } from '../../../contract/row-attachments.ts'
import { isNumberType, isTextType, numberTypes, textTypes } from '../../../contract/column-types.ts'
import { operations } from '../../../contract/index.ts'
import type { SeenRow, SeenTable, WholeTable } from '../../engine/discovery.ts'
import { found } from '../../engine/expect.ts'
import type { Context } from '../../engine/rule.ts'
import type { Cells } from '../../engine/shapes.ts'
import { idsOf } from '../../../contract/data/maps.ts'

const { query: rowQuery } = operations.listRows
const reserved: readonly string[] = [...Object.keys(rowQuery), rowQuery.limit.alias]

/** Whether a column can be named in sort, select and filters without being taken for something else. */
export const isPlain = ({ name }: Column, { columns }: SeenTable) =>
  !/[,:]/.test(name) &&
  name.trim() === name &&
  !reserved.includes(name) &&
  columns.filter((other) => other.name === name).length === 1

export const isTextual = ({ type }: Column) => isTextType(type)
export const isNumeric = ({ type }: Column) => isNumberType(type) || type === 'date'

export const valuesOf = ({ rows }: WholeTable, { id }: Column) => rows.map(({ cells }) => cells[id])

const filledValues = (table: WholeTable, column: Column) =>
  valuesOf(table, column).filter((value) => !isEmpty(value))

/** The different values of a column, without empty ones. */
export const distinctValues = (table: WholeTable, column: Column) => [...new Set(filledValues(table, column))]

export const hasRepeats = (table: WholeTable, column: Column) =>
  distinctValues(table, column).length < filledValues(table, column).length

/** A column with repeated values, and a number column to sort within them. @throws {Unreachable} */
export function sortKeys(table: WholeTable, ...types: readonly Column['type'][]): readonly [Column, Column] {
  const second = numberColumn(table)
  const isMeant = (one: Column) => one !== second && types.includes(one.type) && hasRepeats(table, one)
  const why = `table ${table.table.name} has no column with repeated values besides ${second.name}`
  return [found(table.columns, isMeant, why), second]
}

function columnOf(table: WholeTable, types: readonly Column['type'][], what: string, values: number): Column {
  const isMeant = (one: Column) =>
    types.includes(one.type) && isPlain(one, table) && distinctValues(table, one).length >= values
  const why = `table ${table.table.name} has no ${what} column with ${String(values)} different values`
  return found(table.columns, isMeant, why)
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

export const isText = (value: unknown): value is string => typeof value === 'string'
export const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
const isNumber: Test = (value) => Number.isFinite(value)

interface Values {
  /** Whether a value that is not empty is of the type. Assumption: typeChecks */
  readonly fits?: Test
  readonly sample?: unknown
  /** A value that is easily lost: falsy, negative, a fraction, several lines. */
  readonly hard?: unknown
  /** A value of another type. */
  readonly wrong?: unknown
}

/** Values of columns and custom fields by their type; what options and members say is in {@link writtenValue}. */
export const valuesOfTypes: Readonly<Partial<Record<Column['type'], Values>>> = {
  text: { fits: isText },
  longtext: { fits: isText, sample: 'verify', hard: 'first line\n\tsecond line' },
  email: { fits: isText, sample: 'verify@example.com' },
  phone: { fits: isText, sample: 'verify' },
  link: { fits: isText, sample: 'https://example.com/verify' },
  number: { fits: isNumber, sample: 7, hard: -0.25, wrong: 'seven' },
  currency: { fits: isNumber, sample: 7, hard: 0, wrong: '7.50 EUR' },
  slider: { fits: isNumber, sample: 7 },
  checkbox: { fits: (value) => typeof value === 'boolean', sample: true, hard: false, wrong: 'yes' },
  date: { fits: Number.isSafeInteger, sample: 1_767_225_600, wrong: '2026-01-01' },
  dropdown: { wrong: 'verify_no_such_option' },
  tags: { wrong: 'verify_no_such_option' },
  people: { fits: areTexts, wrong: ['verify_no_such_member'] },
}

/** The ids that a dropdown, tags or people column takes. */
export const valueIdsOf = async ({ seen }: Context, { type, options = [] }: Column) =>
  idsOf(type === 'people' ? (await seen.identity()).members : options)

/** A value that a column takes: several options or members where it is hard. Undefined for what the API does not write. */
export async function writtenValue(
  context: Context,
  column: Column,
  what: 'sample' | 'hard',
): Promise<unknown> {
  const { type, readonly } = column
  if (readonly) return undefined
  if (type === 'dropdown') return what === 'sample' ? (await valueIdsOf(context, column))[0] : undefined
  if (type !== 'tags' && type !== 'people') return valuesOfTypes[type]?.[what]
  const count = what === 'sample' ? 1 : 2
  const ids = (await valueIdsOf(context, column)).slice(0, count)
  return ids.length === count ? ids : undefined
}

/** Values for the columns that are written, except the marking text. */
export async function writtenCells(context: Context, what: 'sample' | 'hard'): Promise<Cells> {
  const { columns, text } = await context.own.table()
  const cells: Record<string, unknown> = {}
  for (const column of columns) {
    const value = column.id === text.id ? undefined : await writtenValue(context, column, what)
    if (value !== undefined) cells[column.id] = value
  }
  return cells
}

/** What a column and a custom field have in common. */
export interface ValueSpec {
  readonly name: string
  readonly type: string
  readonly options?: readonly object[] | undefined
}

/** Whether a value that is not empty is of the type of its column or custom field, as far as the type says what it is. */
export function fitsType({ type, options = [] }: ValueSpec, value: unknown): boolean {
  const isOption: Test = (id) => options.some((option) => 'id' in option && option.id === id)
  if (type === 'dropdown') return isOption(value)
  if (type === 'tags') return Array.isArray(value) && value.every(isOption)
  return valuesOfTypes[type as Column['type']]?.fits?.(value) ?? true
}

/** `ORD-{0000}` takes ORD- and four characters or more. */
export function fitsFormat(format: string, value: unknown): boolean {
  const [prefix = '', digits = '', suffix = ''] = /\{.*\}/.test(format) ? format.split(/[{}]/) : []
  return (
    isText(value) &&
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
