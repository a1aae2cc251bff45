// Planned faults: what happens at which request, and how the client may respond.
import { isObject } from '../../contract/data/objects.ts'
import { operations, type OperationId } from '../../contract/index.ts'
import type { OperationSpec } from '../../contract/operation.ts'
import { findPagePlace } from '../../mock/explorable.ts'
import type {
  ExploreSeverity,
  JournalBody,
  JournalEntry,
  PlannedFault,
  Store,
} from '../../mock/explorable.ts'
import type { Family, RequestPoint } from './families.ts'
import type { ExploreOptions } from './types.ts'

/** How a client may respond to a fault, and how severe any other response is. */
export interface Expectation {
  /** Maximum severity of the run's findings. */
  readonly most?: ExploreSeverity
  /** How a rejection is judged. By default the client may reject if it made nothing twice. */
  readonly rejection?: 'gave up' | 'stopped' | 'depends' | undefined
  /** Whether the client may also report the failure by returning a different value. */
  readonly canTell?: true
  /** Which rules of the report count; `own` excludes rules that the fault itself breaks. */
  readonly rules?: 'all' | 'own'
  /** Whether only extra records count as differences. */
  readonly extraOnly?: true
  /** The resource of another user's record, which contains `foreignText` and must survive. */
  readonly keeps?: string
  /**
   * The poll around which another user submitted the form. A later poll must find that submission; only missing records
   * are differences.
   */
  readonly polls?: RunRequest
  /** Whether the client runs again on the state it left. */
  readonly again?: 'always' | 'after rejection'
  /**
   * Accepted final states: `after`, as if the act came after the client's run; `before`, as if it came first; `both`,
   * either.
   */
  readonly orders?: 'after' | 'both' | 'before'
  /** How many times the act happens, 1 by default. */
  readonly acts?: number
  /** The listing that must be read to its end, as in the undisturbed run. */
  readonly reads?: { readonly path: string; readonly filter: string }
  /** How long the fault takes when waits take real time. Seconds: tried once per operation; minutes: not tried. */
  readonly takes?: 'seconds' | 'minutes'
  readonly advice: string
  /** The advice when something is missing or differs because the client ignored a failure. */
  readonly ifIgnored?: string
}

export type Case = readonly [name: string, fault: PlannedFault, expected: Expectation]

export interface PlannedCase {
  readonly family: Family
  /** What happens to the client in a few words, such as `503 for good`. */
  readonly name: string
  /** Null if the fault hits the whole run. */
  readonly at: RequestPoint | null
  readonly fault: PlannedFault
  readonly expected: Expectation
}

/** A fault that hits one request of the run. */
export const faultAt = ({ operation, index }: RequestPoint, fault: PlannedFault): PlannedFault => ({
  operation,
  ...fault,
  ...(index > 0 && { skip: index }),
})

/** A request of the undisturbed run. */
export interface RunRequest extends RequestPoint {
  /** Its position among all requests, from 0. */
  readonly position: number
  readonly entry: JournalEntry
}

export interface PlanContext {
  readonly requests: readonly RunRequest[]
  readonly start: Store
  readonly faults: NonNullable<ExploreOptions<never>['faults']>
}

/** The text in records that another user makes. */
export const foreignText = 'Made by another user'

/** The JSON of a body; undefined if it has none. */
export const jsonOf = (body: JournalBody): unknown => (body && 'json' in body ? body.json : undefined)

/** Numbers the requests that match an operation. */
export function numberRequests(journal: readonly JournalEntry[]): RunRequest[] {
  const counts = new Map<OperationId, number>()
  const requests: RunRequest[] = []
  for (const entry of journal) {
    const { operation } = entry
    if (operation === null) continue
    const index = counts.get(operation) ?? 0
    counts.set(operation, index + 1)
    requests.push({ operation, index, position: requests.length, entry })
  }
  return requests
}

/** The page of tasks, rows or submissions a request read; undefined for other requests. */
export function readPage({ entry, operation }: RunRequest) {
  const { paging, method }: OperationSpec = operations[operation]
  const name = method === 'GET' ? paging?.items : undefined
  const json = jsonOf(entry.responseBody)
  if (name === undefined || entry.status !== 200 || !isObject(json)) return undefined
  const items = json[name]
  return Array.isArray(items) ? { items: items as unknown[], ...findPagePlace(json) } : undefined
}
