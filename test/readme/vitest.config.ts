// How the blocks of the README are run: as they stand, with the sources in the place of the package.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { sourceAliases } from '../../.config/entries.ts'

export default defineConfig({
  root: fileURLToPath(new URL('blocks', import.meta.url)),
  resolve: { alias: sourceAliases },
  test: { include: ['*.block.ts'], isolate: false },
})
