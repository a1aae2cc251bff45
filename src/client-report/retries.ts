// Owns the rules for sending the same request again after an error. Source: contract, Errors, rule 2.
import type { Answers } from '../contract/questions/register.ts'
import { BoundedMap } from '../core/bounded-map.ts'
import type { Exchange } from '../core/journal.ts'
import { shown, type Context } from './context.ts'
import type { Findings } from './findings.ts'
import { momentOf, tooShortMs, waitedMs, type Moment } from './time.ts'
import { signatureOf, targetOf } from '../core/request-signature.ts'

/** Milliseconds before the first retry, the second, and so on; a further one is one too many. */
const scheduleMs = [0, 1000, 2000, 4000, 8000]
/** A request made again later than this is a new one and no retry. */
const retryMs = 60_000
const targetsRemembered = 1000
const requestsPerTarget = 20

const isTransient = (status: number) => status === 500 || status === 503
const unsafeStatuses: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 413])

/** What a request may depend on beside itself, as it was when the request was begun, or once it was answered. */
interface Circumstances {
  readonly revision: number
  readonly answers: Answers
  readonly moves: number
  readonly faultsAdded: number
  readonly faultsRemoved: number
}

/** The last attempt at a request that has not succeeded yet. */
interface Attempt {
  readonly signature: string
  readonly id: number
  readonly status: number
  readonly moment: Moment
  readonly retryAfterMs: number
  /** How often in succession it was answered 500 or 503. */
  readonly failures: number
  readonly circumstances: Circumstances
}

/** Where a request that was made before is made again. */
interface Retry {
  readonly former: Attempt
  readonly exchange: Exchange
  readonly now: Moment
  readonly circumstances: Circumstances
}

const circumstancesOf = (
  { clockMoves }: Exchange,
  { store, faults }: Context,
  revision: number,
): Circumstances => ({
  revision,
  answers: store.answers,
  moves: clockMoves,
  faultsAdded: faults.added,
  faultsRemoved: faults.removed,
})

const isSame = (left: Circumstances, right: Circumstances) =>
  left.revision === right.revision &&
  left.answers === right.answers &&
  left.moves === right.moves &&
  left.faultsAdded === right.faultsAdded &&
  left.faultsRemoved === right.faultsRemoved

/** Whether so long has passed, or the test has ended the failing, that the client may try anew. */
const isNewTry = ({ former, now, circumstances }: Retry) =>
  former.circumstances.faultsRemoved !== circumstances.faultsRemoved ||
  (waitedMs(former.moment, now) ?? 0) > retryMs

/** Rules retry-after, backoff and retry-unsafe. */
export class RetryRules {
  readonly #findings: Findings
  /** Attempts by method and address. */
  readonly #attempts = new BoundedMap<readonly Attempt[]>(targetsRemembered)

  constructor(findings: Findings) {
    this.#findings = findings
  }

  /** The store was replaced by another. */
  forget(): void {
    this.#attempts.clear()
  }

  add(exchange: Exchange, context: Context): void {
    const hasFailed = exchange.status >= 400
    if (!hasFailed && this.#attempts.isEmpty) return
    const target = targetOf(exchange)
    const attempts = this.#attempts.get(target) ?? []
    if (!hasFailed && attempts.length === 0) return
    const signature = signatureOf(exchange, context)
    if (signature === undefined) return
    const former = attempts.find((attempt) => attempt.signature === signature)
    const now = momentOf(exchange, context)
    const begun = circumstancesOf(exchange, context, context.revision)
    const retry = former && { former, exchange, now, circumstances: begun }
    // What was sent before the failure was known is no retry.
    const isRetry = retry !== undefined && context.after >= retry.former.id
    if (isRetry) this.#judge(retry)
    const others = attempts.filter((attempt) => attempt !== former)
    if (!hasFailed) {
      if (others.length === 0) this.#attempts.delete(target)
      else this.#attempts.set(target, others)
      return
    }
    const { id, status, headers } = exchange
    const failures = isTransient(status) ? failuresOf(retry, isRetry) : 0
    const retryAfterMs = status === 429 ? Number(headers['retry-after'] ?? 0) * 1000 : 0
    const circumstances = circumstancesOf(exchange, context, context.store.undo.revision)
    const attempt = { signature, id, status, moment: now, retryAfterMs, failures, circumstances }
    this.#attempts.set(target, [...others.slice(1 - requestsPerTarget), attempt])
  }

  #judge(retry: Retry): void {
    const { status } = retry.former
    if (status === 429) this.#judgeRetryAfter(retry)
    else if (isTransient(status)) this.#judgeBackoff(retry)
    else if (unsafeStatuses.has(status)) this.#judgeUnsafe(retry)
  }

  #judgeRetryAfter({ former, exchange, now, circumstances }: Retry): void {
    if (former.circumstances.faultsRemoved !== circumstances.faultsRemoved) return
    const ms = tooShortMs(former.moment, now, former.retryAfterMs)
    if (ms === undefined) return
    const needed = String(former.retryAfterMs / 1000)
    this.#add(
      'retry-after',
      former,
      exchange,
      `${String(ms / 1000)} s after a 429 with Retry-After ${needed}`,
    )
  }

  #judgeBackoff(retry: Retry): void {
    if (isNewTry(retry)) return
    const { former, exchange, now } = retry
    const neededMs = scheduleMs[former.failures - 1]
    if (neededMs === undefined) {
      this.#add('backoff', former, exchange, `after ${String(former.failures)} failures in succession`)
      return
    }
    const ms = tooShortMs(former.moment, now, neededMs)
    if (ms === undefined) return
    const waited = `${String(ms / 1000)} s after failure ${String(former.failures)} in succession`
    this.#add('backoff', former, exchange, `${waited}, which asks for ${String(neededMs / 1000)} s`)
  }

  #judgeUnsafe(retry: Retry): void {
    const { former, exchange, circumstances } = retry
    if (isNewTry(retry) || !isSame(former.circumstances, circumstances)) return
    this.#add('retry-unsafe', former, exchange, `unchanged after ${String(former.status)}`)
  }

  #add(
    rule: 'retry-after' | 'backoff' | 'retry-unsafe',
    former: Attempt,
    exchange: Exchange,
    how: string,
  ): void {
    const { id, operation } = exchange
    const target = targetOf(exchange)
    this.#findings.add({
      rule,
      cause: `${target} ${former.signature}`,
      operation,
      requests: [former.id, id],
      what: () => `${shown(target)} was sent again ${how}`,
    })
  }
}

function failuresOf(retry: Retry | undefined, isRetry: boolean): number {
  if (!retry || !isTransient(retry.former.status)) return 1
  // Several at a time are one attempt, made in parallel.
  if (!isRetry) return retry.former.failures
  return isNewTry(retry) ? 1 : retry.former.failures + 1
}
