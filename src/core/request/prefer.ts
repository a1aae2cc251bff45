// The failure that a request meets: of the header `Prefer: code=503`, which asks for a documented error once, or of a fault.
import type { Call } from '../call.ts'
import { allowedStatuses, candidateOf, faultKind } from '../fault-spec.ts'
import type { OpenExchange } from '../exchange.ts'
import type { InjectedFailure } from '../faults.ts'
import type { Operation } from '../../contract/index.ts'
import type { Route } from './route.ts'

/** The code of `Prefer: code=503`, quoted or not, in any case; undefined without it. Source: RFC 7240 */
export function preferredCode(call: Call): string | undefined {
  const prefer = call.header('prefer')
  const match = prefer === null ? null : /(?:^|[,;\s])code\s*=\s*(?:"([^"]*)"|([^,;\s]*))/i.exec(prefer)
  return match?.[1] ?? match?.[2]
}

const errorStatuses = (operation: Operation) =>
  allowedStatuses(operation)
    .filter((status) => status >= 400)
    .join(', ')

/** Why a code has no effect. */
const undocumentedCode = (operation: Operation, code: string): string =>
  `Prefer: code=${code} is not a documented error of ${operation.id}; its errors are ${errorStatuses(operation)}`

/** What a code asks for; undefined if it is no documented error. */
function preferredFailure(operation: Operation, code: string): InjectedFailure | undefined {
  const kind = faultKind(operation, Number(code), undefined)
  return kind && { id: 'prefer', phase: 'before', delayMs: 0, network: false, kind, retryAfter: 1 }
}

/** The failure that a request meets: that of its `Prefer`, else of a fault. The console's requests meet no fault. */
export function meetFault(
  { call, sent, isConsole, generation }: OpenExchange,
  route: Route,
): { readonly failure: InjectedFailure | undefined; readonly hint: string | undefined } {
  const { operation } = route
  const code = preferredCode(call)
  const preferred = code === undefined ? undefined : preferredFailure(operation, code)
  const hint = code === undefined || preferred ? undefined : undocumentedCode(operation, code)
  const { faults } = generation
  const failure =
    preferred ?? (isConsole ? undefined : faults.take(operation, () => candidateOf(call, route, sent)))
  return { failure, hint }
}
