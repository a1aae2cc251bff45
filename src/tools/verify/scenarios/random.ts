// Random sequences: requests made from the declarations of operations, the same for the same seed. Of a sequence that
// shows a difference, the shortest part is sought that still shows it.
import { operationList, operations, type Operation, type OperationId } from '../../../contract/index.ts'
import { chance } from '../../../../fixtures/generator.ts'
import { listPathParameters, type OperationSpec } from '../../../contract/operation.ts'
import { quote } from '../../../contract/text/quote.ts'
import { Unreachable, sourceOf } from '../engine/drift.ts'
import type { SentExchange } from '../engine/exchange.ts'
import { isReadingOperation } from '../engine/judge.ts'
import { lastingWrites } from '../engine/ledger.ts'
import { CannotRun, type RunOptions } from '../engine/start.ts'
import { signatureOf, type Found, type Scenario } from '../twin/play.ts'
import type { Verdict } from '../twin/rounds.ts'
import { runningTimes } from '../twin/twin.ts'
import { chooseParams, chooseQuery, chooseValue, type Chance } from './random-values.ts'
import { idNameOfCreated } from './records.ts'

export interface RandomOptions {
  /** How many random requests are sent, apart from the reads that show the effects of writes; default 0. */
  readonly random?: number | undefined
  /** The same seed makes the same random requests; default 1. */
  readonly seed?: number | undefined
}

/** Its request follows from its seed, whatever was sent before. */
interface Step {
  readonly operation: OperationId
  readonly seed: number
}

/** Chooses whole numbers below a bound, the same for the same seed. */
function makeChooser(seed: number): (bound: number) => number {
  const { integer } = chance(seed)
  return (bound) => integer(0, bound - 1)
}

export interface Sequence extends Scenario {
  readonly steps: readonly Step[]
  /** Of the last time it was played. */
  readonly exchanges: readonly SentExchange[]
}

/** Spaces, lists and jobs would stay; files are not JSON. */
const isLeftOut = ({ id }: Operation) => lastingWrites.has(id) || /(?:Job|Attachment)$/.test(id)
const stepsOfSequence = 15
/** Most parts of a sequence that are tried in search of the shortest. */
const mostTrials = 30
/** These follow from the current time if a body leaves them out. */
const near = ['date_start', 'date_end', ...runningTimes]

/** The read that shows a record: by its id, or its listing. */
const findShowingRead = (path: string): Operation | undefined =>
  [path, path.replace(/\/[^/]+$/, '')]
    .map((wanted) => operationList.find((one) => one.method === 'GET' && one.path === wanted))
    .find((operation) => operation !== undefined)

async function takeStep({ operation }: Step, choices: Chance): Promise<void> {
  const { play, made } = choices
  const spec: Operation = operations[operation]
  const isRead = isReadingOperation(spec)
  const name = listPathParameters(spec.path).at(-1)
  const params = name === undefined ? {} : await chooseParams(choices, name, isRead)
  const { json: schema } = (spec as OperationSpec).body ?? {}
  const json = schema && { json: chooseValue(choices, schema, '') }
  const query = chooseQuery(choices, spec)
  const reply = await play.send(operation, { params, query, ...json }, { near })
  if (isRead) return
  const id = reply.isSuccess ? reply.field('id') : undefined
  const record = idNameOfCreated(operation)
  const known = typeof id === 'string' && record !== undefined ? { ...params, [record]: id } : undefined
  if (known && record !== undefined) made.set(record, [...(made.get(record) ?? []), known])
  const path = known ? `${spec.path}/{${record ?? ''}}` : spec.path
  const shown = findShowingRead(path)
  const page = shown && 'query' in shown && 'limit' in shown.query && { query: { limit: 200 } }
  if (shown) await play.send(shown.id, { params: known ?? params, ...page }, { near })
}

function sequenceOf(steps: readonly Step[], needs: Scenario['needs']): Sequence {
  const exchanges: SentExchange[] = []
  return {
    id: 'random',
    operations: [...new Set(steps.map(({ operation }) => operation))],
    needs,
    says: 'random requests',
    source: sourceOf('contract, Endpoints'),
    steps,
    exchanges,
    play: async (play) => {
      const { transport } = play.twin.context.api
      const made: Chance['made'] = new Map()
      transport.trace = []
      try {
        for (const step of steps)
          await takeStep(step, { play, made, below: makeChooser(step.seed) }).catch((error: unknown) => {
            if (!(error instanceof Unreachable)) throw error
          })
      } finally {
        exchanges.splice(0, exchanges.length, ...transport.trace)
      }
    },
  }
}

export const listRandomNames = () =>
  operationList.filter((spec) => !isLeftOut(spec)).map(({ id }) => ({ operation: id, rule: 'random' }))

/** @throws {CannotRun} for options that are not whole numbers */
export function createRandomSequences(options: RandomOptions & RunOptions): Sequence[] {
  const { random = 0, seed = 1, write = false } = options
  for (const [name, value] of Object.entries({ random, seed }))
    if (!Number.isSafeInteger(value) || value < 0)
      throw new CannotRun(`${name} must be a whole number from 0; received ${quote(value)}`)
  const below = makeChooser(seed)
  const reads = operationList.filter((spec) => !isLeftOut(spec) && isReadingOperation(spec))
  const writes = operationList.filter((spec) => !isLeftOut(spec) && !isReadingOperation(spec))
  const usable = write ? [...reads, ...writes, ...writes] : reads
  const all = Array.from({ length: random }, (_, index): Step => {
    const { id: operation } = usable[below(usable.length)] ?? operations.getIdentity
    return { operation, seed: Math.imul(seed + 1, 0x9e3779b1) + index }
  })
  const starts = Array.from({ length: Math.ceil(random / stepsOfSequence) }, (_, at) => at * stepsOfSequence)
  return starts.map((at) => sequenceOf(all.slice(at, at + stepsOfSequence), write ? 'write' : 'read'))
}

async function findShortest(judge: (scenario: Scenario) => Promise<Verdict>, whole: Sequence, found: Found) {
  let shortest = whole
  let trials = 0
  for (let size = Math.ceil(whole.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let start = 0; start < shortest.steps.length && trials < mostTrials; trials += 1) {
      const { steps } = shortest
      const part = sequenceOf([...steps.slice(0, start), ...steps.slice(start + size)], whole.needs)
      const again = part.steps.length > 0 ? (await judge(part)).found : []
      if (again.some((one) => signatureOf(one) === signatureOf(found))) shortest = part
      else start += size
    }
  return shortest
}

const textOf = ({ operation, body }: SentExchange) =>
  [operation, ...(typeof body === 'string' ? [quote(body)] : [])].join(' ')

/** Judges a sequence; each finding names the shortest sequence that shows it. */
export async function judgeSequence(
  judge: (scenario: Scenario) => Promise<Verdict>,
  whole: Sequence,
): Promise<Verdict> {
  const verdict = await judge(whole)
  const found: Found[] = []
  const shortest = new Map<string, Sequence>()
  for (const one of verdict.found) {
    const signature = signatureOf(one)
    if (!shortest.has(signature)) shortest.set(signature, await findShortest(judge, whole, one))
    const { exchanges } = shortest.get(signature) ?? whole
    found.push({ ...one, says: `random requests: ${exchanges.map(textOf).join(', ')}`, exchanges })
  }
  return { ...verdict, found }
}
