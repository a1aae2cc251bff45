// Short texts about a request: its query, and why it did not get its usual response.
import { countText, durationText, numberText, wordsOf } from '../../format.ts'
import type { RequestRow } from '../../live-state.ts'

export const queryText = ({ query }: Pick<RequestRow, 'query'>) => {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

export type Outcome = Pick<RequestRow, 'refusal' | 'status' | 'fault' | 'delayMs' | 'partial'>

/** What went wrong with a request; '' if it got its usual response. */
export function failureText({ refusal, status, fault, delayMs, partial }: Outcome): string {
  if (refusal !== null) return wordsOf(refusal)
  if (status === 0) return 'connection broken'
  if (partial) return `${numberText(partial.failed)} of ${countText(partial.of, 'row')} failed`
  if (delayMs !== undefined) return `delayed ${durationText(delayMs)}`
  return fault === null ? '' : 'slow'
}

/** The same with its fault. */
export const reasonText = (row: Outcome) =>
  row.fault === null ? failureText(row) : `${row.fault}: ${failureText(row)}`
