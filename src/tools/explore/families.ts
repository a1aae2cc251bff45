// The fault families of an exploration. Faults of one family demand the same of a correct client.
import type { OperationId } from '../../contract/index.ts'

export const families = [
  'errors',
  'outage',
  'repeated',
  'latency',
  'outcomes',
  'crash',
  'concurrency',
  'compatibility',
  'answers',
] as const
export type Family = (typeof families)[number]

/** A request, identified by its position among the requests of its operation, from 0. */
export interface RequestPoint {
  readonly operation: OperationId
  readonly index: number
}
