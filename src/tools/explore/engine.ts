// An exploration: undisturbed runs first, then one run per fault, judged in the order of the plan.
import type { OutsideAct, Store } from '../../mock/explorable.ts'
import type { Family } from './families.ts'
import { GatheredFindings } from './findings.ts'
import { RunJudge, type Trial } from './judge.ts'
import { numberRequests, type Expectation, type PlanContext, type PlannedCase } from './expectation.ts'
import { planFaults } from './plan.ts'
import { matrixOf, resultOf, type JudgedRun } from './ends/result.ts'
import type { Runner, RunRecord } from './runner.ts'
import type { Statement } from './statement.ts'
import type { ExploreResult } from './types.ts'

interface EngineOptions {
  readonly families: readonly Family[]
  readonly maxRuns: number
  readonly faults: PlanContext['faults']
  readonly restartable?: boolean | undefined
  /** Called after each run, with the number of runs planned so far: 0 during the undisturbed ones. */
  readonly onProgress?: (runs: number, planned: number) => void
}

const mostNotes = 10

class Exploration {
  readonly #runner: Runner
  readonly #options: EngineOptions
  readonly #gathered = new GatheredFindings()
  /** Final states of the scenario when another user acted before it began. */
  readonly #actedFirst = new Map<string, Promise<Store | undefined>>()
  readonly #judged: JudgedRun[] = []
  #runs = 0
  #planned = 0

  constructor(runner: Runner, options: EngineOptions) {
    this.#runner = runner
    this.#options = options
  }

  async explore(): Promise<ExploreResult> {
    const first = await this.#runBaseline()
    const judge = new RunJudge(first, this.#runner, this.#options.restartable === true)
    this.#addUndisturbed(judge.judgeUndisturbed(first), first)
    if (this.#isAllowed) {
      const second = await this.#runBaseline()
      second.release?.()
      judge.compareBaselines(second)
    }
    const requests = numberRequests(first.journal())
    const planned = this.#plan(requests)
    const once = planned.filter(({ expected }) => !expected.again)
    await this.#tryAll(once, first, judge)
    const again = await this.#calibrate(
      planned.filter(({ expected }) => expected.again),
      first,
      judge,
    )
    await this.#tryAll(again, first, judge)
    first.release?.()
    for (const late of this.#runner.late) this.#gathered.addLate(late)
    const possible = planned.filter((one) => !one.expected.again || again.includes(one))
    return resultOf({
      findings: this.#gathered.findings(),
      runs: this.#runs,
      covered: { tried: this.#judged.length, possible: possible.length },
      notes: [...judge.notes].slice(0, mostNotes),
      matrix: matrixOf(requests, possible, this.#judged),
    })
  }

  get #isAllowed(): boolean {
    return this.#runs < this.#options.maxRuns && this.#runner.isStopped !== true
  }

  async #count(run: Promise<RunRecord>): Promise<RunRecord> {
    this.#runs += 1
    const record = await run
    this.#options.onProgress?.(this.#runs, this.#planned)
    return record
  }

  #addUndisturbed(statements: Iterable<Statement>, record: RunRecord): void {
    for (const statement of statements) this.#gathered.add({ statement, planned: null, record })
  }

  /** @throws the error of the scenario or the check */
  async #runBaseline(): Promise<RunRecord> {
    const record = await this.#count(this.#runner.run(null))
    if (record.outcome !== 'resolved') throw record.error
    if (record.violation) throw record.violation.error
    return record
  }

  /**
   * Runs the scenario again on the state it left, to learn whether a stopped client can be judged when it runs again.
   * @returns the cases that can be tried
   */
  async #calibrate(planned: readonly PlannedCase[], first: RunRecord, judge: RunJudge) {
    const { restartable } = this.#options
    if (planned.length === 0 || restartable === false || !this.#isAllowed) return planned
    const repeated = await this.#count(first.again())
    this.#addUndisturbed(judge.compareRepeated(repeated), repeated)
    if (restartable === true) return planned
    return judge.isRestartable ? planned : planned.filter(({ expected }) => expected.again !== 'always')
  }

  #plan(requests: PlanContext['requests']): readonly PlannedCase[] {
    const { families, faults, restartable } = this.#options
    const { host, isRealTime } = this.#runner
    const all = planFaults(families, { requests, start: host.start, faults })
    return all.filter(({ at, expected: { again, takes } }) => {
      if (restartable === false && again === 'always') return false
      return !isRealTime || takes === undefined || (takes === 'seconds' && at?.index === 0)
    })
  }

  async #tryAll(planned: readonly PlannedCase[], first: RunRecord, judge: RunJudge): Promise<void> {
    const queue = planned.entries()
    this.#planned = this.#runs + planned.length
    const ended = new Map<number, Trial>()
    let next = 0
    const work = async () => {
      for (const [index, one] of queue) {
        if (!this.#isAllowed) return
        ended.set(index, await this.#try(one, first, judge))
        // Judged in the order of the plan, whichever run ends first, so that the result is always the same.
        for (let trial = ended.get(next); trial; trial = ended.get(next)) {
          ended.delete(next)
          this.#judge(planned[next], trial, judge)
          next += 1
        }
      }
    }
    await Promise.all(Array.from({ length: this.#runner.parallel }, work))
  }

  #judge(planned: PlannedCase | undefined, trial: Trial, judge: RunJudge): void {
    // The client is nondeterministic: this time it did not send the request.
    if (!planned || trial.record.hits === 0) return
    const found = judge.judge(planned, trial)
    this.#judged.push([planned, found])
    for (const statement of found) {
      const record = (statement.kind === 'check' ? trial.again : undefined) ?? trial.record
      this.#gathered.add({ statement, planned, record })
    }
  }

  async #try({ fault, expected }: PlannedCase, first: RunRecord, judge: RunJudge): Promise<Trial> {
    const record = await this.#count(this.#runner.run(fault))
    const { outcome, hits } = record
    const isEnded =
      expected.again === 'always' ? outcome === 'stopped' : expected.again && outcome === 'rejected'
    const isRestartable = this.#options.restartable ?? judge.isRestartable
    const again =
      isEnded && hits > 0 && isRestartable && this.#runner.isStopped !== true
        ? await this.#count(record.again())
        : undefined
    record.release?.()
    const { effect } = fault
    const ends =
      effect && 'act' in effect && expected.orders && outcome !== 'hang'
        ? await this.#endsWith(effect.act, expected, first)
        : []
    return { record, again, ends }
  }

  /** Final states of the scenario when another user acts after it and before it. */
  async #endsWith(
    act: OutsideAct,
    { orders, acts = 1 }: Expectation,
    first: RunRecord,
  ): Promise<readonly Store[]> {
    const { start } = this.#runner.host
    const after = async (state: Store) => {
      let end = state
      for (let left = acts; left > 0; left--) end = await this.#runner.host.after(end, act)
      return end
    }
    const clientFirst = orders === 'before' ? undefined : await after(first.end)
    if (orders === 'after') return [clientFirst].filter((end) => end !== undefined)
    const key = JSON.stringify([act, acts])
    const before =
      this.#actedFirst.get(key) ??
      after(start).then(async (acted) => {
        const record = await this.#count(this.#runner.run(null, acted))
        record.release?.()
        return record.outcome === 'resolved' ? record.end : undefined
      })
    this.#actedFirst.set(key, before)
    return [clientFirst, await before].filter((end) => end !== undefined)
  }
}

/** @throws the error of the undisturbed scenario, or of the check on it */
export function explore(runner: Runner, options: EngineOptions): Promise<ExploreResult> {
  return new Exploration(runner, options).explore()
}
