// The results of a run as the findings of its report: passed, drifted by cause, or inconclusive; and whether the run counts.
import { operationList, type OperationId } from '../../contract/index.ts'
import { quote, shorten } from '../../contract/text/quote.ts'
import { chooseMostSpecific, groupByCause, type AgreedStatuses } from './causes.ts'
import { Forbidden, type Drift, type Unreachable } from './engine/drift.ts'
import { toCommands, type SentExchange } from './engine/exchange.ts'
import { isReadingOperation, type Judge } from './engine/judge.ts'
import { toRuleName, type Check, type Inconclusive, type VerifyFinding } from './engine/report.ts'
import type { Context } from './engine/start.ts'
import { scenarios } from './scenarios/all.ts'
import type { Oracle } from './twin/oracle.ts'
import { placeOf, type Scenario } from './twin/play.ts'
import { tooUnsteady, type Played } from './twin/rounds.ts'

/** Most exchanges that show a finding, in a HAR. */
const mostExchanges = 3

/** A scenario as a check of one of its operations. */
const toCheck = ({ id, source, says }: Scenario, operation: OperationId): Check => ({
  operation,
  rule: id,
  source,
  says,
})

export const checksOf = (scenario: Scenario) => scenario.operations.map((id) => toCheck(scenario, id))

export const toUncheckedFindings = (scenario: Scenario, why: string, reason: Unreachable['reason']) =>
  checksOf(scenario).map((check): VerifyFinding => ({ ...check, outcome: 'inconclusive', why, reason }))

/** A 403 in a scenario although the key has the permission. */
function findWrongRefusal({ scenario, stopped }: Played, judge: Judge): Drift | undefined {
  if (!(stopped instanceof Forbidden) || !judge.hasSucceeded(stopped.operation)) return undefined
  const { operation, status, expected, exchanges } = stopped
  return { ...toCheck(scenario, operation), path: 'status', kind: 'status', expected, got: status, exchanges }
}

export const driftsOf = (played: Played, judge: Judge): readonly Drift[] => {
  const refusal = findWrongRefusal(played, judge)
  return refusal ? [...played.drifts, refusal] : played.drifts
}

/** The checks of a scenario that passed or that are inconclusive. */
export function undriftedOf(played: Played, judge: Judge): VerifyFinding[] {
  const { scenario, judged, stopped } = played
  const drifts = driftsOf(played, judge)
  if (!stopped)
    return [...judged]
      .filter((id) => !drifts.some(({ operation }) => operation === id))
      .map((id) => ({ ...toCheck(scenario, id), outcome: 'pass' }))
  if (drifts.length > 0) return []
  const { reason, message } = stopped
  const why = stopped instanceof Forbidden ? `${stopped.operation}: ${message}` : message
  return toUncheckedFindings(scenario, why, reason)
}

const formatValue = (value: unknown): string => (value === undefined ? 'nothing' : quote(value))

/** What was sent, below the base URL, with the body as far as it is a text. */
function formatSent({ method, url, body }: SentExchange, baseUrl: string): string {
  const address = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url
  return [method, shorten(address), ...(typeof body === 'string' ? [shorten(body)] : [])].join(' ')
}

/** How two values differ, in words. */
function describe(drift: Drift, field: string, baseUrl: string) {
  const { kind, path, expected, got, exchanges } = drift
  const last = exchanges.at(-1)
  if (kind === 'rule') return { expected: String(expected), got: String(got) }
  if (kind === 'status') {
    const sent = last ? ` to ${formatSent(last, baseUrl)}` : ''
    const wanted = typeof expected === 'number' ? `status ${String(expected)}` : String(expected)
    const summary = last?.reply?.status === got ? last?.reply?.summary : undefined
    return { expected: `${wanted}${sent}`, got: summary ?? `status ${String(got)}` }
  }
  const what = path === '' ? 'the body' : field
  if (kind === 'id') return { expected: `${what} is an id of its own`, got: formatValue(got) }
  if (kind === 'number')
    return { expected: `${what} is a number of its own, which stays`, got: formatValue(got) }
  return { expected: `${what} ${formatValue(expected)}`, got: formatValue(got) }
}

/** A finding, with the exchanges that show it. */
export interface Evident {
  readonly finding: VerifyFinding
  readonly exchanges: readonly SentExchange[]
}

