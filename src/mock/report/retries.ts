// Rules about repeating a request after an error. Source: contract, Errors, rule 2.
import type { RuleId } from '../../contract/client-rules.ts'
import { operations } from '../../contract/index.ts'
import { retryScheduleMs } from '../../contract/limits.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { shorten } from '../../contract/text/quote.ts'
import type { BegunExchange, OpenExchange } from '../requests/exchange.ts'
import type { Moment } from '../../service/store/clock.ts'
import { addressOf } from '../journal/weight.ts'
import { hashOfBody } from '../journal/body-hash.ts'
import type { Findings } from './findings.ts'
import { hasSeen, History } from './history.ts'
import { addNotJudged, findShortWaitMs, measureWaitMs } from './waits.ts'

/** A request repeated later than this is not a retry. */
const retryWindowMs = 60_000
const requestsPerTarget = 20

const isTransient = (status: number) => status === 500 || status === 503

/** What a response can depend on, other than the request and the time. */
interface Circumstances {
  /** Number of changes by this client, and by the test through the controls. */
  readonly changes: number
  readonly interventions: number
  readonly answers: Answers
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
  /** Number of consecutive responses with 500 or 503. */
  readonly failures: number
  readonly circumstances: Circumstances
}

/** A repeated request. */
interface Retry {
  readonly former: Attempt
  readonly exchange: BegunExchange
  readonly moment: Moment
  readonly circumstances: Circumstances
}

function circumstancesOf({ state: { store, faults } }: BegunExchange, changes: number): Circumstances {
  const { interventions, answers } = store
  const { added: faultsAdded, removed: faultsRemoved } = faults.changes
  return { changes, interventions, answers, faultsAdded, faultsRemoved }
}

const areSameCircumstances = (left: Circumstances, right: Circumstances) =>
  left.changes === right.changes &&
  left.interventions === right.interventions &&
  left.answers === right.answers &&
  left.faultsAdded === right.faultsAdded &&
  left.faultsRemoved === right.faultsRemoved

/** Whether the client may try again, because enough time has passed or the test has removed the fault. */
const isNewTry = ({ former, moment, circumstances }: Retry) =>
  former.circumstances.faultsRemoved !== circumstances.faultsRemoved ||
  (measureWaitMs(former.moment, moment) ?? 0) > retryWindowMs

/** Rules retry-after, backoff and retry-unsafe. */
export class RetryRules {
  readonly #findings: Findings
  readonly #attempts = new History<readonly Attempt[]>()
  /** Number of changes each client made while attempts were remembered. */
  readonly #changes = new History<number>()

  constructor(findings: Findings) {
    this.#findings = findings
  }

  /** Whether no failed request is remembered; a request that succeeds is then not a retry. */
  get isIdle(): boolean {
    return this.#attempts.isEmpty
  }

