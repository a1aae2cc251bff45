// Owns how a call on its way through a sandbox becomes an exchange, which the journal keeps and the report judges.
import { isDue, settle } from '../resources/run-due.ts'
import type { Store } from '../store/store.ts'
import type { Answer, Call } from './call.ts'
import type { Trace } from './dispatch.ts'
import type { Faults } from './faults.ts'
import type { Exchange, Journal } from './journal.ts'
import type { Report } from '../client-report/report.ts'
import type { Route } from './route.ts'

/** A call on its way in. */
export interface Received {
  readonly call: Call
  readonly route: Route | undefined
  /** Id of the last exchange in the journal when it came in. */
  readonly after: number
}

export interface Routed extends Received {
  readonly route: Route
}

/** Where and when the carrying out of a call began: a reset in the meantime does not change where it is told of. */
export interface Begun extends Received {
  readonly store: Store
  readonly journal: Journal
  readonly report: Report
  readonly faults: Faults
  readonly atMs: number
  readonly clockMoves: number
  /** That of the store once it was brought up to its clock. */
  revision: number
}

/** Settles what is due before the call is carried out. */
export function bringUpToDate(begun: Begun): void {
  const { store } = begun
  if (isDue(store)) settle(store)
  begun.revision = store.undo.revision
}

/** Tells the journal and the report of a call and its answer. */
export function record(begun: Begun, trace: Trace, answer: Answer, fault: string | null): void {
  const { call, route, store, journal, report, faults, after, atMs, clockMoves, revision } = begun
  const exchange: Exchange = {
    id: journal.nextId(),
    atMs,
    clockMoves,
    method: call.method,
    path: call.path,
    query: call.query,
    operation: route?.operation.id ?? null,
    params: route?.params ?? {},
    key: trace.principal?.key.name ?? null,
    workspaceId: trace.principal?.workspace.id ?? null,
    contentType: call.header('content-type'),
    requestBody: trace.body instanceof Uint8Array ? trace.body : null,
    status: answer.status,
    refusal: answer.refusal ?? null,
    headers: answer.headers,
    responseBody: answer.body,
    effects: trace.effects,
    observations: trace.observations,
    fault,
  }
  journal.add(exchange)
  report.add(exchange, { store, call, trace, faults, after, revision })
}
