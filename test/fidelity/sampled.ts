// How much is sampled: little in `npm run test:thorough`, more in CI, most in `test/fidelity/main.ts`. The samples are
// always the same.

/** The factor by which the tests' numbers of runs are multiplied. */
const intensity = Number(process.env.FIDELITY_INTENSITY ?? '0.4')

/** fast-check's parameters for `runs` at intensity 1, and for `atLength` runs in `test/fidelity/main.ts`. */
export function sampled(
  runs: number,
  atLength?: number,
): { readonly seed: number; readonly numRuns: number } {
  const wanted = intensity > 1 && atLength !== undefined ? atLength : runs * intensity
  return { seed: 4010, numRuns: Math.max(1, Math.round(wanted)) }
}

/** A third of a list at intensity 1, fewer items below that, all in `test/fidelity/main.ts`; always the same items. */
export function someOf<T>(all: readonly T[]): T[] {
  const step = intensity > 1 ? 1 : Math.round(3 / intensity)
  return all.filter((_, index) => index % step === 0)
}
