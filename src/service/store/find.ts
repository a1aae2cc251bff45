// Queries records like @mswjs/data: its conditions, plus order, skip and take.
import { Query as DataQuery } from '@mswjs/data'
import { valueAt } from '../../contract/schema/issues.ts'
import { isObject } from '../../contract/data/objects.ts'
import { quote } from '../../contract/text/quote.ts'

type Scalar = string | number | boolean | null | undefined
type Predicate<T> = (value: T) => unknown

/** Values that fields must have, or predicates; every item of an array must match. */
type Condition<T> = unknown extends T
  ? Scalar | Readonly<Record<string, unknown>> | Predicate<T>
  : T extends readonly (infer Item)[]
    ? Condition<Item>
    : T extends object
      ? { readonly [Key in keyof T]?: Condition<T[Key]> | Predicate<T[Key]> }
      : T

/** Conditions on records. Immutable: each method returns a new query. */
export interface Query<T> {
  where(condition: Condition<T> | Predicate<T>): Query<T>
  and(...conditions: (Query<T> | Condition<T> | Predicate<T>)[]): Query<T>
  or(...conditions: (Query<T> | Condition<T> | Predicate<T>)[]): Query<T>
  test(value: T): boolean
}

/** `(q) => q.where({ title: 'Pay rent' })`, or an existing query. */
export type Selection<T> = Query<T> | ((query: Query<T>) => Query<T>)

type Direction = 'asc' | 'desc'

/** `{ created_at: 'desc' }`, including nested fields. */
type OrderBy<T> = {
  readonly [Key in keyof T]?: T[Key] extends Scalar ? Direction : OrderBy<T[Key]>
}

export interface FindOptions<T> {
  /** Default: order of creation. */
  readonly orderBy?: OrderBy<T> | readonly OrderBy<T>[]
  readonly skip?: number
  /** Number of records, after `skip`. A negative number takes from the end, last first. */
  readonly take?: number
}

type Comparable = number | string
type Criterion = readonly [path: readonly string[], sign: 1 | -1]

/** Checks field names in `what`, such as `where` or `orderBy`. */
type CheckNames = (what: string, names: object) => void

/**
 * Replaces @mswjs/data's check, which ignores a predicate's result for objects and lists and matches strings in lists
 * by prefix.
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

/** Creates a query whose conditions are validated as they are added. */
function createCheckedQuery<T>(query: Query<T>, check: CheckNames): Query<T> {
  const checkCondition = (what: string, condition: Query<T> | Condition<T> | Predicate<T>) => {
    if (typeof condition !== 'object' || condition === null) return condition
    if (isQuery<T>(condition)) return (value: T) => condition.test(value)
    check(what, condition)
    return (value: T) => meetsCondition(value, condition)
  }
  const wrap = (wider: Query<T>) => createCheckedQuery(wider, check)
  return {
    where: (condition) => wrap(query.where(checkCondition('where', condition))),
    and: (...conditions) => wrap(query.and(...conditions.map((each) => checkCondition('and', each)))),
    or: (...conditions) => wrap(query.or(...conditions.map((each) => checkCondition('or', each)))),
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
      const a = valueAt(left, path) as Comparable
      const b = valueAt(right, path) as Comparable
      if (a > b) return sign
      if (a < b) return -sign
    }
    return 0
  })
}

/** @throws {TypeError} for any other kind of selection, such as a predicate on records */
function resolveSelection<T>(selection: Selection<T>, check: CheckNames): Query<T> {
  const query: unknown =
    typeof selection === 'function'
      ? selection(createCheckedQuery(new DataQuery<T>() as Query<T>, check))
      : selection
  if (isQuery<T>(query)) return query
  const received = typeof selection === 'function' ? `one that returns ${quote(query)}` : quote(query)
  throw new TypeError(
    `select records with a function such as (query) => query.where({ id: 'x' }); received ${received}`,
  )
}

/** Finds the matching records. `take` and `skip` apply in the requested order. */
export function find<T>(
  records: readonly T[],
  selection: Selection<T> | undefined,
  { orderBy, skip = 0, take }: FindOptions<T>,
  check: CheckNames,
): readonly T[] {
  if (!Number.isInteger(skip) || skip < 0)
    throw new TypeError(`skip must be an integer of at least 0; received ${String(skip)}`)
  if (take !== undefined && !Number.isInteger(take) && Math.abs(take) !== Infinity)
    throw new TypeError(`take must be an integer; received ${String(take)}`)
  const enough = orderBy || take === undefined || take < 0 ? Infinity : skip + take
  let found = records
  if (selection) {
    const query = resolveSelection(selection, check)
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
  return skip === 0 && take === undefined ? found : found.slice(skip, skip + Math.abs(take ?? Infinity))
}
