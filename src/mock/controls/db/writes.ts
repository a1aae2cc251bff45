// Writes single records. Each write is validated like a fixture that contains the record.
import type { Entity } from '../../../contract/resources.ts'
import { quote } from '../../../contract/text/quote.ts'
import { assertExists, ControlError } from '../../control-error.ts'
import { Problems } from '../../../service/fixture/error.ts'
import { checkRecordShape, writeRecords, type RecordPart } from '../../../service/fixture/record.ts'
import type { Store } from '../../../service/store/store.ts'
import type { Access } from './access.ts'

const whatOf = ({ name }: { readonly name: string }) => `mock.db.${name}`

/** A record must be in its owner's workspace. */
function assertWorkspace(record: object, values: object): void {
  const [own, given] = [record, values].map((each): unknown => Reflect.get(each, 'workspace_id'))
  if (given !== undefined && given !== own)
    throw new ControlError(
      `workspace_id must be ${quote(own)}, the workspace of the record's owner; received ${quote(given)}`,
    )
}

export function createRecord<T extends Entity>(store: Store, access: Access<T>, values: object): T {
  const id: unknown = Reflect.get(values, 'id')
  if (typeof id === 'string' && access.recordsOf(store).get(id))
    throw new ControlError(`id must be unique; ${quote(id)} already exists`)
  const part = access.partOf(store, values)
  const what = whatOf(access)
  checkRecordShape(part, what)
  const made = writeRecords(store, [part], { problems: new Problems(what) })
  const [newId = ''] = made[part.name === 'timeEntries' ? 'time_entries' : part.name]
  const record = assertExists(access.recordsOf(store).get(newId), access.name, newId)
  assertWorkspace(record, values)
  return record
}

/** Replaces a record and checks its dependents. Existing links stay valid, even to deleted records. */
export function replaceRecord<T extends Entity>(store: Store, access: Access<T>, before: T, after: T): T {
  const what = whatOf(access)
  const part = access.partOf(store, after)
  checkRecordShape(part, what)
  const write = (parts: readonly RecordPart[]) =>
    writeRecords(store, parts, { problems: new Problems(what), replaces: true })
  write([part])
  const record = assertExists(access.recordsOf(store).get(after.id), access.name, after.id)
  assertWorkspace(record, after)
  write(access.propagate(store, before, record))
  return record
}

export function removeRecords<T extends Entity>(store: Store, access: Access<T>, records: readonly T[]): T[] {
  const removed = structuredClone([...records])
  const naming = removed.flatMap((record) => access.remove(store, record))
  const isLeft = ({ name, input }: RecordPart) =>
    name === 'tables' || name === 'lists' ? store[name].has(String(Reflect.get(input, 'id'))) : false
  const problems = new Problems(whatOf(access))
  writeRecords(store, naming.filter(isLeft), { problems, replaces: true })
  return removed
}
