// A run: pulls the deployment into a mock, plays scenarios on both sides, and judges every response by general rules.
import { toHar } from '../../contract/data/har.ts'
import { operationIds } from '../../contract/scopes.ts'
import { findNearest } from '../../contract/text/nearest.ts'
import { quote } from '../../contract/text/quote.ts'
import { toHarExchange } from '../deployment/exchange.ts'
import { removeMade, runSteps } from '../deployment/run.ts'
import { CannotRun, createContext, needsWriting, type Context, type RunOptions } from '../deployment/start.ts'
import { toCheckName, type Check, type Difference, type NamedCheck } from './compare/difference.ts'
import { toAgreed } from './findings/causes.ts'
import {
  checksOf,
  findingsOf,
  inconclusiveOf,
  problemOf,
  undriftedOf,
  withWrongRefusal,
} from './findings/findings.ts'
import { Judge, ruleNames } from './findings/judge.ts'
import type { Outcome, VerifyReport } from './findings/report.ts'
import { scenarios } from './scenarios/all.ts'
import { makesSpace } from './scenarios/spaces.ts'
import { pullMirror } from './twin/mirror.ts'
import type { Scenario } from './twin/player.ts'
import { Twin } from './twin/twin.ts'
import { toUnplayed, Verdicts, type Verdict } from './verdict/verdict.ts'

export interface VerifyOptions extends RunOptions {
  /** Rules (`unknown-taskId`), operations (`getTask`) or both (`getTask/unknown-taskId`) to judge; by default all. */
  readonly only?: readonly string[] | undefined
  /** Rules and operations to leave out, named as in `only`. */
  readonly skip?: readonly string[] | undefined
  /** Whether to leave out rules assumed where the contract is silent; default false. */
  readonly contractOnly?: boolean | undefined
  /** From 0 to 1: the share of checks that may be inconclusive before the run has a `problem`; default 0.25. */
  readonly maxInconclusive?: number | undefined
  /** Whether the report includes exchanges that show drift as `har`; default false. */
  readonly har?: boolean | undefined
}

/** All checks; names can repeat. */
const listChecks = (): NamedCheck[] => [...[makesSpace, ...scenarios].flatMap(checksOf), ...ruleNames]
/** The names of all checks, each as `operation/rule`. */
export const listCheckNames = (): ReadonlySet<string> => new Set(listChecks().map(toCheckName))

const isNamed = (names: readonly string[], check: NamedCheck) =>
  names.some((name) => [check.rule, check.operation, toCheckName(check)].includes(name))

/** @throws {CannotRun} for a name that is neither a rule nor an operation */
function assertNames(option: 'only' | 'skip', names: unknown): void {
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    throw new CannotRun(`${option} must be a list of rules and operations; received ${quote(names)}`)
  const all = listChecks()
  const known = new Set<string>(['general', ...operationIds])
  for (const check of all) known.add(check.rule).add(toCheckName(check))
  // A scenario can yield findings about any operation it sends.
  const isPair = ([operation, rule = '']: readonly string[]) =>
    operationIds.some((id) => id === operation) && all.some((check) => check.rule === rule)
  for (const name of names)
    if (!known.has(name) && !isPair(name.split('/')))
      throw new CannotRun(
        `no rule or operation is named ${quote(name)}; the nearest is "${findNearest(name, [...known], String) ?? ''}"`,
      )
}

/** Resolves which scenarios and checks the options select. */
function chooseScenarios(options: VerifyOptions) {
  const { only, skip = [], write = false } = options
  assertNames('only', only ?? [])
  assertNames('skip', skip)
  const isChosen = (check: NamedCheck) =>
    (only === undefined || isNamed(only, check)) && !isNamed(skip, check)
  // A report can name a check whose operation the scenario does not declare.
  const declared = listCheckNames()
  const others = (only ?? []).filter((name) => name.includes('/') && !declared.has(name))
  // Any scenario that sends the operation can break a rule for all responses that `only` names.
  const rulesOnly = (only ?? []).filter((name) => !ruleNames.some(({ operation }) => operation === name))
  const named = ruleNames.filter((check) => isChosen(check) && isNamed(rulesOnly, check))
  const canBreakNamed = ({ operations }: Scenario) =>
    named.some(({ operation }) => operation === 'general' || operations.includes(operation))
  const wanted = [makesSpace, ...scenarios].filter(
    (one) =>
      checksOf(one).some(isChosen) ||
      canBreakNamed(one) ||
      others.some((name) => name.endsWith(`/${one.id}`)),
  )
  const isAny = others.length > 0 || listChecks().some(isChosen)
  return { isChosen, isAny, wanted, chosen: wanted.filter(({ needs }) => write || needs === 'read') }
}

