// mock.exploreFaults: checks its arguments, and explores in this process.
import * as z from 'zod/mini'
import { parseOrThrow } from '../core/parse-or-throw.ts'
import { ControlError } from '../core/control-error.ts'
import { explore } from './engine.ts'
import type { ExploreHost } from './host.ts'
import { InProcessRunner } from './in-process.ts'
import type { ExploreOptions, ExploreResult, ExploreScenario } from './types.ts'

const Options = z.strictObject({
  depth: z.optional(z.union([z.literal(1), z.literal(2)])),
  maxRuns: z.optional(z.int().check(z.gte(1))),
  faults: z.optional(z.enum(['transient', 'all'])),
  check: z.optional(z.custom((value) => typeof value === 'function', 'must be a function')),
})

/**
 * @throws {ControlError} for invalid arguments, or if an exploration is in progress
 * @throws the error of the undisturbed scenario, or of the check on it
 */
export async function exploreFaults<Mock>(
  newHost: () => ExploreHost<Mock>,
  scenario: ExploreScenario<Mock>,
  options: ExploreOptions<Mock> = {},
): Promise<ExploreResult> {
  if (typeof scenario !== 'function')
    throw new ControlError('exploreFaults takes a function as its first argument, the scenario')
  parseOrThrow<unknown>(Options, options, 'options')
  const { depth = 1, maxRuns = 2000, faults = 'transient', check } = options
  const runner = new InProcessRunner(newHost(), scenario, check)
  try {
    return await explore(runner, { depth, maxRuns, faults })
  } finally {
    runner.end()
  }
}
