// Fault exploration: two undisturbed runs, then one for each request and each way in which it can fail, then pairs.
import { GatheredFindings } from './gathered.ts'
import { RunJudge, type Judgement } from './judge.ts'
import { pairs, secondFaults, singles, type FaultChoice } from './plan.ts'
import { Result } from './result.ts'
import type { Runner, RunRecord } from './runner.ts'
import { OutcomeTable } from './table.ts'
import type { ExploredFault, ExploreResult } from './types.ts'

export interface EngineOptions {
  readonly depth: number
  readonly maxRuns: number
  readonly faults: FaultChoice
  /** Called after each run, with the number of runs planned so far: 0 during the undisturbed ones. */
  readonly onProgress?: (runs: number, planned: number) => void
}

type Ranked = ReturnType<typeof secondFaults>

class Exploration {
  readonly #runner: Runner
  readonly #options: EngineOptions
  readonly #gathered = new GatheredFindings()
  #runs = 0
  #tried = 0

  constructor(runner: Runner, options: EngineOptions) {
    this.#runner = runner
    this.#options = options
  }

  async explore(): Promise<ExploreResult> {
    const first = await this.#undisturbed()
    const judge = new RunJudge(first)
    if (this.#isAllowed) {
      const found = judge.compareUndisturbed(await this.#undisturbed())
      for (const judgement of found) this.#gathered.add(judgement, first)
    }
    const { depth, faults } = this.#options
    const requests = first.requests()
    const planned = singles(requests, faults)
    const table = new OutcomeTable(requests, planned)
    const seconds: Ranked = []
    await this.#tryAll(planned, judge, (tried, record, found) => {
      table.fill(tried, found)
      if (depth > 1) seconds.push(...secondFaults(record, tried, faults))
    })
    const ranked = pairs(seconds)
    await this.#tryAll(ranked, judge)
    this.#gathered.addLate(this.#runner.late)
    const covered = { tried: this.#tried, possible: planned.length + ranked.length }
    return new Result(this.#gathered.findings(), this.#runs, covered, table)
  }

  get #isAllowed(): boolean {
    return this.#runs < this.#options.maxRuns && this.#runner.isStopped !== true
  }

  async #run(faults: readonly ExploredFault[], planned: number): Promise<RunRecord> {
    this.#runs += 1
    const record = await this.#runner.run(faults)
    this.#options.onProgress?.(this.#runs, planned)
    return record
  }

  /** @throws the error of the scenario or the check */
  async #undisturbed(): Promise<RunRecord> {
    const record = await this.#run([], 0)
    if (record.outcome !== 'resolved') throw record.error
    if (record.violation) throw record.violation.error
    return record
  }

  /** Makes a run for each set of faults, several at once if the runner can. */
  async #tryAll(
    planned: readonly ExploredFault[][],
    judge: RunJudge,
    done: (faults: ExploredFault[], record: RunRecord, found: readonly Judgement[]) => void = () => undefined,
  ): Promise<void> {
    const queue = planned.entries()
    const total = this.#runs + planned.length
    const ended = new Map<number, RunRecord>()
    let next = 0
    /** Judges in the order of the plan, whichever runs end first, so that the result is the same each time. */
    const judgeEnded = () => {
      for (let record = ended.get(next); record; record = ended.get(++next)) {
        ended.delete(next)
        const faults = planned[next] ?? []
        // A client that is not deterministic did not send the request this time.
        if (!record.isMet) continue
        this.#tried += 1
        const found = judge.judge(faults, record)
        for (const judgement of found) this.#gathered.add(judgement, record)
        done(faults, record, found)
      }
    }
    const work = async () => {
      for (const [index, faults] of queue) {
        if (!this.#isAllowed) return
        ended.set(index, await this.#run(faults, total))
        judgeEnded()
      }
    }
    await Promise.all(Array.from({ length: this.#runner.parallel }, work))
  }
}

/** @throws the error of the undisturbed scenario, or of the check on it */
export function explore(runner: Runner, options: EngineOptions): Promise<ExploreResult> {
  return new Exploration(runner, options).explore()
}
