// How coverage.test.ts runs the suites of this folder.
import { defineConfig } from 'vitest/config'
import { builtAliases } from '../../../.config/entries.ts'

const { BUILT_PACKAGE = '', COVERAGE_OPTIONS = '{}' } = process.env

export default defineConfig({
  root: import.meta.dirname,
  resolve: { alias: builtAliases(BUILT_PACKAGE) },
  test: {
    include: ['*.suite.ts'],
    testTimeout: 300_000,
    reporters: ['default', [`${BUILT_PACKAGE}/coverage.js`, JSON.parse(COVERAGE_OPTIONS)]],
  },
})
