// The header `Prefer: code=503`, which asks for a documented error once.
import type { Call } from '../call.ts'
import { allowedStatuses, faultKind } from '../fault-spec.ts'
import type { InjectedFailure } from '../faults.ts'
import type { Operation } from '../../contract/index.ts'

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
export const undocumentedCode = (operation: Operation, code: string): string =>
  `Prefer: code=${code} is not a documented error of ${operation.id}; its errors are ${errorStatuses(operation)}`

/** What a code asks for; undefined if it is no documented error. */
export function preferredFailure(operation: Operation, code: string): InjectedFailure | undefined {
  const kind = faultKind(operation, Number(code), undefined)
  return kind && { id: 'prefer', phase: 'before', delayMs: 0, network: false, kind, retryAfter: 1 }
}
