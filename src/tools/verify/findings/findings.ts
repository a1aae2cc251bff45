// Turns the results of a run into findings: passes, drift by cause, inconclusive checks. Explains why a run does not
// count.
import { isWrite } from '../../../contract/scopes.ts'
import { operationList } from '../../../contract/index.ts'
import { countText } from '../../../contract/text/format.ts'
import { quote, shorten } from '../../../contract/text/quote.ts'
import { findNeeded, toCommands, type SentExchange } from '../../deployment/exchange.ts'
import type { Context } from '../../deployment/start.ts'
import { tooUnsteady, type Verdict } from '../verdict/verdict.ts'
import type { Mirror } from '../twin/mirror.ts'
import type { Scenario } from '../twin/player.ts'
import { chooseMostSpecific, describeRule, withArticle, groupByCause, type AgreedStatuses } from './causes.ts'
import { placeOf, toCheckName, type Check, type Difference } from '../compare/difference.ts'
import type { Judge } from './judge.ts'
import type { Inconclusive, VerifyFinding } from './report.ts'

/** Maximum exchanges per finding in a HAR. */
const mostExchanges = 3

/** The checks of a scenario, one per operation. */
export const checksOf = ({ id: rule, source, says, operations }: Scenario): Check[] =>
  operations.map((operation) => ({ operation, rule, source, says }))

/** Turns a refusal into drift if the operation succeeded elsewhere, which shows that the key has the permission. */
export function withWrongRefusal(result: Verdict, judge: Judge): Verdict {
  const { differences, stopped } = result
  if (!stopped?.refusal || !judge.hasSucceeded(stopped.refusal.operation)) return result
  const drifted = { ...stopped, reason: 'drift' } as const
  return { ...result, differences: [...differences, stopped.refusal], stopped: drifted }
}

/** A scenario's checks that passed or are inconclusive. */
export function undriftedOf({ scenario, judged, stopped, differences }: Verdict): VerifyFinding[] {
  if (stopped && differences.length > 0) return []
  if (stopped) {
    const { why, reason } = stopped
    return checksOf(scenario).map((check) => ({ ...check, outcome: 'inconclusive', why, reason }))
  }
  const passed = [...judged].filter((id) => !differences.some(({ operation }) => operation === id))
  return checksOf({ ...scenario, operations: passed }).map((check) => ({ ...check, outcome: 'pass' }))
}

const formatValue = (value: unknown): string => (value === undefined ? 'nothing' : quote(value))

/** Formats a request as method, address below the base URL, and the body if it is text. */
function formatSent({ method, url, body }: SentExchange, baseUrl: string): string {
  const address = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url
  return [method, shorten(address), ...(typeof body === 'string' ? [shorten(body)] : [])].join(' ')
}

/** How two values differ, in words. */
function describe(difference: Difference, field: string, baseUrl: string) {
  const { kind, path, expected, got } = difference
  const last = difference.sent.at(-1)
  if (kind === 'rule') return { expected: String(expected), got: String(got) }
  if (kind === 'status') {
    const sent = last ? ` to ${formatSent(last, baseUrl)}` : ''
    const wanted = typeof expected === 'number' ? `status ${String(expected)}` : String(expected)
    const summary = last?.reply?.status === got ? last?.reply?.summary : undefined
    return { expected: `${wanted}${sent}`, got: summary ?? `status ${String(got)}` }
  }
  const what = path === '' ? 'the body' : field
  if (kind === 'id') return { expected: `${what} is an id that no other record has`, got: formatValue(got) }
  if (kind === 'number')
    return {
      expected: `${what} is a number that no other row has and that never changes`,
      got: formatValue(got),
    }
  // For workspace records the mock's value comes from the pull and may be a placeholder.
  const isPulled = (difference.records?.length ?? 0) > 0
  const wanted =
    isPulled && (kind === 'missing' || kind === 'type') ? withArticle(expected) : formatValue(expected)
  return { expected: `${what} ${wanted}`, got: formatValue(got) }
}

