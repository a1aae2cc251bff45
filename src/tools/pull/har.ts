// Reads HAR recordings from browsers, Playwright and proxies. An entry needs a method, an address, a status and a
// response text. Tools omit or misuse the other fields, so each of those is read separately.
import { fromBase64, sizeOfBase64 } from '../../contract/data/base64.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { isObject } from '../../contract/data/objects.ts'
import { operations, type OperationId } from '../../contract/index.ts'
import { countText } from '../../contract/text/format.ts'
import { compareInstants, parseInstant, type Instant } from '../../contract/text/moments.ts'
import { findOperation } from '../../mock/requests/route.ts'
import { KeyRedaction } from '../deployment/reply.ts'
import { CannotRun } from '../deployment/start.ts'
import { describeExpected } from './listings.ts'
import { toNote, toPlainNote, type Note } from './notes.ts'

/** A successful call. */
export interface RecordedCall {
  readonly operation: OperationId
  readonly ids: readonly string[]
  readonly query: URLSearchParams
  /** The response's content, with the key redacted; `body` is its JSON. */
  readonly bytes: Uint8Array
  readonly body: unknown
}

/** A response that could not be read, and why. */
export interface RecordingLoss {
  readonly why: string
  readonly operation?: OperationId
}

export interface Recording {
  readonly base: string
  /** Ordered by start time. */
  readonly calls: readonly RecordedCall[]
  /** Notes on readable requests that were skipped. */
  readonly notes: readonly Note[]
  readonly losses: readonly RecordingLoss[]
}

const attempt = <T>(make: () => T): T | undefined => {
  try {
    return make()
  } catch {
    return undefined
  }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)
const objectOf = (value: unknown) => (isObject(value) ? value : {})

interface HarHeaders {
  readonly name: string
  readonly value: string
}

const headersOf = (request: Record<string, unknown>): HarHeaders[] =>
  (Array.isArray(request.headers) ? (request.headers as unknown[]) : []).flatMap((header) => {
    const { name, value } = objectOf(header)
    return typeof name === 'string' && typeof value === 'string' ? [{ name: name.toLowerCase(), value }] : []
  })

/** A request's address; a bare path is completed with the `Host` header. */
function parseAddress(request: Record<string, unknown>): URL | null {
  const url = asText(request.url)?.trim() ?? ''
  const host = url.startsWith('/') ? headersOf(request).find(({ name }) => name === 'host')?.value : undefined
  return URL.parse(url, host === undefined ? undefined : `https://${host}`)
}

interface HarEntry {
  readonly request: Record<string, unknown>
  readonly method: string
  readonly address: URL
  readonly status: number
  readonly content: Record<string, unknown>
  readonly at: Instant
}

/** Returns undefined for an entry without a method or an address. @param before when the previous entry started */
function readEntry(given: unknown, before: Instant): HarEntry | undefined {
  const { request: sent, response: received, startedDateTime } = objectOf(given)
  const request = objectOf(sent)
  const response = objectOf(received)
  const method = asText(request.method)?.trim().toUpperCase() ?? ''
  const address = parseAddress(request)
  if (method === '' || !address) return undefined
  const status = Number(response.status ?? 0)
  // An entry without a time keeps its place in the file.
  const at = parseInstant(startedDateTime) ?? before
  return { request, method, address, status, content: objectOf(response.content), at }
}

function readEntries(given: readonly unknown[]) {
  const entries: HarEntry[] = []
  let at: Instant = [-Infinity, '']
  for (const one of given) {
    const entry = readEntry(one, at)
    if (!entry) continue
    at = entry.at
    entries.push(entry)
  }
  return entries
}

interface RouteCall {
  readonly entry: HarEntry
  readonly operation: OperationId
  readonly ids: readonly string[]
  readonly base: string
}

/** A base address can end after any `/v1` in the path. */
function callsOf(entry: HarEntry): RouteCall[] {
  const { method, address } = entry
  const { origin, pathname } = address
  return [...pathname.matchAll(/\/v1(?=\/)/g)].flatMap(({ index }) => {
    const route = findOperation(method, pathname.slice(index + 3))
    const ids = route && attempt(() => Object.values(route.params).map(decodeURIComponent))
    const base = origin + pathname.slice(0, index + 3)
    return ids ? [{ entry, operation: route.operation.id, ids, base }] : []
  })
}

const parseBytes = (bytes: Uint8Array) => attempt((): unknown => JSON.parse(new TextDecoder().decode(bytes)))

