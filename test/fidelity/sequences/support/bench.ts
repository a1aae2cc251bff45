// What sequences of operations run on: a mock in process, random steps, and what every step may do.
import { handlerOf } from '../../../../src/mock/internals.ts'
import fc from 'fast-check'
import { expect } from 'vitest'
import {
  createWorkspaceMock,
  type AnswersInput,
  type Fixture,
  type Snapshot,
  type WorkspaceMock,
} from '../../../../src/index.ts'

export interface Said {
  readonly status: number
  /** The parsed body. */
  readonly json: any
}

export class Bench {
  readonly mock: WorkspaceMock

  constructor(fixture: unknown, answers: AnswersInput = {}) {
    this.mock = createWorkspaceMock({
      fixture: fixture as Fixture,
      answers,
      selfCheck: true,
      advanceOnPoll: false,
      journalSize: 0,
    })
  }

  async call(method: string, path: string, body?: unknown, query = ''): Promise<Said> {
    const headers: Record<string, string> = {
      authorization: 'Bearer wm_test_master',
      'content-type': 'application/json',
    }
    const response = await handlerOf(this.mock).handle({
      method,
      path,
      query,
      baseUrl: this.mock.baseUrl,
      header: (name) => headers[name] ?? null,
      body: body === undefined ? null : new TextEncoder().encode(JSON.stringify(body)),
    })
    expect(response.status, String(response.body)).toBeLessThan(500)
    return { status: response.status, json: JSON.parse(response.body as string) }
  }

  /** @returns the body of a response that must be a success */
  async good(method: string, path: string, body?: unknown, query = ''): Promise<any> {
    const { status, json } = await this.call(method, path, body, query)
    expect([200, 201, 202], `${method} ${path}: ${JSON.stringify(json)}`).toContain(status)
    return json
  }
}

/** A reference model: plain data, copied for snapshots. */
export interface Model {
  nowMs: number
}

export interface Step<M extends Model> {
  readonly name: string
  readonly act: (model: M, bench: Bench) => Promise<void>
}

/** A step with random arguments. */
export function step<M extends Model, A>(
  name: string,
  args: fc.Arbitrary<A>,
  act: (model: M, bench: Bench, args: A) => Promise<void>,
): fc.Arbitrary<Step<M>> {
  return args.map((made) => ({
    name: `${name}(${JSON.stringify(made)})`,
    act: (model, bench) => act(model, bench, made),
  }))
}

export interface Play<M extends Model> {
  readonly fixture: unknown
  /** The model for a fixture under given answers. */
  readonly start: (answers: AnswersInput) => M
  readonly steps: readonly fc.Arbitrary<Step<M>>[]
  /** Applies everything that is due by the model's clock. */
  readonly settle?: (model: M) => void
  /** Compares the mock's responses with the model, after every step. */
  readonly compare: (model: M, bench: Bench) => Promise<void>
  /** Answers to open questions, some of them random. */
  readonly answers?: fc.Arbitrary<AnswersInput>
}

interface Snapped<M> {
  readonly model: M
  readonly snapshot: Snapshot
}

/** What a sequence keeps in addition to its model. */
interface Kept<M> {
  answers: AnswersInput
  snapped: Snapped<M> | null
  /** A loaded state replaces the fixture, and snapshots belong to one or the other. */
  isReloaded: boolean
}

/** Steps for every mock: time passes; state is reset, saved and restored. */
function controlSteps<M extends Model>({ start, settle }: Play<M>, kept: Kept<M>): fc.Arbitrary<Step<M>>[] {
  const none = fc.constant(null)
  const become = (model: M, other: M) => Object.assign(model, structuredClone(other))
  const advance = step<M, number>(
    'advance',
    fc.constantFrom(1, 499, 500, 1000, 1500, 60_000, 3_600_000, 86_400_000, 15 * 86_400_000),
    async (model, { mock }, ms) => {
      mock.clock.advance(ms)
      model.nowMs += ms
      settle?.(model)
    },
  )
  const reset = step<M, null>('reset', none, async (model, { mock }) => {
    mock.reset()
    mock.setAnswers(kept.answers)
    become(model, start(kept.answers))
    if (kept.isReloaded) kept.snapped = null
    kept.isReloaded = false
  })
  const save = step<M, null>('snapshot', none, async (model, { mock }) => {
    const snapshot = JSON.parse(JSON.stringify(mock.snapshot())) as Snapshot
    kept.snapped = { model: structuredClone(model), snapshot }
  })
  const restore = step<M, null>('restore', none, async (model, { mock }) => {
    if (!kept.snapped) return
    mock.restore(kept.snapped.snapshot)
    become(model, kept.snapped.model)
  })
  const reload = step<M, null>('loadState(state)', none, async (_, { mock }) => {
    const state = JSON.parse(JSON.stringify(mock.state())) as Fixture
    mock.loadState(state)
    expect(JSON.parse(JSON.stringify(mock.state()))).toEqual(state)
    kept.snapped = null
    kept.isReloaded = true
  })
  return [advance, advance, advance, reset, save, restore, restore, reload]
}

/** Plays sequences of steps on mock and model alike, comparing them after each. @returns the number of steps */
export async function playAll<M extends Model>(
  play: Play<M>,
  { seed, numRuns }: { readonly seed: number; readonly numRuns: number },
): Promise<number> {
  const kept: Kept<M> = { answers: {}, snapped: null, isReloaded: false }
  const control = fc.oneof(...controlSteps(play, kept))
  const one = fc.oneof(...play.steps.map((arbitrary) => ({ weight: 3, arbitrary })), {
    weight: 5,
    arbitrary: control,
  })
  const sequence = fc.array(one, { minLength: 1, maxLength: 25, size: 'max' })
  const bench = new Bench(play.fixture)
  let steps = 0
  await fc.assert(
    fc.asyncProperty(play.answers ?? fc.constant({}), sequence.map(shown), async (answers, made) => {
      bench.mock.reset()
      bench.mock.setAnswers(answers)
      Object.assign(kept, { answers, snapped: null, isReloaded: false })
      const model = play.start(answers)
      for (const { act } of made) {
        await act(model, bench)
        await play.compare(model, bench)
        steps += 1
      }
    }),
    { seed, numRuns },
  )
  return steps
}

/** Shows a failing sequence by the names of its steps. */
function shown<M extends Model>(steps: Step<M>[]): Step<M>[] & { [fc.toStringMethod]?: () => string } {
  return Object.assign(steps, { [fc.toStringMethod]: () => steps.map(({ name }) => name).join('\n') })
}

/** Picks an item by a number of any size; undefined if there are no items. */
export const pick = <T>(items: readonly T[], index: number): T | undefined => items[index % items.length]
