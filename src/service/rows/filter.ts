// The filter operators: how each tests a value of each kind, and which operands it takes.
import type { Operator } from '../../contract/rows.ts'
import { toValueError } from '../../contract/schema/checks.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { numberOf, textOfValue, type ColumnKind } from './column-kinds.ts'
import { isEmpty } from '../../contract/data/objects.ts'

export interface ValueTest {
  (value: unknown): boolean
  /** The only value that passes, if there is just one, so that matches are found without a call per row. */
  readonly only?: Scalar
}

type Scalar = string | number | boolean

function booleanOf(operand: unknown): boolean | undefined {
  if (operand === true || operand === 'true') return true
  return operand === false || operand === 'false' ? false : undefined
}

/** A single value is the usual case, and comparing it is cheaper than using a set. */
function createOneOfTest(values: readonly Scalar[]): ValueTest {
  const set = new Set<unknown>(values)
  const [only] = values
  if (only === undefined) return () => false
  return set.size === 1
    ? Object.assign((value: unknown) => value === only, { only })
    : (value) => set.has(value)
}

/** The ids with these labels or names, plus the texts that are ids or match no label. */
function findIds({ names }: ColumnKind, texts: readonly string[]): string[] {
  const wanted = new Set(texts)
  const named = [...names].filter(([, name]) => wanted.has(name))
  const labels = new Set(named.map(([, name]) => name))
  const ids = texts.filter((text) => names.has(text) || !labels.has(text))
  return [...ids, ...named.map(([id]) => String(id))]
}

/** Accepts values equal to one of the operands. Assumption: filterValues, emptyValues */
function createEqualityTest(kind: ColumnKind, operands: readonly Scalar[]): ValueTest {
  const texts = operands.map(String).filter((text) => text !== '')
  const numbers = operands.map(numberOf).filter((number) => !Number.isNaN(number))
  const isText = createOneOfTest(texts)
  const isNumber = createOneOfTest(numbers)
  switch (kind.kind) {
    case 'number':
      return isNumber
    case 'checkbox':
      return createOneOfTest(operands.map(booleanOf).filter((wanted) => wanted !== undefined))
    case 'named':
      return createOneOfTest(findIds(kind, texts))
    case 'text':
    case 'numbered':
      return isText
    case 'dynamic':
      return (value) =>
        typeof value === 'number' ? isNumber(value) : !isEmpty(value) && isText(textOfValue(kind, value))
    case 'file':
      return (value) => isText(textOfValue(kind, value))
  }
}

/** Tests each id once, because many values share few ids. */
function createNameTest(kind: ColumnKind, test: (name: string, id: unknown) => boolean): ValueTest {
  const verdicts = new Map<unknown, boolean>()
  return (id) => getOrInsert(verdicts, id, () => test(textOfValue(kind, id), id))
}

/**
 * `accepts` gets a negative number, 0 or a positive number, depending on whether the value is below, at or above the
 * operand. Text is ordered as in sorting. Assumption: emptyValues, queryText
 */
function createOrderTest(kind: ColumnKind, operand: Scalar, accepts: (order: number) => boolean): ValueTest {
  const { fold } = kind
  const number = kind.kind === 'checkbox' ? Number(booleanOf(operand)) : numberOf(operand)
  const byNumber: ValueTest = (value) => accepts(Number(value) - number)
  const wanted = fold(textOfValue(kind, operand))
  const byName = (name: string) => {
    const text = fold(name)
    return accepts(text < wanted ? -1 : text > wanted ? 1 : 0)
  }
  switch (kind.kind) {
    case 'number':
    case 'checkbox':
      return byNumber
    case 'named':
      return createNameTest(kind, byName)
    case 'numbered': {
      // Compares by the number in a text, given as text or as a number. Text without a number is ordered as text.
      const wantedNumber = kind.numberIn(operand) ?? number
      return (value) => {
        const found = kind.numberIn(value)
        const isText = found === null || Number.isNaN(wantedNumber)
        return isText ? byName(textOfValue(kind, value)) : accepts(found - wantedNumber)
      }
    }
    case 'dynamic':
      return (value) => {
        if (typeof value === 'number') return byNumber(value)
        return typeof value === typeof operand && byName(textOfValue(kind, value))
      }
    case 'text':
    case 'file':
      return (value) => byName(textOfValue(kind, value))
  }
}

/** Accepts lists that contain an accepted item. Assumption: filterValues */
function createItemTest(kind: ColumnKind, test: ValueTest): ValueTest {
  return kind.isList ? (value) => Array.isArray(value) && value.some(test) : test
}

