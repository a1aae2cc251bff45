// The journal's search: words, "several words", fields such as `status:4xx` or `status:>=400`, and ids such as `#5`.
// A minus in front excludes matches.
import { countText } from '../../contract/text/format.ts'
import type { JournalSummary } from '../../mock/journal/entry.ts'

/** A request and its sandbox, which is null for the main one. */
type Searched = JournalSummary & { readonly sandbox: string | null }

export interface SearchTerm {
  readonly isNegated: boolean
  /** Null searches for text anywhere in the request and its bodies. */
  readonly field: string | null
  readonly value: string
}

/** For each field, the text of a request to search. */
const fields: Readonly<Record<string, (request: Searched) => string>> = {
  method: ({ method }) => method,
  // A broken connection is treated as a server error, so `status:5xx` finds it.
  status: ({ status }) => (status === 0 ? '5net' : String(status)),
  operation: ({ operation }) => operation ?? '',
  sandbox: ({ sandbox }) => sandbox ?? 'main',
  key: ({ key }) => key ?? '',
  label: ({ label }) => label ?? '',
  fault: ({ fault }) => fault ?? '',
}

/** Reduces a pasted address to its path below the base address, which is what the journal has. */
const toPath = (text: string) => text.replace(/^(?:https?:\/\/[^/\s]+)?\/v1(?=\/.)/, '')

const comparison = /^([<>]=?)(\d+)$/

/** A broken connection is treated as a server error. */
function matchesComparison({ status }: Searched, [, operator = '', text = '']: RegExpExecArray): boolean {
  const [actual, wanted] = [status === 0 ? 599 : status, Number(text)]
  if (actual === wanted) return operator.endsWith('=')
  return operator.startsWith('>') ? actual > wanted : actual < wanted
}

const pattern = /(-?)(?:(\w+):(?=\S|$))?(?:"([^"]*)(?:"|$)|(\S*))/g

/** Skips incomplete terms, such as `status:` or `-`. */
export function parseSearch(text: string): readonly SearchTerm[] {
  const terms: SearchTerm[] = []
  for (const [, minus = '', name, quoted, word = ''] of text.toLowerCase().matchAll(pattern)) {
    const isNegated = minus !== ''
    const value = quoted ?? word
    const isField = name !== undefined && Object.hasOwn(fields, name)
    const written = name === undefined || isField ? value : `${name}:${value}`
    const isOpen =
      quoted === undefined && Object.hasOwn(fields, written.slice(0, -1)) && written.endsWith(':')
    const isUnfinished = name === 'status' && /^[<>]=?$/.test(value)
    if (written === '' || written === '#' || isOpen || isUnfinished) continue
    if (isField)
      terms.push({ isNegated, field: name, value: name === 'status' ? value.replace(/x+$/, '') : value })
    else if (quoted === undefined && /^#\d+$/.test(written))
      terms.push({ isNegated, field: '#', value: written.slice(1) })
    else terms.push({ isNegated, field: null, value: toPath(written) })
  }
  return terms
}

/** The text of a request that words are searched in, in lower case and without bodies. */
export function toSearchText(request: Searched): string {
  const { method, path, outside, query, operation, key, status, refusal, partial } = request
  const { fault, delayMs, label, sandbox, changes } = request
  const queryText = Object.keys(query).length === 0 ? '' : new URLSearchParams(query).toString()
  const parts = [
    ...[method, outside ?? path + (queryText === '' ? '' : `?${queryText}`), operation, key],
    ...[status === 0 ? 'connection broken' : status, refusal],
    refusal?.replaceAll(/[A-Z]/g, (letter) => ` ${letter}`),
    partial && `${String(partial.failed)} of ${countText(partial.of, 'row')} failed`,
    ...[fault, delayMs !== undefined && 'delayed', label, sandbox ?? 'main'],
  ]
  return [...parts, ...changes.map(({ id }) => id)].join('\n').toLowerCase()
}

/** @param hasText whether a lower-case text occurs in the request */
export function matchesTerm(
  request: Searched,
  { isNegated, field, value }: SearchTerm,
  hasText: (text: string) => boolean,
): boolean {
  if (field === null) return hasText(value) !== isNegated
  if (field === '#') return (String(request.id) === value) !== isNegated
  const compared = field === 'status' ? comparison.exec(value) : null
  if (compared) return matchesComparison(request, compared) !== isNegated
  // Matches prefixes, so that a half-typed word already matches.
  return (fields[field]?.(request).toLowerCase() ?? '').startsWith(value) !== isNegated
}
