// Something wrong seen in a single run. Statements with the same cause become one finding.
import type { StateDifference } from '../compare/comparison.ts'
import { exploreSeverities, type ExploreSeverity } from '../../mock/explorable.ts'
import type { LateRequest } from './runner.ts'
import type { Lines } from './reproduction.ts'
import { formatDifferences } from './texts.ts'
import type { ExploreFinding, ExploreKind } from './types.ts'

export type Statement = Pick<ExploreFinding, 'kind' | 'severity' | 'message' | 'advice' | 'cause'> &
  Partial<Pick<ExploreFinding, 'difference' | 'rule'>> & { readonly lines?: Lines }

export const rankOf = (severity: ExploreSeverity) => exploreSeverities.indexOf(severity)

export function statementOf(
  kind: ExploreKind,
  message: string,
  advice: string,
  more: Partial<Statement> = {},
): Statement {
  return { kind, severity: 'error', message, advice, cause: '', ...more }
}

export const createHangStatement = (message: string): Statement =>
  statementOf('hang', message, 'Contract, Errors, rule 2: retries must end; give up after five.')

export const createLateStatement = ({ operation, line }: LateRequest, how: string): Statement =>
  statementOf(
    'late request',
    `${line} was sent after the scenario had ${how}; its connection was broken`,
    'Wait for every request and stop every timer before the scenario ends; otherwise nothing shows whether the request succeeds.',
    { severity: 'warning', cause: operation ?? line },
  )

/** Makes a statement about the first difference; returns none if there are no differences. */
export function listStateStatements(
  lead: string,
  differences: readonly StateDifference[],
  advice: string,
  more: Partial<Statement> = {},
): Statement[] {
  const [difference] = differences
  if (!difference) return []
  const { resource, change, field, undisturbed } = difference
  // If the undisturbed run creates a record several times, missing and extra copies have the same cause.
  const isRepeated = change !== 'changed' && Number(undisturbed) > 1
  const cause = `${resource} ${isRepeated ? 'twice' : change}${field === undefined ? '' : ` ${field}`}`
  const message = `${lead} ${formatDifferences(differences)}`
  return [statementOf('state', message, advice, { cause, difference, ...more })]
}
