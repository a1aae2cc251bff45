// Owns how the blocks of the README are run: as they stand, with the sources in the place of the package.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url))

export default defineConfig({
  root: fileURLToPath(new URL('blocks', import.meta.url)),
  resolve: {
    alias: [
      { find: /^workspace-api-mock$/, replacement: source('index.ts') },
      { find: /^workspace-api-mock\/vitest$/, replacement: source('node/vitest.ts') },
      { find: /^workspace-api-mock\/node$/, replacement: source('node/index.ts') },
    ],
  },
  test: { include: ['*.block.ts'] },
})
