// Listings that get longer: for clients that lose items at the end of a page, or read only the first pages.
import { isObject } from '../../contract/data/objects.ts'
import { operations } from '../../contract/index.ts'
import type { OperationSpec } from '../../contract/operation.ts'
import { responseOf, type Case, type RunRequest } from './oracle.ts'
import { findPagePlace } from '../../mock/faults/rewrites.ts'

const advice = 'Read listings page by page, until a page is not full.'

const pageParameters: ReadonlySet<string> = new Set(['limit', 'pageSize', 'page', 'offset'])

/** The page of tasks or rows that a request read; undefined for other requests. */
export function readPage({ entry, operation }: RunRequest) {
  const { paging, method }: OperationSpec = operations[operation]
  const name = method === 'GET' && paging?.items !== 'submissions' ? paging?.items : undefined
  const json = responseOf(entry)
  if (name === undefined || entry.status !== 200 || !isObject(json)) return undefined
  const items = json[name]
  return Array.isArray(items) ? { items: items as unknown[], ...findPagePlace(json) } : undefined
}

/** The pages that were read of listings without filters. */
function pagesOf(requests: readonly RunRequest[]) {
  return requests.flatMap((request) => {
    const page = readPage(request)
    const { path, query } = request.entry
    if (!page || Object.keys(query).some((name) => !pageParameters.has(name))) return []
    return [{ path, count: page.items.length, from: page.from, size: page.size }]
  })
}

/** Listings that were read to their end become exactly a page long, and longer than a page. */
export function planExtensions(requests: readonly RunRequest[]): Case[] {
  const cases = new Map<string, Case>()
  for (const { path, from, count, size } of pagesOf(requests)) {
    // A listing of one item is a look-up.
    if (size < 2 || count === size) continue
    // Those that exist already are read in the pages before.
    const extend = (name: string, more: number) => {
      const effect = { extend: { path, count: size - count + more } }
      cases.set(`${name} ${path}`, [
        `${name}: ${path}`,
        { effect },
        { reads: path, rejection: 'depends', advice },
      ])
    }
    if (from === 0) extend('page full', 0)
    extend('one page more', 3)
  }
  return [...cases.values()]
}

/** Over how many pages a listing was read, and whether to its end. */
export function readingOf(path: string, requests: readonly RunRequest[]) {
  const pages = pagesOf(requests).filter((page) => page.path === path)
  const last = pages.toSorted((a, b) => b.from - a.from)[0]
  return {
    pages: new Set(pages.map(({ from }) => from)).size,
    isComplete: last === undefined || last.count < last.size,
  }
}
