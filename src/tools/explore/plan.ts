// Plans the faults for the requests of the undisturbed run, and how the client may respond to each.
import { isWrite } from '../../contract/scopes.ts'
import { errorKinds, limitOfKind } from '../../contract/errors.ts'
import { operations } from '../../contract/index.ts'
import { laterWaits } from '../../contract/limits.ts'
import { errorKindsOf, type OperationSpec } from '../../contract/operation.ts'
import { quote } from '../../contract/text/quote.ts'
import { questions, type Question } from '../../contract/questions/register.ts'
import type { PlannedFault, Rewrite } from '../../mock/explorable.ts'
import { planActs } from './acts.ts'
import { planExtensions } from './extensions.ts'
import type { Family, RequestPoint } from './families.ts'
import {
  faultAt,
  type Case,
  type Expectation,
  type PlanContext,
  type PlannedCase,
  type RunRequest,
} from './expectation.ts'

const schedule = `Contract, Errors, rule 2: repeat the request, even a write, at once, then after ${laterWaits} s; give up after five retries.`
const toReport = 'Repeat a failed request, or report its failure to the caller.'
const wait = 'Contract, Errors, rule 2: wait as long as Retry-After says, then repeat the request.'
const uncovered = 'The contract does not cover broken connections.'
const lookFirst = 'first check whether the write was carried out, and repeat it only if it was not.'
const brokenWrite = `After a broken connection, ${lookFirst} ${uncovered}`
/** Longer than the first waits of the backoff schedule, to detect a client that ignores Retry-After. */
const retryAfterSeconds = 3
const finalStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 413])

function* planErrors(point: RunRequest, { faults: choice }: PlanContext): Generator<Case> {
  const kinds = errorKindsOf(operations[point.operation])
  const isWriting = isWrite(point.operation)
  const error = (
    name: string,
    fault: PlannedFault,
    advice: string,
    more: Partial<Expectation> = {},
  ): Case => {
    const ifIgnored = `${toReport} ${advice}`
    const expected: Expectation = { rules: 'all', rejection: 'gave up', advice, ifIgnored }
    return [name, faultAt(point, fault), { ...expected, ...more }]
  }
  if (isWriting) {
    yield error('connection broken after the write', { network: true, phase: 'after' }, brokenWrite)
  }
  const advice = isWriting ? brokenWrite : `Repeat it: a read changes nothing. ${uncovered}`
  yield error('connection broken', { network: true }, advice)
  for (const status of [503, 500] as const) yield error(String(status), { status }, schedule)
  for (const kind of kinds) {
    const resource = limitOfKind(kind)
    if (!resource || errorKinds[kind].status !== 429) continue
    yield error(`429 ${resource}`, { status: 429, resource, retryAfter: retryAfterSeconds }, wait)
  }
  if (choice === 'transient') return
  for (const status of isWriting ? ([503, 500] as const) : []) {
    const findOut =
      'Contract, Errors, rule 2: retry, including writes. If the service may store a write and then fail, only a client that first checks for the record avoids a duplicate.'
    // The contract does not cover an error after a write that was carried out.
    const most = 'assumption'
    yield error(`${String(status)} after the write`, { status, phase: 'after' }, findOut, { most })
  }
  for (const status of new Set(kinds.map((kind) => errorKinds[kind].status))) {
    const final = `Contract, Errors: ${String(status)} is final; report it to the caller instead of going on.`
    if (finalStatuses.has(status))
      yield error(String(status), { status }, final, { rejection: undefined, ifIgnored: toReport })
  }
}

/** Longer than the default timeouts of common libraries, on the run's clock. */
const latencyMs = 120_000

const toldOutcome: Expectation = {
  rules: 'own',
  canTell: true,
  advice:
    'Read `errors` in a bulk response, `status` and `metadata.errors` in a job, and report what they say.',
}

const outageExpected: Expectation = {
  rules: 'all',
  again: 'after rejection',
  canTell: true,
  takes: 'seconds',
  advice: schedule,
  ifIgnored: toReport,
}

