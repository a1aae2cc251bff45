// Listings that get longer: clients that lose items at the end of a page, or never come to the end.
import { isObject } from '../contract/data/objects.ts'
import { responseOf, type Made, type RunRequest } from './oracle.ts'
import { pagedListings, pagePlace } from './rewrites.ts'

const advice = 'Read listings page by page, until a page is not full.'

const pageParameters: ReadonlySet<string> = new Set(['limit', 'pageSize', 'page', 'offset'])

/** The pages that were read of listings without filters. */
function pagesOf(requests: readonly RunRequest[]) {
  return requests.flatMap(({ entry, operation }) => {
    const paged = pagedListings[operation]
    if (!paged || operation === 'listFormSubmissions' || entry.status !== 200) return []
    const json = responseOf(entry)
    const items = isObject(json) ? json[paged.items] : undefined
    const isFiltered = Object.keys(entry.query).some((name) => !pageParameters.has(name))
    if (isFiltered || !isObject(json) || !Array.isArray(items)) return []
    return [{ path: entry.path, count: items.length, ...pagePlace(json) }]
  })
}

/** Listings that were read to their end become exactly a page long, and longer than a page. */
export function extensionsOf(requests: readonly RunRequest[]): Made[] {
  const made = new Map<string, Made>()
  for (const { path, from, count, size } of pagesOf(requests)) {
    // A listing of one item is a look-up.
    if (size < 2 || count === size) continue
    // Those that exist already are read in the pages before.
    const extend = (name: string, more: number) => {
      const effect = { do: 'extend', path, count: size - count + more } as const
      made.set(`${name} ${path}`, [`${name}: ${path}`, effect, { reads: path, rejection: 'depends', advice }])
    }
    if (from === 0) extend('page full', 0)
    extend('one page more', 3)
  }
  return [...made.values()]
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
