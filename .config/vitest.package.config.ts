// How the slowest tests run, which install the packed package into separate projects.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { sourceAliases } from './entries.ts'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  resolve: { alias: sourceAliases },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    maxConcurrency: 2,
    testTimeout: 900_000,
    hookTimeout: 240_000,
    include: ['test/{package,examples}/*.test.ts'],
    globalSetup: ['test/package/support/pack.ts'],
  },
})
