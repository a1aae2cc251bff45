// Enters an answered request into the journal and the report.
import { principalOf } from '../request/authenticate.ts'
import type { ApiResponse, CallBody } from '../call.ts'
import { boundedEffects } from './changes.ts'
import type { Exchange } from './exchange.ts'
import type { OpenExchange } from '../open-exchange.ts'

function keptBody(body: CallBody): Exchange['requestBody'] {
  if (body === null || body === 'too-large') return null
  return 'head' in body ? { sizeBytes: body.sizeBytes } : body
}

const labelCharacters = 200

/** Enters an exchange into the journal and the report. @returns the entry */
export function record(open: OpenExchange, response: ApiResponse, fault: string | null): Exchange {
  const { call, route, generation, principal, atMs } = open
  const { journal, report } = generation
  open.isReported = response.reported ?? false
  const exchange: Exchange = {
    id: journal.nextId(),
    atMs,
    method: call.method,
    baseUrl: call.baseUrl,
    path: call.path,
    query: call.query,
    operation: route?.operation.id ?? null,
    key: principal?.key.name ?? null,
    sender: (principal ?? principalOf(open.store, call.header('authorization')))?.key.name ?? null,
    isKeySent: principal !== undefined || call.header('authorization') !== null,
    workspaceId: principal?.workspace.id ?? null,
    label: call.header('x-mock-label')?.slice(0, labelCharacters) ?? null,
    contentType: open.sent === null ? null : call.header('content-type'),
    requestBody: keptBody(open.sent),
    status: response.status,
    refusal: response.refusal ?? null,
    headers: response.headers,
    responseBody: response.body,
    ...boundedEffects(open.effects),
    observations: open.observations,
    observed: open.observed,
    fault,
  }
  journal.add(exchange)
  report.add(exchange, open)
  return exchange
}
