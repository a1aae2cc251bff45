// How the pages' code blocks run: unchanged, with the built sources in place of the package.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { builtAliases } from '../../.config/entries.ts'

export default defineConfig({
  root: fileURLToPath(new URL('blocks', import.meta.url)),
  resolve: { alias: builtAliases(process.env.BUILT_PACKAGE ?? '') },
  // With the limit that a reader's runner has: a block that takes longer says so.
  // What blocks print goes to the output, where the test of the pages looks for it.
  test: { include: ['*.block.ts'], isolate: false, disableConsoleIntercept: true },
})
