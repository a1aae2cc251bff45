// How the pages' code blocks run: unchanged, with the built sources in place of the package.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { builtAliases } from '../../.config/entries.ts'

export default defineConfig({
  root: fileURLToPath(new URL('blocks', import.meta.url)),
  resolve: { alias: builtAliases(process.env.BUILT_PACKAGE ?? '') },
  // Keeps vitest's default time limit, as a reader would have.
  // Blocks print straight to the output, where readme.test.ts looks for it.
  test: { include: ['*.block.ts'], isolate: false, disableConsoleIntercept: true },
})
