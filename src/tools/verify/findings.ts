// The results of scenarios as findings of a report; what was inconclusive, and whether the run counts.
import { operationList, type OperationId } from '../../contract/index.ts'
import { quote } from '../../contract/text/quote.ts'
import { Forbidden, type Unreachable } from './engine/drift.ts'
import { isReadingOperation, type Judge } from './engine/judge.ts'
import { toRuleName, type Evident, type Inconclusive } from './engine/report.ts'
import type { Context } from './engine/start.ts'
import type { Oracle } from './twin/oracle.ts'
import type { Found, Scenario } from './twin/play.ts'
import type { Verdict } from './twin/rounds.ts'

/** The result of a scenario. Only the end of the run shows whether the key lacks a permission. */
export interface Played {
  readonly scenario: Scenario
  readonly verdict: Verdict
}

const formatValue = (value: unknown): string => (value === undefined ? 'nothing' : quote(value))

/** How two values differ, in words. */
function describe({ kind, path, expected, got, theirs }: Found, field: string) {
  if (kind === 'status')
    return { expected: `status ${String(expected)}`, got: theirs?.summary ?? `status ${String(got)}` }
  const what = path === '' ? 'the body' : field
  if (kind === 'id') return { expected: `${what} is an id of its own`, got: formatValue(got) }
  if (kind === 'number')
    return { expected: `${what} is a number of its own, which stays`, got: formatValue(got) }
  return { expected: `${what} ${formatValue(expected)}`, got: formatValue(got) }
}

function driftOf(found: Found, { id }: Scenario, oracle?: Oracle): Evident {
  const { operation, says, source, after, exchanges, path, kind } = found
  // The id of a column says little.
  const column = oracle?.columns.get(path.split('.').at(-1)?.replaceAll('[]', '') ?? '')
  const field = column ? `${path} (${column.type} "${column.name}")` : path
  return {
    operation,
    rule: id,
    says,
    source,
    outcome: 'drift',
    field,
    cause:
      kind === 'status'
        ? `status ${String(found.expected)} ${String(found.got)}`
        : `${operation} ${path} ${kind}`,
    ...describe(found, field),
    ...(after !== undefined && { after, operations: [operation, after] }),
    exchanges,
  }
}

/** A scenario as a check of one of its operations. */
const toCheck = ({ id, source, says }: Scenario, operation: OperationId) => ({
  operation,
  rule: id,
  source,
  says,
})

export const checksOf = (scenario: Scenario) => scenario.operations.map((id) => toCheck(scenario, id))

export const toUncheckedFindings = (scenario: Scenario, why: string, reason: Unreachable['reason']) =>
  checksOf(scenario).map((check): Evident => ({ ...check, outcome: 'not reachable', why, reason }))

/** Whether a scenario stopped at a 403 although the key has the permission: that is drift. */
const isRefusedWrongly = (stopped: Unreachable | undefined, judge: Judge): stopped is Forbidden =>
  stopped instanceof Forbidden && judge.hasSucceeded(stopped.operation)

export function findingsOf({ scenario, verdict }: Played, judge: Judge, oracle?: Oracle): Evident[] {
  const { found, compared, stopped } = verdict
  const drifts = found.map((one) => driftOf(one, scenario, oracle))
  if (!stopped) {
    const passed = [...compared].filter((id) => !found.some(({ operation }) => operation === id))
    return [...drifts, ...passed.map((id): Evident => ({ ...toCheck(scenario, id), outcome: 'pass' }))]
  }
  if (isRefusedWrongly(stopped, judge)) {
    const { operation, expected, message: got } = stopped
    const finding = { ...toCheck(scenario, operation), field: 'status', expected, got }
    return [...drifts, { ...finding, outcome: 'drift', cause: `${expected} refused` }]
  }
  if (drifts.length > 0) return drifts
  const { reason, message } = stopped
  const why = stopped instanceof Forbidden ? `${stopped.operation}: ${message}` : message
  return toUncheckedFindings(scenario, why, reason)
}

/**
 * What the run could not decide, without outcomes that no request met. The share leaves out what the key may not write:
 * a key that may write a part is judged by that part.
 */
export function inconclusiveOf(
  all: readonly Evident[],
  played: readonly Played[],
  judge: Judge,
): Inconclusive {
  const barred = played.filter(
    ({ scenario: { needs }, verdict: { stopped } }) =>
      needs === 'write' && stopped?.reason === 'permission' && !isRefusedWrongly(stopped, judge),
  )
  const barredChecks = barred.flatMap(({ scenario }) => scenario.operations).length
  const tried = all.filter(({ rule, reason }) => !rule.startsWith('outcome-') && reason !== 'writing')
  const open = tried.filter(({ outcome }) => outcome === 'not reachable')
  const counted = tried.length - barredChecks
  const share = counted > 0 ? (open.length - barredChecks) / counted : 0
  const names = [...new Set(open.map(({ operation }) => operation))]
  return { share: Number(share.toFixed(3)), rules: open.map(toRuleName), operations: names }
}

/** Why a run does not count, in a sentence. */
export function problemOf(
  { api: { judge }, mayWrite }: Context,
  oracle: Oracle | undefined,
  { share, rules }: Inconclusive,
  most: number,
): string | undefined {
  const writes = operationList.filter((spec) => !isReadingOperation(spec))
  const refusal = [...judge.forbidden].find(([id]) => writes.some((spec) => spec.id === id))
  if (mayWrite && refusal && !writes.some(({ id }) => judge.isPermitted(id)))
    return `The key may not write what this run needs: ${refusal[0]} responds with ${refusal[1]}. Use a master key or one with the write scopes, or run without --write.`
  const percent = `${(share * 100).toFixed(0)} % of the checks`
  if (rules.length > 0 && oracle?.isEmpty === true)
    return `The workspace is empty: no table has rows, no list has tasks and there is no form, so that ${percent} could not be decided. Use a workspace with some content.`
  if (share > most)
    return `${percent} could not be decided, more than the ${(most * 100).toFixed(0)} % allowed (--max-inconclusive).`
  return undefined
}
