// The hint that a response carries: about a wrong path, a wrong body, or a clock that stands still.
import { countText, formatCount } from '../../contract/text/format.ts'
import type { SkippedOccurrences } from '../../service/store/events.ts'
import type { ApiResponse, Call } from '../requests/call.ts'
import type { OpenExchange } from '../requests/exchange.ts'
import { isBareStorageKey } from '../requests/route.ts'
import { hintAtBody } from './body.ts'
import { hintAtOperation } from './operation.ts'

function hintAtPath({ method, path, outside, baseUrl }: Call): string {
  if (outside === undefined && isBareStorageKey(method, path))
    return 'a storage key goes into the path as encodeURIComponent(key)'
  const nearest = hintAtOperation(method, path)
  return outside === undefined ? nearest : `the API is at ${baseUrl}; ${nearest}`
}

const manualHint = 'the clock is manual: move it with mock.clock.advance(...) or POST /__mock/clock/advance'

export const toSkippedHint = ({ made, tasks }: SkippedOccurrences): string =>
  `one move of the clock creates at most 1,000 occurrences per task and 10,000 in total: after ${formatCount(made)}, later occurrences of ${countText(tasks, 'task')} were skipped (question recurrence)`

export function findHint(exchange: OpenExchange, { status }: ApiResponse): string | undefined {
  const { route, call, store } = exchange
  if (exchange.isInjected) return undefined
  if (!route) return hintAtPath(call)
  return (
    hintAtBody(exchange, status) ?? (status === 429 && store.clock.mode === 'manual' ? manualHint : undefined)
  )
}
