// The file of `serve --coverage`: written when the server ends.
import { writeFileSync } from 'node:fs'
import { sumOf, type CoverageReport } from '../core/coverage.ts'
import { coveragePage } from '../explore/coverage-page.ts'
import { coverageJson, coverageText } from '../explore/coverage-text.ts'

/** @throws {Error} if the file cannot be written, before anything is served */
export function coverageFile(file: string) {
  writeFileSync(file, '', { flag: 'a' })
  const reports: CoverageReport[] = []
  return {
    /** Adds the counts of a mock that is no longer served. */
    add: (report: CoverageReport) => void reports.push(report),
    /** @returns the summary for a terminal */
    write: () => {
      const report = sumOf(reports)
      writeFileSync(file, /\.html?$/i.test(file) ? coveragePage(report) : coverageJson(report))
      return `${coverageText(report)}\nIn full: ${file}\n`
    },
  }
}
