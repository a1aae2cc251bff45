// Entry `workspace-api-mock/coverage`: a reporter for vitest that shows which documented outcomes a test run met.
export {
  CoverageReporter,
  CoverageReporter as default,
  type CoverageReporterOptions,
} from './tools/coverage/reporter.ts'
export type { CoverageReport, OperationCoverage, OutcomeCoverage } from './mock/journal/coverage.ts'
