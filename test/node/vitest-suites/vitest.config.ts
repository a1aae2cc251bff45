// How vitest-helper.test.ts runs the suites of this folder; some of their tests fail on purpose.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(`../../../src/${path}`, import.meta.url))

export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    alias: [
      { find: /^workspace-api-mock$/, replacement: source('index.ts') },
      { find: /^workspace-api-mock\/vitest$/, replacement: source('node/vitest.ts') },
    ],
  },
  test: { include: ['*.suite.ts'], pool: 'threads', maxWorkers: 1, fileParallelism: false },
})
