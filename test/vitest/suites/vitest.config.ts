// How helper.test.ts runs the suites of this folder; some of their tests fail on purpose.
import { defineConfig } from 'vitest/config'
import { sourceAliases } from '../../../.config/entries.ts'

export default defineConfig({
  root: import.meta.dirname,
  resolve: { alias: sourceAliases },
  test: { include: ['*.suite.ts'], pool: 'threads', maxWorkers: 1, fileParallelism: false },
})