/** Tools encode content as base64 if they consider it binary, some without declaring it. */
function decodeContent({ text, encoding, size }: Record<string, unknown>): Uint8Array | undefined {
  if (typeof text !== 'string' || text === '') return undefined
  const plain = new TextEncoder().encode(text)
  const decode = () => attempt(() => fromBase64(text.replaceAll(/\s/g, '')))
  if (asText(encoding)?.toLowerCase() === 'base64') return decode() ?? plain
  if (/^\s*[[{]/.test(text)) return plain
  const decoded = decode()
  const isEncoded =
    decoded && (isObject(parseBytes(decoded)) || (size === sizeOfBase64(text) && size !== plain.length))
  return isEncoded ? decoded : plain
}

/** Returns the call with its content, or why it cannot be read. */
function readCall({ entry, ...call }: RouteCall, redaction: KeyRedaction): RecordedCall | string {
  const { status, content, address } = entry
  const { operation, ids } = call
  const query = address.searchParams
  if (!(status >= 100)) return 'is missing'
  const decoded = decodeContent(content)
  // A successful DELETE needs no body.
  if (!decoded && status < 300 && operations[operation].method === 'DELETE')
    return { operation, ids, query, bytes: new Uint8Array(), body: {} }
  if (!decoded && status === 304) return 'came from a cache and was recorded without its body'
  if (!decoded && asText(content._file) !== undefined) return 'has its body in a file that is missing'
  if (!decoded) return 'was recorded without its body'
  const bytes = redaction.bytes(decoded)
  const body = redaction.json(parseBytes(bytes))
  const isRead = operation === 'downloadTaskAttachment' || describeExpected(operation, body) === undefined
  return isRead ? { operation, ids, query, bytes, body } : 'was recorded with an incomplete body'
}

const hasContent = ({ entry: { status } }: RouteCall) =>
  (status >= 200 && status < 300) || status === 304 || !(status >= 100)

/** Describes requests that were skipped although they are readable. */
function noteOthers(
  all: readonly HarEntry[],
  byBase: ReadonlyMap<string, readonly RouteCall[]>,
  base: string,
) {
  const notes: Note[] = []
  const own = byBase.get(base) ?? []
  const others = [...byBase.keys()].filter((other) => other !== base).join(', ')
  if (others !== '')
    notes.push(toNote`Requests to ${others} were left out: the workspace is the one at ${base}.`)
  const known = new Set([...byBase.values()].flat().map(({ entry }) => entry))
  const unknown = all.filter((entry) => !known.has(entry))
  if (unknown.length > 0)
    notes.push(
      toPlainNote(`${countText(unknown.length, 'request')} skipped: no matching operation in this API.`),
    )
  const byStatus = new Map<number, number>()
  for (const call of own)
    if (!hasContent(call)) byStatus.set(call.entry.status, (byStatus.get(call.entry.status) ?? 0) + 1)
  for (const [status, count] of [...byStatus].sort(([a], [b]) => a - b))
    notes.push(toPlainNote(`${countText(count, 'response')} with status ${String(status)} skipped.`))
  return notes
}

const malformed: RecordingLoss = {
  why: 'An entry of the recording has no method or no valid address',
}

/** Joins the reasons, each with its count. */
function describeLosses(losses: readonly RecordingLoss[]): string {
  const counts = new Map<string, number>()
  for (const { why } of losses) counts.set(why, (counts.get(why) ?? 0) + 1)
  return [...counts].map(([why, count]) => (count > 1 ? `${why} (${String(count)} times)` : why)).join('; ')
}

/** @param baseUrl by default the one with the most requests @throws {CannotRun} if nothing can be read */
export function readHar(har: unknown, baseUrl?: string): Recording {
  const given = objectOf(objectOf(har).log).entries
  if (!Array.isArray(given))
    throw new CannotRun('the recording is not in HAR format; expected {"log": {"entries": […]}}')
  const entries = readEntries(given)
  const losses = Array<RecordingLoss>(given.length - entries.length).fill(malformed)
  const byBase = new Map<string, RouteCall[]>()
  for (const call of entries.flatMap(callsOf)) getOrInsert(byBase, call.base, () => []).push(call)
  const [most] = [...byBase].sort(([, a], [, b]) => b.length - a.length)
  const base = baseUrl?.replace(/\/+$/, '') ?? most?.[0] ?? ''
  const own = byBase.get(base)
  const because = () => (losses.length === 0 ? '' : `; ${describeLosses(losses)}`)
  if (!own)
    throw new CannotRun(
      `the recording has no request to ${base || 'an address of this API, which has /v1 in its path'}${because()}`,
    )
  const [key = ''] = entries
    .flatMap(({ request }) => headersOf(request))
    .flatMap(({ name, value }) =>
      name === 'authorization' ? (/^Bearer ([!-~]+)$/i.exec(value.trim())?.[1] ?? []) : [],
    )
  const redaction = new KeyRedaction(key)
  const calls: RecordedCall[] = []
  const started = own.filter(hasContent).sort((a, b) => compareInstants(a.entry.at, b.entry.at))
  const readAddresses = new Set<string>()
  let unchanged = 0
  for (const call of started) {
    const read = readCall(call, redaction)
    const { address, status } = call.entry
    if (typeof read !== 'string') {
      calls.push(read)
      readAddresses.add(address.href)
    } else if (status === 304 && readAddresses.has(address.href)) unchanged += 1
    else losses.push({ why: `A response to ${call.operation} ${read}`, operation: call.operation })
  }
  const notes = noteOthers(entries, byBase, base)
  if (unchanged > 0)
    notes.push(
      toPlainNote(
        `${countText(unchanged, 'response')} with status 304 skipped: an earlier response has the content.`,
      ),
    )
  if (calls.length === 0) {
    const left = notes.map(({ text }) => text.replace(/\.$/, '')).join('; ')
    throw new CannotRun(
      `nothing in the recording could be read${because()}${left && `; ${left}`}. Record with response bodies, as "Save all as HAR with content" does`,
    )
  }
  return { base, calls, notes, losses }
}
