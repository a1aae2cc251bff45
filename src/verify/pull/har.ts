// The exchanges of a HAR that call operations of this API: from devtools, Playwright, a proxy or a mock.
import { fromBase64 } from '../../contract/data/base64.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { OperationId } from '../../contract/index.ts'
import { compareText } from '../../contract/text/format.ts'
import { findOperation } from '../../core/request/route.ts'
import type { Params } from '../engine/ledger.ts'
import { CannotRun } from '../engine/start.ts'
import { note, type Note } from './losses.ts'

/** A request that succeeded, and its response. */
export interface Exchange {
  readonly operation: OperationId
  readonly params: Params
  readonly query: URLSearchParams
  readonly method: string
  readonly startedAt: string
  /** Undefined where it is not JSON. */
  readonly body: unknown
  readonly bytes: Uint8Array
}

const fieldOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)
const textOf = (value: unknown, name: string): string => {
  const text = fieldOf(value, name)
  return typeof text === 'string' ? text : ''
}

/** The base address and the rest of the path, split after each `/v1`. */
function basesOf({ origin, pathname }: URL): (readonly [base: string, path: string])[] {
  return [...pathname.matchAll(/\/v1(?=\/)/g)].map(({ index }) => [
    origin + pathname.slice(0, index + 3),
    pathname.slice(index + 3),
  ])
}

function bytesOf(content: unknown): Uint8Array | undefined {
  const text = fieldOf(content, 'text')
  if (typeof text !== 'string') return undefined
  try {
    return textOf(content, 'encoding') === 'base64' ? fromBase64(text) : new TextEncoder().encode(text)
  } catch {
    return undefined
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch {
    return undefined
  }
}

/** An entry of the log as calls of operations under the base addresses that it can have. */
function callsOf(entry: unknown) {
  const request = fieldOf(entry, 'request')
  const method = textOf(request, 'method')
  const url = URL.parse(textOf(request, 'url'))
  return (url ? basesOf(url) : []).flatMap(([base, path]) => {
    const route = findOperation(method, path)
    if (!route || !url) return []
    const decoded = Object.entries(route.params).map(([name, value]) => [name, decodeURIComponent(value)])
    const params = Object.fromEntries(decoded) as Params
    return [{ entry, base, operation: route.operation.id, params, query: url.searchParams, method }]
  })
}

/** The key of the first request that has one. */
function keyOf(entries: readonly unknown[]): string {
  for (const entry of entries) {
    const headers = fieldOf(fieldOf(entry, 'request'), 'headers')
    for (const header of Array.isArray(headers) ? (headers as unknown[]) : []) {
      const [, key] = /^Bearer (\S+)$/i.exec(textOf(header, 'value')) ?? []
      if (key !== undefined && textOf(header, 'name').toLowerCase() === 'authorization') return key
    }
  }
  return ''
}

/**
 * The exchanges that succeeded, in the order of their start.
 * @throws {CannotRun} for something that is not a HAR, or has no request to this API
 */
export function recordedExchanges(har: unknown, baseUrl?: string) {
  const entries = fieldOf(fieldOf(har, 'log'), 'entries')
  if (!Array.isArray(entries))
    throw new CannotRun('the recording is not in the format HAR, {"log": {"entries": […]}}')
  const calls = (entries as unknown[]).flatMap(callsOf)
  const counts = new Map<string, { count: number }>()
  for (const { base } of calls) getOrInsert(counts, base, () => ({ count: 0 })).count += 1
  const [most] = [...counts].sort(([, a], [, b]) => b.count - a.count)
  const chosen = baseUrl?.replace(/\/+$/, '') ?? most?.[0]
  const notes: Note[] = []
  const others = [...counts.keys()].filter((base) => base !== chosen)
  if (others.length > 0)
    notes.push(
      note`Requests to ${others.join(', ')} were left out: the workspace is that of ${chosen ?? ''}.`,
    )
  const own = calls.filter(({ base }) => base === chosen)
  if (own.length === 0)
    throw new CannotRun(
      `the recording has no request to ${chosen ?? 'an address of this API, which has /v1 in its path'}`,
    )
  let bodiless = 0
  const exchanges = own.flatMap(({ entry, ...call }): Exchange[] => {
    const response = fieldOf(entry, 'response')
    const status = Number(fieldOf(response, 'status'))
    if (!(status >= 200 && status < 300)) return []
    const bytes = bytesOf(fieldOf(response, 'content'))
    const body = bytes && jsonOf(bytes)
    const isRead = bytes && (body !== undefined || call.operation === 'downloadTaskAttachment')
    if (!isRead) bodiless += 1
    return isRead ? [{ ...call, startedAt: textOf(entry, 'startedDateTime'), body, bytes }] : []
  })
  if (bodiless > 0) notes.push(note`${bodiless} responses were recorded without their whole bodies.`)
  exchanges.sort((a, b) => compareText(a.startedAt, b.startedAt))
  return { exchanges, key: keyOf(entries), notes }
}
