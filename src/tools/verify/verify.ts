// A run: pulls the deployment into a mock, plays scenarios on both sides, and judges every response by general rules.
import { toHar } from '../../contract/data/har.ts'
import { operationIds } from '../../contract/scopes.ts'
import { findNearest } from '../../contract/text/nearest.ts'
import { quote } from '../../contract/text/quote.ts'
import { boundEvidence, toHarExchange } from './engine/exchange.ts'
import type { Drift } from './engine/drift.ts'
import { genericNames } from './engine/generic-rules.ts'
import { needsWriting } from './engine/judge.ts'
import {
  countFindings,
  toRuleName,
  type NamedRule,
  type VerifyFinding,
  type VerifyReport,
} from './engine/report.ts'
import { runSteps } from './engine/run.ts'
import { CannotRun, createContext, type Context, type RunOptions } from './engine/start.ts'
import {
  checksOf,
  driftsOf,
  findingsOf,
  inconclusiveOf,
  problemOf,
  toUncheckedFindings,
  undriftedOf,
  type Evident,
} from './findings.ts'
import { scenarios } from './scenarios/all.ts'
import { makesSpace } from './scenarios/spaces.ts'
import { Oracle } from './twin/oracle.ts'
import { Rounds, type Played } from './twin/rounds.ts'
import type { Scenario } from './twin/play.ts'
import { Twin } from './twin/twin.ts'

export interface VerifyOptions extends RunOptions {
  /** Rules (`unknown-taskId`), operations (`getTask`) or both (`getTask/unknown-taskId`) to judge; by default all. */
  readonly only?: readonly string[] | undefined
  /** The same, to leave out. */
  readonly skip?: readonly string[] | undefined
  /** Whether to leave out what is assumed where the contract is silent; default false. */
  readonly contractOnly?: boolean | undefined
  /** From 0 to 1: the share of tried checks that can be inconclusive before the run has a `problem`; default 0.25. */
  readonly maxInconclusive?: number | undefined
  /** Whether the report holds the exchanges of its drifts as `har`; default false. */
  readonly har?: boolean | undefined
}

/** The checks of this version; several can have one name. */
const listChecks = (): NamedRule[] => [...[makesSpace, ...scenarios].flatMap(checksOf), ...genericNames]
/** Their names, each as `operation/rule`. */
export const listCheckNames = (): ReadonlySet<string> => new Set(listChecks().map(toRuleName))

const isNamed = (names: readonly string[], check: NamedRule) =>
  names.some((name) => [check.rule, check.operation, toRuleName(check)].includes(name))

/** @throws {CannotRun} for a name that is neither a rule nor an operation */
function assertNames(option: 'only' | 'skip', names: unknown): void {
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    throw new CannotRun(`${option} must be a list of rules and operations; received ${quote(names)}`)
  const all = listChecks()
  const known = new Set<string>(['general', ...operationIds])
  for (const check of all) known.add(check.rule).add(toRuleName(check))
  // A finding of a scenario can be about any operation that it sends.
  const isPair = ([operation, rule = '']: readonly string[]) =>
    operationIds.some((id) => id === operation) && all.some((check) => check.rule === rule)
  for (const name of names)
    if (!known.has(name) && !isPair(name.split('/')))
      throw new CannotRun(
        `no rule or operation is named ${quote(name)}; the nearest is "${findNearest(name, [...known], String) ?? ''}"`,
      )
}

/** Resolves which scenarios and checks the options choose. */
function chooseScenarios(options: VerifyOptions) {
  const { only, skip = [], write = false } = options
  assertNames('only', only ?? [])
  assertNames('skip', skip)
  const isChosen = (check: NamedRule) => (only === undefined || isNamed(only, check)) && !isNamed(skip, check)
  // A report can name a scenario with an operation that it does not declare.
  const declared = listCheckNames()
  const others = (only ?? []).filter((name) => name.includes('/') && !declared.has(name))
  const wanted = scenarios.filter(
    (one) => checksOf(one).some(isChosen) || others.some((name) => name.endsWith(`/${one.id}`)),
  )
  return { isChosen, wanted, chosen: wanted.filter(({ needs }) => write || needs === 'read') }
}

