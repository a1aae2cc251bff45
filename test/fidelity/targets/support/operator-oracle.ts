// A naive reading of the structured query's operators: slow, simple, and independent of the model. Source: contract,
// Datatables. Assumption: filterValues, queryText, emptyValues, queryBody
import type { ColumnType } from '../../../../src/contract/datatables.ts'
import type { Operator } from '../../../../src/contract/rows.ts'

export interface OracleColumn {
  readonly type: ColumnType
  /** Labels of options or names of members, by id. */
  readonly names: ReadonlyMap<unknown, string>
  /** The prefixes of autonumbers, before their digits. */
  readonly prefix: string
}

/** Marks an operand that is refused with 400. */
export const refused = 'refused'

const numberTypes: readonly string[] = ['number', 'currency', 'slider', 'date', 'created_at', 'updated_at']

const isEmpty = (value: unknown) =>
  value == null || value === '' || (Array.isArray(value) && value.length === 0)

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

function numberIn(operand: unknown): number {
  if (typeof operand === 'number') return operand
  return typeof operand === 'string' && operand.trim() !== '' ? Number(operand) : NaN
}

/** The number in an autonumber; NaN if a text is not one. */
const serialIn = ({ prefix }: OracleColumn, text: unknown) =>
  typeof text === 'string' && text.startsWith(prefix) && /^\d+$/.test(text.slice(prefix.length))
    ? Number(text.slice(prefix.length))
    : NaN

function booleanIn(operand: unknown): boolean | undefined {
  if (String(operand) === 'true') return true
  return String(operand) === 'false' ? false : undefined
}

function fits({ type }: OracleColumn, operand: unknown): boolean {
  if (numberTypes.includes(type)) return !Number.isNaN(numberIn(operand))
  if (type === 'checkbox') return isScalar(operand) && booleanIn(operand) !== undefined
  return isScalar(operand)
}

function textOf({ names }: OracleColumn, item: unknown): string {
  if (typeof item === 'object' && item !== null) return (item as { filename: string }).filename
  return names.get(item) ?? String(item)
}

function equals(column: OracleColumn, item: unknown, operand: unknown): boolean {
  if (typeof item === 'number') return item === numberIn(operand)
  if (column.type === 'checkbox') return item === booleanIn(operand)
  if (item === operand) return true
  return textOf(column, item) === String(operand)
}

/** Negative, 0 or positive; undefined if the two do not compare. */
function order(column: OracleColumn, item: unknown, operand: unknown): number | undefined {
  if (typeof item === 'number') return item - numberIn(operand)
  if (column.type === 'checkbox') return Number(item) - Number(booleanIn(operand))
  if (column.type === 'formula' && typeof item !== typeof operand) return undefined
  if (column.type === 'autonumber') {
    const wanted = [serialIn(column, operand), numberIn(operand)].find((number) => !Number.isNaN(number))
    const apart = serialIn(column, item) - (wanted ?? NaN)
    if (!Number.isNaN(apart)) return apart
  }
  const [left, right] = [textOf(column, item).toLowerCase(), textOf(column, operand).toLowerCase()]
  return left < right ? -1 : left > right ? 1 : 0
}

type Holds = (column: OracleColumn, item: unknown, operand: unknown) => boolean

const byText =
  (holds: (text: string, operand: string) => boolean): Holds =>
  (column, item, operand) =>
    holds(textOf(column, item).toLowerCase(), String(operand).toLowerCase()) ||
    (item === operand && column.names.has(item))
const byOrder =
  (holds: (order: number) => boolean): Holds =>
  (column, item, operand) => {
    const found = order(column, item, operand)
    return found !== undefined && holds(found)
  }

const contains = byText((text, operand) => text.includes(operand))
const atLeast = byOrder((found) => found >= 0)
const atMost = byOrder((found) => found <= 0)

const positive: Partial<Record<Operator, Holds>> = {
  eq: equals,
  neq: equals,
  contains,
  not_contains: contains,
  starts_with: byText((text, operand) => text.startsWith(operand)),
  ends_with: byText((text, operand) => text.endsWith(operand)),
  gt: byOrder((found) => found > 0),
  gte: atLeast,
  lt: byOrder((found) => found < 0),
  lte: atMost,
}

const negative: readonly Operator[] = ['neq', 'not_contains', 'not_in']
const textual: readonly Operator[] = ['contains', 'not_contains', 'starts_with', 'ends_with']

/** Whether a value satisfies a filter, or `refused`. */
export function satisfies(
  column: OracleColumn,
  operator: Operator,
  value: unknown,
  operand: unknown,
): boolean | typeof refused {
  if (operator === 'is_empty') return isEmpty(value)
  if (operator === 'is_not_empty') return !isEmpty(value)
  if (operator === 'is_true') return value === true
  if (operator === 'is_false') return value === false || isEmpty(value)
  const operands = operandsOf(column, operator, operand)
  if (!operands) return refused
  const items = (Array.isArray(value) ? value : [value]).filter((item) => !isEmpty(item))
  const found = items.some((item) => {
    if (operator === 'between') return atLeast(column, item, operands[0]) && atMost(column, item, operands[1])
    return operands.some((one) => (positive[operator] ?? equals)(column, item, one))
  })
  return negative.includes(operator) ? !found : found
}

/** A filter's operands as a list; undefined if they are refused. */
function operandsOf(column: OracleColumn, operator: Operator, operand: unknown): unknown[] | undefined {
  const isList = ['in', 'not_in', 'between'].includes(operator)
  if (isList !== Array.isArray(operand)) return undefined
  const operands: unknown[] = isList ? (operand as unknown[]) : [operand]
  if (operator === 'between' && operands.length !== 2) return undefined
  const allFit = operands.every((one) => (textual.includes(operator) ? isScalar(one) : fits(column, one)))
  return allFit ? operands : undefined
}
