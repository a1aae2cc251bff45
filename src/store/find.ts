// Queries of records as @mswjs/data has them: its conditions, with order, skip and take over what matches.
import { Query as DataQuery } from '@mswjs/data'
import { valueAt } from '../contract/schema/issues.ts'
import { isObject } from '../contract/data/objects.ts'
import { quote } from '../contract/text/quote.ts'

type Scalar = string | number | boolean | null | undefined
export type Predicate<T> = (value: T) => unknown

/** Values that fields must have, or functions that judge them; of an array, each item must match. */
export type Condition<T> = unknown extends T
  ? Scalar | Readonly<Record<string, unknown>> | Predicate<T>
  : T extends readonly (infer Item)[]
    ? Condition<Item>
    : T extends object
      ? { readonly [Key in keyof T]?: Condition<T[Key]> | Predicate<T[Key]> }
      : T

/** Conditions on records. Immutable: each method returns a new, narrower or wider query. */
export interface Query<T> {
  where(condition: Condition<T> | Predicate<T>): Query<T>
  and(...conditions: (Query<T> | Condition<T> | Predicate<T>)[]): Query<T>
  or(...conditions: (Query<T> | Condition<T> | Predicate<T>)[]): Query<T>
  test(value: T): boolean
}

/** `(q) => q.where({ title: 'Pay rent' })`, or a query made before. */
export type Selection<T> = Query<T> | ((query: Query<T>) => Query<T>)

type Direction = 'asc' | 'desc'

/** `{ created_at: 'desc' }`; fields within fields too. */
export type OrderBy<T> = {
  readonly [Key in keyof T]?: T[Key] extends Scalar ? Direction : OrderBy<T[Key]>
}

export interface FindOptions<T> {
  /** Default: order of creation. */
  readonly orderBy?: OrderBy<T> | readonly OrderBy<T>[]
  readonly skip?: number
  /** How many, after `skip`; a negative number takes from the end, last first. */
  readonly take?: number
}

type Comparable = number | string
type Criterion = readonly [path: readonly string[], sign: 1 | -1]

/** Checks the names that conditions and orders of records use; `what` is where one stands: `where`. */
export type CheckNames = (what: string, names: object) => void

/**
 * Whether a value meets a condition. The library itself lets objects and lists pass whatever a function says of them, and
 * compares a text only with the beginnings of texts in a list.
 */
function meetsCondition(value: unknown, condition: unknown): boolean {
  if (value === undefined) return false
  if (typeof condition === 'function') return Boolean((condition as Predicate<unknown>)(value))
  if (Array.isArray(value)) return value.every((item) => meetsCondition(item, condition))
  if (!isObject(condition)) return value === condition
  return (
    isObject(value) && Object.entries(condition).every(([name, inner]) => meetsCondition(value[name], inner))
  )
}

const isQuery = <T>(value: unknown): value is Query<T> => isObject(value) && typeof value.test === 'function'

/** A query whose conditions are checked as they are added. */
function assertQuery<T>(query: Query<T>, check: CheckNames): Query<T> {
  const accepted = (what: string, condition: Query<T> | Condition<T> | Predicate<T>) => {
    if (typeof condition !== 'object' || condition === null) return condition
    if (isQuery<T>(condition)) return (value: T) => condition.test(value)
    check(what, condition)
    return (value: T) => meetsCondition(value, condition)
  }
  return {
    where: (condition) => assertQuery(query.where(accepted('where', condition) as Predicate<T>), check),
    and: (...conditions) => assertQuery(query.and(...conditions.map((each) => accepted('and', each))), check),
    or: (...conditions) => assertQuery(query.or(...conditions.map((each) => accepted('or', each))), check),
    test: (value) => query.test(value),
  }
}

function criteriaOf(orderBy: object, before: readonly string[] = []): Criterion[] {
  if (Array.isArray(orderBy)) return orderBy.flatMap((each: object) => criteriaOf(each))
  return Object.entries(orderBy).flatMap(([key, value]: [string, unknown]): Criterion[] => {
    const path = [...before, key]
    if (typeof value === 'object' && value !== null) return criteriaOf(value, path)
    if (value === 'asc' || value === 'desc') return [[path, value === 'asc' ? 1 : -1]]
    throw new TypeError(`orderBy.${path.join('.')} must be "asc" or "desc"; received ${quote(value)}`)
  })
}

function sortRecords<T>(records: readonly T[], orderBy: object): T[] {
  const criteria = criteriaOf(orderBy)
  return records.toSorted((left, right) => {
    for (const [path, sign] of criteria) {
      const [a, b] = [valueAt(left, path) as Comparable, valueAt(right, path) as Comparable]
      if (a > b) return sign
      if (a < b) return -sign
    }
    return 0
  })
}

function assertCount(name: string, value: number | undefined, isAllowed: (value: number) => boolean): void {
  if (value === undefined || isAllowed(value)) return
  const range = name === 'skip' ? ', 0 or more' : ''
  throw new TypeError(`${name} must be an integer${range}; received ${String(value)}`)
}

/** @throws {TypeError} for a selection of another kind, such as a predicate of records */
function queryOf<T>(selection: Selection<T>, check: CheckNames): Query<T> {
  const made: unknown =
    typeof selection === 'function'
      ? selection(assertQuery(new DataQuery<T>() as Query<T>, check))
      : selection
  if (isQuery<T>(made)) return made
  throw new TypeError(
    `records are selected by a function such as (query) => query.where({ id: 'x' }); received ${typeof selection === 'function' ? `one that returns ${quote(made)}` : quote(made)}`,
  )
}

/** The records that match, in order. `take` and `skip` count in the order asked for. */
export function find<T>(
  records: readonly T[],
  selection: Selection<T> | undefined,
  { orderBy, skip, take }: FindOptions<T>,
  check: CheckNames,
): readonly T[] {
  assertCount('skip', skip, (value) => Number.isInteger(value) && value >= 0)
  assertCount('take', take, (value) => Number.isInteger(value) || Math.abs(value) === Infinity)
  const first = skip ?? 0
  const enough = orderBy || take === undefined || take < 0 ? Infinity : first + take
  let found = records
  if (selection) {
    const query = queryOf(selection, check)
    const matching: T[] = []
    for (const record of records) {
      if (matching.length >= enough) break
      if (query.test(record)) matching.push(record)
    }
    found = matching
  }
  for (const each of orderBy ? [orderBy].flat() : []) check('orderBy', each as object)
  if (orderBy) found = sortRecords(found, orderBy)
  if (take !== undefined && take < 0) found = found.toReversed()
  return first === 0 && take === undefined ? found : found.slice(first, first + Math.abs(take ?? Infinity))
}
