// The failure of a request: of its header `Prefer: code=503`, which asks for a documented error once, or of a fault.
import { parseQueryText } from '../../contract/data/query-text.ts'
import type { Call } from './call.ts'
import { allowedStatusesOf, findFaultKind } from '../faults/fault-spec.ts'
import type { FaultCandidate } from '../faults/fault-match.ts'
import type { OpenExchange } from './exchange.ts'
import type { EffectFault, InjectedFailure } from '../faults/faults.ts'
import type { Operation } from '../../contract/index.ts'
import { readJson } from './json.ts'
import type { Route } from './route.ts'

/** The faults that a request meets. */
export interface MetFaults {
  readonly failure?: InjectedFailure | undefined
  readonly effects?: readonly EffectFault[]
  /** Why its `Prefer` has no effect. */
  readonly hint?: string | undefined
}

/** The code of `Prefer: code=503`, quoted or not, in any case; undefined without it. Source: RFC 7240 */
export function parsePreferredCode(call: Call): string | undefined {
  const prefer = call.header('prefer')
  const match = prefer === null ? null : /(?:^|[,;\s])code\s*=\s*(?:"([^"]*)"|([^,;\s]*))/i.exec(prefer)
  return match?.[1] ?? match?.[2]
}

function findPreferredFailure(operation: Operation, code: string): MetFaults {
  const kind = findFaultKind(operation, Number(code), undefined)
  if (kind)
    return {
      failure: {
        id: 'prefer',
        phase: 'before',
        delayMs: 0,
        isOnClock: false,
        network: false,
        kind,
        retryAfter: 1,
      },
    }
  const errors = allowedStatusesOf(operation).filter((status) => status >= 400)
  return {
    hint: `Prefer: code=${code} is not a documented error of ${operation.id}; its errors are ${errors.join(', ')}`,
  }
}

/**
 * What a request meets: the failure that its `Prefer` asks for, else that of a fault, and the effects of faults. The
 * console's requests meet no fault.
 */
export function meetFaults({ call, sent, isConsole, state }: OpenExchange, route: Route): MetFaults {
  const { operation, params } = route
  const code = parsePreferredCode(call)
  const preferred = code === undefined ? {} : findPreferredFailure(operation, code)
  if (isConsole) return preferred
  let known: FaultCandidate | undefined
  const candidate = () =>
    (known ??= {
      method: call.method,
      path: call.path,
      query: Object.fromEntries(parseQueryText(call.query)),
      params: { ...params },
      body:
        operation.body?.json && sent instanceof Uint8Array
          ? readJson(new TextDecoder().decode(sent), 'body').value
          : undefined,
    })
  const effects = state.faults.meet(operation, candidate)
  const failure = preferred.failure ?? state.faults.take(operation, candidate)
  return { ...preferred, failure, effects }
}
