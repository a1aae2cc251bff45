// A request of the journal in words: its query, and what went wrong with it.
import { formatDuration, formatQuantity, numberText, wordsOf } from '../../format.ts'
import type { RequestRow } from '../../live-state.ts'

export const formatQuery = ({ query }: Pick<RequestRow, 'query'>) => {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

type Outcome = Pick<RequestRow, 'refusal' | 'status' | 'fault' | 'delayMs' | 'partial'>

/** What went wrong with a request; '' if it got its usual response. */
export function describeFailure({ refusal, status, fault, delayMs, partial }: Outcome): string {
  if (refusal !== null) return wordsOf(refusal)
  if (status === 0) return 'connection broken'
  if (partial) return `${numberText(partial.failed)} of ${formatQuantity(partial.of, 'row')} failed`
  if (delayMs !== undefined) return `delayed ${formatDuration(delayMs)}`
  return fault === null ? '' : 'slow'
}

export const describeReason = (row: Outcome) =>
  (row.fault === null ? '' : `${row.fault}: `) + describeFailure(row)