/** What can happen to a single request, by family. */
const casesOf: Readonly<Record<Family, (point: RunRequest, context: PlanContext) => Iterable<Case>>> = {
  errors: planErrors,

  outage(point) {
    const refused = { ...outageExpected, advice: 'Contract, Errors: 403 is final; report it to the caller.' }
    const forGood = (status: 503 | 403) => faultAt(point, { status, times: null })
    const skip = point.position
    // Hits all requests from this one on, whatever their operation.
    const broken = { network: true, times: null, ...(skip > 0 && { skip }) } as const
    return [
      ['503 for good', forGood(503), outageExpected],
      ['all connections broken', broken, outageExpected],
      ...(isWrite(point.operation) ? ([['403 for good', forGood(403), refused]] as const) : []),
    ]
  },

  repeated: (point) => [['503 three times', faultAt(point, { status: 503, times: 3 }), outageExpected]],

  latency(point) {
    const { status } = operations[point.operation].success
    const isWriting = isWrite(point.operation)
    const advice = isWriting
      ? `Treat a request that timed out like a broken connection: ${lookFirst}`
      : 'Repeat it: a read changes nothing.'
    const late = { delayMs: latencyMs, delayOn: 'clock' } as const
    const expected: Expectation = { rules: 'all', takes: 'seconds', advice }
    const broken = faultAt(point, { network: true, ...late })
    return [
      ['response after 120 s', faultAt(point, { status, phase: 'after', ...late }), expected],
      ...(isWriting ? [['no response for 120 s', broken, { ...expected, canTell: true }] as const] : []),
    ]
  },

  outcomes(point) {
    if (point.operation === 'bulkInsertRows')
      return [['one row invalid', faultAt(point, { effect: { spoil: 'row' } }), toldOutcome]]
    if (point.operation !== 'submitInsertJob') return []
    return [
      ['one row invalid', faultAt(point, { job: 'errors' }), toldOutcome],
      ['job failed', faultAt(point, { job: 'failed' }), toldOutcome],
    ]
  },

  crash(point) {
    const advice = 'Look up what exists before writing, and save a checkpoint only after the work it records.'
    const stop = (phase: 'before' | 'after'): Case => [
      `stopped ${phase}`,
      faultAt(point, { ...(phase === 'after' && { phase }), effect: { stop: true } }),
      { again: 'always', advice },
    ]
    return isWrite(point.operation) ? [stop('before'), stop('after')] : [stop('before')]
  },

  concurrency: planActs,
  answers: () => [],

  compatibility(point) {
    const advice =
      'A gateway in front of the service responds with its own pages: check the status and body before using them.'
    // The contract does not cover a write that was carried out but whose response was lost.
    const isWriting = isWrite(point.operation)
    const rewriteTo = (rewrite: Rewrite) => faultAt(point, { effect: { rewrite } })
    const written: Expectation = isWriting ? { most: 'assumption', advice } : { advice }
    const after: Case = ['HTML 502 after the write', rewriteTo('gateway after'), written]
    return [
      ['HTML 502', rewriteTo('gateway before'), { advice }],
      ...(isWriting ? [after] : []),
      ['body cut in half', rewriteTo('cut'), written],
    ]
  },
}

/** Faults that last for a whole run. */
function* planForRun(context: PlanContext): Generator<readonly [Family, Case]> {
  const used = new Set(context.requests.map(({ operation }) => operation))
  const repeated = { rules: 'all', ifIgnored: toReport } as const
  yield [
    'repeated',
    [
      'every request fails once',
      { status: 503, times: 1, each: true },
      { ...repeated, rejection: 'gave up', advice: schedule },
    ],
  ]
  const isLimited = context.requests.some(({ operation }) =>
    errorKindsOf(operations[operation]).some((kind) => errorKinds[kind].status === 429),
  )
  if (isLimited)
    yield [
      'repeated',
      [
        'every request limited twice',
        { status: 429, retryAfter: retryAfterSeconds, times: 2, each: true },
        { ...repeated, takes: 'minutes', advice: wait },
      ],
    ]
  const stayQueued = (queuedMs: number) => ({ effect: { answers: { jobTimeline: { queuedMs } } } })
  if ([...used].some((id) => (operations[id] as OperationSpec).advancesClock)) {
    const slow: Expectation = { ...toldOutcome, takes: 'minutes' }
    yield ['outcomes', ['job takes 10 minutes', stayQueued(600_000), slow]]
    const advice = 'Poll until the job has ended: the contract sets no limit on its time in the queue.'
    const patient: Expectation = { rules: 'own', rejection: 'gave up', advice }
    yield ['outcomes', ['job stays queued for 3 s', stayQueued(3000), patient]]
  }
  const promised: Expectation = {
    most: 'assumption',
    rejection: 'depends',
    advice: 'The contract promises neither an order of listings nor that responses never gain fields.',
  }
  for (const rewrite of ['unknown field', 'new items first'] as const)
    yield ['compatibility', [rewrite, { times: null, effect: { rewrite } }, promised]]
  for (const extension of planExtensions(context)) yield ['compatibility', extension]
  for (const { id, fixed, operations: of, meanings, schema } of Object.values<Question>(questions)) {
    if (fixed || !of.some((operation) => used.has(operation))) continue
    const advice = `An open question of the contract: the client depends on its answer (mock.answers.${id}).`
    const expected: Expectation = { most: 'info', rejection: 'depends', canTell: true, advice }
    for (const { answer } of meanings.slice(1)) {
      const effect = { answers: { [id]: answer } }
      // Skips answers that are described in prose, not given as values.
      if (schema().safeParse(answer).success)
        yield ['answers', [`${id}: ${quote(answer)}`, { effect }, expected]]
    }
  }
}

/** Plans the faults of the chosen families: by family and request first, then for the whole run. */
export function planFaults(chosen: readonly Family[], context: PlanContext): PlannedCase[] {
  const plan = (family: Family, point: RequestPoint | null, [name, fault, expected]: Case): PlannedCase => ({
    family,
    name,
    at: point,
    fault,
    expected,
  })
  const single = chosen.flatMap((family) =>
    context.requests.flatMap((point) => {
      const { operation, index } = point
      return Array.from(casesOf[family](point, context), (one) => plan(family, { operation, index }, one))
    }),
  )
  const whole = [...planForRun(context)].filter(([family]) => chosen.includes(family))
  return [...single, ...whole.map(([family, one]) => plan(family, null, one))]
}
