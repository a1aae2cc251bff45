// Owns what a failure on demand answers, and the waiting before it.
import {
  errorKinds,
  type ErrorKind,
  type ErrorStatus,
  type LimitFacts,
  type LimitName,
  type RefusalFacts,
} from '../contract/errors.ts'

/** The limit that a refusal of a kind names. */
export const limitOfKind = (kind: ErrorKind): LimitName | undefined => {
  const spec = errorKinds[kind]
  return 'limit' in spec ? spec.limit : undefined
}

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

/** Kinds whose `current` is what is in use; in all others the request itself counts. Assumption: limitFacts */
const inUseKinds: ReadonlySet<ErrorKind> = new Set(['spacesLimit', 'listsLimit', 'concurrentJobs'])

function limitFactsOf(kind: ErrorKind, limit: number): LimitFacts {
  if (kind === 'asyncBulk') return { limit: 0, current: 0 }
  return { limit, current: inUseKinds.has(kind) ? limit : limit + 1 }
}

/** Message and facts of a failure; `limit` is the limit in force of the kind's resource. */
export function failureFacts(
  kind: ErrorKind,
  limit: number,
  retryAfter: number,
): { readonly message: string; readonly facts: RefusalFacts } {
  const { status } = errorKinds[kind]
  const limited = limitOfKind(kind) !== undefined
  return {
    message: `${statusWords[status]} (injected: ${errorKinds[kind].when})`,
    facts: {
      ...(limited ? { limit: limitFactsOf(kind, limit) } : {}),
      ...(status === 429 ? { retryAfter } : {}),
    },
  }
}

/** Waits on the timers in force when it is called, fake ones included: the one wait of the core, asked for by `delayMs`. */
// eslint-disable-next-line no-restricted-globals
export const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
