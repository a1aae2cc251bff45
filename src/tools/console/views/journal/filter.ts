// The filter of the journal: words in a request, its records and its bodies, and fields such as `status:4xx` or `-method:GET`.
import { useEffect, useMemo } from 'preact/hooks'
import { getOrInsert } from '../../../../contract/data/maps.ts'
import { isError, type RequestRow, rowKeyOf } from '../../live-state.ts'
import { useConsole, useLoaded, type ViewState } from '../../parts/context.ts'
import { nameOfSandbox } from '../../parts/scope.tsx'
import { formatQuery, describeReason } from './reasons.ts'

const searchTexts = new WeakMap<RequestRow, string>()

const searchTextOf = (row: RequestRow) =>
  getOrInsert(searchTexts, row, () => {
    const { method, path, operation, key, status, refusal, label, sandbox, changes } = row
    const parts = [
      method,
      path + formatQuery(row),
      operation,
      key,
      status,
      refusal,
      describeReason(row),
      label,
    ]
    return [...parts, nameOfSandbox(sandbox), ...changes.map(({ id }) => id)].join(' ').toLowerCase()
  })

const fields: Readonly<Record<string, (row: RequestRow) => string>> = {
  method: ({ method }) => method.toLowerCase(),
  // A broken connection counts as the server's failure.
  status: ({ status }) => (status === 0 ? '5net' : String(status)),
  operation: ({ operation }) => operation?.toLowerCase() ?? '',
  sandbox: ({ sandbox }) => nameOfSandbox(sandbox).toLowerCase(),
  key: ({ key }) => key?.toLowerCase() ?? '',
  label: ({ label }) => label?.toLowerCase() ?? '',
  fault: ({ fault }) => fault?.toLowerCase() ?? '',
}

interface Term {
  readonly isNegated: boolean
  /** Null is a word anywhere. */
  readonly field: string | null
  readonly value: string
}

function parseTerm(text: string): Term {
  const [, minus = '', field = '', value = ''] = /^(-?)(\w+):(.+)$/.exec(text) ?? []
  if (!Object.hasOwn(fields, field)) return { isNegated: false, field: null, value: text }
  return { isNegated: minus !== '', field, value: field === 'status' ? value.replace(/x+$/, '') : value }
}

export const parseFilter = (text: string): readonly Term[] =>
  text.toLowerCase().split(/\s+/).filter(Boolean).map(parseTerm)

type BodyMatches = ReadonlyMap<string, ReadonlySet<string>>

export function matchesTerm(row: RequestRow, term: Term, bodies: BodyMatches): boolean {
  const { isNegated, field, value } = term
  if (field === null)
    return searchTextOf(row).includes(value) || (bodies.get(value)?.has(rowKeyOf(row)) ?? false)
  const found = fields[field]?.(row) ?? ''
  // Operations and statuses by their beginning, so that a word that is still typed matches too.
  return found.startsWith(value) !== isNegated
}

const typingMs = 400
const shortestWord = 3

const noMatches: BodyMatches = new Map()

/** Searches the bodies, which only the mock has. */
function useBodyMatches(terms: readonly Term[]): BodyMatches {
  const { each } = useConsole()
  const words = terms
    .filter(({ field, value }) => field === null && value.length >= shortestWord && !value.endsWith(':'))
    .map(({ value }) => value)
  const search = async (text: string) => {
    const found = await each(async (controls, sandbox) => {
      const rows = await controls.requestSummaries({ text, limit: 100 })
      return rows.map(({ id }) => rowKeyOf({ id, sandbox }))
    })
    return [text, new Set(found.flat())] as const
  }
  const load = async () => (words.length === 0 ? noMatches : new Map(await Promise.all(words.map(search))))
  return useLoaded(load, [words.join(' ')], typingMs).value ?? noMatches
}

/** Prepares the texts of rows before the first key is pressed. */
function usePreparedTexts(all: readonly RequestRow[]): void {
  useEffect(() => {
    let at = 0
    const prepare = () => {
      for (const row of all.slice(at, (at += 500))) searchTextOf(row)
      if (at < all.length) timer = setTimeout(prepare)
    }
    let timer = setTimeout(prepare)
    return () => clearTimeout(timer)
  }, [all])
}

const orders: Readonly<Record<string, (row: RequestRow) => number>> = {
  time: ({ atMs }) => atMs,
  took: ({ tookMs, delayMs }) => tookMs ?? delayMs ?? 0,
}

export function useMatchingRequests(all: readonly RequestRow[]): readonly RequestRow[] {
  const { q = '', operation, errors, sort }: ViewState = useConsole().viewState
  const terms = useMemo(() => parseFilter(q), [q])
  const bodies = useBodyMatches(terms)
  usePreparedTexts(all)
  return useMemo(() => {
    const found = all.filter(
      (row) =>
        (!operation || row.operation === operation) &&
        (!errors || isError(row) || row.partial !== undefined) &&
        terms.every((term) => matchesTerm(row, term, bodies)),
    )
    const order = orders[sort ?? '']
    if (order) found.sort((a, b) => order(a) - order(b))
    return found.reverse()
  }, [all, terms, operation, errors, bodies, sort])
}
