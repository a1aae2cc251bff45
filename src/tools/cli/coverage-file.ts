// The file of `serve --coverage` and the minimum of `--coverage-min`: written and judged when the server ends.
import { operations } from '../../contract/index.ts'
import { routeList } from '../../adapters/control-api/table.ts'
import { requestOf } from '../../adapters/control-api/wire.ts'
import { sumReports, type CoverageReport } from '../../mock/journal/coverage.ts'
import type { WriteStep } from '../coverage/lines.ts'
import { renderCoveragePage } from '../coverage/page.ts'
import { listShortfalls, toCoverageJson, toCoverageText } from '../coverage/text.ts'
import { assertWritable, writeFile } from './files.ts'

/** Formats a step as its request: `POST /__mock/faults {"operation":"listTasks","status":503}`. */
const toRequestLine: WriteStep = (step) => {
  if ('operation' in step) {
    const { method, path } = operations[step.operation]
    return [method, `/v1${path}`, ...(step.note === undefined ? [] : [step.note])].join(' ')
  }
  const route = routeList.find(({ names }) => names.join('.') === step.control)
  if (!route) throw new Error(`the control API has no control ${step.control}`)
  const { method, path, body } = requestOf(route, step.args)
  // Keep the braces of ids readable.
  const address = `/__mock${path.replaceAll('%7B', '{').replaceAll('%7D', '}')}`
  return [method, address, ...(body === undefined ? [] : [JSON.stringify(body)])].join(' ')
}

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