/** Pulls the deployment, makes or chooses what the run writes in, and plays scenarios on both sides. */
async function playAll(context: Context, chosen: readonly Scenario[], options: VerifyOptions) {
  const played: Played[] = []
  let twin: Twin | undefined
  let rounds: Rounds | undefined
  const play = async (scenario: Scenario) => {
    if (!rounds) return
    played.push(await rounds.judge(scenario))
  }
  const begin = async () => {
    if (chosen.length === 0) return
    // What the scenarios choose from is read for their operations alone.
    const wanted = new Set(chosen.flatMap(({ operations }) => operations))
    twin = new Twin(context, await Oracle.pull(context, wanted))
    rounds = new Rounds(twin)
    if (!chosen.some(({ needs }) => needs === 'write')) return
    await play(makesSpace)
    await twin.calibrate()
    await twin.chooseTable(options.table)
  }
  const steps = chosen.map((scenario) => ({
    name: `${scenario.operations[0] ?? ''} ${scenario.id}`,
    take: () => play(scenario),
  }))
  const course = await runSteps(context, [{ name: 'pull', take: begin }, ...steps], options)
  return { ...course, played, twin }
}

type WantedCheck = NamedRule & Pick<VerifyFinding, 'source'> & Pick<Drift, 'after' | 'explained'>

const harOf = (evidence: readonly Evident[]) =>
  boundEvidence(
    evidence.flatMap(({ finding, exchanges }) =>
      exchanges.map((exchange) => toHarExchange(exchange, toRuleName(finding))),
    ),
  )

/**
 * Judges a deployment by the contract, one request at a time. A drift is a finding of the report, not an error. The
 * deployment is only read unless `write` is given; then the run works in a space of its own and in rows of its own, and
 * removes what it made, whatever happens.
 * @throws {CannotRun} if there is no deployment of this API, or it rejects the key
 * @throws {AnswerError} of the main entry, for invalid `answers`
 */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  const { contractOnly = false, maxInconclusive = 0.25, har = false } = options
  const { isChosen, wanted, chosen } = chooseScenarios(options)
  const context = createContext(options, 'verify')
  const { mayWrite } = context
  const { judge, transport } = context.api
  const { played, twin, interruption, leftBehind } = await playAll(context, chosen, options)
  const done = new Set(played.map(({ scenario }) => scenario))
  const isWanted = ({ operation, after, rule, source, explained }: WantedCheck) =>
    [operation, after ?? operation].some((id) => isChosen({ operation: id, rule })) &&
    (!contractOnly || ('contract' in source && !explained))
  const drifts = [...played.flatMap((one) => driftsOf(one, judge)), ...judge.drifts].filter(isWanted)
  const evidence = findingsOf(drifts, twin?.agreed ?? new Map(), context, twin?.oracle)
  const others = [
    ...played.flatMap((one) => undriftedOf(one, judge)),
    ...chosen
      .filter((one) => !done.has(one))
      .flatMap((one) => toUncheckedFindings(one, 'the run was interrupted', 'interrupted')),
    ...wanted
      .filter((one) => !chosen.includes(one))
      .flatMap((one) => toUncheckedFindings(one, needsWriting, 'writing')),
    ...judge.passes.map((check) => ({ ...check, outcome: 'pass' as const })),
  ].filter(isWanted)
  const findings = [...evidence.map(({ finding }) => finding), ...others]
  const counts = countFindings(findings)
  const inconclusive = inconclusiveOf(findings, played, judge)
  const problem =
    interruption?.message ?? problemOf(context, twin?.oracle, findings, inconclusive, maxInconclusive)
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
    ...(har && { har: toHar('workspace-api-mock verify', harOf(evidence)) }),
  }
}
