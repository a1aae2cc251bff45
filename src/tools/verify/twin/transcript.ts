// What was played: a scenario as data, with both responses to each request and how they differ.
import type { OperationId } from '../../../contract/index.ts'
import type { Difference } from '../compare/difference.ts'
import type { IdPairs } from '../compare/ids.ts'
import type { Replies } from '../compare/replies.ts'
import type { CallOptions } from '../../deployment/client.ts'
import type { Stop } from '../../deployment/stop.ts'
import type { MockState } from './mirror.ts'

/** A request to both sides. */
export interface Exchange extends Replies {
  /** The request, with the mock's ids. */
  readonly options: CallOptions
  /** The deployment's time when it was sent. */
  readonly atMs: number
  readonly differences: readonly Difference[]
}

export interface Transcript {
  /** The state and the ids with which it began. */
  readonly start: MockState
  readonly ids: IdPairs
  readonly exchanges: readonly Exchange[]
  /** What differs, in the order in which it showed: of the exchanges, and what a scenario saw by itself. */
  readonly found: readonly Difference[]
  /** Operations of which something was judged. */
  readonly judged: ReadonlySet<OperationId>
  /** Why it did not come to its end. */
  readonly stopped?: Stop | undefined
}
