// Owns how the tests run against mutants: in process alone, those that are quick and look at the core.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/{behaviour,fidelity/targets,fidelity/sequences}/**/*.test.ts'],
    // What is left out looks at what is not mutated, or at 50,000 rows, or at times.
    exclude: ['test/behaviour/{report*,determinism,robustness}.test.ts'],
    provide: { target: 'in-process' },
    env: { FIDELITY_INTENSITY: '0.5' },
    pool: 'threads',
    isolate: false,
    testTimeout: 30_000,
  },
})
