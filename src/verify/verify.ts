// A run: the deployment is pulled into a mock, scenarios are played on both, and every response is judged by the rules that hold for all.
import { operationList, type OperationId } from '../contract/index.ts'
import { toHar } from '../contract/data/har.ts'
import { toHarExchange } from './engine/exchange.ts'
import { genericNames } from './engine/generic-rules.ts'
import { needsWriting, writesNothing, type Judge } from './engine/judge.ts'
import {
  countFindings,
  groupFindings,
  ruleName,
  type Evident,
  type Inconclusive,
  type VerifyReport,
} from './engine/report.ts'
import { Forbidden, type Source, type Unreachable } from './engine/drift.ts'
import { type Context, contextOf, type RunOptions } from './engine/start.ts'
import { runSteps } from './engine/run.ts'
import { selection, type SelectionOptions } from './engine/selection.ts'
import { driftOf } from './findings.ts'
import { scenarios } from './scenarios/all.ts'
import {
  judgeSequence,
  randomNames,
  randomSequences,
  type RandomOptions,
  type Sequence,
} from './scenarios/random.ts'
import { makesSpace } from './scenarios/spaces.ts'
import { Oracle } from './twin/oracle.ts'
import { Rounds, type Verdict } from './twin/rounds.ts'
import type { Scenario } from './twin/scenario.ts'
import { Twin } from './twin/twin.ts'

export interface VerifyOptions extends RunOptions, SelectionOptions, RandomOptions {
  /** The share of what was tried, from 0 to 1, above which a run that cannot decide it has a `problem`; default 0.25. */
  readonly maxInconclusive?: number | undefined
  /** Whether the report holds the exchanges of its drifts as `har`; default false. */
  readonly har?: boolean | undefined
}

/** The result of a scenario, of which it is known at the end of the run alone whether the key lacks a permission. */
interface Played {
  readonly scenario: Scenario
  readonly verdict: Verdict
}

const defaultShare = 0.25

/** The scenario as a check of one of its operations. */
const about = ({ id, source, says }: Scenario, operation: OperationId) => ({
  operation,
  rule: id,
  source,
  says,
})
const namesOf = (scenario: Scenario) => scenario.operations.map((operation) => about(scenario, operation))

const uncheckedFindings = (scenario: Scenario, why: string, reason: Unreachable['reason']): Evident[] =>
  namesOf(scenario).map((name) => ({ ...name, outcome: 'not reachable', why, reason }))

/** Whether a scenario stopped at a 403 for which the key has the permission: that is drift. */
const isRefusedWrongly = (stopped: Unreachable, judge: Judge): stopped is Forbidden =>
  stopped instanceof Forbidden && judge.hasSucceeded(stopped.operation)

function findingsOf({ scenario, verdict }: Played, judge: Judge, oracle: Oracle | undefined): Evident[] {
  const { found, compared, stopped } = verdict
  const drifts = found.map((one) => driftOf(one, scenario, oracle))
  if (!stopped) {
    const passed = [...compared].filter((id) => !found.some(({ operation }) => operation === id))
    return [...drifts, ...passed.map((id): Evident => ({ ...about(scenario, id), outcome: 'pass' }))]
  }
  if (isRefusedWrongly(stopped, judge)) {
    const { operation, expected, message: got } = stopped
    const finding = { ...about(scenario, operation), field: 'status', expected, got }
    return [...drifts, { ...finding, outcome: 'drift', cause: `${expected} refused` }]
  }
  if (drifts.length > 0) return drifts
  const { reason, message } = stopped
  return uncheckedFindings(
    scenario,
    stopped instanceof Forbidden ? `${stopped.operation}: ${message}` : message,
    reason,
  )
}

const isBarred = ({ scenario: { needs }, verdict: { stopped } }: Played, judge: Judge) =>
  needs === 'write' && stopped?.reason === 'permission' && !isRefusedWrongly(stopped, judge)

/**
 * What the run could not decide; outcomes that no request met do not count. Nor does in the share what the key may not
 * write: a key that may write a part is judged by that part.
 */
function inconclusiveOf(findings: readonly Evident[], barred: number): Inconclusive {
  const tried = findings.filter(({ rule, reason }) => !rule.startsWith('outcome-') && reason !== 'writing')
  const open = tried.filter(({ outcome }) => outcome === 'not reachable')
  const share = tried.length > barred ? (open.length - barred) / (tried.length - barred) : 0
  const names = [...new Set(open.map(({ operation }) => operation))]
  return { share: Number(share.toFixed(3)), rules: open.map(ruleName), operations: names }
}

