// The model for tests: queries over the collections that handlers read, and writes validated like a fixture.
import { countText } from '../../../contract/text/format.ts'
import type { Schema } from '../../../contract/operation.ts'
import { resourceNames, type Entity, type ResourceName } from '../../../contract/resources.ts'
import { listFieldNames } from '../../../contract/schema/field-names.ts'
import { isObject } from '../../../contract/data/objects.ts'
import { quote } from '../../../contract/text/quote.ts'
import { assertFields, CountArgument, parseOrThrow } from '../../parse-or-throw.ts'
import { ControlError } from '../../control-error.ts'
import { find, type FindOptions, type Selection } from '../../../service/store/find.ts'
import type { Store } from '../../../service/store/store.ts'
import type { StoredRow } from '../../../service/store/table.ts'
import type { Wrapper } from '../caller-stack.ts'
import { createRecordAccess, createRowAccess, type Access } from './access.ts'
import { createRecord, removeRecords, replaceRecord } from './writes.ts'
import type { Records } from '../../../contract/types.d.ts'

interface StrictOption {
  /** Whether to throw if nothing matches. */
  readonly strict?: boolean
}

interface Update<T> extends StrictOption {
  /** Changes the record it is given; may be asynchronous. */
  readonly data: (record: T) => void | Promise<void>
}

/**
 * The records of a resource as stored: includes soft-deleted and private ones, with priority as a name. Results are copies.
 * Writes are validated like a fixture, emit no event and do not touch `updated_at`.
 */
export interface DbCollection<T> {
  /** Returns the first match in creation order: `findFirst((q) => q.where({ title: 'Pay rent' }))`. */
  findFirst(selection?: Selection<T>, options?: StrictOption): T | undefined
  /** Returns all matches, in creation order by default. `skip` and `take` apply after `orderBy`. */
  findMany(selection?: Selection<T>, options?: FindOptions<T> & StrictOption): T[]
  /** Counts the matches, or all records without a query. */
  count(selection?: Selection<T>): number
  /** All records in creation order. */
  all(): T[]
  /** Adds a record; missing fields get a fixture's defaults. @throws {FixtureError} naming the invalid field */
  create(values: Partial<T>): Promise<T>
  /** Adds `count` records; `values` is called with each index and returns that record's values. */
  createMany(count: number, values: (index: number) => Partial<T>): Promise<T[]>
  /**
   * Changes the first match: `update((q) => q.where({ id }), { data(task) { task.priority = 'high' } })`.
   * @throws {FixtureError} naming the invalid field
   */
  update(selection: Selection<T> | T, options: Update<T>): Promise<T | undefined>
  /** Changes all matches. */
  updateMany(selection: Selection<T>, options: Update<T>): Promise<T[]>
  /**
   * Permanently removes the first match and everything that belongs to it.
   * @throws {FixtureError} if a remaining record needs it
   */
  delete(selection: Selection<T> | T, options?: StrictOption): T | undefined
  /** Permanently removes all matches. */
  deleteMany(selection: Selection<T>, options?: StrictOption): T[]
}

/** A collection for each resource, and `rows(tableId)` for the rows of a table. */
export type Db = { readonly [Name in ResourceName]: DbCollection<Records[Name]> } & {
  /** @throws {NotFoundError} for an unknown table */
  rows(tableId: string): DbCollection<StoredRow>
}

function assertNames(schema: Schema, what: string, names: object, path: readonly string[] = []): void {
  // For an array, each item must match.
  const at = listFieldNames(schema, path).length > 0 ? path : [...path, '0']
  const known = listFieldNames(schema, at)
  if (known.length === 0) return
  assertFields(what, names, known)
  for (const [name, value] of Object.entries(names) as [string, unknown][])
    if (isObject(value)) assertNames(schema, `${what}.${name}`, value, [...at, name])
}

function assertSameId(name: string, before: Entity, after: Entity): void {
  for (const field of ['id', 'workspace_id']) {
    const [is, given] = [before, after].map((record): unknown => Reflect.get(record, field))
    if (given !== is)
      throw new ControlError(
        `${field} of ${name} cannot be changed from ${quote(is)}; received ${quote(given)}`,
      )
  }
}

