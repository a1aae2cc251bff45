// Partial success: a bulk request or a job has failed rows although its response is 200.
import { isObject } from '../../contract/data/objects.ts'
import { operations } from '../../contract/index.ts'
import type { OperationSpec } from '../../contract/operation.ts'
import type { Exchange } from './exchange.ts'

export interface PartialSuccess {
  /** Number of rows that were not inserted. */
  readonly failed: number
  /** Number of rows that were submitted. */
  readonly of: number
}

const sumOf = (values: readonly unknown[]) =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'number' ? value : 0), 0)

/** Counts the failed rows that a response reports; undefined if no row failed, or the request failed as a whole. */
export function countFailures(
  outcome: OperationSpec['partialOutcome'],
  body: unknown,
): PartialSuccess | undefined {
  if (outcome === undefined || !isObject(body)) return undefined
  const toPartial = (failed: number, of: number) => (failed > 0 ? { failed, of } : undefined)
  if (outcome === 'rows') {
    const failed = Array.isArray(body.errors) ? body.errors.length : sumOf([body.errorCount])
    return toPartial(failed, failed + sumOf([body.count, body.inserted, body.updated]))
  }
  const { metadata, completed_at } = body
  if (!isObject(metadata) || completed_at === null) return undefined
  const of = sumOf([metadata.submitted])
  return toPartial(of - sumOf([metadata.row_count]), of)
}

export function findPartialSuccess({
  operation,
  status,
  responseBody,
  isInjected,
}: Pick<Exchange, 'operation' | 'status' | 'responseBody' | 'isInjected'>): PartialSuccess | undefined {
  const { partialOutcome }: Partial<OperationSpec> = operation === null ? {} : operations[operation]
  if (!partialOutcome || status >= 300 || isInjected || typeof responseBody !== 'string') return undefined
  return countFailures(partialOutcome, JSON.parse(responseBody))
}
