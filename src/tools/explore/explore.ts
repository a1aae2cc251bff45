// mock.explore: checks its arguments, and explores in this process.
import * as z from 'zod/mini'
import { quote } from '../../contract/text/quote.ts'
import { ControlError, beginExploration, parseOrThrow, type Explorable } from '../../mock/explorable.ts'
import { explore } from './engine.ts'
import { families as allFamilies, type Family } from './families.ts'
import { InProcessRunner } from './in-process.ts'
import type { ExploreOptions, ExploreResult, ExploreScenario } from './types.ts'

/** All but `answers`, which yields only infos: about 2 s of CPU time for a client that makes 16 requests. */
const defaultFamilies: readonly Family[] = allFamilies.filter((family) => family !== 'answers')

const Options = z.lazy(() =>
  z.strictObject({
    families: z.optional(z.union([z.literal('all'), z.array(z.enum(allFamilies)).check(z.minLength(1))])),
    maxRuns: z.optional(z.int().check(z.gte(1))),
    faults: z.optional(z.enum(['transient', 'all'])),
    restartable: z.optional(z.boolean()),
    check: z.optional(z.custom((value) => typeof value === 'function', 'must be a function')),
  }),
)

/** The chosen families in their declared order, without duplicates. */
export const familiesOf = (chosen: readonly Family[] | 'all' = defaultFamilies): readonly Family[] =>
  allFamilies.filter((family) => chosen === 'all' || chosen.includes(family))

/**
 * @throws {ControlError} for invalid arguments, or if an exploration is in progress
 * @throws the error of the undisturbed scenario, or of the check on it
 */
export async function exploreInProcess<Mock>(
  explorable: Explorable<Mock>,
  scenario: ExploreScenario<Mock>,
  options: ExploreOptions<Mock> = {},
): Promise<ExploreResult> {
  if (typeof scenario !== 'function')
    throw new ControlError(`the scenario of mock.explore must be a function; received ${quote(scenario)}`)
  parseOrThrow<unknown>(Options, options, 'options')
  const { maxRuns = 2000, faults = 'transient', restartable, check } = options
  const families = familiesOf(options.families)
  if (options.faults !== undefined && !families.includes('errors'))
    throw new ControlError(
      `faults needs the family errors; received ${quote(options.faults)} with families ${families.join(', ')}`,
    )
  const runner = new InProcessRunner(await beginExploration(explorable), scenario, check)
  try {
    return await explore(runner, { families, maxRuns, faults, restartable })
  } finally {
    runner.end()
  }
}
