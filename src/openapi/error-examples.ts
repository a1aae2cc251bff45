// Example bodies of errors, one for each kind.
import { errorKinds, type ErrorBody, type ErrorKind, type LimitName } from '../contract/errors.ts'
import { planLimits } from '../contract/plan-limits.ts'
import type { Answers } from '../contract/questions/register.ts'

/** The smallest plan's limit that lets something through. */
function limitOf(name: LimitName, answers: Answers): number {
  return Object.values(planLimits(answers)[name]).find((limit) => limit !== null && limit > 0) ?? 1
}

/** Assumption: limitFacts */
function limitFacts(kind: ErrorKind, answers: Answers): Partial<ErrorBody> {
  const spec = errorKinds[kind]
  if (!('limit' in spec)) return {}
  const limit = kind === 'asyncBulk' ? 0 : limitOf(spec.limit, answers)
  const current = kind === 'asyncBulk' || 'inUse' in spec ? limit : limit + 1
  return { limitReached: true, resource: spec.limit, limit, current }
}

export function errorExample(kind: ErrorKind, answers: Answers): ErrorBody {
  const { status, when } = errorKinds[kind]
  return { error: when, ...limitFacts(kind, answers), ...(status === 503 && { transient: true }) }
}
