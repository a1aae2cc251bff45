// Writes of single records: each is checked as the part of a fixture that would create it.
import type { Entity } from '../../contract/resources.ts'
import { toBase64 } from '../../contract/data/base64.ts'
import { quote } from '../../contract/text/quote.ts'
import { assertExists, ControlError } from '../../core/control-error.ts'
import { FixtureError } from '../../fixture/error.ts'
import { seedStore } from '../../fixture/seed.ts'
import type { Store } from '../../store/store.ts'
import type { Access, Values } from './access.ts'

/** Writes a record as a part of a fixture; errors name the path within the record. */
function written<T extends Entity>(
  store: Store,
  access: Access<T>,
  values: object,
  fileKeys: readonly string[],
): T {
  const { part, path, kind } = access.placeOf(store, values)
  const files = fileKeys.map((key) => [key, toBase64(store.files.get(key) ?? new Uint8Array())])
  try {
    const [id = ''] = seedStore(store, { ...part, files: Object.fromEntries(files) as Values })[kind]
    const record = assertExists(access.recordsOf(store).get(id), access.name, id)
    assertWorkspace(record, values)
    return record
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error
    const within = (text: string) => text.replace(`${path}.`, '').replace(path, access.name)
    const problems = error.problems.map((each) => ({
      path: within(each.path),
      message: within(each.message),
    }))
    throw new FixtureError(`mock.db.${access.name}`, problems)
  }
}

/** A record is always in the workspace of its owner. */
function assertWorkspace(record: object, values: object): void {
  const [own, given] = [record, values].map((each): unknown => Reflect.get(each, 'workspace_id'))
  if (given !== undefined && given !== own)
    throw new ControlError(
      `workspace_id must be that of what the record belongs to, ${quote(own)}; received ${quote(given)}`,
    )
}

/** @throws {FixtureError} naming the field that is wrong */
export function created<T extends Entity>(store: Store, access: Access<T>, values: Values): T {
  const { id } = values
  if (typeof id === 'string' && access.recordsOf(store).get(id))
    throw new ControlError(`id must be unique; ${quote(id)} already exists`)
  return written(store, access, values, [])
}

/** @throws {FixtureError} naming the field that is wrong */
export function replaced<T extends Entity>(store: Store, access: Access<T>, before: T, after: T): T {
  const records = access.recordsOf(store)
  const fileKeys = access.filesOf(store, after.id)
  // The write is rolled back; only the checked record is kept, in its former place.
  const outer = store.undo.begin()
  let record: T
  try {
    records.remove(after.id)
    record = written(store, access, after, fileKeys)
  } finally {
    store.undo.rollback(outer)
  }
  records.put(record)
  access.replaced(store, before, record)
  return record
}
