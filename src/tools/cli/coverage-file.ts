// Writes the `serve --coverage` file and checks `--coverage-min` when the server stops.
import { sumReports, type CoverageReport } from '../../mock/journal/coverage.ts'
import { renderCoveragePage } from '../coverage/page.ts'
import { toRequestLine } from '../coverage/request-line.ts'
import { listShortfalls, toCoverageJson, toCoverageText } from '../coverage/text.ts'
import { assertWritable, writeFile } from '../../adapters/server/write-file.ts'

interface CoverageFlags {
  readonly coverage?: string
  readonly coverageMin?: number
}

/** Adds up the coverage of the mocks that a server serves. @throws {Error} if the file cannot be written */
export function collectCoverage({ coverage: file, coverageMin: outcomes }: CoverageFlags) {
  if (file !== undefined) assertWritable(file)
  const reports: CoverageReport[] = []
  return {
    add: (report: CoverageReport) => void reports.push(report),
    /** @returns a summary for a terminal, and why the minimum was missed, if it was */
    write: () => {
      const report = sumReports(reports)
      if (file !== undefined) {
        const isPage = /\.html?$/i.test(file)
        writeFile(file, (isPage ? renderCoveragePage : toCoverageJson)(report, toRequestLine))
      }
      const place = file === undefined ? '' : `\nIn full: ${file}\n`
      return {
        summary: `${toCoverageText(report, toRequestLine)}${place}`,
        shortfalls: listShortfalls(report, outcomes === undefined ? {} : { outcomes }),
      }
    },
  }
}
