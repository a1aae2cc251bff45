// mock.explore and mock.exploreFaults: check their arguments, and explore in this process.
import * as z from 'zod/mini'
import { isObject } from '../../contract/data/objects.ts'
import { ControlError } from '../../mock/control-error.ts'
import { parseOrThrow } from '../../mock/parse-or-throw.ts'
import { explore } from './engine.ts'
import { families as allFamilies, type Family } from './families.ts'
import { beginExploration, type Explorable } from './host.ts'
import { InProcessRunner } from './in-process.ts'
import type { ExploreOptions, ExploreResult, ExploreScenario } from './types.ts'

const defaultFamilies: readonly Family[] = ['errors', 'outage', 'latency', 'outcomes', 'crash']

const Options = z.lazy(() =>
  z.strictObject({
    families: z.optional(z.union([z.literal('all'), z.array(z.enum(allFamilies)).check(z.minLength(1))])),
    maxRuns: z.optional(z.int().check(z.gte(1))),
    faults: z.optional(z.enum(['transient', 'all'])),
    restartable: z.optional(z.boolean()),
    check: z.optional(z.custom((value) => typeof value === 'function', 'must be a function')),
  }),
)

/** The families in the order of the table, each once. */
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
    throw new ControlError('an exploration takes a function as its first argument, the scenario')
  if (isObject(options) && 'depth' in options)
    throw new ControlError(
      "depth is gone: pairs of failures are not tried any more, since the family 'outage' finds the same in fewer runs",
    )
  parseOrThrow<unknown>(Options, options, 'options')
  const { families, maxRuns = 2000, faults = 'transient', restartable, check } = options
  const runner = new InProcessRunner(beginExploration(explorable), scenario, check)
  try {
    return await explore(runner, { families: familiesOf(families), maxRuns, faults, restartable })
  } finally {
    runner.end()
  }
}
