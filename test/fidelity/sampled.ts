// Owns how much is tried at random: little in every test run, much in `npm run fidelity`; always the same.

/** How many times as much as in a test run is to be tried. */
const intensity = Number(process.env.FIDELITY_INTENSITY ?? '1')

/** Parameters of fast-check for so many runs of a usual test run. */
export function sampled(runs: number): { readonly seed: number; readonly numRuns: number } {
  return { seed: 4010, numRuns: Math.max(1, Math.round(runs * intensity)) }
}
