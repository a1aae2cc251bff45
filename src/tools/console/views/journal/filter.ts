// The filter of the journal. Rows are filtered here at once; the mock searches the bodies, which only it has.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { compareText } from '../../../../contract/text/format.ts'
import { getOrInsert } from '../../../../contract/data/maps.ts'
import {
  matchesTerm,
  parseSearch,
  toSearchText,
  type SearchTerm,
} from '../../../../adapters/control-api/search.ts'
import { isError, type RequestRow, type SandboxName } from '../../live-state.ts'
import { useConsole } from '../../parts/context.ts'
import { describeReason } from './request-text.ts'

const searchTexts = new WeakMap<RequestRow, string>()

const searchTextOf = (row: RequestRow) => getOrInsert(searchTexts, row, () => toSearchText(row))

/** What the mock found for a text. */
interface Found {
  readonly q: string
  /** The matching requests of each sandbox, among requests up to the id `upTo`. */
  readonly places: ReadonlyMap<SandboxName, { readonly upTo: number; readonly ids: ReadonlySet<number> }>
}

const typingMs = 150
const again = 1000

/** Searches whenever the text changes, and at most once a second while requests arrive. */
function useFound(q: string, terms: readonly SearchTerm[], all: readonly RequestRow[]): Found | undefined {
  const { source, names, isAll } = useConsole()
  const [found, setFound] = useState<Found>()
  const latest = useRef('')
  const [failedAt, setFailedAt] = useState(0)
  const isNeeded = terms.some(({ field }) => field === null)
  const key = `${names.length > 1 ? '' : String(names[0])} ${q}`
  useEffect(() => {
    if (!isNeeded) return undefined
    const isNew = latest.current !== key
    latest.current = key
    const search = async () => {
      const of = isAll ? undefined : names.map((name) => name ?? '').join()
      const places = await source.controls(null).console.search(q, { of })
      if (latest.current !== key) return
      const entries = places.map(({ sandbox, upTo, ids }) => [sandbox, { upTo, ids: new Set(ids) }] as const)
      setFound({ q: key, places: new Map(entries) })
    }
    const timer = setTimeout(
      () => void search().catch(() => setFailedAt(Date.now())),
      isNew ? typingMs : again,
    )
    return () => clearTimeout(timer)
  }, [key, isNeeded, all.length, failedAt])
  return found?.q === key ? found : undefined
}

/** By column name; otherwise rows are in the order of their responses. */
const sortKeys: Readonly<Record<string, (row: RequestRow) => number | string>> = {
  number: ({ id }) => id,
  code: ({ status }) => status,
  time: ({ atMs }) => atMs,
  arrived: ({ arrivedMs, atMs }) => arrivedMs ?? atMs,
  took: ({ tookMs, delayMs }) => tookMs ?? delayMs ?? 0,
  method: ({ method }) => method,
  path: ({ outside, path }) => outside ?? path,
  why: describeReason,
  key: ({ key }) => key ?? '',
  'of-sandbox': ({ sandbox }) => sandbox ?? '',
  label: ({ label = '' }) => label,
}

/** Applies what the mock found. Requests later than its search are matched here, without their bodies. */
export function filterRows(
  all: readonly RequestRow[],
  terms: readonly SearchTerm[],
  found: Found | undefined,
): RequestRow[] {
  return all.filter((row) => {
    const place = found?.places.get(row.sandbox)
    if (place && row.id <= place.upTo) return place.ids.has(row.id)
    return terms.every((term) => matchesTerm(row, term, (text) => searchTextOf(row).includes(text)))
  })
}

export function useMatchingRequests(all: readonly RequestRow[]) {
  const { viewState, live } = useConsole()
  const { q = '', operation, errors, sort } = viewState
  const terms = useMemo(() => parseSearch(q), [q])
  const found = useFound(q, terms, all)
  const isLive = live.status === 'live'
  // Prepares the texts of rows before the first key is pressed, once they are all read.
  useEffect(() => {
    if (!isLive) return undefined
    let at = 0
    const prepare = () => {
      for (const row of all.slice(at, (at += 500))) searchTextOf(row)
      if (at < all.length) timer = setTimeout(prepare)
    }
    let timer = setTimeout(prepare)
    return () => clearTimeout(timer)
  }, [all, isLive])
  const rows = useMemo(() => {
    const chosen = filterRows(all, terms, found).filter(
      (row) =>
        (!operation || row.operation === operation) && (!errors || isError(row) || row.partial !== undefined),
    )
    const [by = '', direction] = sort?.split(':') ?? []
    const keyOf = Object.hasOwn(sortKeys, by) ? sortKeys[by] : undefined
    if (keyOf) chosen.sort((a, b) => compareText(keyOf(a), keyOf(b)))
    return direction === 'asc' ? chosen : chosen.reverse()
  }, [all, terms, operation, errors, found, sort])
  return { rows, isSearching: found === undefined && terms.some(({ field }) => field === null) }
}
