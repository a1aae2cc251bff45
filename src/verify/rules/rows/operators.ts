// What each operator of the structured query must find, worked out anew from the rows that were read, and operands
// for which a wrong reading of the operator finds other rows.
import { foldFor } from '../../../contract/text/format.ts'
import type { Column } from '../../../contract/datatables.ts'
import type { Answers } from '../../../contract/questions/register.ts'
import { operators, type Filter, type Operator, type Row } from '../../../contract/rows.ts'
import type { WholeTable } from '../../engine/discovery.ts'
import { expectThat } from '../../engine/expect.ts'
import { Unreachable } from '../../engine/drift.ts'
import { distinctValues, isNumeric, isPlain, isTextual, valuesOf } from './cells.ts'
import type { RichTable } from './rows.ts'
import { cellsOf } from '../../engine/shapes.ts'
import { isEmpty } from '../../../contract/data/objects.ts'
import { idsOf } from '../../../contract/data/maps.ts'

type Test = (value: unknown, operand: unknown, fold: (text: unknown) => string) => boolean

const listOf = (operand: unknown): unknown[] => (Array.isArray(operand) ? operand : [])
const compared =
  (holds: (order: number) => boolean): Test =>
  (value, operand) =>
    holds(Number(value) - Number(operand))

/** Operators that find only values that are not empty. Assumption: emptyValues */
const positive: Partial<Record<Operator, Test>> = {
  eq: (value, operand) => value === operand,
  contains: (value, operand, fold) => fold(value).includes(fold(operand)),
  starts_with: (value, operand, fold) => fold(value).startsWith(fold(operand)),
  ends_with: (value, operand, fold) => fold(value).endsWith(fold(operand)),
  gt: compared((order) => order > 0),
  gte: compared((order) => order >= 0),
  lt: compared((order) => order < 0),
  lte: compared((order) => order <= 0),
  between: (value, operand) =>
    Number(value) >= Number(listOf(operand)[0]) && Number(value) <= Number(listOf(operand)[1]),
  in: (value, operand) => listOf(operand).includes(value),
  is_true: (value) => value === true,
  is_not_empty: () => true,
}

/** Operators that find what another does not. */
const negative: Partial<Record<Operator, Operator>> = {
  neq: 'eq',
  not_contains: 'contains',
  not_in: 'in',
  is_empty: 'is_not_empty',
  is_false: 'is_true',
}

/** Whether a filter lets a value of a text, number or checkbox column through. Assumption: queryText, emptyValues */
function filterHolds(answers: Answers, operator: Operator, value: unknown, operand: unknown): boolean {
  const foldText = foldFor(answers)
  const fold = (text: unknown) => foldText(String(text))
  const opposite = negative[operator]
  if (opposite) return !filterHolds(answers, opposite, value, operand)
  return !isEmpty(value) && positive[operator]?.(value, operand, fold) === true
}

/** Ids of the rows that filters find, which name columns by id. */
export function rowsFor(on: RichTable, filters: readonly Filter[], match: 'all' | 'any' = 'all'): string[] {
  const found = on.rows.filter(({ cells }) => {
    const held = filters.map((one) => filterHolds(on.answers, one.operator, cells[one.column], one.value))
    return match === 'any' ? held.includes(true) : !held.includes(false)
  })
  return idsOf(found)
}

/** Whether values stand in ascending or descending order, empty ones last. Assumption: emptyValues */
export function isSorted(values: readonly unknown[], direction: 'asc' | 'desc'): boolean {
  const filled = values.filter((value) => !isEmpty(value))
  const firstEmpty = values.findIndex(isEmpty)
  if (firstEmpty !== -1 && firstEmpty < filled.length) return false
  const ordered = (direction === 'asc' ? filled : filled.toReversed()).map((value) =>
    typeof value === 'number' ? value : String(value).toLowerCase(),
  )
  return ordered.slice(1).every((value, index) => (ordered[index] ?? '') <= value)
}

export const valuesIn = (rows: readonly Row[], { id }: Column) => rows.map((row) => cellsOf(row)[id])

