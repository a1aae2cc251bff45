// Takes measurements: contenders take turns in one run, so that other load on the machine affects them equally.

export interface Contender {
  readonly name: string
  run(): unknown
  /** Called before each turn, and `stop` after it; neither is measured. */
  start?(): unknown
  stop?(): unknown
}

export interface Rounds {
  /** Turns per contender. */
  readonly rounds: number
  /** Calls per turn. */
  readonly calls: number
}

/** The time one contender took. */
export interface Timing {
  readonly name: string
  /** Median of all calls, in milliseconds. */
  readonly p50Ms: number
  /** Median of the turns' medians, each divided by the first contender's in the same round. */
  readonly ratio: number
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2
}

async function turn(contender: Contender, calls: number): Promise<number[]> {
  await contender.start?.()
  const times: number[] = []
  for (let call = 0; call < calls; call++) {
    const start = performance.now()
    const result = contender.run()
    // Does not make a synchronous call wait for the next microtask.
    if (result instanceof Promise) await result
    times.push(performance.now() - start)
  }
  await contender.stop?.()
  return times
}

/** Lets contenders take turns; ratios are against the first. The first round warms up and does not count. */
export async function compare(
  contenders: readonly Contender[],
  { rounds, calls }: Rounds,
): Promise<Timing[]> {
  const medians = contenders.map((): number[] => [])
  for (let round = 0; round <= rounds; round++) {
    // Every other round runs in reverse order, so no contender always follows the same one.
    const order = contenders.map((_, index) => (round % 2 === 0 ? index : contenders.length - 1 - index))
    for (const index of order) {
      const contender = contenders[index]
      if (!contender) continue
      const times = await turn(contender, calls)
      if (round > 0) medians[index]?.push(median(times))
    }
  }
  const [first = []] = medians
  return contenders.map(({ name }, index) => {
    const own = medians[index] ?? []
    return {
      name,
      p50Ms: median(own),
      ratio: median(own.map((value, round) => value / (first[round] ?? NaN))),
    }
  })
}

/** Lets contenders that measure themselves, such as processes, take turns. @returns medians by contender */
export async function sample(
  contenders: Readonly<Record<string, () => number | Promise<number>>>,
  rounds: number,
): Promise<Record<string, number>> {
  const samples: Record<string, number[]> = {}
  for (let round = 0; round <= rounds; round++)
    for (const [name, run] of Object.entries(contenders)) {
      const value = await run()
      if (round > 0) (samples[name] ??= []).push(value)
    }
  return Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, median(values)]))
}
