// How much is sampled: little in `npm run test:thorough`, more in CI, much in `test/fidelity/main.ts`; the same samples
// every time.

/** How many times as much is to be tried as the tests name. */
const intensity = Number(process.env.FIDELITY_INTENSITY ?? '0.4')

/** Parameters of fast-check for so many runs at intensity 1, and so many in `test/fidelity/main.ts`. */
export function sampled(
  runs: number,
  atLength?: number,
): { readonly seed: number; readonly numRuns: number } {
  const wanted = intensity > 1 && atLength !== undefined ? atLength : runs * intensity
  return { seed: 4010, numRuns: Math.max(1, Math.round(wanted)) }
}

/** A third of a list at intensity 1, less below it, all of it in `test/fidelity/main.ts`; always the same ones. */
export function someOf<T>(all: readonly T[]): T[] {
  const step = intensity > 1 ? 1 : Math.round(3 / intensity)
  return all.filter((_, index) => index % step === 0)
}
