// Compares two responses: status, headers and body. Pairs ids as it goes and remembers which field names each side
// has shown.
import { countText } from '../../../contract/text/format.ts'
import { getOrInsert } from '../../../contract/data/maps.ts'
import type { OperationId } from '../../../contract/index.ts'
import { isWrite } from '../../../contract/scopes.ts'
import type { Reply } from '../../deployment/reply.ts'
import { compareBodies, type BodyComparison } from './bodies.ts'
import type { About, Difference } from './difference.ts'

/** Counts that include other people's records. */
const othersCount = ['total', 'count', 'row_count']

/** Fields that grow while a time entry runs; any listing may contain a running entry. */
export const runningTimes = ['duration', 'total_seconds']

/** Fields of a response that need not be equal. */
export interface Tolerance {
  /** Numbers that are up to the deployment, such as how long a job takes. */
  readonly loose?: readonly string[]
  /** Numbers that depend on the current time. */
  readonly near?: readonly string[]
}

/** The responses of both sides to one request. */
export interface Replies {
  readonly about: About & { readonly operation: OperationId }
  readonly tolerance: Tolerance
  readonly ours: Reply
  readonly theirs: Reply
}

/** What a comparison needs to know beyond the responses. */
export type Knowledge = Pick<BodyComparison, 'ids' | 'marker' | 'now' | 'columns' | 'areOthersWriting'> & {
  /** Whether fields that the contract does not name are differences. */
  readonly isStrict?: boolean
  /** Numeric fields to ignore in this workspace. */
  readonly loose?: readonly string[]
}

export class Comparer {
  /** Field names the mock has shown, by operation and path. */
  readonly #names = new Map<OperationId, Map<string, Set<string>>>()
  readonly #added = new Set<string>()

  compare({ about, tolerance, ours, theirs }: Replies, knowledge: Knowledge): Difference[] {
    const { operation } = about
    const [expected, got] = [ours.status, theirs.status]
    if (expected !== got) return [{ ...about, path: 'status', kind: 'status', expected, got }]
    const path = 'x-ratelimit-limit'
    const [limit, theirLimit] = [ours.headers.get(path), theirs.headers.get(path)]
    const isSameLimit = limit === null || limit === theirLimit
    const differences: Difference[] = isSameLimit
      ? []
      : [{ ...about, path, kind: 'header', expected: limit, got: theirLimit }]
    if (ours.json === undefined) return [...differences, ...compareBytes(about, ours, theirs)]
    const { loose = [], near = [] } = tolerance
    const areOthersWriting = knowledge.areOthersWriting && !isWrite(operation)
    const given = {
      about,
      isStrict: false,
      ...knowledge,
      areOthersWriting,
      names: getOrInsert(this.#names, operation, () => new Map<string, Set<string>>()),
      added: this.#added,
      loose: new Set([...loose, ...(knowledge.loose ?? []), ...(areOthersWriting ? othersCount : [])]),
      near: new Set([...near, ...(operation === 'listTimeEntries' ? runningTimes : [])]),
    }
    return [...differences, ...compareBodies(given, ours.json, theirs.json)]
  }
}

/** Compares files. If the pull did not download a file, only its size is known. */
function compareBytes(about: About, ours: Reply, theirs: Reply): Difference[] {
  const [expected, got] = [ours.bytes, theirs.bytes]
  const isKnown = expected.some((byte) => byte !== 0)
  const isSame =
    expected.length === got.length && (!isKnown || expected.every((byte, index) => byte === got[index]))
  const sizes = { expected: countText(expected.length, 'byte'), got: countText(got.length, 'byte') }
  return isSame ? [] : [{ ...about, path: 'bytes', kind: 'value', ...sizes }]
}
