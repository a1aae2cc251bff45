// Entry `workspace-api-mock/coverage`: a vitest reporter that shows which documented outcomes occurred in a run.
// eslint-disable-next-line import-x/no-default-export -- vitest imports the default export of a reporter
export {
  CoverageReporter,
  CoverageReporter as default,
  type CoverageReporterOptions,
} from './tools/coverage/reporter.ts'
export type { CoverageReport, OperationCoverage, OutcomeCoverage } from './mock/journal/coverage.ts'
