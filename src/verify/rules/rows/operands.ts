// Operands for each operator of the structured query: columns and values for which a wrong reading of the operator
// finds other rows.
import type { Column } from '../../../contract/datatables.ts'
import type { Answers } from '../../../contract/questions/register.ts'
import type { Operator } from '../../../contract/rows.ts'
import type { WholeTable } from '../../engine/discovery.ts'
import { Unreachable } from '../../engine/rule.ts'
import { distinctValues, isEmpty, isNumeric, isPlain, isTextual, valuesOf } from './cells.ts'
import { filterHolds } from './oracle.ts'

export interface Operand {
  readonly column: Column
  readonly value?: unknown
}

type Reading = (value: unknown, operand: unknown) => boolean

/** Values of a column from which operands are made, at most, and operands that are weighed. */
const mostValues = 12
const mostWeighed = 400

const listOf = (operand: unknown): unknown[] => (Array.isArray(operand) ? operand : [])

/** Wrong readings of an operator, which its operands should exclude. */
function wrongReadings(answers: Answers, operator: Operator): Reading[] {
  const as =
    (other: Operator): Reading =>
    (value, operand) =>
      filterHolds(answers, other, value, operand)
  const unlessEmpty: Reading = (value, operand) => !isEmpty(value) && as(operator)(value, operand)
  const firstOf: Reading = (value, operand) => as(operator)(value, listOf(operand).slice(0, 1))
  const lastOf: Reading = (value, operand) => as(operator)(value, listOf(operand).slice(-1))
  const readings: Readonly<Record<Operator, readonly Reading[]>> = {
    eq: [as('contains'), as('starts_with')],
    neq: [as('not_contains'), as('eq'), unlessEmpty],
    contains: [as('starts_with'), as('ends_with'), as('eq')],
    not_contains: [as('neq'), as('contains'), unlessEmpty],
    starts_with: [as('contains'), as('ends_with'), as('eq')],
    ends_with: [as('contains'), as('starts_with'), as('eq')],
    gt: [as('gte'), as('lt')],
    gte: [as('gt'), as('lte')],
    lt: [as('lte'), as('gt')],
    lte: [as('lt'), as('gte')],
    between: [
      (value, operand) => as('between')(value, operand) && value !== listOf(operand)[0],
      (value, operand) => as('between')(value, operand) && value !== listOf(operand)[1],
      (value, operand) => as('gte')(value, listOf(operand)[0]),
      (value, operand) => as('lte')(value, listOf(operand)[1]),
    ],
    in: [firstOf, lastOf, as('not_in')],
    not_in: [firstOf, lastOf, as('in'), unlessEmpty],
    is_empty: [as('is_not_empty')],
    is_not_empty: [as('is_empty')],
    is_true: [as('is_false'), as('is_not_empty')],
    is_false: [as('is_true'), as('is_empty'), unlessEmpty],
  }
  return [...readings[operator]]
}

const pairsOf = (values: readonly unknown[]) =>
  values.flatMap((first, index) => values.slice(index + 1).map((second) => [first, second]))

/** Parts of texts, from one character up. */
const partsOf = (values: readonly unknown[], cut: (text: string, length: number) => string) =>
  [2, 3, 1, 5].flatMap((length) =>
    values.map((value) => cut(String(value), length)).filter((part) => part.trim() === part && part !== ''),
  )

function operandValues(operator: Operator, values: readonly unknown[], column: Column): unknown[] {
  const isText = isTextual(column)
  switch (operator) {
    case 'eq':
    case 'neq':
      return isText || isNumeric(column) ? [...values] : []
    case 'contains':
    case 'not_contains':
      return isText
        ? partsOf(values, (text, length) => text.slice(1, 1 + length)).concat(values as string[])
        : []
    case 'starts_with':
      return isText ? partsOf(values, (text, length) => text.slice(0, length)).concat(values as string[]) : []
    case 'ends_with':
      return isText ? partsOf(values, (text, length) => text.slice(-length)).concat(values as string[]) : []
    case 'in':
    case 'not_in':
      return isText ? pairsOf(values) : []
    case 'between':
      return isNumeric(column) ? pairsOf((values as number[]).toSorted((a, b) => a - b)) : []
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return isNumeric(column) ? [...values] : []
    default:
      return []
  }
}

function* candidates(table: WholeTable, operator: Operator): Generator<Operand> {
  for (const column of table.columns.filter((one) => isPlain(one, table)))
    for (const value of operandValues(operator, distinctValues(table, column).slice(0, mostValues), column))
      yield { column, value }
}

/** A column of each type in which values are missing. */
function sparseColumns(table: WholeTable): Operand[] {
  const seen = new Set<string>()
  return table.columns.flatMap((column) => {
    const isSparse = valuesOf(table, column).some(isEmpty)
    if (!isSparse || column.readonly || seen.has(column.type)) return []
    seen.add(column.type)
    return [{ column }]
  })
}

const checkboxes = (table: WholeTable): Operand[] =>
  table.columns.filter(({ type }) => type === 'checkbox').map((column) => ({ column }))

/** Adds operands as long as they exclude a further wrong reading; the first that finds a row where none does. */
function decisive(table: WholeTable, operator: Operator, answers: Answers): Operand[] {
  const open = new Set(wrongReadings(answers, operator))
  const chosen: Operand[] = []
  let first: Operand | undefined
  let weighed = 0
  for (const operand of candidates(table, operator)) {
    if (open.size === 0 || (weighed += 1) > mostWeighed) break
    const values = valuesOf(table, operand.column)
    const right = values.map((value) => filterHolds(answers, operator, value, operand.value))
    if (right.includes(true)) first ??= operand
    const excluded = [...open].filter((reading) =>
      values.some((value, index) => reading(value, operand.value) !== right[index]),
    )
    if (excluded.length === 0) continue
    for (const reading of excluded) open.delete(reading)
    chosen.push(operand)
  }
  return chosen.length > 0 ? chosen : first ? [first] : []
}

/** @throws {Unreachable} where the table has no column for the operator */
export function operandsOf(table: WholeTable, operator: Operator, answers: Answers): Operand[] {
  const operands =
    operator === 'is_empty' || operator === 'is_not_empty'
      ? sparseColumns(table)
      : operator === 'is_true' || operator === 'is_false'
        ? checkboxes(table)
        : decisive(table, operator, answers)
  if (operands.length === 0)
    throw new Unreachable(`table ${table.table.name} has no column and values to try ${operator} with`)
  return operands
}