/** Pulls the deployment, prepares the space and table to write in, and plays scenarios on both sides. */
async function judgeAll(context: Context, chosen: readonly Scenario[], options: VerifyOptions) {
  const results: Verdict[] = []
  let twin: Twin | undefined
  let verdicts: Verdicts | undefined
  const judge = async (scenario: Scenario) => {
    if (verdicts) results.push(await verdicts.judge(scenario))
  }
  const begin = async () => {
    if (chosen.length === 0) return
    // Reads only what the chosen operations need.
    const wanted = new Set(chosen.flatMap(({ operations }) => operations))
    const pull = () => pullMirror(context, wanted)
    twin = new Twin(context, await pull(), pull)
    verdicts = new Verdicts(twin)
    if (!chosen.some(({ needs }) => needs === 'write')) return
    await judge(makesSpace)
    await twin.calibrate()
    await removeMade(context, false)
    await twin.chooseTable(options.table)
  }
  const played = chosen.filter((scenario) => scenario !== makesSpace)
  const steps = played.map((scenario) => ({
    name: `${scenario.operations[0] ?? ''} ${scenario.id}`,
    take: () => judge(scenario),
  }))
  const course = await runSteps(context, [{ name: 'pull', take: begin }, ...steps], options)
  return { ...course, results, twin }
}

/**
 * Checks a deployment against the contract, one request at a time. Drift is a finding in the report, not an error.
 * Without `write`, the run only reads. With it, the run writes in its own space and rows, and always removes what it
 * made, even after a failure.
 * @throws {CannotRun} if there is no deployment of this API, or it rejects the key
 * @throws {AnswerError} for invalid `answers`; the main entry exports the class
 */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  const { contractOnly = false, maxInconclusive = 0.25, har = false } = options
  const { isChosen, isAny, wanted, chosen } = chooseScenarios(options)
  let judge!: Judge
  const context = createContext(options, 'verify', (answers) => (judge = new Judge(answers)))
  const { mayWrite } = context
  const { transport } = context.api
  const { results: played, twin, interruption, leftBehind } = await judgeAll(context, chosen, options)
  const unplayed = wanted.filter((one) => !played.some(({ scenario }) => scenario === one))
  const results = [
    ...played.map((one) => withWrongRefusal(one, judge)),
    ...unplayed.map((scenario) =>
      toUnplayed(
        scenario,
        chosen.includes(scenario)
          ? { why: 'the run was interrupted', reason: 'interrupted' }
          : { why: needsWriting, reason: 'writing' },
      ),
    ),
  ]
  const isAllowed = ({ source, explained }: Pick<Difference, 'source' | 'explained'>) =>
    !contractOnly || ('contract' in source && !explained)
  const isWanted = ({ operation, after, rule, ...one }: Check & Pick<Partial<Difference>, 'after'>) =>
    [operation, after ?? operation].some((id) => isChosen({ operation: id, rule })) && isAllowed(one)
  // If `only` selects a scenario's main check, everything the scenario shows is wanted.
  const isAskedFor = ({ id: rule, operations: [operation] }: Scenario) =>
    options.only !== undefined && operation !== undefined && isChosen({ operation, rule })
  const differences = results.flatMap((one) =>
    one.differences.filter(isAskedFor(one.scenario) ? isAllowed : isWanted),
  )
  const drifts = findingsOf(
    [...differences, ...judge.differences.filter(isWanted)],
    toAgreed(results),
    context,
    twin?.mirror.columns,
  )
  const drifted = new Set(drifts.flatMap(({ finding }) => finding.rules ?? [toCheckName(finding)]))
  const others = [
    // Other scenarios can show that a scenario's rule is broken.
    ...results.flatMap(undriftedOf).filter((one) => !drifted.has(toCheckName(one))),
    ...judge.passes.map((check) => ({ ...check, outcome: 'pass' as const })),
  ]
  const findings = [...drifts.map(({ finding }) => finding), ...others.filter(isWanted)]
  const count = (outcome: Outcome) => findings.filter((finding) => finding.outcome === outcome).length
  const counts = { pass: count('pass'), drift: count('drift'), inconclusive: count('inconclusive') }
  const inconclusive = inconclusiveOf(findings, results)
  const nothing =
    isAny && findings.every((finding) => 'reason' in finding && finding.reason === 'writing')
      ? `Nothing was checked: no response was about what --only, --skip and --contract-only select.${mayWrite ? '' : ' Rules for writes need --write.'}`
      : undefined
  const problem =
    interruption?.message ??
    nothing ??
    problemOf(judge, mayWrite, twin?.mirror.isEmpty === true, findings, inconclusive, maxInconclusive)
  const evidence = drifts.flatMap(({ finding, exchanges }) =>
    exchanges.map((exchange) => toHarExchange(exchange, toCheckName(finding))),
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