/** Why a run does not count, in a sentence. */
function problemOf(
  { api, mayWrite }: Context,
  oracle: Oracle | undefined,
  { share, rules }: Inconclusive,
  most: number,
) {
  const { judge } = api
  const writes = operationList.filter((spec) => !writesNothing(spec))
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

/** The scenarios that are played, with the steps before them. */
class Run {
  readonly #context: Context
  readonly #options: VerifyOptions
  readonly played: Played[] = []
  twin: Twin | undefined
  #rounds: Rounds | undefined

  constructor(context: Context, options: VerifyOptions) {
    this.#context = context
    this.#options = options
  }

  /** Pulls the deployment, and makes or chooses what the run writes in. */
  async begin(chosen: readonly Scenario[]): Promise<void> {
    if (chosen.length === 0) return
    this.twin = new Twin(this.#context, await Oracle.pull(this.#context))
    this.#rounds = new Rounds(this.twin)
    if (!chosen.some(({ needs }) => needs === 'write')) return
    await this.play(makesSpace)
    if (this.twin.space) await this.twin.calibrate(this.twin.space.listId)
    await this.twin.chooseTable(this.#options.table)
  }

  async play(scenario: Scenario | Sequence): Promise<void> {
    const rounds = this.#rounds
    if (!rounds) return
    const judge = (one: Scenario) => rounds.judge(one)
    const verdict = 'steps' in scenario ? await judgeSequence(judge, scenario) : await judge(scenario)
    this.played.push({ scenario, verdict })
  }
}

const everyScenario = [makesSpace, ...scenarios]
/** The checks of this version, each with its operation; several can have one name. */
const everyCheck = () => [...everyScenario.flatMap(namesOf), ...randomNames(), ...genericNames]
/** Their names, each as `operation/rule`. */
export const checkNames = (): ReadonlySet<string> => new Set(everyCheck().map(ruleName))

/**
 * Judges a deployment by the contract, one request at a time. A drift is a finding of the report, not an error. The
 * deployment is only read unless `write` is given; then the run works in a space of its own and in rows of its own, and
 * removes what it made, whatever happens.
 * @throws {CannotRun} if there is no deployment of this API, or it rejects the key
 * @throws {AnswerError} of the main entry, for invalid `answers`
 */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  const { contractOnly = false, maxInconclusive = defaultShare, har = false } = options
  const isChosen = selection(options, everyCheck())
  const context = contextOf(options)
  const { api, mayWrite } = context
  const { judge, transport } = api
  const isCounted = (source: Source) => !contractOnly || 'contract' in source
  // Names of a report that no scenario declares: it found something about another of its operations.
  const declared = checkNames()
  const found = (options.only ?? []).filter((name) => name.includes('/') && !declared.has(name))
  const wanted = [...scenarios, ...randomSequences(options, mayWrite)].filter(
    (scenario) => namesOf(scenario).some(isChosen) || found.some((name) => name.endsWith(`/${scenario.id}`)),
  )
  const chosen = wanted.filter(({ needs }) => mayWrite || needs === 'read')
  const run = new Run(context, options)
  const steps = [
    { name: 'pull', take: () => run.begin(chosen) },
    ...chosen.map((scenario) => ({
      name: `${scenario.operations[0] ?? ''} ${scenario.id}`,
      take: () => run.play(scenario),
    })),
  ]
  const { interruption, leftBehind } = await runSteps(
    context,
    steps,
    options,
    ({ name }) => name,
    ({ take }) => take(),
  )
  const { oracle } = run.twin ?? {}
  const done = new Set(run.played.map(({ scenario }) => scenario))
  const all = [
    ...run.played.flatMap((played) => findingsOf(played, judge, oracle)),
    ...chosen
      .filter((one) => !done.has(one))
      .flatMap((one) => uncheckedFindings(one, 'the run was interrupted', 'interrupted')),
    ...wanted
      .filter((one) => !chosen.includes(one))
      .flatMap((one) => uncheckedFindings(one, needsWriting, 'writing')),
    ...judge.findings(mayWrite),
  ].filter(
    (one) =>
      [one.operation, one.after ?? one.operation].some((operation) =>
        isChosen({ operation, rule: one.rule }),
      ) && isCounted(one.source),
  )
  const findings = groupFindings(all)
  const counts = countFindings(findings)
  const inconclusive = inconclusiveOf(
    all,
    run.played.filter((one) => isBarred(one, judge)).flatMap(({ scenario }) => namesOf(scenario)).length,
  )
  const problem = interruption?.message ?? problemOf(context, oracle, inconclusive, maxInconclusive)
  const evidence = all.flatMap((one) =>
    (one.exchanges ?? []).map((exchange) => toHarExchange(exchange, ruleName(one))),
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
