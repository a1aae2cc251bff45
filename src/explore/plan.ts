// The list of disturbances: everything that can happen to the requests of an undisturbed run, and what is accepted of a
// client to which it happens.
import { errorKinds, limitOfKind } from '../contract/errors.ts'
import { operations, type OperationId } from '../contract/index.ts'
import { laterWaits } from '../contract/limits.ts'
import { errorKindsOf } from '../contract/operation.ts'
import { quote } from '../contract/text/quote.ts'
import { questionRecords, resolveAnswers } from '../contract/questions/register.ts'
import type { Effect, Family, PlannedFault, RequestPoint } from '../core/disturbances.ts'
import { actsBetween } from './acts.ts'
import { extensionsOf } from './extensions.ts'
import { isWrite, type Made, type Oracle, type PlanContext, type Planned, type RunRequest } from './oracle.ts'
import type { ExploreSeverity } from './types.ts'

const fail = (...faults: PlannedFault[]): Effect => ({ do: 'fail', faults })

/** A fault of one request of the run; `skip` is left out where it is 0. */
const at = ({ operation, index }: RequestPoint, fault: PlannedFault): PlannedFault => ({
  operation,
  ...fault,
  ...(index > 0 && { skip: index }),
})

/** A fault of all requests from a position of the run on. */
const from = (position: number): PlannedFault => ({
  network: true,
  times: null,
  ...(position > 0 && { skip: position }),
})

const schedule = `Contract, Errors, rule 2: repeat at once, then after ${laterWaits} s, and give up from attempt 6.`

// ---- errors

/** In seconds: longer than the first waits of the backoff schedule, so that a client which ignores it is detected. */
const retryAfter = 3
const finalStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 413])

/** Whether the same request can succeed later. */
export const isTransient = ({ network, status = 500 }: PlannedFault) =>
  network === true || status === 429 || status >= 500

/** A fault in words, such as `503` or `connection broken after it was done`. */
function faultName({ network, phase, status = 500, resource }: PlannedFault): string {
  const what = network === true ? 'connection broken' : String(status)
  const which = resource === undefined ? '' : ` ${resource}`
  return `${what}${which}${phase === 'after' ? ' after it was done' : ''}`
}

/** What the contract requires of a client after a fault. */
function faultAdvice({ network, phase, status = 500 }: PlannedFault): string {
  if (network === true)
    return phase === 'after'
      ? 'A request without a response may have been carried out: find out before repeating a write. The contract does not cover broken connections.'
      : 'Repeating is safe for reads; before repeating a write find out whether it was carried out. The contract does not cover broken connections.'
  if (status === 429)
    return 'Contract, Errors, rule 2: wait as long as Retry-After says, then repeat the request.'
  if (status < 500)
    return `Contract, Errors: ${String(status)} is final; report it to the caller instead of going on.`
  return phase === 'after'
    ? 'Contract, Errors, rule 2 calls 500 and 503 safe to retry; where a service commits and then fails, find out before repeating a write.'
    : schedule
}

const toReport = 'Repeat a request that failed, or report its failure to the caller.'

/** The ways in which a request of an operation can fail. */
function faultsOf(operation: OperationId, choice: PlanContext['faults']): PlannedFault[] {
  const kinds = errorKindsOf(operations[operation])
  const found: PlannedFault[] = [{ network: true }, { status: 503 }, { status: 500 }]
  if (isWrite(operation)) found.unshift({ network: true, phase: 'after' })
  for (const kind of kinds) {
    const resource = limitOfKind(kind)
    if (resource && errorKinds[kind].status === 429) found.push({ status: 429, resource, retryAfter })
  }
  if (choice === 'transient') return found
  if (isWrite(operation)) found.push({ status: 503, phase: 'after' }, { status: 500, phase: 'after' })
  const statuses = new Set(kinds.map((kind) => errorKinds[kind].status))
  for (const status of statuses) if (finalStatuses.has(status)) found.push({ status })
  return found
}

function errors(point: RunRequest, { faults: choice }: PlanContext): Made[] {
  return faultsOf(point.operation, choice).map((fault) => [
    faultName(fault),
    fail(at(point, fault)),
    {
      rules: 'all',
      advice: faultAdvice(fault),
      ifIgnored: `${toReport} ${isTransient(fault) ? faultAdvice(fault) : ''}`.trim(),
      // The contract leaves open what follows from a write that was carried out and then failed.
      ...(fault.phase === 'after' && fault.network !== true && { most: 'assumption' }),
      ...(isTransient(fault) && { rejection: 'gave up' }),
    },
  ])
}

// ---- outage, latency, outcomes, crash

function outage(point: RunRequest): Made[] {
  const oracle: Oracle = { rules: 'all', again: 'after rejection', advice: schedule, ifIgnored: toReport }
  const refused: Oracle = { ...oracle, advice: 'Contract, Errors: 403 is final; report it to the caller.' }
  const forGood = (status: 503 | 403) => fail(at(point, { status, times: null }))
  return [
    ['503 for good', forGood(503), oracle],
    ['all connections broken', fail(from(point.position)), oracle],
    ...(isWrite(point.operation) ? ([['403 for good', forGood(403), refused]] as const) : []),
  ]
}

