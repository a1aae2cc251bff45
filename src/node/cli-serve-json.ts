// Owns what `serve --json` tells programs: each event as one line of JSON on stdout, and nothing else there.
import type { ErrorKind } from '../contract/errors.ts'
import type { OperationId } from '../contract/scopes.ts'
import type { JournalBody } from '../http/journal.ts'
import { findOperation } from '../http/route.ts'
import type { WorkspaceMock } from '../mock.ts'
import { targetOf } from './http-call.ts'
import type { LoggedRequest } from './listener.ts'
import { reasonOf } from './request-log.ts'
import type { ServeOutput } from './serve-output.ts'

function print(event: string, facts: object = {}): void {
  process.stdout.write(`${JSON.stringify({ event, ...facts })}\n`)
}

const stateOf = ({ fixtureName: fixture, clock }: WorkspaceMock) => ({
  fixture,
  clock: { now: clock.now(), mode: clock.mode },
})

function operationOf({ method, url }: LoggedRequest): OperationId | null {
  const { surface, path } = targetOf(url)
  return surface === 'api' ? (findOperation(method, path)?.operation.id ?? null) : null
}

const textOf = (body: JournalBody) => (body && 'json' in body ? JSON.stringify(body.json) : undefined)

/** How far back in the journal a refusal is looked for: an answer that a fault delays is told of after later ones. */
const entriesBack = 50

/** The kind of a refusal. An answer does not carry it; the journal has it, beside the same words. */
function refusalOf(
  mock: WorkspaceMock,
  { answer, sandbox }: LoggedRequest,
  operation: OperationId | null,
): ErrorKind | null {
  if (!answer || answer.status < 400) return null
  if (sandbox !== null && !mock.sandboxes().includes(sandbox)) return null
  const world = sandbox === null ? mock : mock.sandbox(sandbox)
  const entries = world.requests({ status: answer.status, limit: entriesBack })
  const entry = entries.findLast(
    (one) => one.operation === operation && textOf(one.responseBody) === answer.body,
  )
  return entry?.refusal ?? null
}

/** A request as it is told of: where it went as sent (a key travels in a header), and no time, so that two runs tell the same. */
function requestFacts(request: LoggedRequest, mock: WorkspaceMock) {
  const { method, url, answer, sandbox } = request
  const [path = '', ...query] = url.split('?')
  const operation = operationOf(request)
  return {
    method,
    path,
    query: query.join('?'),
    sandbox,
    operation,
    status: answer?.status ?? null,
    refusal: refusalOf(mock, request, operation),
    ...reasonOf(answer),
  }
}

export const jsonOutput: ServeOutput = {
  listening: (mock, { url, baseUrl }) => print('listening', { url, baseUrl, ...stateOf(mock) }),
  request: (request, mock) => print('request', requestFacts(request, mock)),
  reloaded: (mock) => print('reloaded', stateOf(mock)),
  notReloaded: (error) => print('reload-failed', { error }),
  closed: () => print('closed'),
}