/** Changes records one by one. Rejects if the state is replaced or a record removed in the meantime. */
async function updateRecords<T extends Entity>(
  storeOf: () => Store,
  access: Access<T>,
  records: readonly T[],
  data: Update<T>['data'],
): Promise<T[]> {
  const store = storeOf()
  const all: T[] = []
  for (const { id } of [...records]) {
    const before = access.recordsOf(store).get(id)
    const after = structuredClone(before)
    if (after) await data(after)
    const isCurrent = storeOf() === store
    if (!before || !after || !isCurrent || !access.recordsOf(store).get(id))
      throw new ControlError(
        `mock.db.${access.name}: ${isCurrent ? `${id} was removed` : 'the state was reset or replaced'} during an update; ${String(all.length)} of ${countText(records.length, 'record')} were already changed`,
      )
    assertSameId(access.name, before, after)
    all.push(structuredClone(store.change(() => replaceRecord(store, access, before, after))))
  }
  return all
}

const updateNames = ['data', 'strict']
/** Names of the options that each method accepts. */
const queryOptionNames: Readonly<Record<string, readonly string[]>> = {
  findFirst: ['strict'],
  findMany: ['orderBy', 'skip', 'take', 'strict'],
  update: updateNames,
  updateMany: updateNames,
  delete: ['strict'],
  deleteMany: ['strict'],
}

const isRecord = (selection: unknown): selection is Entity => isObject(selection) && 'id' in selection

/** Creates a collection. Every call looks up its store again. */
function createCollection<T extends Entity>(storeOf: () => Store, access: Access<T>): DbCollection<T> {
  const at = (method: string) => `mock.db.${access.name}.${method}`
  /** Finds the matches; a record given as the query selects the one with its id. */
  const findAll = (
    method: string,
    store: Store,
    selection?: Selection<T> | T,
    options: FindOptions<T> & StrictOption = {},
    take?: 1,
  ): readonly T[] => {
    assertFields(`${at(method)}: options`, options, queryOptionNames[method] ?? [])
    const records = access.recordsOf(store)
    const matching = isRecord(selection)
      ? records.all().filter(({ id }) => id === selection.id)
      : find(records.all(), selection, take ? { take } : options, (what, names) => {
          assertNames(access.schema, `mock.db.${access.name}: ${what}`, names)
        })
    if (options.strict && matching.length === 0)
      throw new ControlError(`${at(method)} found no record that matches`)
    return matching
  }
  const readAll = (...args: Parameters<typeof findAll>): T[] => structuredClone([...findAll(...args)])
  const create = (store: Store, values: Partial<T>) =>
    structuredClone(store.change(() => createRecord(store, access, structuredClone({ ...values }))))
  const update = (
    method: string,
    selection: Selection<T> | T,
    options: Partial<Update<T>> = {},
    take?: 1,
  ) => {
    const { data } = options
    if (typeof data !== 'function')
      throw new ControlError(
        `${at(method)}: data must be a function that changes the record, such as (task) => { task.title = 'x' }; received ${quote(data)}`,
      )
    const selected = findAll(method, storeOf(), selection, options, take)
    return updateRecords(storeOf, access, selected, data)
  }
  const remove = (method: string, selection: Selection<T> | T, options?: StrictOption, take?: 1) => {
    const store = storeOf()
    const selected = findAll(method, store, selection, options, take)
    return store.change(() => removeRecords(store, access, selected))
  }
  return {
    findFirst: (selection, options) => readAll('findFirst', storeOf(), selection, options, 1)[0],
    findMany: (selection, options) => readAll('findMany', storeOf(), selection, options),
    count: (selection) => findAll('count', storeOf(), selection).length,
    all: () => readAll('all', storeOf()),
    create: (values) => toPromise(() => create(storeOf(), values)),
    createMany: (count, values) =>
      toPromise(() => {
        const store = storeOf()
        parseOrThrow(CountArgument, count, `${at('createMany')}: count`)
        return Array.from({ length: count }, (_, index) => create(store, values(index)))
      }),
    update: async (selection, options) => (await update('update', selection, options, 1))[0],
    updateMany: async (selection, options) => update('updateMany', selection, options),
    delete: (selection, options) => remove('delete', selection, options, 1)[0],
    deleteMany: (selection, options) => remove('deleteMany', selection, options),
  }
}

/** Writes are synchronous, but return promises for compatibility with `@msw/data`. */
const toPromise = <T>(run: () => T) => new Promise<T>((resolve) => resolve(run()))

export function createDb(storeOf: () => Store, wrap: Wrapper): Db {
  const collections = resourceNames.map((name) => [
    name,
    wrap(createCollection(storeOf, createRecordAccess(name))),
  ])
  const rows = (tableId: string) => {
    const access = createRowAccess(tableId)
    access.recordsOf(storeOf())
    return wrap(createCollection(storeOf, access))
  }
  return { ...(Object.fromEntries(collections) as Omit<Db, 'rows'>), ...wrap({ rows }) }
}
