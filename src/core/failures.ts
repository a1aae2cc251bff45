// Responses of faults, and the wait before them.
import {
  errorKinds,
  limitOfKind,
  type ErrorKind,
  type ErrorStatus,
  type LimitFacts,
  type LimitName,
} from '../contract/errors.ts'
import type { WorkspaceRecord } from '../contract/workspaces.ts'
import { limitOf } from '../contract/plan-limits.ts'
import { usageOf } from '../resources/limit-usage.ts'
import type { Store } from '../store/store.ts'
import { principalOf } from './request/authenticate.ts'
import type { ApiResponse, Call } from './call.ts'
import { errorResponse } from './errors.ts'

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
function limitFactsOf(
  store: Store,
  workspace: WorkspaceRecord,
  kind: ErrorKind,
  name: LimitName,
): LimitFacts {
  if (kind === 'asyncBulk') return { limit: 0, current: 0 }
  const used = usageOf(store, workspace)[name]?.used ?? 0
  const limit = limitOf(store.answers, workspace, name) ?? Math.max(1, used)
  return { limit, current: 'inUse' in errorKinds[kind] ? limit : limit + 1 }
}

/** The response of a fault, with the limits of the workspace whose key was sent, else of the first. */
export function injectedResponse(store: Store, call: Call, kind: ErrorKind, retryAfter: number): ApiResponse {
  const { status, when } = errorKinds[kind]
  const workspace = principalOf(store, call.header('authorization'))?.workspace ?? store.workspaces.all()[0]
  const name = limitOfKind(kind)
  const limit = name && workspace && limitFactsOf(store, workspace, kind, name)
  return errorResponse(kind, `${statusWords[status]} (injected: ${when})`, {
    ...(limit && { limit }),
    ...(status === 429 && { retryAfter }),
  })
}

/**
 * Waits on the timers that are current when it is called, fake ones included: the only wait in the core, requested by
 * `delayMs` and a sleep. Rejects with the reason of the signal as soon as it is aborted.
 */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as fetch rejects
      reject(signal?.reason)
    }
    // eslint-disable-next-line no-restricted-globals
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted === true) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
