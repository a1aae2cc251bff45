// The model for tests, to arrange and assert: collections with the API of @mswjs/data.
import type { Records, ResourceName } from '../../contract/resources.ts'
import type { FindOptions, Selection } from '../../store/find.ts'
import type { StoredRow } from '../../store/table.ts'

export interface Strict {
  /** Whether to throw if nothing matches. */
  readonly strict?: boolean
}

export interface Update<T> extends Strict {
  /** Changes the record it is given; may be asynchronous. */
  readonly data: (record: T) => void | Promise<void>
}

/**
 * The records of a resource as stored: soft-deleted and private ones included, priority by name. Results are copies.
 * Writes are checked like a fixture, fire no event and leave `updated_at` as it is.
 */
export interface DbCollection<T> {
  /** The first record that matches, in order of creation: `findFirst((q) => q.where({ title: 'Pay rent' }))`. */
  findFirst(selection?: Selection<T>, options?: Strict): T | undefined
  /** The records that match, by default in order of creation. `skip` and `take` count in the order of `orderBy`. */
  findMany(selection?: Selection<T>, options?: FindOptions<T> & Strict): T[]
  /** How many records match; all without a query. */
  count(selection?: Selection<T>): number
  /** All records in order of creation. */
  all(): T[]
  /**
   * Adds a record; absent fields get the defaults of a fixture.
   * @throws {FixtureError} naming the field that is wrong
   */
  create(values: Partial<T>): Promise<T>
  /** Adds `count` records, each with the values that `values` returns for its index. */
  createMany(count: number, values: (index: number) => Partial<T>): Promise<T[]>
  /**
   * Changes the first record that matches: `update((q) => q.where({ id }), { data(task) { task.priority = 'high' } })`.
   * @throws {FixtureError} naming the field that is wrong
   */
  update(selection: Selection<T> | T, options: Update<T>): Promise<T | undefined>
  /** Changes all records that match. */
  updateMany(selection: Selection<T>, options: Update<T>): Promise<T[]>
  /**
   * Removes the first record that matches for good, with everything that belongs to it.
   * @throws {FixtureError} if a remaining record needs it
   */
  delete(selection: Selection<T> | T, options?: Strict): T | undefined
  /** Removes all records that match for good. */
  deleteMany(selection: Selection<T>, options?: Strict): T[]
}

/** A collection for each resource, and `rows(tableId)` for the rows of a table. */
export type Db = { readonly [Name in ResourceName]: DbCollection<Records[Name]> } & {
  /** @throws {NotFoundError} for an unknown table */
  rows(tableId: string): DbCollection<StoredRow>
}
