// Owns the routes of the control API for what was observed: the journal and the report on the client.
import { operationIds, type OperationId } from '../../contract/scopes.ts'
import { ControlError } from '../../core/control-error.ts'
import { quote } from '../../contract/quote.ts'
import type { JournalFilter } from '../../core/journal.ts'
import { queryOf, route, type ControlRequest } from './route.ts'

function operationOf(text: string): OperationId {
  const id = operationIds.find((known) => known === text)
  if (id === undefined)
    throw new ControlError(`operation must be one of ${operationIds.join(', ')}; received ${quote(text)}`)
  return id
}

/** @throws {ControlError} */
export function integerOf(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new ControlError(`${name} must be an integer; received ${quote(text)}`)
  return Number(text)
}

function filterOf(request: ControlRequest): JournalFilter {
  const { operation, status, since, after, limit } = queryOf(request, [
    'operation',
    'status',
    'since',
    'after',
    'limit',
  ])
  return {
    operation: operation === undefined ? undefined : operationOf(operation),
    status: status === undefined ? undefined : integerOf('status', status),
    since: since === undefined ? undefined : integerOf('since', since),
    after: after === undefined ? undefined : integerOf('after', after),
    limit: limit === undefined ? undefined : integerOf('limit', limit),
  }
}

function wantsAssumptions(request: ControlRequest): boolean {
  const { assumptions = 'false' } = queryOf(request, ['assumptions'])
  if (assumptions !== 'true' && assumptions !== 'false')
    throw new ControlError(`assumptions must be true or false; received ${quote(assumptions)}`)
  return assumptions === 'true'
}

export const observedRoutes = [
  route('GET', '/requests', 'the journal; `?operation=&status=&since=&after=&limit=`', (request) => ({
    requests: request.store.requests(filterOf(request)),
  })),
  route('GET', '/requests.har', 'the journal as HAR 1.2', ({ store }) => store.har()),
  route('DELETE', '/requests', 'empties the journal', ({ store }) => {
    store.clearRequests()
    return { success: true }
  }),
  route('GET', '/report', 'what the client did against the rules; `?assumptions=true`', (request) => ({
    findings: request.store.report({ assumptions: wantsAssumptions(request) }),
  })),
]
