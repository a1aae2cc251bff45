// Responses that another server, or a gateway in front of it, would send instead.
import { parseQueryText } from '../../contract/data/query-text.ts'
import { isObject } from '../../contract/data/objects.ts'
import { mostPerPage } from '../../contract/limits.ts'
import type { Paging } from '../../contract/operation.ts'
import type { ApiResponse, Call } from '../requests/call.ts'
import type { Rewrite } from './effect-spec.ts'
import { corsHeaders } from '../requests/responses.ts'
import { findOperation } from '../requests/route.ts'

interface RewriteContext {
  /** Sends a read request as another user. */
  readonly ask: (path: string) => Promise<ApiResponse>
  /** Whether an id was generated since the first request that triggered the fault. */
  readonly isNew: (id: string) => boolean
}

type Json = Record<string, unknown>

export const gatewayPage: ApiResponse = {
  status: 502,
  headers: { 'content-type': 'text/html', ...corsHeaders },
  body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
}

/** Adds a field that clients do not know to the response and to each object in it that has an id. */
function addUnknownField(value: unknown, isTop = true): unknown {
  if (Array.isArray(value)) return value.map((item) => addUnknownField(item, false))
  if (!isObject(value)) return value
  const inner = Object.entries(value).map(([name, item]) => [name, addUnknownField(item, false)] as const)
  const added = isTop || 'id' in value ? [['of_a_later_version', { since: 2 }] as const] : []
  return Object.fromEntries([...inner, ...added])
}

/** Arrays whose order has a meaning, or that are not listings. */
const fixedOrder: ReadonlySet<string> = new Set(['columns', 'fields', 'errors', 'statuses', 'options'])
const mostListingPages = 100

/** Reads all items of a listing, regardless of pages. */
async function readListing(
  call: Call,
  { items, by }: Paging,
  ask: RewriteContext['ask'],
): Promise<unknown[]> {
  const most = mostPerPage[items]
  const all: unknown[] = []
  for (let page = 0; page < mostListingPages; page++) {
    const query = parseQueryText(call.query)
    query.delete('pageSize')
    query.set('limit', String(most))
    query.set(by, String(by === 'page' ? page + 1 : page * most))
    const { body } = await ask(`${call.path}?${String(query)}`)
    const found = (JSON.parse(String(body)) as Json)[items]
    if (!Array.isArray(found)) break
    for (const item of found as unknown[]) all.push(item)
    if (found.length < most) break
  }
  return all
}

/** Where a page begins within its listing, and its size. */
export function findPagePlace(json: Json): { readonly from: number; readonly size: number } {
  const size = Number(json.pageSize ?? json.limit)
  return { from: Number(json.offset ?? (Number(json.page) - 1) * size), size }
}

/** Puts new items first; the contract promises no order for listings. */
async function reorderListings(call: Call, json: Json, { ask, isNew }: RewriteContext): Promise<Json> {
  const putNewFirst = (list: readonly unknown[]) => {
    const isNewItem = (item: unknown) => isObject(item) && typeof item.id === 'string' && isNew(item.id)
    return [...list.filter(isNewItem).reverse(), ...list.filter((item) => !isNewItem(item))]
  }
  const paging = findOperation(call.method, call.path)?.operation.paging
  if (paging) {
    const { from, size } = findPagePlace(json)
    const all = putNewFirst(await readListing(call, paging, ask))
    return { ...json, [paging.items]: all.slice(from, from + size) }
  }
  const isListing = ([name, value]: [string, unknown]) => Array.isArray(value) && !fixedOrder.has(name)
  return Object.fromEntries(
    Object.entries(json).map((field) =>
      isListing(field) ? [field[0], putNewFirst(field[1] as unknown[])] : field,
    ),
  )
}

export async function rewriteBody(
  how: Exclude<Rewrite, 'gateway before'>,
  call: Call,
  response: ApiResponse,
  context: RewriteContext,
): Promise<ApiResponse> {
  const { body, headers, status } = response
  if (how === 'gateway after') return gatewayPage
  if (typeof body !== 'string' || headers['content-type']?.includes('json') !== true) return response
  if (how === 'cut') return { ...response, body: body.slice(0, Math.floor(body.length / 2)) }
  const json: unknown = JSON.parse(body)
  if (how === 'unknown field') return { ...response, body: JSON.stringify(addUnknownField(json)) }
  const isSorted = parseQueryText(call.query).has('sort')
  if (call.method !== 'GET' || status !== 200 || isSorted || !isObject(json)) return response
  return { ...response, body: JSON.stringify(await reorderListings(call, json, context)) }
}
