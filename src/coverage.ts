// Entry `workspace-api-mock/coverage`: a reporter for vitest that shows which documented outcomes a test run met.
// eslint-disable-next-line import-x/no-default-export -- vitest imports the default export of a reporter
export {
  CoverageReporter,
  CoverageReporter as default,
  type CoverageReporterOptions,
} from './tools/coverage/reporter.ts'
export type { CoverageReport, OperationCoverage, OutcomeCoverage } from './mock/journal/coverage.ts'
