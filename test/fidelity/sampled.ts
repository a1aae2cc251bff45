// How much is tried at random: little in every test run, much in `npm run fidelity`; always the same.

/** How many times as much as in a test run is to be tried. */
const intensity = Number(process.env.FIDELITY_INTENSITY ?? '1')

/** Parameters of fast-check for so many runs of a usual test run, and so many in `npm run fidelity`. */
export function sampled(
  runs: number,
  atLength?: number,
): { readonly seed: number; readonly numRuns: number } {
  const wanted = intensity > 1 && atLength !== undefined ? atLength : runs * intensity
  return { seed: 4010, numRuns: Math.max(1, Math.round(wanted)) }
}