/** @throws {Drift} unless rows that have the same value in one column are sorted by another */
export function expectSortedWithin(
  rows: readonly Row[],
  first: Column,
  second: Column,
  direction: 'asc' | 'desc',
) {
  for (const value of new Set(valuesIn(rows, first))) {
    const group = rows.filter((row) => cellsOf(row)[first.id] === value)
    const values = valuesIn(group, second)
    expectThat(
      isSorted(values, direction),
      `${second.name} ${direction}ending within equal ${first.name}`,
      values,
    )
  }
}

/** Operands made from the values of a column. */
type Operands = (values: readonly unknown[], column: Column) => readonly unknown[]

const pairsOf = (values: readonly unknown[]) =>
  values.flatMap((first, index) => values.slice(index + 1).map((second) => [first, second]))

const textsAndNumbers: Operands = (values, column) => (isTextual(column) || isNumeric(column) ? values : [])
const numbers: Operands = (values, column) => (isNumeric(column) ? values : [])
const textPairs: Operands = (values, column) => (isTextual(column) ? pairsOf(values) : [])
const numberPairs: Operands = (values, column) =>
  pairsOf(numbers(values, column).toSorted((a, b) => Number(a) - Number(b)))

/** Parts of texts, from one character up, and the texts themselves. */
const parts =
  (cut: (text: string, length: number) => string): Operands =>
  (values, column) => {
    if (!isTextual(column)) return []
    const all = [2, 3, 1, 5].flatMap((length) => values.map((value) => cut(String(value), length)))
    return [...all.filter((part) => part.trim() === part && part !== ''), ...values]
  }
const middles = parts((text, length) => text.slice(1, 1 + length))

const operandsFor: Partial<Record<Operator, Operands>> = {
  ...{ eq: textsAndNumbers, neq: textsAndNumbers },
  ...{ contains: middles, not_contains: middles },
  starts_with: parts((text, length) => text.slice(0, length)),
  ends_with: parts((text, length) => text.slice(-length)),
  ...{ gt: numbers, gte: numbers, lt: numbers, lte: numbers },
  between: numberPairs,
  ...{ in: textPairs, not_in: textPairs },
}

interface Operand {
  readonly column: Column
  readonly value?: unknown
}

/** Values of a column from which operands are made, at most, and operands that are weighed. */
const mostValues = 12
const mostWeighed = 400

function* candidates(table: WholeTable, operator: Operator): Generator<Operand> {
  for (const column of table.columns.filter((one) => isPlain(one, table))) {
    const values = distinctValues(table, column).slice(0, mostValues)
    for (const value of operandsFor[operator]?.(values, column) ?? []) yield { column, value }
  }
}

type Reading = (value: unknown, operand: unknown) => boolean

/** Wrong readings of an operator: as another operator, without empty values, with a part of a list or range. */
function wrongReadings(answers: Answers, operator: Operator): Reading[] {
  const as =
    (other: Operator): Reading =>
    (value, operand) =>
      filterHolds(answers, other, value, operand)
  const right = as(operator)
  const others = operators.filter((other) => other !== operator).map(as)
  if (negative[operator]) others.push((value, operand) => !isEmpty(value) && right(value, operand))
  for (const end of operator === 'between' ? [0, 1] : [])
    others.push(
      (value, operand) => right(value, operand) && value !== listOf(operand)[end],
      (value, operand) => as(end === 0 ? 'gte' : 'lte')(value, listOf(operand)[end]),
    )
  for (const end of operator === 'in' || operator === 'not_in' ? [0, 1] : [])
    others.push((value, operand) => right(value, [listOf(operand)[end]]))
  return others
}

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

/** A column of each type in which values are missing. */
function sparseColumns(table: WholeTable): Operand[] {
  const sparse = table.columns.filter((one) => !one.readonly && valuesOf(table, one).some(isEmpty))
  return sparse
    .filter(({ type }, index) => sparse.findIndex((other) => other.type === type) === index)
    .map((column) => ({ column }))
}

/** @throws {Unreachable} where the table has no column for the operator */
export function operandsOf(table: WholeTable, operator: Operator, answers: Answers): Operand[] {
  const checkboxes = table.columns.filter(({ type }) => type === 'checkbox').map((column) => ({ column }))
  const operands = operator.endsWith('_empty')
    ? sparseColumns(table)
    : operandsFor[operator]
      ? decisive(table, operator, answers)
      : checkboxes
  if (operands.length === 0)
    throw new Unreachable(`table ${table.table.name} has no column and values to try ${operator} with`)
  return operands
}
