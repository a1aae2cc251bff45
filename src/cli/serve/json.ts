// Output of `serve --json`: each event as one line of JSON on stdout.
import type { OperationId } from '../../contract/scopes.ts'
import { findOperation } from '../../core/request/route.ts'
import type { WorkspaceMock } from '../../mock.ts'
import { targetOf } from '../../server/targets.ts'
import type { LoggedRequest } from '../../server/respond.ts'
import { loggedReason } from './request-log.ts'
import type { ServeOutput } from './output.ts'

function print(event: string, facts: object = {}): void {
  process.stdout.write(`${JSON.stringify({ event, ...facts })}\n`)
}

const stateOf = ({ fixtureName: fixture, clock }: WorkspaceMock) => ({
  fixture,
  clock: { now: clock.now(), mode: clock.mode },
})

function operationOf({ method, url }: LoggedRequest): OperationId | null {
  const { surface, path, isOutside } = targetOf(url)
  return surface === 'api' && !isOutside ? (findOperation(method, path)?.operation.id ?? null) : null
}

/** A request as logged: with the address as sent, which contains no key; without times, so that logs are reproducible. */
function requestFacts(request: LoggedRequest) {
  const { method, url, response, sandbox } = request
  const [path = '', ...query] = url.split('?')
  return {
    method,
    path,
    query: query.join('?'),
    sandbox,
    operation: operationOf(request),
    status: response?.status ?? null,
    refusal: response?.refusal ?? null,
    ...loggedReason(response),
  }
}

export const jsonOutput: ServeOutput = {
  listening: (mock, { url, baseUrl, controlToken }) =>
    print('listening', { url, baseUrl, ...stateOf(mock), ...(controlToken !== null && { controlToken }) }),
  request: (request) => print('request', requestFacts(request)),
  reloaded: (mock) => print('reloaded', stateOf(mock)),
  notReloaded: (error) => print('reload-failed', { error }),
  closed: () => print('closed'),
}
