// Owns how a call on its way through a sandbox becomes an exchange, which the journal keeps and the report judges.
import { settle } from '../resources/run-due.ts'
import type { Moment } from '../store/clock.ts'
import type { Answer, Call, CallBody } from './call.ts'
import type { Trace } from './dispatch.ts'
import type { Generation } from './generation.ts'
import type { Exchange } from './journal.ts'
import type { Route } from './route.ts'

/** A call on its way in. */
export interface Received {
  readonly call: Call
  readonly route: Route | undefined
  readonly generation: Generation
  /** Id of the last exchange in the journal when it came in. */
  readonly after: number
  /** Null until it is read. */
  body: CallBody
}

export interface Routed extends Received {
  readonly route: Route
}

/** When the carrying out of a call began. */
export interface Begun extends Received {
  readonly atMs: number
  readonly moment: Moment
}

export function begin(received: Received): Begun {
  const { clock } = received.generation.store
  return { ...received, atMs: clock.nowMs(), moment: clock.moment() }
}

/** Settles what is due before the call is carried out. */
export function bringUpToDate(begun: Begun): void {
  settle(begun.generation.store)
}

function keptBody(body: CallBody): Exchange['requestBody'] {
  if (body === null || body === 'too-large') return null
  return 'head' in body ? { sizeBytes: body.sizeBytes } : body
}

const labelCharacters = 200

/** Enters a call and its answer into the journal and the report. */
export function record(begun: Begun, trace: Trace, answer: Answer, fault: string | null): void {
  const { call, route, body, generation, after, atMs, moment } = begun
  const { store, journal, report, faults } = generation
  const exchange: Exchange = {
    id: journal.nextId(),
    atMs,
    moment,
    method: call.method,
    path: call.path,
    query: call.query,
    operation: route?.operation.id ?? null,
    params: route?.params ?? {},
    key: trace.principal?.key.name ?? null,
    workspaceId: trace.principal?.workspace.id ?? null,
    label: call.header('x-mock-label')?.slice(0, labelCharacters) ?? null,
    contentType: call.header('content-type'),
    requestBody: keptBody(body),
    status: answer.status,
    refusal: answer.refusal ?? null,
    headers: answer.headers,
    responseBody: answer.body,
    effects: trace.effects,
    observations: trace.observations,
    observed: trace.observed,
    fault,
  }
  journal.add(exchange)
  report.add(exchange, { store, call, trace, body, faults, after, isReported: answer.reported ?? false })
}