/** Longer than the time limits of the usual libraries, on the clock of the run. */
const latencyMs = 120_000

function latency(point: RunRequest): Made[] {
  const { status } = operations[point.operation].success
  const advice = 'A request that timed out may have been carried out: find out before repeating a write.'
  const effect = fail(at(point, { status, phase: 'after', delayMs: latencyMs }))
  return [['response after 120 s', effect, { rules: 'all', advice }]]
}

const outcomeOracle: Oracle = {
  rules: 'own',
  canTell: true,
  advice:
    'Read `errors` of a bulk response, `status` and `metadata.errors` of a job, and report what is in them.',
}

function outcomes(point: RunRequest): Made[] {
  if (point.operation === 'bulkInsertRows') return [['one row invalid', { do: 'spoil row' }, outcomeOracle]]
  if (point.operation !== 'submitInsertJob') return []
  return [
    ['one row invalid', fail(at(point, { job: 'errors' })), outcomeOracle],
    ['job failed', fail(at(point, { job: 'failed' })), outcomeOracle],
  ]
}

function crash(point: RunRequest): Made[] {
  const { operation, position } = point
  const oracle: Oracle = {
    again: 'always',
    advice:
      'Look up what exists before writing it, and save a checkpoint after what it stands for. In a plain test: run it, mock.resetFaults(), run it again with its storage.',
  }
  const stop = (...faults: PlannedFault[]): Effect => ({ do: 'fail', faults, stops: true })
  const broken = at(point, { network: true, phase: 'after' })
  const after: Made = ['stopped after', stop(broken, from(position + 1)), oracle]
  return [['stopped before', stop(from(position)), oracle], ...(isWrite(operation) ? [after] : [])]
}

// ---- compatibility

function compatibility({ operation }: RunRequest): Made[] {
  const advice =
    'A gateway in front of the service answers with its own pages: check status and body before use.'
  const rewrite = (how: 'gateway before' | 'gateway after' | 'cut', most: ExploreSeverity): Made => [
    how === 'cut' ? 'body cut in half' : `HTML 502${how === 'gateway after' ? ' after it was done' : ''}`,
    { do: 'rewrite', how },
    { most, advice },
  ]
  const after = isWrite(operation) ? [rewrite('gateway after', 'assumption')] : []
  // A body that arrives in part is that of a write that was carried out.
  const cut = rewrite('cut', isWrite(operation) ? 'assumption' : 'error')
  return [rewrite('gateway before', 'error'), ...after, cut]
}

/** Whether the register accepts it: some of its other answers are described in words. */
function isAnswer(id: string, answer: unknown): boolean {
  try {
    resolveAnswers({ [id]: answer })
    return true
  } catch {
    return false
  }
}

function wholeRun(context: PlanContext): readonly (readonly [Family, Made])[] {
  const used = new Set(context.requests.map(({ operation }) => operation))
  const made: [Family, Made][] = []
  const slow = { jobTimeline: { queuedMs: 600_000 } }
  if (used.has('getJob'))
    made.push(['outcomes', ['job takes 10 minutes', { do: 'answer', answers: slow }, outcomeOracle]])
  const promised: Oracle = {
    most: 'assumption',
    rejection: 'depends',
    advice: 'The contract promises neither the order of listings nor that responses never have more fields.',
  }
  for (const how of ['unknown field', 'new items first'] as const)
    made.push(['compatibility', [how, { do: 'rewrite', how }, promised]])
  for (const extension of extensionsOf(context)) made.push(['compatibility', extension])
  for (const { id, fixed, operations: of, meanings } of questionRecords())
    if (!fixed && of.some((operation) => used.has(operation)))
      for (const { answer } of meanings.slice(1))
        if (isAnswer(id, answer)) {
          const advice = `An open question of the contract: the client depends on its answer (mock.answers.${id}).`
          const oracle: Oracle = { most: 'info', rejection: 'depends', canTell: true, advice }
          made.push([
            'compatibility',
            [`${id}: ${quote(answer)}`, { do: 'answer', answers: { [id]: answer } }, oracle],
          ])
        }
  return made
}

const makers: Readonly<Record<Family, (point: RunRequest, context: PlanContext) => readonly Made[]>> = {
  errors,
  outage,
  latency,
  outcomes,
  crash,
  concurrency: actsBetween,
  compatibility,
}

/** The disturbances of the chosen families: family by family, request by request; then those of the whole run. */
export function planDisturbances(chosen: readonly Family[], context: PlanContext): Planned[] {
  const single = chosen.flatMap((family) =>
    context.requests.flatMap((point) => {
      const { operation, index } = point
      return makers[family](point, context).map(([name, effect, oracle]): Planned => {
        return { disturbance: { family, name, at: { operation, index }, effect }, oracle }
      })
    }),
  )
  const whole = wholeRun(context).map(([family, [name, effect, oracle]]): Planned => {
    return { disturbance: { family, name, at: null, effect }, oracle }
  })
  return [...single, ...whole.filter(({ disturbance }) => chosen.includes(disturbance.family))]
}
