// The list of what is built: the sources of the entries by name.
import { fileURLToPath } from 'node:url'

/** The entries of the package; `index` is its main one. */
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

/** `coverage-setup` is loaded by its path alone, `vitest-browser` in place of `vitest` in a page. */
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

/** How tests that run on the sources find the entries by the names that users import. */
export const sourceAliases = aliases((_, source) => fileURLToPath(new URL(`../${source}`, import.meta.url)))

/** The same for tests that run on what test/command-line/support/build.ts built into a folder. */
export const builtAliases = (folder: string) => aliases((name) => `${folder}/${name}.js`)
