// Records created, changed and removed from another process: `mock.db` as far as JSON can express it.
import * as z from 'zod/mini'
import { resourceNames, type Entity } from '../contract/resources.ts'
import { isObject, JsonObject } from '../contract/values/objects.ts'
import { checked } from '../core/checked.ts'
import { assertExists } from '../core/control-error.ts'
import type { Db, DbCollection } from './db-controls.ts'

const Collection = z.enum(['rows', ...resourceNames])
const Given = z.strictObject({
  /** Fields of a record; in `data` and `custom_data` those that are named, null to clear one. */
  values: z.optional(JsonObject),
  /** Of `rows`: the table that they are of. */
  table: z.optional(z.coerce.string()),
})
type Given = z.infer<typeof Given>

/** Fields whose own fields are changed one by one. */
const nested: ReadonlySet<string> = new Set(['data', 'custom_data'])

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

export function farDb(db: Db) {
  const of = (collection: string, { table = '' }: Given) => {
    const name = checked(Collection, collection, 'collection')
    // What a collection takes is checked like a fixture.
    const collections: Readonly<Record<string, unknown>> = db
    return (name === 'rows' ? db.rows(table) : collections[name]) as DbCollection<Entity>
  }
  const found = (collection: string, id: string, given: Given) => {
    const records = of(collection, given)
    const record = records.findFirst((query) => query.where({ id }))
    return assertExists(record, collection, id, () => records.all())
  }
  return {
    /** Adds a record to a collection of `mock.db`, or a row to a `table`: absent fields get the defaults of a fixture. */
    create: (collection: string, given: Given) => {
      const { values = {} } = checked(Given, given, 'body')
      return of(collection, given).create(values)
    },
    /** Changes the fields of a record that are given, within `data` and `custom_data` too; null clears one. */
    change: async (collection: string, id: string, given: Given) => {
      const { values = {} } = checked(Given, given, 'body')
      const before = found(collection, id, given)
      const data = (record: object) => void Object.assign(record, merged(before, values))
      return (await of(collection, given).update(before, { data })) ?? before
    },
    /** Removes a record for good, with all that belongs to it. */
    remove: (collection: string, id: string, given: Given) =>
      void of(collection, given).delete(found(collection, id, given)),
  }
}
