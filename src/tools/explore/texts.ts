// Faults, differences and errors in words and as lines of code; tables as text.
import type { StateDifference } from '../compare/comparison.ts'
import { toLiteral } from '../../contract/text/literal.ts'
import { quote } from '../../contract/text/quote.ts'
import type { PlannedFault } from '../../mock/faults/fault-spec.ts'
import type { ShownBy } from './types.ts'

function formatDifference({
  resource,
  change,
  field,
  record,
  undisturbed,
  disturbed,
}: StateDifference): string {
  const what = `${resource} ${quote(record)}`
  switch (change) {
    case 'twice':
      return `${what} exists ${String(disturbed)} times instead of ${String(undisturbed)}`
    case 'missing':
      return `${what} is missing`
    case 'added':
      return `${what} exists, but not after the undisturbed run`
    case 'changed':
      if (field === 'deleted') return `${what} is ${disturbed === true ? 'deleted' : 'not deleted'}`
      return `${field ?? 'content'} of ${what} is ${quote(disturbed)} instead of ${quote(undisturbed)}`
  }
}

export function formatDifferences(differences: readonly StateDifference[]): string {
  const [first] = differences
  if (!first) return ''
  const more = differences.length - 1
  return `${formatDifference(first)}${more === 0 ? '' : ` (and ${String(more)} more difference${more === 1 ? '' : 's'})`}`
}

/** `createTask (request 2): 503` */
export function formatPlace({ operation, request }: Omit<ShownBy, 'family'>, name: string): string {
  if (operation === null) return name
  return `${operation}${request === null || request === 1 ? '' : ` (request ${String(request)})`}: ${name}`
}

export function reproductionOf(fault: PlannedFault, isInterleaved: boolean): string {
  const note =
    '// Other requests were in flight: it meets the same one only if they arrive in the same order.'
  return [...(isInterleaved ? [note] : []), `mock.fault(${toLiteral(fault, '', Infinity)})`].join('\n')
}
