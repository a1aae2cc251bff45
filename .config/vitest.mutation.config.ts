// How the tests run against mutants: in process only.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/{behaviour,fixture,mock,resources,fidelity/targets,fidelity/sequences}/**/*.test.ts'],
    // Its tests depend on their order: the second compares its results with those of the first.
    exclude: ['test/behaviour/controls/determinism.test.ts'],
    provide: { target: 'in-process' },
    env: { FIDELITY_INTENSITY: '0.5' },
    pool: 'threads',
    isolate: false,
    testTimeout: 30_000,
  },
})
