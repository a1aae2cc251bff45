// The response to a request whose turn has come: carried out, or a fault's.
import { formatCount } from '../contract/text/format.ts'
import { runDue } from '../resources/run-due.ts'
import type { SkippedOccurrences } from '../store/events.ts'
import type { ApiResponse } from './call.ts'
import { dispatch, failureResponse, type DispatchOptions } from './dispatch.ts'
import { hintHeaders } from './errors.ts'
import type { BegunExchange } from './exchange.ts'
import { injectedResponse } from './failures.ts'
import type { InjectedFailure } from './faults.ts'
import { bodyHint } from './request/hints.ts'
import { unknownOperationResponse } from './request/unrouted.ts'

/** Stands for a broken connection. */
export const droppedResponse: ApiResponse = { status: 0, headers: {}, body: null }

export const withHint = (response: ApiResponse, hint: string | undefined): ApiResponse =>
  hint === undefined || 'x-mock-hint' in response.headers
    ? response
    : { ...response, headers: { ...response.headers, ...hintHeaders(hint) } }

const manualHint = 'the clock is manual: move it with mock.clock.advance(...) or POST /__mock/clock/advance'

export const skippedHint = ({ made, tasks }: SkippedOccurrences): string =>
  `one move of the clock makes 1,000 occurrences of a task and 10,000 of all at most: after ${formatCount(made)}, later ones of ${formatCount(tasks)} tasks were skipped (question recurrence)`

/** With a failure its response, before anything is checked or after all is done. */
export function respond(
  exchange: BegunExchange,
  options: DispatchOptions,
  failure: InjectedFailure | undefined,
): ApiResponse {
  const { call, route, store } = exchange
  let response = droppedResponse
  try {
    // What is due by now happens before it.
    runDue(store)
    // Without an error a delay is all there is to a fault.
    if (failure?.phase !== 'before' || !(failure.network || failure.kind))
      response = route ? dispatch(exchange, route, options) : unknownOperationResponse(call)
  } catch (error) {
    response = failureResponse(error)
  }
  if (failure?.kind) return injectedResponse(store, call, failure.kind, failure.retryAfter)
  response = withHint(response, bodyHint(exchange, response.status))
  const isLimited = response.status === 429 && store.clock.mode === 'manual'
  return isLimited ? withHint(response, manualHint) : response
}
