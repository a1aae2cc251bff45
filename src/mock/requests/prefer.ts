// The failure of a request: of its header `Prefer: code=503`, which asks for a documented error once, or of a fault.
import type { Call, CallBody } from './call.ts'
import { allowedStatusesOf, findFaultKind } from '../faults/fault-spec.ts'
import type { FaultCandidate } from '../faults/fault-match.ts'
import type { OpenExchange } from './exchange.ts'
import type { InjectedFailure } from '../faults/faults.ts'
import type { Operation } from '../../contract/index.ts'
import { readJson } from './json.ts'
import type { Route } from './route.ts'

interface MetFault {
  readonly failure?: InjectedFailure | undefined
  /** Why its `Prefer` has no effect. */
  readonly hint?: string | undefined
}

/** The code of `Prefer: code=503`, quoted or not, in any case; undefined without it. Source: RFC 7240 */
export function parsePreferredCode(call: Call): string | undefined {
  const prefer = call.header('prefer')
  const match = prefer === null ? null : /(?:^|[,;\s])code\s*=\s*(?:"([^"]*)"|([^,;\s]*))/i.exec(prefer)
  return match?.[1] ?? match?.[2]
}

function findPreferredFailure(operation: Operation, code: string): MetFault {
  const kind = findFaultKind(operation, Number(code), undefined)
  if (kind)
    return { failure: { id: 'prefer', phase: 'before', delayMs: 0, network: false, kind, retryAfter: 1 } }
  const errors = allowedStatusesOf(operation).filter((status) => status >= 400)
  return {
    hint: `Prefer: code=${code} is not a documented error of ${operation.id}; its errors are ${errors.join(', ')}`,
  }
}

/** What the `match` of a fault sees of a request. */
export const candidateOf = (call: Call, { operation, params }: Route, body: CallBody): FaultCandidate => ({
  method: call.method,
  path: call.path,
  query: Object.fromEntries(new URLSearchParams(call.query)),
  params: { ...params },
  body:
    operation.body?.json && body instanceof Uint8Array
      ? readJson(new TextDecoder().decode(body), 'body').value
      : undefined,
})

/** The failure that a request meets: that of its `Prefer`, else of a fault. The console's requests meet no fault. */
export function meetFault({ call, sent, isConsole, queue }: OpenExchange, route: Route): MetFault {
  const { operation } = route
  const code = parsePreferredCode(call)
  const preferred = code === undefined ? {} : findPreferredFailure(operation, code)
  if (preferred.failure || isConsole) return preferred
  const failure = queue.state.faults.take(operation, () => candidateOf(call, route, sent))
  return { failure, hint: preferred.hint }
}
