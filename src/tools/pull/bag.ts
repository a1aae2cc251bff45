// Collects what responses show of a live or recorded workspace: bodies and records by operation and owner.
import { operations, type OperationId } from '../../contract/index.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { isObject } from '../../contract/data/objects.ts'
import { fillPath, type OperationSpec } from '../../contract/operation.ts'
import type { Row } from '../../contract/rows.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { cellsOf } from '../deployment/shapes.ts'
import { readBody } from './lenient.ts'
import {
  findListing,
  findRecords,
  idNamesOf,
  listingOf,
  type Listed,
  type ListingId,
  type Shown,
} from './listings.ts'
import type { Note, Notes } from './notes.ts'

/** How much to read; by default everything. */
export interface PullBounds {
  /** Maximum number of rows per table, tasks per list, submissions per form. */
  readonly rows?: number | undefined
  readonly tasks?: number | undefined
  readonly submissions?: number | undefined
  /** Maximum number of tables, lists and forms to read in full; the rest are only listed. */
  readonly owners?: number | undefined
  /** Maximum number of tasks, per list and in total, to read with comments, time entries and attachments. */
  readonly details?: readonly [ofList: number, ofAll: number] | undefined
  /** Operations whose content is needed; by default all. */
  readonly wanted?: ReadonlySet<OperationId> | undefined
  /** Whether files are downloaded; default false. */
  readonly files?: boolean | undefined
}

/** Maximum total size of all files; any further files are empty. */
export const mostFileBytes = 128 * 1024 * 1024

/** Stands in for the list of tasks whose list a recording does not show. */
const recordedList = 'list_recorded'

/** What an operation shows of one owner, such as the rows of a table. */
interface Content {
  body: JsonObject
  records: Map<string, JsonObject>
  /** Whether a recording includes the last page. */
  isWhole: boolean
}

export const toRequestNote = (operation: OperationId, ids: readonly string[]): Note => {
  const { method, path } = operations[operation]
  const left = [...ids]
  return { text: `${method} ${fillPath(path, () => left.shift() ?? '')}`, anonymous: `${method} ${path}` }
}

export class Bag {
  readonly notes: Notes
  readonly bounds: PullBounds
  /** Whether the responses come from a recording, which may be incomplete. */
  readonly isRecorded: boolean
  /** By operation and owner id; '' is the workspace. */
  readonly #contents = new Map<OperationId, Map<string, Content>>()
  /** Rows as `getRow` shows them. */
  readonly rowsAlone = new Map<string, JsonObject>()
  /** Task files in base64, by attachment id. */
  readonly files = new Map<string, string>()
  /** Ids of tables, lists and forms that were not read in full. */
  readonly partial = new Set<string>()
  /** Writes whose result no response shows, by record id. */
  readonly unseenWrites = new Map<string, OperationId>()
  /** How often missing content was looked up. */
  readonly lacking = new Map<OperationId, number>()
  /** Number of records that were deleted before they were read. */
  vanished = 0

  constructor(notes: Notes, bounds: PullBounds, isRecorded: boolean) {
    this.notes = notes
    this.isRecorded = isRecorded
    this.bounds = bounds
  }

  contentsOf(operation: OperationId): Map<string, Content> {
    return getOrInsert(this.#contents, operation, () => new Map<string, Content>())
  }

  /** The records of all owners. */
  allOf<Id extends ListingId>(operation: Id): Shown<Listed<Id>>[] {
    const all = [...this.contentsOf(operation).values()].flatMap(({ records }) => [...records.values()])
    return all as Shown<Listed<Id>>[]
  }

  contentOf(operation: OperationId, owner = ''): Content {
    const make = () => ({ body: {}, records: new Map<string, JsonObject>(), isWhole: false })
    return getOrInsert(this.contentsOf(operation), owner, make)
  }

  /**
   * Adds the valid part of a response. A single record is added to its listing.
   * @param ids the ids in its path
   * @param isPart whether the response shows only some columns of the rows
   * @returns the records, and whether something was left out
   */
  add(operation: OperationId, ids: readonly string[], whole: JsonObject, isPart = false) {
    const { body, isCut } = readBody(operation, whole, toRequestNote(operation, ids), this.notes)
    const listing = listingOf(operation)
    if (listing) {
      const [record] = findRecords({ all: [body, ...Object.values(body)] }, 'all')
      if (record) this.put(listing, this.#ownerOf(listing, ids, record), record)
      return { records: record ? [record] : [], isCut }
    }
    const content = this.contentOf(operation, ids[0])
    content.body = { ...content.body, ...body }
    if (operation.startsWith('get')) content.records.clear()
    const records = findRecords(body, findListing(operation)?.holds ?? '')
    for (const record of records) {
      this.put(operation, ids[0], record, isPart ? 'part' : 'listed')
      for (const list of findRecords(record, 'lists')) this.put('listLists', '', list)
    }
    return { records, isCut }
  }

  /** Adds a record. A row gets the shape it has in listings. Assumption: rowShape */
  put(
    operation: OperationId,
    owner: string | undefined,
    record: Shown<JsonObject>,
    how: 'alone' | 'listed' | 'part' = 'alone',
  ): void {
    const { records } = this.contentOf(operation, owner)
    const known = records.get(record.id)
    const { id, version } = record
    this.unseenWrites.delete(id)
    if (known && operation === 'listRows') {
      const cells = { ...(how === 'part' && cellsOf(known as Row)), ...cellsOf(record as Row) }
      const isNested = isObject((how === 'alone' ? known : record).data)
      records.set(id, { id, version, ...(isNested ? { data: cells } : cells) })
    } else records.set(id, { ...known, ...record })
  }

  /** Finds the owner of a record. Not every response names its task's list. */
  #ownerOf(listing: ListingId, [first]: readonly string[], { id, list_id }: JsonObject): string | undefined {
    if (listing !== 'listTasks') return idNamesOf(listing).length > 0 ? first : undefined
    const known = [...this.contentsOf(listing)].find(([, { records }]) => records.has(String(id)))
    return known?.[0] ?? (typeof list_id === 'string' ? list_id : recordedList)
  }

  /** Finds an operation's content. If there is none, counts the miss and returns undefined. */
  find(operation: ListingId, owner = ''): Content | undefined {
    const content = this.contentsOf(operation).get(owner)
    if (!content) this.lacking.set(operation, (this.lacking.get(operation) ?? 0) + 1)
    return content
  }

  recordsOf<Id extends ListingId>(operation: Id, owner?: string): Shown<Listed<Id>>[] {
    const { paging }: OperationSpec = operations[operation]
    const records = [...(this.find(operation, owner)?.records.values() ?? [])]
    return records.slice(0, paging && this.bounds[paging.items]) as Shown<Listed<Id>>[]
  }
}
