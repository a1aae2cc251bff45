// Records created, changed and removed from another process: `mock.db` as far as JSON can express it.
import * as z from 'zod/mini'
import { resourceNames } from '../contract/resources.ts'
import { JsonObject } from '../contract/values/objects.ts'
import { checked } from '../core/checked.ts'
import { assertExists } from '../core/control-error.ts'
import type { Db, DbCollection } from './db-controls.ts'

/** A collection of `mock.db`, or `rows` with the `table` that they are of. */
interface OfTable {
  readonly table?: string
}

/** Fields of a record; in `data` and `custom_data` those that are named, null to clear one. */
interface RecordValues extends OfTable {
  readonly values?: Readonly<Record<string, unknown>>
}

export interface FarDb {
  /** Adds a record to a collection of `mock.db`, or a row to a `table`: absent fields get the defaults of a fixture. */
  create(collection: string, record: RecordValues): Promise<object>
  /** Changes the fields of a record that are given, within `data` and `custom_data` too; null clears one. */
  change(collection: string, id: string, record: RecordValues): Promise<object>
  /** Removes a record for good, with all that belongs to it. */
  remove(collection: string, id: string, of: OfTable): Promise<void>
}

interface Stored {
  readonly id: string
}

const Collection = z.enum(['rows', ...resourceNames])
const Given = z.strictObject({ values: z.optional(JsonObject), table: z.optional(z.coerce.string()) })

/** Fields whose own fields are changed one by one. */
const nested: ReadonlySet<string> = new Set(['data', 'custom_data'])

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function merged(record: object, values: Readonly<Record<string, unknown>>): object {
  const before: Readonly<Record<string, unknown>> = { ...record }
  const entries = Object.entries(values).map(([name, value]) => {
    const held = before[name]
    if (!nested.has(name) || !isObject(value) || !isObject(held)) return [name, value] as const
    const all = Object.entries({ ...held, ...value })
    return [name, Object.fromEntries(all.filter(([, each]) => each !== null))] as const
  })
  return { ...before, ...Object.fromEntries(entries) }
}

export function farDb(db: Db): FarDb {
  const of = (collection: string, { table = '' }: OfTable): DbCollection<Stored> => {
    const name = checked(Collection, collection, 'collection')
    // What a collection takes is checked like a fixture.
    const collections = db as Readonly<Record<string, unknown>>
    return (name === 'rows' ? db.rows(table) : collections[name]) as DbCollection<Stored>
  }
  const found = (collection: string, id: string, given: OfTable) =>
    assertExists(
      of(collection, given).findFirst((query) => query.where({ id })),
      collection,
      id,
      () => of(collection, given).all(),
    )
  return {
    create: (collection, given) => {
      const { values = {} } = checked(Given, given, 'body')
      return of(collection, given).create(values)
    },
    change: async (collection, id, given) => {
      const { values = {} } = checked(Given, given, 'body')
      const before = found(collection, id, given)
      const changed = await of(collection, given).update(before, {
        data: (record) => void Object.assign(record, merged(before, values)),
      })
      return changed ?? before
    },
    remove: (collection, id, given) => {
      of(collection, given).delete(found(collection, id, given))
      return Promise.resolve()
    },
  }
}