/** Rejects empty values. Assumption: emptyValues */
function createFilledTest(kind: ColumnKind, test: ValueTest): ValueTest {
  if (kind.isList) return createItemTest(kind, test)
  return (value) => value !== null && value !== undefined && value !== '' && test(value)
}

function scalarOf(operand: unknown, field: string): Scalar {
  if (typeof operand === 'string' || typeof operand === 'boolean' || Number.isFinite(operand))
    return operand as Scalar
  throw toValueError(field, 'a string, a finite number or a boolean', operand)
}

/** @throws {ApiError} validation, for an operand that values of this kind cannot be compared with */
function typedScalarOf({ kind }: ColumnKind, operand: unknown, field: string): Scalar {
  if (kind === 'number' && !Number.isFinite(numberOf(operand))) throw toValueError(field, 'a number', operand)
  if (kind === 'checkbox' && booleanOf(operand) === undefined)
    throw toValueError(field, 'true or false', operand)
  return scalarOf(operand, field)
}

/** `field` names the operand in messages. @throws {ApiError} validation, if the operator does not take the operand */
type OperatorTest = (kind: ColumnKind, operand: unknown, field: string) => ValueTest

/** `holds` gets both texts case-folded, if case is ignored. */
const ofText =
  (holds: (text: string, operand: string) => boolean): OperatorTest =>
  (kind, operand, field) => {
    const { fold } = kind
    const wanted = fold(String(scalarOf(operand, field)))
    // An operand that equals a whole id also matches: lists contain ids.
    const isName = (name: string, id: unknown) => id === operand || holds(fold(name), wanted)
    const isText: ValueTest = (value) =>
      holds(fold(typeof value === 'string' ? value : textOfValue(kind, value)), wanted)
    return createFilledTest(kind, kind.kind === 'named' ? createNameTest(kind, isName) : isText)
  }

const ofOrder =
  (accepts: (order: number) => boolean): OperatorTest =>
  (kind, operand, field) =>
    createFilledTest(kind, createOrderTest(kind, typedScalarOf(kind, operand, field), accepts))

const not =
  (test: OperatorTest): OperatorTest =>
  (...args) => {
    const positive = test(...args)
    return (value) => !positive(value)
  }

const eq: OperatorTest = (kind, operand, field) =>
  createItemTest(kind, createEqualityTest(kind, [typedScalarOf(kind, operand, field)]))

const isIn: OperatorTest = (kind, operand, field) => {
  if (!Array.isArray(operand)) throw toValueError(field, 'an array for operators "in" and "not_in"', operand)
  const operands = operand.map((item, index) => typedScalarOf(kind, item, `${field}[${String(index)}]`))
  return createItemTest(kind, createEqualityTest(kind, operands))
}

const contains = ofText((text, operand) => text.includes(operand))

/** Source: contract, Datatables. Assumption: queryBody, emptyValues */
export const operatorTests: Readonly<Record<Operator, OperatorTest>> = {
  eq,
  neq: not(eq),
  contains,
  not_contains: not(contains),
  starts_with: ofText((text, operand) => text.startsWith(operand)),
  ends_with: ofText((text, operand) => text.endsWith(operand)),
  gt: ofOrder((order) => order > 0),
  gte: ofOrder((order) => order >= 0),
  lt: ofOrder((order) => order < 0),
  lte: ofOrder((order) => order <= 0),
  between(kind, operand, field) {
    if (!Array.isArray(operand) || operand.length !== 2)
      throw toValueError(field, '[low, high] for operator "between"', operand)
    const isAbove = createOrderTest(
      kind,
      typedScalarOf(kind, operand[0], `${field}[0]`),
      (order) => order >= 0,
    )
    const isBelow = createOrderTest(
      kind,
      typedScalarOf(kind, operand[1], `${field}[1]`),
      (order) => order <= 0,
    )
    return createFilledTest(kind, (value) => isAbove(value) && isBelow(value))
  },
  in: isIn,
  not_in: not(isIn),
  is_empty: () => isEmpty,
  is_not_empty: () => (value) => !isEmpty(value),
  is_true: () => (value) => value === true,
  is_false: () => (value) => value === false || isEmpty(value),
}

/** The test for a listing's equality filter. Text that is not a possible value matches nothing. */
export const createListingTest = (kind: ColumnKind, text: string): ValueTest =>
  createItemTest(kind, createEqualityTest(kind, [text]))
