// Coverage: how often each documented outcome of each operation occurred.
import { isObject } from '../../contract/data/objects.ts'
import { errorKinds, limitOfKind, type ErrorKind } from '../../contract/errors.ts'
import { operationList, type OperationId } from '../../contract/index.ts'
import { errorKindsOf, resolveSchema, type OperationSpec } from '../../contract/operation.ts'
import type { Answers } from '../../contract/questions/register.ts'
import {
  collectorKey,
  countOutcome,
  partialCases,
  type Collector,
  type CountedOutcome,
  type CoverageCounts,
  type OutcomeCase,
} from './coverage-counts.ts'
import type { ApiResponse } from '../requests/call.ts'
import type { OpenExchange } from '../requests/exchange.ts'
import { countFailures } from './partial-success.ts'

interface ResponseOutcome {
  readonly case: OutcomeCase
  /** Whether a fault caused the failure it reports. */
  readonly isPlanned?: boolean
}

/** The documented outcome that a response set by the test represents, if exactly one has its status and shape. */
function findDocumentedCase(operation: OperationSpec, answers: Answers, own: ApiResponse) {
  let body: unknown
  try {
    body = JSON.parse(String(own.body))
  } catch {
    return undefined
  }
  const { success } = operation
  if (own.status === success.status)
    return 'schema' in success && resolveSchema(success.schema, answers).safeParse(body).success
      ? 'success'
      : undefined
  if (!isObject(body) || typeof body.error !== 'string') return undefined
  const { resource } = body
  const isOfCase = (kind: ErrorKind) =>
    errorKinds[kind].status === own.status && limitOfKind(kind) === resource
  const [found, ...others] = errorKindsOf(operation).filter(isOfCase)
  return others.length === 0 ? found : undefined
}

/**
 * The outcome to count for a request. Successes that report failed rows are separate cases. Undefined if the test set a
 * response that is not a documented outcome.
 */
export function outcomeOf(exchange: OpenExchange, response: ApiResponse): ResponseOutcome | undefined {
  const { route, store, isSpoiled, success, failure } = exchange
  if (failure?.response) {
    const found = route && findDocumentedCase(route.operation, store.answers, response)
    return found && { case: found }
  }
  const { refusal } = response
  if (refusal) return { case: refusal }
  const partial = route?.operation.partialOutcome
  if (partial === 'rows' && countFailures(partial, success))
    return { case: 'partlyFailed', isPlanned: isSpoiled }
  const job = partial === 'job' ? store.jobs.get(route?.params.jobId ?? '') : undefined
  // Snapshots from earlier versions have no planned end.
  const isPlanned = (job?.planned_end ?? null) !== null
  if (job?.status === 'failed') return { case: 'jobFailed', isPlanned }
  if (job?.status === 'done' && job.errors > 0) return { case: 'jobErrors', isPlanned }
  return { case: 'success' }
}

export const collectOutcome: Collector = (outcome) =>
  (globalThis as { [collectorKey]?: Collector })[collectorKey]?.(outcome)

export class Coverage {
  readonly #counts: CoverageCounts = {}
  readonly #forward: Collector | undefined

  /** @param forward also counts outcomes elsewhere: in the whole mock, or in the process; absent in explorations */
  constructor(forward?: Collector) {
    this.#forward = forward
  }

  add(outcome: CountedOutcome): void {
    countOutcome(this.#counts, outcome)
    this.#forward?.(outcome)
  }

  report(): CoverageReport {
    return toCoverageReport([this.#counts])
  }

  /** The counts so far, as plain data. */
  save(): CoverageCounts {
    return structuredClone(this.#counts)
  }

  /** Resumes from saved counts, without counting them again elsewhere. */
  putBack(counts: CoverageCounts): void {
    Object.assign(this.#counts, structuredClone(counts))
  }
}

const isErrorKind = (kind: OutcomeCase): kind is ErrorKind => Object.hasOwn(errorKinds, kind)

const casesOf = (operation: OperationSpec & { readonly id: OperationId }): readonly OutcomeCase[] => [
  'success',
  ...(operation.partialOutcome ? partialCases[operation.partialOutcome] : []),
  ...errorKindsOf(operation).toSorted((a, b) => errorKinds[a].status - errorKinds[b].status),
]

export function toCoverageReport(all: readonly CoverageCounts[]) {
  const sum = (values: readonly (number | undefined)[]) =>
    values.reduce<number>((total, value) => total + (value ?? 0), 0)
  return {
    /** Every operation, in the order of the documentation. */
    operations: operationList.map((operation) => {
      const counted = all.map((counts) => counts[operation.id])
      return {
        operation: operation.id,
        /** Includes requests whose connection a fault broke. */
        requests: sum(counted.map((counts) => counts?.requests)),
        /** Success first, then the documented errors; outcomes that never occurred have 0. */
        outcomes: casesOf(operation).map((kind) => ({
          status: isErrorKind(kind) ? errorKinds[kind].status : operation.success.status,
          /** `success`, or the kind of error behind the status. */
          case: kind,
          /** How often it occurred without a fault. */
          natural: sum(counted.map((counts) => counts?.cases[kind]?.[0])),
          /** How often a fault, or `Prefer: code=…`, caused it. */
          byFault: sum(counted.map((counts) => counts?.cases[kind]?.[1])),
        })),
      }
    }),
  }
}
/** Plain data; a new copy each time. */
export type CoverageReport = ReturnType<typeof toCoverageReport>
export type OperationCoverage = CoverageReport['operations'][number]
export type OutcomeCoverage = OperationCoverage['outcomes'][number]

export function sumReports(reports: readonly CoverageReport[]): CoverageReport {
  const counts = reports.map(({ operations }) => {
    const counted: CoverageCounts = {}
    for (const { operation, requests, outcomes } of operations)
      counted[operation] = {
        requests,
        cases: Object.fromEntries(
          outcomes.map(({ case: kind, natural, byFault }) => [kind, [natural, byFault]]),
        ),
      }
    return counted
  })
  return toCoverageReport(counts)
}
