// Runs the behaviour suite against served mocks and records its exchanges.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { sourceAliases } from '../../../.config/entries.ts'

export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  resolve: { alias: sourceAliases },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    include: ['test/behaviour/**/*.test.ts'],
    provide: { target: 'standalone' },
    isolate: false,
    setupFiles: ['test/foreign/support/record.ts'],
  },
})
