// Makes listings longer to catch clients that lose items at the end of a page or read only the first pages.
import { isObject } from '../../contract/data/objects.ts'
import { readPage, type Case, type PlanContext, type RunRequest } from './expectation.ts'
import type { PlannedFault } from '../../mock/explorable.ts'
import { columnFields } from './acts.ts'

const advice = 'Read listings page by page, until a page is not full.'

const pageParameters: ReadonlySet<string> = new Set(['limit', 'pageSize', 'page', 'offset'])

/** Pages read, with the filter of their listing as text. */
function pagesOf(requests: readonly RunRequest[]) {
  return requests.flatMap((request) => {
    const page = readPage(request)
    if (!page) return []
    const { path, query } = request.entry
    const filters = Object.entries(query).filter(([name]) => !pageParameters.has(name))
    const isDefault = query.limit === undefined && query.pageSize === undefined
    const listing = { path, filter: new URLSearchParams(filters.sort()).toString() }
    return [{ ...listing, isDefault, items: page.items, from: page.from, size: page.size }]
  })
}
type Page = ReturnType<typeof pagesOf>[number]
export type Listing = Pick<Page, 'path' | 'filter'>

const isOf =
  ({ path, filter }: Listing) =>
  (page: Page) =>
    page.path === path && page.filter === filter

/** The number of items in a listing at the start; 0 for a filtered one, whose length is unknown. */
function countItems({ path, filter }: Listing, { start }: PlanContext): number {
  const [, kind, id = ''] = path.split('/')
  if (kind === 'forms') {
    const ofForm = start.submissions.all().filter(({ form_id }) => form_id === id)
    // A listing of submissions cannot grow if the form accepts none, or has none to copy values from.
    if (start.forms.get(id)?.is_published !== 1 || ofForm.length === 0) return Infinity
    return filter === '' ? ofForm.length : 0
  }
  if (filter !== '') return 0
  if (kind === 'datatables') return start.rows(id).all().length
  return start.tasks.all().filter(({ list_id, deleted_at }) => list_id === id && deleted_at === null).length
}

/** Fields copied from the last item, so that a new one matches the same filter. */
function valuesLike({ path, filter, items }: Page, { start }: PlanContext): object | undefined {
  const last = items.at(-1)
  if (filter === '' || path.startsWith('/forms') || !isObject(last)) return undefined
  if (path.startsWith('/lists')) return { title: last.title, status_id: last.status_id }
  const columns = start.tables.get(path.split('/')[2] ?? '')?.columns ?? []
  const fields = columnFields(columns.filter(({ readonly }) => !readonly))
  const data = isObject(last.data) ? last.data : last
  return Object.fromEntries(fields.map(([id]) => [id, data[id] ?? null]))
}

/** Extends listings that were read to their end: once to exactly a full page, once beyond it. */
export function planExtensions(context: PlanContext): Case[] {
  const cases = new Map<string, Case>()
  const pages = pagesOf(context.requests)
  for (const page of pages) {
    const { path, filter, from, size, items } = page
    const count = items.length
    const isLast = pages.every((other) => !isOf(page)(other) || other.from <= from)
    // A page of one item is a lookup. A listing that was not read to its end need not grow, unless its only page was
    // full at the default size.
    const isRead = filter === '' ? from + count >= countItems(page, context) : count > 0 && count < size
    const isFullByDefault = from === 0 && count === size && page.isDefault
    if (size < 2 || !isLast || countItems(page, context) === Infinity || !(isRead || isFullByDefault))
      continue
    const values = valuesLike(page, context)
    const name = filter === '' ? path : `${path}?${filter}`
    // Only the last page has room; existing items fill the earlier ones.
    const extend = (what: string, more: number) => {
      const effect = { extend: { path, count: size - count + more, ...(values && { values }) } }
      // A client may reject when several items match its filter.
      const rejection = filter === '' ? 'depends' : undefined
      const expected = { reads: { path, filter }, rejection, advice } as const
      cases.set(`${what} ${name}`, [`${what}: ${name}`, { effect } as PlannedFault, expected])
    }
    if (from === 0 && count < size) extend('page full', 0)
    extend('one page more', 3)
  }
  return [...cases.values()]
}

/** How many pages of a listing were read, and whether they reach its end without a gap. */
export function readingOf(listing: Listing, requests: readonly RunRequest[]) {
  const pages = pagesOf(requests).filter(isOf(listing))
  const starts = new Set(pages.map(({ from }) => from))
  let end = 0
  for (const { from, items } of pages.toSorted((a, b) => a.from - b.from))
    if (from <= end) end = Math.max(end, from + items.length)
  // A page that is not full ends the listing, even if the client has deleted items meanwhile.
  const isRead = pages.some(({ from, items, size }) => from <= end && items.length < size)
  return {
    pages: starts.size,
    isComplete: pages.length === 0 || isRead,
    hasGap: pages.some(({ from }) => from > end),
  }
}