/** One finding per cause, with the exchanges that show it; the most specific difference represents the group. */
export function findingsOf(
  differences: readonly Difference[],
  agreed: AgreedStatuses,
  { api: { transport }, answers }: Context,
  columns: Mirror['columns'] = new Map(),
) {
  return groupByCause(differences, agreed, columns).map(({ cause, group }) => {
    const best = chooseMostSpecific(group, differences)
    const { operation, rule, source, after, path, kind, explained, seen } = best
    // A column's id alone says little.
    const column = columns.get(path.split('.').at(-1)?.replaceAll('[]', '') ?? '')
    const field = column ? `${path} (${column.type} "${column.name}")` : path
    const says = describeRule(best, field, columns)
    const operations = [operation, after, ...group.flatMap((one) => [one.operation, one.after])]
    const all = [...new Set(operations.filter((id) => id !== undefined))]
    const needed = findNeeded(best.sent, after !== undefined)
    const last = needed.at(-1)
    const places = new Set(group.map((one) => (explained ? '' : one.rule) + placeOf(one)))
    const isSeveral = places.size > 1
    const answer = explained && `${explained.question} is ${JSON.stringify(explained.answer)}`
    const subject = isSeveral
      ? `${answer ?? ''}: ${String(places.size)} differences`
      : `${says}: ${answer ?? ''}`
    const finding: VerifyFinding = {
      operation,
      rule,
      source,
      outcome: 'drift',
      cause,
      says: answer === undefined ? says : `${subject}; \`--learn\` records it`,
      ...(kind !== 'rule' && { field }),
      ...describe(best, field, transport.baseUrl),
      ...(explained &&
        isSeveral && {
          field: explained.question,
          expected: `${explained.question} ${JSON.stringify(answers[explained.question])}`,
          got: JSON.stringify(explained.answer),
        }),
      ...(after !== undefined && { after }),
      ...(last && { sent: formatSent(last, transport.baseUrl), curl: toCommands(needed) }),
      ...(seen !== undefined && { seen }),
      ...((isSeveral || all.length > 1) && { operations: all }),
      ...(isSeveral && { count: places.size, rules: [...new Set(group.map(toCheckName))] }),
    }
    const shown = [...needed.slice(-mostExchanges), ...group.flatMap(({ sent }) => sent.slice(-1))]
    return { finding, exchanges: [...new Set(shown)].slice(0, mostExchanges) }
  })
}

/** What the run could not decide. The share excludes checks that need write scopes the key lacks. */
export function inconclusiveOf(
  findings: readonly VerifyFinding[],
  results: readonly Verdict[],
): Inconclusive {
  const barred = results.filter(
    ({ scenario, stopped }) => scenario.needs === 'write' && stopped?.reason === 'permission',
  )
  const barredChecks = barred.flatMap(({ scenario }) => scenario.operations).length
  const tried = findings.filter(({ reason }) => reason !== 'writing')
  const open = tried.filter(({ outcome }) => outcome === 'inconclusive')
  const counted = tried.reduce((sum, { rules = [''] }) => sum + rules.length, 0) - barredChecks
  const share = counted > 0 ? Math.max(0, open.length - barredChecks) / counted : 0
  const names = [...new Set(open.map(({ operation }) => operation))]
  return { share: Number(share.toFixed(3)), rules: open.map(toCheckName), operations: names }
}

/** Explains why a run does not count; undefined if it does. */
export function problemOf(
  judge: Judge,
  mayWrite: boolean,
  isEmpty: boolean,
  findings: readonly VerifyFinding[],
  { share, rules }: Inconclusive,
  most: number,
): string | undefined {
  const writes = operationList.filter(({ id }) => isWrite(id))
  const refusal = [...judge.forbidden].find(([id]) => writes.some((spec) => spec.id === id))
  if (mayWrite && refusal && !writes.some(({ id }) => judge.isPermitted(id)))
    return `The key may not write what this run needs: ${refusal[0]} responds with ${refusal[1]}. Use a master key or one with the write scopes, or run without --write.`
  const failed = findings.filter(({ reason }) => reason === 'failure')
  const [failure] = failed
  if (failure?.why !== undefined)
    return `${failure.why} (${toCheckName(failure)}${failed.length > 1 ? ` and ${countText(failed.length - 1, 'other check')}` : ''}). This is a bug in verify: please report it.`
  const percent = `${(share * 100).toFixed(0)} % of the checks`
  if (rules.length > 0 && isEmpty)
    return `The workspace is empty: no table has rows, no list has tasks and there is no form, so ${percent} are inconclusive. Use a workspace with some content.`
  if (share <= most) return undefined
  const unsteady = findings.filter(({ why }) => why === tooUnsteady).length
  const cause =
    unsteady > 0
      ? `The deployment was too unstable for ${String(unsteady)} ${unsteady === 1 ? 'check' : 'checks'}: `
      : ''
  return `${cause}${percent} are inconclusive, more than the ${(most * 100).toFixed(0)} % allowed (--max-inconclusive).`
}