  add(exchange: BegunExchange): void {
    const { id, call, effects, status, moment, response } = exchange
    const hasFailed = status >= 400
    const before = this.#changes.get(exchange, '') ?? 0
    const changes = before + (effects.length > 0 ? 1 : 0)
    if (changes > before) this.#changes.set(exchange, '', changes)
    const target = `${call.method} ${addressOf(call)}`
    const attempts = this.#attempts.get(exchange, target) ?? []
    if (!hasFailed && attempts.length === 0) return
    const signature = signatureOf(exchange)
    if (signature === undefined) return
    const circumstances = circumstancesOf(exchange, before)
    const former = attempts.find((attempt) => attempt.signature === signature)
    const retry = former && { former, exchange, moment, circumstances }
    // A request sent before the failure was known is not a retry.
    const isRetry = retry !== undefined && hasSeen(exchange, retry.former.id)
    if (isRetry) this.#judge(retry)
    // A broken connection tells the client nothing.
    if (status === 0) return
    const others = attempts.filter((attempt) => attempt !== former)
    if (hasFailed) {
      const failures = isTransient(status) ? failuresOf(retry, isRetry) : 0
      const retryAfterMs = status === 429 ? Number(response.headers['retry-after'] ?? 0) * 1000 : 0
      const attempt = { signature, id, status, moment, retryAfterMs, failures }
      this.#attempts.set(exchange, target, [
        ...others.slice(1 - requestsPerTarget),
        { ...attempt, circumstances: { ...circumstances, changes } },
      ])
    } else if (others.length > 0) this.#attempts.set(exchange, target, others)
    else this.#attempts.delete(exchange, target)
  }

  #judge(retry: Retry): void {
    const { status } = retry.former
    if (status === 429) this.#judgeRetryAfter(retry)
    else if (isTransient(status)) this.#judgeBackoff(retry)
    else this.#judgeUnsafe(retry)
  }

  #judgeRetryAfter(retry: Retry): void {
    const { former, moment, circumstances } = retry
    if (former.circumstances.faultsRemoved !== circumstances.faultsRemoved) return
    if (former.retryAfterMs > 0) addNotJudged(this.#findings, 'retry-after', retry.exchange, former)
    const ms = findShortWaitMs(former.moment, moment, former.retryAfterMs)
    if (ms === undefined) return
    const needed = String(former.retryAfterMs / 1000)
    const how = `was sent again ${String(ms / 1000)} s after a 429 with Retry-After ${needed}`
    this.#add('retry-after', retry, '', how)
  }

  #judgeBackoff(retry: Retry): void {
    if (isNewTry(retry)) return
    const { former, moment } = retry
    const neededMs = retryScheduleMs[former.failures - 1]
    const status = String(former.status)
    if (neededMs === undefined) {
      const most = `at most ${String(retryScheduleMs.length)} retries are allowed`
      this.#add('backoff', retry, 'number', `was sent again after a ${status}; ${most}`)
      return
    }
    if (neededMs > 0) addNotJudged(this.#findings, 'backoff', retry.exchange, former)
    const ms = findShortWaitMs(former.moment, moment, neededMs)
    if (ms === undefined) return
    const asked = `the schedule asks for ${String(neededMs / 1000)} s`
    this.#add('backoff', retry, 'wait', `was sent again ${String(ms / 1000)} s after a ${status}; ${asked}`)
  }

  #judgeUnsafe(retry: Retry): void {
    const { former, circumstances } = retry
    if (!areSameCircumstances(former.circumstances, circumstances)) return
    const status = String(former.status)
    this.#add('retry-unsafe', retry, status, `was sent again unchanged after ${status}`)
  }

  /**
   * A client that repeats many requests in the same way is one cause; each path without an operation is a separate one.
   */
  #add(rule: RuleId, { former, exchange }: Retry, cause: string, how: string): void {
    const { call } = exchange
    const target = shorten(`${call.method} ${addressOf(call)}`)
    const place = exchange.operation ?? target
    const retry = rule === 'backoff' ? `Retry ${String(former.failures)}: ` : ''
    this.#findings.add(exchange, rule, `${place} ${cause}`, `${retry}${target} ${how}`, [former.id])
  }
}

function failuresOf(retry: Retry | undefined, isRetry: boolean): number {
  if (!retry || !isTransient(retry.former.status)) return 1
  // Requests sent in parallel count as one attempt.
  if (!isRetry) return retry.former.failures
  return isNewTry(retry) ? 1 : retry.former.failures + 1
}

/** A hash of the body, or its size if it is too large; undefined if neither is known. */
function bodyOf({ operation, contentType, call, sent }: OpenExchange): string | undefined {
  if (sent instanceof Uint8Array) return hashOfBody(sent, contentType)
  if (sent !== null) {
    // If a body was not read to its end, only the header tells its size.
    const size = sent.isTooLarge ? call.header('content-length') : String(sent.sizeBytes)
    return size === null ? undefined : `not kept, ${size}`
  }
  const takesBody = operation === null || 'body' in operations[operation]
  return call.body === null || !takesBody ? '' : undefined
}

/** Distinguishes requests to one target by body, content type, and the error requested with `Prefer`; undefined if unknown. */
export function signatureOf(exchange: OpenExchange): string | undefined {
  const body = bodyOf(exchange)
  if (body === undefined) return undefined
  const askedFor = exchange.fault === 'prefer' ? exchange.status : ''
  return `${body} ${exchange.contentType?.split(';')[0] ?? ''} ${String(askedFor)}`
}
