// Responds to a request: carries it out, or gives the response of a fault.
import {
  errorKinds,
  limitOfKind,
  type ErrorKind,
  type ErrorStatus,
  type LimitName,
} from '../../contract/errors.ts'
import { limitOf } from '../../contract/plan-limits.ts'
import { formatCount } from '../../contract/text/format.ts'
import type { WorkspaceRecord } from '../../contract/workspaces.ts'
import { usageOf } from '../../service/resources/limit-usage.ts'
import { runDue } from '../../service/resources/run-due.ts'
import type { SkippedOccurrences } from '../../service/store/events.ts'
import type { Store } from '../../service/store/store.ts'
import type { ApiResponse, Call } from './call.ts'
import { dispatch, toFailureResponse } from './dispatch.ts'
import { corsHeaders, toErrorResponse, toHintHeaders } from './errors.ts'
import { droppedResponse, type BegunExchange } from './exchange.ts'
import type { InjectedFailure } from '../faults/faults.ts'
import { principalOf } from './authenticate.ts'
import { hintAtBody } from '../hints/body.ts'
import { hintAtOperation } from '../hints/operation.ts'
import { isBareStorageKey } from './route.ts'

export const withHint = (response: ApiResponse, hint: string | undefined): ApiResponse =>
  hint === undefined || 'x-mock-hint' in response.headers
    ? response
    : { ...response, headers: { ...response.headers, ...toHintHeaders(hint) } }

const manualHint = 'the clock is manual: move it with mock.clock.advance(...) or POST /__mock/clock/advance'

export const toSkippedHint = ({ made, tasks }: SkippedOccurrences): string =>
  `one move of the clock makes 1,000 occurrences of a task and 10,000 of all at most: after ${formatCount(made)}, later ones of ${formatCount(tasks)} tasks were skipped (question recurrence)`

const statusWords: Record<ErrorStatus, string> = {
  400: 'the request is not valid',
  401: 'the API key is missing or not known',
  402: 'the API key is suspended because of a plan or billing change',
  403: 'the plan, the billing or the scopes of the key do not allow this',
  404: 'the resource does not exist',
  413: 'the payload is too large',
  429: 'too many requests',
  500: 'the server failed',
  503: 'the service is unavailable for a moment',
}

/** A limit that the plan does not set is reported as just used up. Assumption: limitFacts */
function limitFactsOf(store: Store, workspace: WorkspaceRecord, kind: ErrorKind, name: LimitName) {
  if (kind === 'asyncBulk') return { limit: 0, current: 0 }
  const used = usageOf(store, workspace)[name]?.used ?? 0
  const limit = limitOf(store.answers, workspace, name) ?? Math.max(1, used)
  return { limit, current: 'inUse' in errorKinds[kind] ? limit : limit + 1 }
}

/** Names the limits of the workspace whose key was sent, else of the first. */
function toInjectedResponse(store: Store, call: Call, kind: ErrorKind, retryAfter: number): ApiResponse {
  const { status, when } = errorKinds[kind]
  const workspace = principalOf(store, call.header('authorization'))?.workspace ?? store.workspaces.all()[0]
  const name = limitOfKind(kind)
  const limit = name && workspace && limitFactsOf(store, workspace, kind, name)
  return toErrorResponse(kind, `${statusWords[status]} (injected: ${when})`, {
    ...(limit && { limit }),
    ...(status === 429 && { retryAfter }),
  })
}

/** To a request that no operation matches. */
function respondToUnknownOperation({ method, path, outside, baseUrl }: Call): ApiResponse {
  const nearest = hintAtOperation(method, path)
  if (outside !== undefined) {
    const message = `No operation matches ${method} ${outside}: it is not below ${baseUrl}`
    return toErrorResponse('unknownOperation', message, { hint: `the API is at ${baseUrl}; ${nearest}` })
  }
  const hint = isBareStorageKey(method, path)
    ? 'a storage key goes into the path as encodeURIComponent(key)'
    : nearest
  return toErrorResponse('unknownOperation', `No operation matches ${method} /v1${path}`, { hint })
}

export const respondToPreflight = (call: Call): ApiResponse => ({
  status: 204,
  headers: {
    ...corsHeaders,
    'access-control-allow-methods': 'GET, POST, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers':
      call.header('access-control-request-headers') ??
      'Authorization, Content-Type, Prefer, X-Mock-Sandbox, X-Mock-Label',
    'access-control-max-age': '86400',
  },
  body: null,
})

/** Carries out a request. A failure replaces the response; in phase `before`, nothing is carried out. */
export function respond(exchange: BegunExchange, selfCheck: boolean, failure: InjectedFailure | undefined) {
  const { call, route, store } = exchange
  let response = droppedResponse
  try {
    // Everything that is due by now happens before the request.
    runDue(store)
    // A fault without an error only delays.
    if (failure?.phase !== 'before' || !(failure.network || failure.kind))
      response = route ? dispatch(exchange, route, selfCheck) : respondToUnknownOperation(call)
  } catch (error) {
    response = toFailureResponse(error)
  }
  if (failure?.kind) return toInjectedResponse(store, call, failure.kind, failure.retryAfter)
  response = withHint(response, hintAtBody(exchange, response.status))
  const isLimited = response.status === 429 && store.clock.mode === 'manual'
  return isLimited ? withHint(response, manualHint) : response
}
