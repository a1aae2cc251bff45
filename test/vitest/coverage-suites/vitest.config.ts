// How coverage.test.ts runs the suites of this folder.
import { defineConfig } from 'vitest/config'
import { sourceAliases } from '../../../.config/entries.ts'
import CoverageReporter, { type CoverageReporterOptions } from '../../../src/vitest/coverage.ts'

const options = JSON.parse(process.env.COVERAGE_OPTIONS ?? '{}') as CoverageReporterOptions

export default defineConfig({
  root: import.meta.dirname,
  resolve: { alias: sourceAliases },
  test: { include: ['*.suite.ts'], reporters: ['default', new CoverageReporter(options)] },
})
