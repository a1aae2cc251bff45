// Determines whether a request fails: because its header `Prefer: code=503` asks for a documented error, or because of a
// fault.
import { parseQueryText } from '../../contract/data/query-text.ts'
import type { Call } from '../requests/call.ts'
import { allowedStatusesOf, findFaultKind } from './fault-spec.ts'
import type { FaultCandidate } from './fault-match.ts'
import type { InjectedFailure, OpenExchange } from '../requests/exchange.ts'
import { isFirstOrSingle, type EffectFault, type Faults } from './faults.ts'
import type { Operation } from '../../contract/index.ts'
import { readJson } from '../requests/json.ts'
import type { Route } from '../requests/route.ts'

/** The effects of faults on a request, in addition to its failure. */
export interface MetFaults {
  readonly effects: readonly EffectFault[]
  /** Why its `Prefer` has no effect. */
  readonly hint?: string | undefined
}

/** The code in `Prefer: code=503`, quoted or not, in any letter case; undefined if absent. Source: RFC 7240 */
export function parsePreferredCode(call: Call): string | undefined {
  const prefer = call.header('prefer')
  const match = prefer === null ? null : /(?:^|[,;\s])code\s*=\s*(?:"([^"]*)"|([^,;\s]*))/i.exec(prefer)
  return match?.[1] ?? match?.[2]
}

function findPreferred(operation: Operation, code: string): { failure?: InjectedFailure; hint?: string } {
  const kind = findFaultKind(operation, Number(code), undefined)
  const none = { phase: 'before', delayMs: 0, isOnClock: false, network: false, retryAfter: 1 } as const
  if (kind) return { failure: { id: 'prefer', kind, ...none } }
  const errors = allowedStatusesOf(operation).filter((status) => status >= 400)
  return {
    hint: `Prefer: code=${code} is not a documented error of ${operation.id}; its errors are ${errors.join(', ')}`,
  }
}

/**
 * Sets the failure that a request's `Prefer` asks for, or else a fault's, and returns the effects of faults on the
 * request. Faults ignore the console's requests.
 */
export function meetFaults(exchange: OpenExchange, faults: Faults, { operation, params }: Route): MetFaults {
  const { call, sent, isConsole } = exchange
  const code = parsePreferredCode(call)
  const { failure, hint } = code === undefined ? {} : findPreferred(operation, code)
  exchange.failure = failure
  if (isConsole) return { effects: [], hint }
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
  const effects = faults.meet(operation, candidate)
  exchange.failure ??= faults.take(operation, candidate)
  exchange.effectFault = effects.find(isFirstOrSingle)?.id ?? null
  return { effects, hint }
}
