// Recordings of requests (HAR: devtools, Playwright, a proxy, a mock): the calls that succeeded, and what their responses show
// of the workspace at their end.
import * as z from 'zod/mini'
import { fromBase64, toBase64 } from '../../contract/data/base64.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { isObject } from '../../contract/data/objects.ts'
import { operations, type OperationId } from '../../contract/index.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { compareText } from '../../contract/text/format.ts'
import { findOperation } from '../../mock/requests/route.ts'
import { KeyRedaction } from '../deployment/reply.ts'
import { CannotRun } from '../deployment/start.ts'
import type { Bag } from './bag.ts'
import {
  describeExpected,
  findListing,
  findRecords,
  listingIds,
  listingOf,
  type ListingId,
} from './listings.ts'
import { toNote, toPlainNote, type Note } from './notes.ts'

const NullishText = z.nullish(z.string())
const HarEntry = z.object({
  startedDateTime: NullishText,
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.optional(z.array(z.object({ name: z.string(), value: z.string() }))),
  }),
  response: z.optional(
    z.object({
      status: z.optional(z.unknown()),
      content: z.optional(z.object({ text: NullishText, encoding: NullishText })),
    }),
  ),
})
type HarEntry = z.infer<typeof HarEntry>
const Har = z.object({ log: z.object({ entries: z.array(z.unknown()) }) })

const attempt = <T>(make: () => T): T | undefined => {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** A base address can end after any `/v1` of the path. */
function callsOf(entry: HarEntry) {
  const { method, url } = entry.request
  const address = URL.parse(url)
  if (!address) return []
  const { origin, pathname, searchParams: query } = address
  return [...pathname.matchAll(/\/v1(?=\/)/g)].flatMap(({ index }) => {
    const route = findOperation(method, pathname.slice(index + 3))
    const ids = route && attempt(() => Object.values(route.params).map(decodeURIComponent))
    const base = origin + pathname.slice(0, index + 3)
    return ids ? [{ operation: route.operation.id, ids, base, query, entry }] : []
  })
}

/** The content of a response, without the key; undefined where it was not recorded whole. */
function readCall({ entry, ...call }: ReturnType<typeof callsOf>[number], redaction: KeyRedaction) {
  const { text, encoding } = entry.response?.content ?? {}
  if (typeof text !== 'string') return undefined
  const content = attempt(() => (encoding === 'base64' ? fromBase64(text) : new TextEncoder().encode(text)))
  const bytes = content && redaction.bytes(content)
  const body = bytes && attempt(() => redaction.json(JSON.parse(new TextDecoder().decode(bytes))))
  const isRead =
    call.operation === 'downloadTaskAttachment' || describeExpected(call.operation, body) === undefined
  return bytes && isRead ? { ...call, bytes, body } : undefined
}

/** The successful calls in the order of their start. @param baseUrl by default the one with the most requests @throws {CannotRun} */
export function readHar(har: unknown, baseUrl?: string) {
  const read = Har.safeParse(har)
  if (!read.success) throw new CannotRun('the recording is not in the format HAR, {"log": {"entries": […]}}')
  const entries = read.data.log.entries.flatMap((entry) => HarEntry.safeParse(entry).data ?? [])
  const byBase = new Map<string, ReturnType<typeof callsOf>>()
  for (const call of entries.flatMap(callsOf)) getOrInsert(byBase, call.base, () => []).push(call)
  const [most] = [...byBase].sort(([, a], [, b]) => b.length - a.length)
  const base = baseUrl?.replace(/\/+$/, '') ?? most?.[0]
  const own = byBase.get(base ?? '')
  if (base === undefined || !own)
    throw new CannotRun(
      `the recording has no request to ${base ?? 'an address of this API, which has /v1 in its path'}`,
    )
  const startOf = ({ entry }: (typeof own)[number]) => entry.startedDateTime ?? ''
  const successes = own
    .filter(({ entry }) => /^2\d\d$/.test(String(entry.response?.status)))
    .sort((a, b) => compareText(startOf(a), startOf(b)))
  const [key = ''] = entries
    .flatMap(({ request }) => request.headers ?? [])
    .filter(({ name }) => name.toLowerCase() === 'authorization')
    .flatMap(({ value }) => /^Bearer ([!-~]+)$/i.exec(value)?.[1] ?? [])
  const redaction = new KeyRedaction(key)
  const calls = successes.flatMap((call) => readCall(call, redaction) ?? [])
  const notes: Note[] = []
  const others = [...byBase.keys()].filter((other) => other !== base).join(', ')
  if (others !== '')
    notes.push(toNote`Requests to ${others} were left out: the workspace is that of ${base}.`)
  const cut = successes.length - calls.length
  if (cut > 0) notes.push(toNote`${cut} responses were recorded without their whole bodies.`)
  return { base, calls, notes }
}

/** Stands for the space of a list that the recording does not show. */
const recordedSpace = 'space_recorded'

/** Operations that return an id alone. */
const idsAlone: ReadonlySet<OperationId> = new Set(['createTask', 'createComment'])

/** Parameters that do not filter or sort. */
const pagingNames: ReadonlySet<string> = new Set(['page', 'limit', 'pageSize', 'offset', 'select'])

/** Adds tables, lists and spaces of which only parts are shown. */
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

/** Adds what the calls show, and notes what they do not. */
export function readRecording({ calls }: Pick<ReturnType<typeof readHar>, 'calls'>, bag: Bag): void {
  /** Indexes in listings, as far as pages without filters show them. */
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
    bag.notes.add(toNote`The recording shows ${workspaces.size} workspaces, taken for one.`)
  for (const [id, operation] of bag.unseenWrites)
    bag.notes.add(toNote`What ${toPlainNote(operation)} made of ${id} is not recorded.`)
  completeParents(bag)
}
