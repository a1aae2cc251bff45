// Listings that get longer: clients that lose items at the end of a page, or never come to the end.
import { isObject } from '../contract/data/objects.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import type { Made, PlanContext } from './oracle.ts'
import { pagedListings, pagePlace } from './rewrites.ts'

const advice = 'Read listings page by page, until a page is not full.'

const pageParameters: ReadonlySet<string> = new Set(['limit', 'pageSize', 'page', 'offset'])

interface Page {
  readonly path: string
  readonly from: number
  readonly count: number
  readonly size: number
}

/** A page that was read of a listing without filters. */
function pageOf(entry: JournalEntry, json: unknown): Page | undefined {
  const paged = pagedListings[entry.operation ?? 'getIdentity']
  if (!paged || entry.operation === 'listFormSubmissions' || entry.status !== 200 || !isObject(json))
    return undefined
  const items = json[paged.items]
  if (Object.keys(entry.query).some((name) => !pageParameters.has(name)) || !Array.isArray(items))
    return undefined
  return { path: entry.path, count: items.length, ...pagePlace(json) }
}

const pagesOf = ({ requests, responseOf }: Pick<PlanContext, 'requests' | 'responseOf'>): Page[] =>
  requests.flatMap(({ entry }) => pageOf(entry, responseOf(entry)) ?? [])

/** Listings that were read to their end become exactly a page long, and longer than a page. */
export function extensionsOf(context: PlanContext): Made[] {
  const made = new Map<string, Made>()
  for (const { path, from, count, size } of pagesOf(context)) {
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

/** How many items of a listing were read, over how many pages, and whether there can be more. */
export function readingOf(path: string, context: Pick<PlanContext, 'requests' | 'responseOf'>) {
  const pages = pagesOf(context).filter((page) => page.path === path)
  const starts = new Set(pages.map(({ from }) => from))
  const last = pages.toSorted((a, b) => b.from - a.from)[0]
  return { pages: starts.size, isComplete: last === undefined || last.count < last.size }
}
