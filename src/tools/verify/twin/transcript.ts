// A played scenario as data: both responses to each request and their differences.
import type { OperationId } from '../../../contract/index.ts'
import type { Difference } from '../compare/difference.ts'
import type { IdPairs } from '../compare/ids.ts'
import type { Replies } from '../compare/replies.ts'
import type { CallOptions } from '../../deployment/client.ts'
import type { Stop } from '../../deployment/stop.ts'
import type { MockState } from './mirror.ts'

/** A request to both sides, with both responses. */
export interface Exchange extends Replies {
  /** The request, with the mock's ids. */
  readonly options: CallOptions
  /** The deployment's time when it was sent. */
  readonly atMs: number
  readonly differences: readonly Difference[]
}

export interface Transcript {
  /** The mock's state and the id pairs at the start. */
  readonly start: MockState
  readonly ids: IdPairs
  readonly exchanges: readonly Exchange[]
  /** Differences in order of appearance, both from comparisons and from checks in the scenario. */
  readonly found: readonly Difference[]
  /** Operations with a judged response. */
  readonly judged: ReadonlySet<OperationId>
  /** Why the scenario ended early. */
  readonly stopped?: Stop | undefined
}
