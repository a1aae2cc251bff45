// The file of `serve --coverage`: written when the server ends.
import { sumReports, type CoverageReport } from '../../mock/journal/coverage.ts'
import { renderCoveragePage } from '../coverage/page.ts'
import { toCoverageJson, toCoverageText } from '../coverage/text.ts'
import { assertWritable, writeFile } from './files.ts'

/** Adds up the coverage of the mocks that a server serves. @throws {Error} if the file cannot be written */
export function collectCoverage(file: string) {
  assertWritable(file)
  const reports: CoverageReport[] = []
  return {
    add: (report: CoverageReport) => void reports.push(report),
    /** @returns a summary for a terminal */
    write: () => {
      const report = sumReports(reports)
      writeFile(file, /\.html?$/i.test(file) ? renderCoveragePage(report) : toCoverageJson(report))
      return `${toCoverageText(report)}\nIn full: ${file}\n`
    },
  }
}
