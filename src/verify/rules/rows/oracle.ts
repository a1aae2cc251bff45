// What each operator of the structured query must find, worked out anew from the rows that were read.
import type { Operator } from '../../../contract/rows.ts'
import type { Answers } from '../../../contract/questions/register.ts'
import { isEmpty } from './cells.ts'

type Test = (value: unknown, operand: unknown, fold: (text: unknown) => string) => boolean

const among: Test = (value, operand) => Array.isArray(operand) && operand.includes(value)
const contains: Test = (value, operand, fold) => fold(value).includes(fold(operand))
const compared =
  (holds: (order: number) => boolean): Test =>
  (value, operand) =>
    holds(Number(value) - Number(operand))

/** Operators that find only values that are not empty. Assumption: emptyValues */
const positive: Partial<Record<Operator, Test>> = {
  eq: (value, operand) => value === operand,
  contains,
  starts_with: (value, operand, fold) => fold(value).startsWith(fold(operand)),
  ends_with: (value, operand, fold) => fold(value).endsWith(fold(operand)),
  gt: compared((order) => order > 0),
  gte: compared((order) => order >= 0),
  lt: compared((order) => order < 0),
  lte: compared((order) => order <= 0),
  between: (value, operand) =>
    Array.isArray(operand) && Number(value) >= Number(operand[0]) && Number(value) <= Number(operand[1]),
  in: among,
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
export function filterHolds(answers: Answers, operator: Operator, value: unknown, operand: unknown): boolean {
  const fold = (text: unknown) => {
    const plain = String(text)
    return answers.queryText === 'insensitive' ? plain.toLowerCase() : plain
  }
  const opposite = negative[operator]
  if (opposite) return !filterHolds(answers, opposite, value, operand)
  return !isEmpty(value) && positive[operator]?.(value, operand, fold) === true
}

/** Whether values stand in ascending or descending order, empty ones last. Assumption: emptyValues */
export function isSorted(values: readonly unknown[], direction: 'asc' | 'desc'): boolean {
  const filled = values.filter((value) => !isEmpty(value))
  const firstEmpty = values.findIndex(isEmpty)
  if (firstEmpty !== -1 && firstEmpty < filled.length) return false
  return filled.every((value, index) => index === 0 || isInOrder(filled[index - 1], value, direction))
}

function isInOrder(before: unknown, after: unknown, direction: 'asc' | 'desc'): boolean {
  const [left, right] = direction === 'asc' ? [before, after] : [after, before]
  if (typeof left === 'number' && typeof right === 'number') return left <= right
  return String(left).toLowerCase() <= String(right).toLowerCase()
}
