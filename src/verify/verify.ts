// A run of the rules against a deployment.
import { operationList, operations } from '../contract/index.ts'
import { toHar } from '../contract/data/har.ts'
import { recorded } from './engine/exchange.ts'
import { genericNames } from './engine/generic-rules.ts'
import { needsWriting, writesNothing, type Judge } from './engine/judge.ts'
import {
  countFindings,
  groupedFindings,
  ruleName,
  type Evident,
  type Inconclusive,
  type VerifyReport,
} from './engine/report.ts'
import { Drift, Forbidden, Interrupted, sourceOf, Unreachable, type Source } from './engine/drift.ts'
import type { Context, Rule } from './engine/rule.ts'
import { runSteps } from './engine/run.ts'
import { contextOf, type RunOptions } from './engine/start.ts'
import { selection, type SelectionOptions } from './engine/selection.ts'
import { rules } from './rules/rules.ts'

export interface VerifyOptions extends RunOptions, SelectionOptions {
  /** The share of the tried rules, from 0 to 1, above which a run that cannot decide them has a `problem`; default 0.25. */
  readonly maxInconclusive?: number | undefined
  /** Whether the report holds the exchanges of its drifts as `har`; default false. */
  readonly har?: boolean | undefined
}

/** A finding, or one that is decided at the end of the run: only then is it known whether the key lacks a permission. */
type Pending = Evident | { readonly rule: Rule; readonly forbidden: Forbidden }

type IsCounted = (source: Source) => boolean

/** How often a drift is checked again after retries. */
const mostRechecks = 2
const defaultShare = 0.25

const about = ({ id, operation, source, says }: Rule) => ({ operation, rule: id, source, says })
const unchecked = (rule: Rule, why: string): Evident => ({ ...about(rule), outcome: 'not reachable', why })

async function checked(rule: Rule, context: Context, isCounted: IsCounted): Promise<Pending> {
  try {
    await rule.check(context)
  } catch (error) {
    if (error instanceof Interrupted) throw error
    if (error instanceof Forbidden) return { rule, forbidden: error }
    if (error instanceof Unreachable) return unchecked(rule, error.message)
    // The response had a shape other than the contract's, which has its own finding.
    if (!(error instanceof Drift))
      return unchecked(rule, `a response lacks the fields that this rule reads (${rule.operation})`)
    const { expected, got, source: broken } = error.difference
    const source = broken ? sourceOf(broken) : rule.source
    if (isCounted(source)) {
      const exchanges = [...context.api.transport.trace]
      const shownBy = exchanges.at(-1)?.operation ?? rule.operation
      const operations = shownBy === rule.operation ? {} : { operations: [rule.operation, shownBy] }
      return { ...about(rule), source, outcome: 'drift', expected, got, ...operations, exchanges }
    }
  }
  return { ...about(rule), outcome: 'pass' }
}

/** Judges a rule. A drift is checked again after retries: a request sent twice may act twice. */
async function judged(rule: Rule, context: Context, isCounted: IsCounted): Promise<Pending> {
  const { transport } = context.api
  for (let round = 0; ; round += 1) {
    const retries = transport.retries
    transport.trace = []
    const found = await checked(rule, context, isCounted)
    const isDrift = 'outcome' in found && found.outcome === 'drift'
    if (!isDrift || transport.retries === retries || round === mostRechecks) return found
  }
}

/** A 403 is drift if the key is known to have the permission. */
function decided(found: Pending, judge: Judge): Evident {
  if (!('forbidden' in found)) return found
  const { rule, forbidden } = found
  const { operation, expected, message } = forbidden
  if (!judge.hasSucceeded(operation)) return unchecked(rule, `${operation}: ${message}`)
  return { ...about(rule), outcome: 'drift', expected, got: message }
}

/** Whether a rule could not be tried, because the key lacks a permission to write. */
const isBarred = (found: Pending, judge: Judge) =>
  'forbidden' in found &&
  !writesNothing(operations[found.forbidden.operation]) &&
  !judge.hasSucceeded(found.forbidden.operation)

