// The model for tests: queries over the collections that handlers read, and writes that are checked like a fixture.
import * as z from 'zod/mini'
import type { Schema } from '../contract/operation.ts'
import {
  resourceNames,
  resources,
  type Entity,
  type Records,
  type ResourceName,
} from '../contract/resources.ts'
import { fieldNames } from '../contract/schema/field-names.ts'
import { isObject, JsonObject } from '../contract/values/objects.ts'
import { quote } from '../contract/values/quote.ts'
import { assertFields } from '../core/checked.ts'
import { ControlError, assertExists } from '../core/control-error.ts'
import { removeRow } from '../rows/rows.ts'
import { find, type FindOptions, type Selection } from '../store/find.ts'
import type { StoredRow } from '../store/row-table.ts'
import type { Store } from '../store/store.ts'
import type { Db, DbCollection } from './db-controls.ts'
import { createRecord, createRow, removeRecord, replaceRecord, replaceRow } from './db-writes.ts'

/** How the records of a collection are read and written. */
interface Access<T> {
  readonly name: string
  /** Of the records, for the names of their fields. */
  readonly schema: Schema
  all(store: Store): readonly T[]
  create(store: Store, values: object): T
  replace(store: Store, before: T, after: T): T
  remove(store: Store, record: T): void
}

const StoredRowFields = z.object({
  id: z.string(),
  version: z.number(),
  created_at: z.number(),
  updated_at: z.number(),
  data: JsonObject,
})

/**
 * Checks the names in a condition or an order, which are fields of the records.
 * @throws {ControlError} naming the nearest
 */
function assertNames(schema: Schema, what: string, names: object, path: readonly string[] = []): void {
  // Of an array, each item must match.
  const at = fieldNames(schema, path).length > 0 ? path : [...path, '0']
  const known = fieldNames(schema, at)
  if (known.length === 0) return
  assertFields(what, names, known)
  for (const [name, value] of Object.entries(names) as [string, unknown][])
    if (isObject(value)) assertNames(schema, `${what}.${name}`, value, [...at, name])
}

/** Every call looks up its store again; one that waits continues with the store it began with. */
function collection<T extends Entity>(storeOf: () => Store, access: Access<T>): DbCollection<T> {
  const { name } = access
  const assertFound = (count: number, method: string, strict = false) => {
    if (strict && count === 0)
      throw new ControlError(`mock.db.${name}.${method} found no record that matches`)
  }
  const found = (store: Store, selection?: Selection<T>, options?: FindOptions<T>) =>
    find(access.all(store), selection, options, (what, names) => {
      assertNames(access.schema, `mock.db.${name}: ${what}`, names)
    })
  const first = (store: Store, selection: Selection<T> | T | undefined): T | undefined => {
    const id = typeof selection === 'object' && 'id' in selection ? selection.id : undefined
    return id === undefined
      ? found(store, selection as Selection<T>, { take: 1 })[0]
      : access.all(store).find((record) => record.id === id)
  }
  const updated = async (store: Store, before: T, data: (record: T) => void | Promise<void>): Promise<T> => {
    const after = structuredClone(before)
    await data(after)
    if (after.id !== before.id)
      throw new ControlError(
        `id of ${name} cannot be changed from ${quote(before.id)}; received ${quote(after.id)}`,
      )
    return structuredClone(store.change(() => access.replace(store, before, after)))
  }
  const removed = (store: Store, records: readonly T[]) =>
    store.change(() => {
      for (const record of records) access.remove(store, record)
      return structuredClone([...records])
    })
  const create = (store: Store, values: Partial<T>) =>
    structuredClone(store.change(() => access.create(store, structuredClone(values))))
  return {
    findFirst: (selection, options) => {
      const record = first(storeOf(), selection)
      assertFound(Number(record !== undefined), 'findFirst', options?.strict)
      return structuredClone(record)
    },
    findMany: (selection, options) => {
      const records = found(storeOf(), selection, options)
      assertFound(records.length, 'findMany', options?.strict)
      return structuredClone([...records])
    },
    count: (selection) => found(storeOf(), selection).length,
    all: () => structuredClone([...access.all(storeOf())]),
    create: (values) => promised(() => create(storeOf(), values)),
    createMany: (count, values) =>
      promised(() => {
        const store = storeOf()
        return Array.from({ length: count }, (_, index) => create(store, values(index)))
      }),
    update: async (selection, { data, strict }) => {
      const store = storeOf()
      const before = first(store, selection)
      assertFound(Number(before !== undefined), 'update', strict)
      return before && updated(store, before, data)
    },
    updateMany: async (selection, { data, strict }) => {
      const store = storeOf()
      const records = [...found(store, selection)]
      assertFound(records.length, 'updateMany', strict)
      const after: T[] = []
      for (const record of records) after.push(await updated(store, record, data))
      return after
    },
    delete: (selection, options) => {
      const store = storeOf()
      const record = first(store, selection)
      assertFound(Number(record !== undefined), 'delete', options?.strict)
      return record && removed(store, [record])[0]
    },
    deleteMany: (selection, options) => {
      const store = storeOf()
      const records = [...found(store, selection)]
      assertFound(records.length, 'deleteMany', options?.strict)
      return removed(store, records)
    },
  }
}

/** Writes return promises as in the library's API, although ours are synchronous. */
const promised = <T>(run: () => T) => new Promise<T>((resolve) => resolve(run()))

const recordAccess = <Name extends ResourceName>(name: Name): Access<Records[Name]> => ({
  name,
  schema: resources[name].schema,
  all: (store) => store[name].all() as Records[Name][],
  create: (store, values) => createRecord(store, name, { ...values }),
  replace: (store, before, after) => replaceRecord(store, name, before, after),
  remove: (store, record) => {
    removeRecord(store, name, record)
  },
})

function rowAccess(tableId: string): Access<StoredRow> {
  const tableOf = (store: Store) =>
    assertExists(store.tables.get(tableId), 'datatable', tableId, () => store.tables.all())
  return {
    name: 'rows',
    schema: StoredRowFields,
    all: (store) => (tableOf(store), store.rows(tableId).all()),
    create: (store, values) => createRow(store, tableOf(store), { ...values }),
    replace: (store, before, after) => replaceRow(store, tableOf(store), before, after),
    remove: (store, row) => {
      removeRow(store, tableOf(store), row)
    },
  }
}

/** @param storeOf the store of the sandbox or boundary that a call is made in */
export function createDb(storeOf: () => Store): Db {
  const collections = resourceNames.map((name) => [name, collection(storeOf, recordAccess(name))])
  const rows = (tableId: string) => {
    const access = rowAccess(tableId)
    access.all(storeOf())
    return collection(storeOf, access)
  }
  return { ...(Object.fromEntries(collections) as Omit<Db, 'rows'>), rows }
}
