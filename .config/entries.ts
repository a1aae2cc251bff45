// Lists what is built: the source files of the entries, by name.
import { fileURLToPath } from 'node:url'

/** The package's entries; `index` is the main one. */
export const publicEntries = {
  index: 'src/index.ts',
  node: 'src/node.ts',
  browser: 'src/browser.ts',
  openapi: 'src/openapi.ts',
  verify: 'src/verify.ts',
  vitest: 'src/vitest.ts',
  coverage: 'src/coverage.ts',
  msw: 'src/msw.ts',
}

/** `coverage-setup` is loaded by path only; `vitest-browser` replaces `vitest` in a page. */
export const entries = {
  ...publicEntries,
  cli: 'src/cli.ts',
  'vitest-browser': 'src/vitest-browser.ts',
  'coverage-setup': 'src/coverage-setup.ts',
}

const aliases = (fileOf: (name: string, source: string) => string) =>
  Object.entries(publicEntries).map(([name, source]) => ({
    find: new RegExp(`^workspace-api-mock${name === 'index' ? '' : `/${name}`}$`),
    replacement: fileOf(name, source),
  }))

/** Resolves the names that users import to the sources, for tests that run on the sources. */
export const sourceAliases = aliases((_, source) => fileURLToPath(new URL(`../${source}`, import.meta.url)))

/** Resolves the names to a folder built by test/command-line/support/build.ts, for tests that run on the build. */
export const builtAliases = (folder: string) => aliases((name) => `${folder}/${name}.js`)
