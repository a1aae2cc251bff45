// The part of `mock.db` that works over JSON, for other processes: creates, changes and removes records.
import * as z from 'zod/mini'
import { resourceNames, type Entity } from '../../contract/resources.ts'
import { isObject } from '../../contract/data/objects.ts'
import { JsonObject } from '../../contract/schema/maps.ts'
import { parseOrThrow } from '../../mock/parse-or-throw.ts'
import { assertExists } from '../../mock/control-error.ts'
import type { Db, DbCollection } from '../../mock/controls/db/db.ts'
import { nestedFields } from '../../mock/journal/changes.ts'

const Collection = z.enum(['rows', ...resourceNames])
export const DbFields = z.strictObject({
  /** Fields of the record. Within `data` and `custom_data`, only the given fields change, and null clears one. */
  values: z.optional(JsonObject),
  /** Id of the table, for the collection `rows`. */
  table: z.optional(z.coerce.string()),
})
export type DbFields = z.infer<typeof DbFields>

function mergeValues(record: object, values: Readonly<Record<string, unknown>>): object {
  const before: Readonly<Record<string, unknown>> = { ...record }
  const entries = Object.entries(values).map(([name, value]) => {
    const held = before[name]
    if (!nestedFields.has(name) || !isObject(value) || !isObject(held)) return [name, value] as const
    const all = Object.entries({ ...held, ...value })
    return [name, Object.fromEntries(all.filter(([, each]) => each !== null))] as const
  })
  return { ...before, ...Object.fromEntries(entries) }
}

export function createRemoteDb(db: Db) {
  const findCollection = (collection: string, { table = '' }: DbFields) => {
    const name = parseOrThrow(Collection, collection, 'collection')
    // Types are loose here, because the collection validates its input like a fixture.
    const collections: Readonly<Record<string, unknown>> = db
    return (name === 'rows' ? db.rows(table) : collections[name]) as DbCollection<Entity>
  }
  const getOrThrow = (collection: string, id: string, given: DbFields) => {
    const records = findCollection(collection, given)
    const record = records.findFirst((query) => query.where({ id }))
    return assertExists(record, collection, id, () => records.all())
  }
  return {
    /** Adds a record to a collection of `mock.db`, or a row to a `table`. Absent fields get a fixture's defaults. */
    create: (collection: string, given: DbFields) => {
      const { values = {} } = parseOrThrow(DbFields, given, 'body')
      return findCollection(collection, given).create(values)
    },
    /** Changes the given fields of a record, including those within `data` and `custom_data`, where null clears one. */
    change: async (collection: string, id: string, given: DbFields) => {
      const { values = {} } = parseOrThrow(DbFields, given, 'body')
      const before = getOrThrow(collection, id, given)
      const data = (record: object) => void Object.assign(record, mergeValues(before, values))
      return (await findCollection(collection, given).update(before, { data })) ?? before
    },
    /** Permanently removes a record and everything that belongs to it. */
    remove: (collection: string, id: string, given: DbFields) =>
      void findCollection(collection, given).delete(getOrThrow(collection, id, given)),
  }
}
