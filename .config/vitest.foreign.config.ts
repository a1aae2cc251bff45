// How the checks with third-party tools run, after installing the tools.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { sourceAliases } from './entries.ts'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  resolve: { alias: sourceAliases },
  test: {
    pool: 'forks',
    // One after another, because they write the document to the same place.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    include: ['test/foreign/*.test.ts'],
    globalSetup: ['test/foreign/support/tools.ts'],
  },
})
