// Reads a deployment into a bag: the records of each listing, then what belongs to each of them.
import { operations, type OperationId } from '../../../contract/index.ts'
import { sizeOfBase64 } from '../../../contract/data/base64.ts'
import { mostPerPage } from '../../../contract/limits.ts'
import type { OperationSpec, Paging } from '../../../contract/operation.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import type { Client } from '../engine/client.ts'
import { mostFileBytes, type Bag } from './bag.ts'
import { findListing, idNamesOf, listingIds, type ListingId } from './listings.ts'
import { toNote } from './notes.ts'
import { Reader, type ReaderOptions } from './reader.ts'

/** A listing of more pages does not end: no mock could hold it. */
const mostPages = 1000

/** The first records of a listing. @returns whether there are more, which are not read */
async function readPages(
  reader: Reader,
  bag: Bag,
  operation: ListingId,
  ids: readonly string[],
  { by, items }: Paging,
): Promise<boolean> {
  const most = bag.bounds[items] ?? Infinity
  const limit = Math.min(mostPerPage[items], Math.max(most, 1))
  const known = new Set<string>()
  for (let page = 0, before = 0; known.size < most; page += 1) {
    const start = by === 'page' ? { page: page + 1 } : { offset: before }
    const body = await reader.read(operation, ids, { limit, ...start })
    if (!body) return false
    const { records, isCut } = bag.add(operation, ids, body)
    const size = (body[items] as unknown[]).length
    const { size: knownBefore } = known
    for (const { id } of records) known.add(id)
    const shown = body.limit ?? body.pageSize
    const pageSize = Math.min(limit, typeof shown === 'number' && shown > 0 ? shown : limit)
    before += size
    const { total } = body
    // Records that were left out count: they are on a page all the same.
    if (typeof total === 'number' ? size === 0 || (page + 1) * pageSize >= total : size < pageSize)
      return false
    if (known.size === knownBefore && size > 0 && !isCut) {
      reader.fail(operation, ids, toNote`repeats the records of its pages; what comes after is not read`)
      return false
    }
    if (page >= mostPages) {
      reader.fail(operation, ids, toNote`does not end after ${page} pages; what comes after is not read`)
      return true
    }
    const isCounted = typeof total === 'number'
    if (page === 0 || !isCounted)
      reader.planRequests(isCounted ? Math.ceil(Math.min(total, most) / pageSize) - 1 : 1)
  }
  return true
}

async function readListing(reader: Reader, bag: Bag, operation: ListingId, owner?: string): Promise<void> {
  const { paging }: OperationSpec = operations[operation]
  const ids = owner === undefined ? [] : [owner]
  if (owner !== undefined && paging) {
    if (await readPages(reader, bag, operation, ids, paging)) bag.partial.add(owner)
  } else {
    const body = await reader.read(operation, ids)
    if (body) bag.add(operation, ids, body)
  }
  const { alone } = findListing(operation) ?? {}
  if (alone)
    await readAlone(
      reader,
      bag,
      alone,
      ids,
      [...bag.contentOf(operation, owner).records].slice(0, paging && bag.bounds[paging.items]),
    )
  if (operation !== 'listTaskAttachments' || bag.bounds.files !== true) return
  const files = [...bag.contentOf(operation, owner).records.keys()]
  reader.planRequests(files.length)
  for (const id of files) {
    const held = [...bag.files.values()].reduce((sum, file) => sum + sizeOfBase64(file), 0)
    const file = await reader.readFile([...ids, id], mostFileBytes - held)
    if (file !== undefined) bag.files.set(id, file)
  }
}

type Records = readonly (readonly [id: string, record: JsonObject])[]

/** Where the first record shows more alone than in its listing, each is read alone. Assumption: taskReadExtras */
async function readAlone(
  reader: Reader,
  bag: Bag,
  alone: OperationId,
  owner: readonly string[],
  all: Records,
) {
  for (const [index, [id, record]] of all.entries()) {
    const ids = [...owner, id].slice(-idNamesOf(alone).length)
    const shown = await reader.read(alone, ids)
    // Of rows the shape is of interest, which all share.
    if (alone === 'getRow') return shown && bag.rowsAlone.set(id, shown)
    const isMore = shown && Object.keys(shown).length > Object.keys(record).length
    if (index === 0 && !isMore) return
    if (index === 0) reader.planRequests(all.length - 1)
    if (shown) bag.add(alone, ids, shown)
  }
}

/** One request at a time. @throws {Interrupted} */
export async function readDeployment(api: Client, bag: Bag, options: ReaderOptions): Promise<void> {
  const reader = new Reader(api, bag, options)
  const { wanted, owners = Infinity, details = [Infinity, Infinity] } = bag.bounds
  for (const listing of new Set(listingIds.map((id) => findListing(id)?.of))) {
    const group = listingIds.filter((id) => {
      const { of, for: paths = /^/ } = findListing(id) ?? {}
      return of === listing && (!wanted || [...wanted].some((one) => paths.test(operations[one].path)))
    })
    const all = listing ? [...bag.contentsOf(listing).values()].map(({ records }) => [...records.keys()]) : []
    const [most, ofAll] = listing === 'listTasks' ? details : [owners, Infinity]
    const chosen = group.length > 0 ? all.flatMap((ids) => ids.slice(0, most)).slice(0, ofAll) : []
    // The other tables, lists and forms are not read whole.
    if (listing !== 'listTasks') for (const id of all.flat()) if (!chosen.includes(id)) bag.partial.add(id)
    const read = listing ? chosen : [undefined]
    reader.planRequests(group.length * read.length)
    for (const owner of read) for (const operation of group) await readListing(reader, bag, operation, owner)
  }
}