/**
 * The rules that the run could not decide; outcomes that no request met do not count. Nor do barred rules count in the
 * share: a key that may write a part is judged by that part.
 */
function inconclusiveOf(findings: readonly Evident[], barred: number): Inconclusive {
  const tried = findings.filter(({ rule, why }) => !rule.startsWith('outcome-') && why !== needsWriting)
  const open = tried.filter(({ outcome }) => outcome === 'not reachable')
  const share = tried.length > barred ? (open.length - barred) / (tried.length - barred) : 0
  const operations = [...new Set(open.map(({ operation }) => operation))]
  return { share: Number(share.toFixed(3)), rules: open.map(ruleName), operations }
}

/** Why a run does not count, in a sentence. */
async function problemOf(
  { api, seen, mayWrite }: Context,
  { share, rules: open }: Inconclusive,
  most: number,
) {
  const { judge } = api
  const writes = operationList.filter((spec) => !writesNothing(spec))
  const refusal = [...judge.forbidden].find(([id]) => writes.some((spec) => spec.id === id))
  if (mayWrite && refusal && !writes.some(({ id }) => judge.isPermitted(id)))
    return `The key may not write what this run needs: ${refusal[0]} responds with ${refusal[1]}. Use a master key or one with the write scopes, or run without --write.`
  const percent = `${(share * 100).toFixed(0)} % of the rules`
  if (open.length > 0 && (await seen.isEmpty()))
    return `The workspace is empty: no table has rows, no list has tasks and there is no form, so that ${percent} could not be decided. Use a workspace with some content.`
  if (share > most)
    return `${percent} could not be decided, more than the ${(most * 100).toFixed(0)} % allowed (--max-inconclusive).`
  return undefined
}

/**
 * Judges a deployment by the rules of the contract, one request at a time. A broken rule is a finding of the report, not
 * an error. The deployment is only read unless `write` is given; then the run works in a space of its own and in rows of
 * its own, and removes what it made, whatever happens.
 * @throws {CannotRun} if there is no deployment of this API, or it rejects the key
 * @throws {AnswerError} of the main entry, for invalid `answers`
 */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  const { contractOnly = false, maxInconclusive = defaultShare, har = false } = options
  const isChosen = selection(options, [...rules.map(about), ...genericNames])
  const context = contextOf(options)
  const { api, mayWrite } = context
  const { judge, transport } = api
  const isCounted = (source: Source) => !contractOnly || 'contract' in source
  const wanted = rules.filter((rule) => isChosen(about(rule)) && isCounted(rule.source))
  const chosen = wanted.filter(({ needs }) => mayWrite || needs === 'read')
  const found: Pending[] = []
  const nameOf = ({ operation, id }: Rule) => `${operation} ${id}`
  const { interruption, leftBehind } = await runSteps(context, chosen, options, nameOf, async (rule) => {
    found.push(await judged(rule, context, isCounted))
  })
  const all: Evident[] = [
    ...found.map((one) => decided(one, judge)),
    ...chosen.slice(found.length).map((rule) => unchecked(rule, 'the run was interrupted')),
    ...wanted.filter((rule) => !chosen.includes(rule)).map((rule) => unchecked(rule, needsWriting)),
    ...judge.findings(mayWrite).filter((one) => isChosen(one) && isCounted(one.source)),
  ]
  const findings = groupedFindings(all)
  const counts = countFindings(findings)
  const inconclusive = inconclusiveOf(all, found.filter((one) => isBarred(one, judge)).length)
  const problem = interruption?.message ?? (await problemOf(context, inconclusive, maxInconclusive))
  const evidence = all.flatMap((one) =>
    (one.exchanges ?? []).map((exchange) => recorded(exchange, ruleName(one))),
  )
  return {
    baseUrl: transport.baseUrl,
    mode: mayWrite ? 'write' : 'read',
    ok: counts.drift === 0,
    ...(problem !== undefined && { problem }),
    interrupted: interruption !== undefined,
    requests: transport.requests,
    counts,
    findings,
    inconclusive,
    notes: judge.notes,
    leftBehind,
    ...(har && { har: toHar('workspace-api-mock verify', evidence) }),
  }
}