/** One finding for each cause; what is most specific speaks for the others. */
export function findingsOf(
  drifts: readonly Drift[],
  agreed: AgreedStatuses,
  { api: { transport }, answers }: Context,
  oracle?: Oracle,
): Evident[] {
  const mainOperation = (rule: string) => scenarios.find(({ id }) => id === rule)?.operations[0]
  return groupByCause(drifts, agreed).map((group) => {
    const best = chooseMostSpecific(group, drifts, mainOperation)
    const { operation, rule, source, after, exchanges, path, kind, explained, seen } = best
    // The id of a column says little.
    const column = oracle?.columns.get(path.split('.').at(-1)?.replaceAll('[]', '') ?? '')
    const field = column ? `${path} (${column.type} "${column.name}")` : path
    const operations = [operation, after, ...group.flatMap((one) => [one.operation, one.after])]
    const all = [...new Set(operations.filter((id) => id !== undefined))]
    const last = exchanges.at(-1)
    const others = group.flatMap((one) => one.exchanges.slice(-1))
    const places = new Set(group.map((one) => (explained ? '' : one.rule) + placeOf(one)))
    const answer = explained && `${explained.question} is ${JSON.stringify(explained.answer)}`
    const subject =
      places.size > 1
        ? `${answer ?? ''}: ${String(places.size)} differences`
        : `${best.says}: ${answer ?? ''}`
    const finding: VerifyFinding = {
      operation,
      rule,
      source,
      outcome: 'drift',
      says: answer === undefined ? best.says : `${subject}; \`--learn\` records it`,
      ...(kind !== 'rule' && { field }),
      ...describe(best, field, transport.baseUrl),
      ...(explained &&
        places.size > 1 && {
          field: explained.question,
          expected: `${explained.question} ${JSON.stringify(answers[explained.question])}`,
          got: JSON.stringify(explained.answer),
        }),
      ...(after !== undefined && { after }),
      ...(last && { sent: formatSent(last, transport.baseUrl), curl: toCommands(exchanges) }),
      ...(seen !== undefined && { seen }),
      ...(all.length > 1 && { operations: all }),
      ...(places.size > 1 && {
        count: places.size,
        operations: all,
        rules: [...new Set(group.map(toRuleName))],
      }),
    }
    return {
      finding,
      exchanges: [...new Set([...exchanges.slice(-mostExchanges), ...others])].slice(0, mostExchanges),
    }
  })
}

/**
 * What the run could not decide. The share leaves out what the key may not write: a key that may write a part is judged by
 * that part.
 */
export function inconclusiveOf(
  findings: readonly VerifyFinding[],
  played: readonly Played[],
  judge: Judge,
): Inconclusive {
  const barred = played.filter(
    (one) =>
      one.scenario.needs === 'write' &&
      one.stopped?.reason === 'permission' &&
      findWrongRefusal(one, judge) === undefined,
  )
  const barredChecks = barred.flatMap(({ scenario }) => scenario.operations).length
  const tried = findings.filter(({ reason }) => reason !== 'writing')
  const open = tried.filter(({ outcome }) => outcome === 'inconclusive')
  const counted = tried.reduce((sum, { rules = [''] }) => sum + rules.length, 0) - barredChecks
  const share = counted > 0 ? Math.max(0, open.length - barredChecks) / counted : 0
  const names = [...new Set(open.map(({ operation }) => operation))]
  return { share: Number(share.toFixed(3)), rules: open.map(toRuleName), operations: names }
}

/** Why a run does not count, in a sentence. */
export function problemOf(
  { api: { judge }, mayWrite }: Context,
  oracle: Oracle | undefined,
  findings: readonly VerifyFinding[],
  { share, rules }: Inconclusive,
  most: number,
): string | undefined {
  const writes = operationList.filter((spec) => !isReadingOperation(spec))
  const refusal = [...judge.forbidden].find(([id]) => writes.some((spec) => spec.id === id))
  if (mayWrite && refusal && !writes.some(({ id }) => judge.isPermitted(id)))
    return `The key may not write what this run needs: ${refusal[0]} responds with ${refusal[1]}. Use a master key or one with the write scopes, or run without --write.`
  const failed = findings.filter(({ reason }) => reason === 'failure')
  const [failure] = failed
  if (failure?.why !== undefined)
    return `${failure.why} (${toRuleName(failure)}${failed.length > 1 ? ` and ${String(failed.length - 1)} other checks` : ''}). This is a fault of verify: please report it.`
  const percent = `${(share * 100).toFixed(0)} % of the checks`
  if (rules.length > 0 && oracle?.isEmpty === true)
    return `The workspace is empty: no table has rows, no list has tasks and there is no form, so that ${percent} are inconclusive. Use a workspace with some content.`
  if (share <= most) return undefined
  const unsteady = findings.filter(({ why }) => why === tooUnsteady).length
  const cause =
    unsteady > 0
      ? `The deployment was too unsteady for ${String(unsteady)} ${unsteady === 1 ? 'check' : 'checks'}: `
      : ''
  return `${cause}${percent} are inconclusive, more than the ${(most * 100).toFixed(0)} % allowed (--max-inconclusive).`
}
