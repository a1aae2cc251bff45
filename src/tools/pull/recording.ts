// Builds the workspace as it was at the end of a recording.
import { toBase64 } from '../../contract/data/base64.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { isObject } from '../../contract/data/objects.ts'
import { operations, type OperationId } from '../../contract/index.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { compareText } from '../../contract/text/format.ts'
import type { Bag } from './bag.ts'
import type { Recording } from './har.ts'
import { findListing, findRecords, listingIds, listingOf, type ListingId } from './listings.ts'
import { toNote, toPlainNote } from './notes.ts'

/** Stands in for the space of lists whose space a recording does not show. */
const recordedSpace = 'space_recorded'

/** Operations that return only an id. */
const idsAlone: ReadonlySet<OperationId> = new Set(['createTask', 'createComment'])

/** Parameters that do not filter or sort. */
const pagingNames: ReadonlySet<string> = new Set(['page', 'limit', 'pageSize', 'offset', 'select'])

/** Adds tables, lists and spaces that the recording shows only in part. */
function completeParents(bag: Bag): void {
  const ensure = (listing: ListingId, id: string, more: JsonObject = {}) =>
    getOrInsert(bag.contentOf(listing).records, id, () => ({ id, name: id, ...more }))
  const ownersOf = (...listings: ListingId[]) => listings.flatMap((id) => [...bag.contentsOf(id).keys()])
  const linked = bag.allOf('getListSchema').flatMap(({ table_id }) => table_id ?? [])
  for (const id of [...ownersOf('listRows', 'getDatatableSchema'), ...linked]) ensure('listDatatables', id)
  for (const id of ownersOf('listTasks', 'getListSchema'))
    ensure('listLists', id, { space_id: recordedSpace, folder_id: null })
  for (const list of bag.contentOf('listLists').records.values()) {
    const { space_id = recordedSpace, space_name: name = space_id, id: default_list_id } = list
    const space = ensure('listSpaces', String(space_id), { name, default_list_id })
    space.lists = [...findRecords(space, 'lists').filter(({ id }) => id !== list.id), list]
  }
}

/** Adds what the calls show, and notes what they lack. */
export function readRecording({ calls }: Pick<Recording, 'calls'>, bag: Bag): void {
  /** Positions in listings, as far as unfiltered pages show them. */
  const positions = new Map<Map<string, JsonObject>, Map<string, number>>()
  const workspaces = new Set<unknown>()
  for (const { operation, ids, query, bytes, body } of calls) {
    const id = ids.at(-1) ?? ''
    if (operation === 'downloadTaskAttachment') bag.files.set(id, toBase64(bytes))
    if (!isObject(body)) continue
    const listing = operation === 'queryRows' ? 'listRows' : operation
    const name = findListing(listing)?.holds
    if (operations[operation].method === 'DELETE') {
      bag.unseenWrites.delete(id)
      for (const one of listingIds) for (const { records } of bag.contentsOf(one).values()) records.delete(id)
    } else if (idsAlone.has(operation)) {
      if (typeof body.id === 'string') bag.unseenWrites.set(body.id, operation)
      for (const file of findRecords(body, 'attachments'))
        bag.put('listTaskAttachments', String(body.id), file)
    } else if (listingOf(operation)) {
      if (operation === 'getRow') bag.rowsAlone.set(id, body)
      const { records } = bag.add(operation, ids, body)
      if (records.length === 0 && operation.startsWith('update')) bag.unseenWrites.set(id, operation)
    } else if (name !== undefined) {
      if (operation === 'getIdentity') workspaces.add(isObject(body.workspace) && body.workspace.id)
      const isQuery = operation === 'queryRows'
      const isFiltered = isQuery || [...query.keys()].some((one) => !pagingNames.has(one))
      const shown = isFiltered ? { [name]: body[name] } : body
      const { records } = bag.add(listing, ids, shown, isQuery || query.has('select'))
      if (isFiltered) continue
      const content = bag.contentOf(listing, ids[0])
      const limit = Number(body.limit ?? body.pageSize ?? Infinity)
      const start = Number(body.offset ?? 0) || (Number(body.page ?? 1) - 1) * limit || 0
      const known = getOrInsert(positions, content.records, () => new Map<string, number>())
      for (const [index, record] of records.entries()) known.set(record.id, start + index)
      content.isWhole ||= !(records.length >= limit)
    }
  }
  for (const [records, known] of positions) {
    const positionOf = ([id]: readonly [string, unknown]) => known.get(id) ?? Infinity
    const sorted = [...records].sort((a, b) => compareText(positionOf(a), positionOf(b)))
    records.clear()
    for (const [id, record] of sorted) records.set(id, record)
  }
  if (workspaces.size > 1)
    bag.notes.add(toNote`The recording shows ${workspaces.size} workspaces, which were merged into one.`)
  for (const [id, operation] of bag.unseenWrites)
    bag.notes.add(toNote`The result of ${toPlainNote(operation)} for ${id} is not recorded.`)
  completeParents(bag)
}
