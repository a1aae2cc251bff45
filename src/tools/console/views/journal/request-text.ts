// A request of the journal in words: its query, and what went wrong with it.
import { formatDuration, formatQuantity, numberText, wordsOf } from '../../format.ts'
import type { RequestRow } from '../../live-state.ts'

export const formatQuery = ({ query }: Pick<RequestRow, 'query'>) => {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

/** What went wrong with a request; '' if it got its usual response. */
export function describeFailure(
  request: Pick<RequestRow, 'refusal' | 'status' | 'fault' | 'injected' | 'delayMs' | 'partial'>,
): string {
  const { refusal, status, fault, injected, delayMs, partial } = request
  if (refusal !== null) return wordsOf(refusal)
  if (status === 0) return 'connection broken'
  if (injected === true) return 'injected response'
  if (partial) return `${numberText(partial.failed)} of ${formatQuantity(partial.of, 'row')} failed`
  if (delayMs !== undefined) return `delayed ${formatDuration(delayMs)}`
  return fault === null ? '' : 'slow'
}

/** The fault and what went wrong. */
export const describeReason = (row: RequestRow) =>
  (row.fault === null ? '' : `${row.fault}: `) + describeFailure(row)
