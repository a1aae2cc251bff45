// The faults to try: for each request the failures that its operation documents, then pairs, the most promising first.
import { errorKinds, limitOfKind } from '../contract/errors.ts'
import { operations, type OperationId } from '../contract/index.ts'
import { defaultScopes } from '../contract/scopes.ts'
import { errorKindsOf } from '../contract/operation.ts'
import type { RunRecord, RunRequest } from './runner.ts'
import type { ExploredFault, ExploreOptions } from './types.ts'

export type FaultChoice = NonNullable<ExploreOptions<never>['faults']>

/** In seconds: longer than the first waits of the backoff schedule, so that a client which ignores it is detected. */
const retryAfter = 3

const finalStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 413])

const isWrite = (operation: OperationId) => defaultScopes[operation].endsWith(':write')

/** Whether the contract leaves the fault open: 500 or 503 after a write was carried out. */
export const isAssumed = ({ phase, network }: ExploredFault) => phase === 'after' && network !== true

/** Whether the same request can succeed later. */
export const isTransient = ({ network, status = 500 }: ExploredFault) =>
  network === true || status === 429 || status >= 500

/** A fault without its request. */
export type FaultKindSpec = Omit<ExploredFault, 'operation' | 'skip'>

/** The ways in which a request of an operation can fail. */
function faultsOf(operation: OperationId, choice: FaultChoice): FaultKindSpec[] {
  const kinds = errorKindsOf(operations[operation])
  const limited = kinds.filter((kind) => errorKinds[kind].status === 429)
  const found: FaultKindSpec[] = [{ network: true }, { status: 503 }, { status: 500 }]
  if (isWrite(operation)) found.unshift({ network: true, phase: 'after' })
  for (const kind of limited) {
    const resource = limitOfKind(kind)
    if (resource) found.push({ status: 429, resource, retryAfter })
  }
  if (choice === 'transient') return found
  if (isWrite(operation)) found.push({ status: 503, phase: 'after' }, { status: 500, phase: 'after' })
  const statuses = new Set(kinds.map((kind) => errorKinds[kind].status))
  for (const status of statuses) if (finalStatuses.has(status)) found.push({ status })
  return found
}

function faultAt({ operation, index }: RunRequest, kind: FaultKindSpec): ExploredFault {
  return { operation, ...kind, ...(index === 0 ? {} : { skip: index }) }
}

/** One run for each request and each way in which it can fail. */
export function singles(requests: readonly RunRequest[], choice: FaultChoice): ExploredFault[][] {
  return requests.flatMap((request) =>
    faultsOf(request.operation, choice).map((kind) => [faultAt(request, kind)]),
  )
}

/** Part of the rank of a pair: faults with a lower cost are tried first. */
const costOf = ({ network, phase, status }: FaultKindSpec) =>
  network === true ? (phase === 'after' ? 0 : 2) : status === 503 ? 1 : status === 429 ? 3 : 4

/** A pair to try; a lower rank comes first. */
interface Ranked {
  readonly faults: ExploredFault[]
  readonly rank: number
}

/**
 * Pairs of the fault of a run and each fault of each later request of that run. Pairs whose second fault loses the
 * response of the repeated request, or of one shortly after it, find most and have the lowest ranks.
 */
export function secondFaults(
  record: RunRecord,
  [first]: readonly ExploredFault[],
  choice: FaultChoice,
): Ranked[] {
  const requests = record.requests()
  const at = requests.findIndex(({ isFaulted }) => isFaulted)
  if (!first || at === -1) return []
  return requests.slice(at + 1).flatMap((request, distance) =>
    faultsOf(request.operation, choice).map((kind) => ({
      faults: [first, faultAt(request, kind)],
      rank: costOf(first) + 2 * costOf(kind) + distance - (request.operation === first.operation ? 2 : 0),
    })),
  )
}

/** The pairs in order of rank, without duplicates in another order. */
export function pairs(ranked: readonly Ranked[]): ExploredFault[][] {
  const seen = new Set<string>()
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ faults }) => faults)
    .filter((faults) => {
      const key = faults
        .map((fault) => JSON.stringify(fault))
        .sort()
        .join()
      return !seen.has(key) && seen.add(key)
    })
}

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value))

/** The line of code that sets a fault. */
export function faultCall(fault: ExploredFault): string {
  const fields = Object.entries(fault).map(([name, value]) => `${name}: ${literal(value)}`)
  return `mock.fault({ ${fields.join(', ')} })`
}

/** A fault in words, such as `503` or `connection broken after it was done`. */
export function faultName({ network, phase, status = 500, resource }: FaultKindSpec): string {
  const what = network === true ? 'connection broken' : String(status)
  const which = resource === undefined ? '' : ` ${resource}`
  return `${what}${which}${phase === 'after' ? ' after it was done' : ''}`
}
