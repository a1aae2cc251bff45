// How helper.test.ts runs the suites of this folder; some of their tests fail on purpose.
import { defineConfig } from 'vitest/config'
import { builtAliases } from '../../../.config/entries.ts'

export default defineConfig({
  root: import.meta.dirname,
  resolve: { alias: builtAliases(process.env.BUILT_PACKAGE ?? '') },
  test: {
    include: ['*.suite.ts'],
    pool: 'threads',
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 300_000,
    provide: { saveRuns: process.env.SAVED_RUNS ?? '' },
  },
})
