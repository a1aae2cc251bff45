// Owns the list of what is built: the sources of the entries by name.

/** The entries of the package; `index` is its main one. */
export const publicEntries = {
  index: 'src/index.ts',
  node: 'src/node/index.ts',
  browser: 'src/browser/index.ts',
  openapi: 'src/openapi/index.ts',
  vitest: 'src/node/vitest.ts',
}

export const entries = { ...publicEntries, cli: 'src/node/cli.ts' }
