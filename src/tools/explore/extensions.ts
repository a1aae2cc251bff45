// Listings that get longer: for clients that lose items at the end of a page, or read only the first pages.
import { isObject } from '../../contract/data/objects.ts'
import { operations } from '../../contract/index.ts'
import type { OperationSpec } from '../../contract/operation.ts'
import { jsonOf, type Case, type PlanContext, type RunRequest } from './expectation.ts'
import { findPagePlace } from '../../mock/explorable.ts'

const advice = 'Read listings page by page, until a page is not full.'

const pageParameters: ReadonlySet<string> = new Set(['limit', 'pageSize', 'page', 'offset'])

/** The page of tasks, rows or submissions that a request read; undefined for other requests. */
export function readPage({ entry, operation }: RunRequest) {
  const { paging, method }: OperationSpec = operations[operation]
  const name = method === 'GET' ? paging?.items : undefined
  const json = jsonOf(entry.responseBody)
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

/** How many items a listing has at the start. */
function countItems(path: string, { start }: PlanContext): number {
  const [, kind, id = ''] = path.split('/')
  if (kind === 'datatables') return start.rows(id).all().length
  if (kind === 'lists')
    return start.tasks.all().filter(({ list_id, deleted_at }) => list_id === id && deleted_at === null).length
  const ofForm = start.submissions.all().filter(({ form_id }) => form_id === id)
  // One that takes no submissions, or whose values are not known, cannot get longer.
  return start.forms.get(id)?.is_published === 1 && ofForm.length > 0 ? ofForm.length : Infinity
}

/** Listings that were read to their end become exactly a page long, and longer than a page. */
export function planExtensions(context: PlanContext): Case[] {
  const cases = new Map<string, Case>()
  const pages = pagesOf(context.requests)
  for (const { path, from, count, size } of pages) {
    const isLast = pages.every((other) => other.path !== path || other.from <= from)
    // A listing of one item is a look-up, and one that was not read to its end at first needs no more items.
    if (size < 2 || !isLast || from + count < countItems(path, context)) continue
    // Those that exist already are read in the pages before.
    const extend = (name: string, more: number) => {
      const effect = { extend: { path, count: size - count + more } }
      cases.set(`${name} ${path}`, [
        `${name}: ${path}`,
        { effect },
        { reads: path, rejection: 'depends', advice },
      ])
    }
    if (from === 0 && count < size) extend('page full', 0)
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
