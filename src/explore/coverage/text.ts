// Coverage as text for a terminal, and as JSON.
import type { CoverageReport, OperationCoverage, OutcomeCoverage } from '../../core/coverage.ts'
import { alignedLines } from '../aligned-lines.ts'
import { isMet, missingOutcomes, type MissingOutcome } from './lines.ts'

interface Figure {
  readonly met: number
  readonly all: number
}

/** Counts of the operations that were called, of the outcomes that were met, and of those met without a fault. */
export function figuresOf({ operations }: CoverageReport) {
  const outcomes = operations.flatMap((operation) => operation.outcomes)
  return {
    operations: { met: operations.filter(({ requests }) => requests > 0).length, all: operations.length },
    outcomes: { met: outcomes.filter(isMet).length, all: outcomes.length },
    natural: outcomes.filter(({ natural }) => natural > 0).length,
  }
}

export const figureText = ({ met, all }: Figure) =>
  `${String(met)} of ${String(all)} (${String(Math.floor((100 * met) / all))} %)`

/** The report with the missing outcomes, and the line that produces each. */
export const coverageJson = (report: CoverageReport) =>
  `${JSON.stringify({ ...report, missing: missingOutcomes(report) }, null, 2)}\n`

const statuses = (outcomes: readonly OutcomeCoverage[]) => new Set(outcomes.map(({ status }) => status))

function operationRow({ operation, requests, outcomes }: OperationCoverage): string[] {
  const met = statuses(outcomes.filter(isMet))
  const never = [...statuses(outcomes)].filter((status) => !met.has(status))
  return [operation, String(requests), [...met].join(' '), never.join(' ')]
}

const tableText = (rows: readonly (readonly string[])[]) => alignedLines(rows).map((line) => `  ${line}`)

const shownLines = 8
/** The statuses that every client has to handle, the most important first. */
const urgency: readonly number[] = [503, 429, 500]
const rank = ({ status }: MissingOutcome) =>
  urgency.includes(status) ? urgency.indexOf(status) : urgency.length

/** A few lines that produce outcomes of the called operations that were never met. */
function suggestions(report: CoverageReport): string[] {
  const used = new Set(
    report.operations.filter(({ requests }) => requests > 0).map(({ operation }) => operation),
  )
  const missing = missingOutcomes(report).filter(({ operation }) => used.has(operation))
  const first = missing.toSorted((a, b) => rank(a) - rank(b)).slice(0, shownLines)
  if (first.length === 0) return []
  const rows = first.map(({ operation, status, line }) => [operation, String(status), line])
  return ['', 'Never met, and the line that brings it about:', ...tableText(rows)]
}

const shownNames = 6

function neverCalled({ operations }: CoverageReport): string[] {
  const names = operations.filter(({ requests }) => requests === 0).map(({ operation }) => operation)
  if (names.length === 0) return []
  const rest = names.length - shownNames
  const more = rest > 0 ? ` and ${String(rest)} more` : ''
  return ['', `Never called: ${names.slice(0, shownNames).join(', ')}${more}`]
}

/** A summary that fits on a screen. */
export function coverageText(report: CoverageReport): string {
  const { operations, outcomes, natural } = figuresOf(report)
  const called = report.operations.filter(({ requests }) => requests > 0)
  const table = tableText([['operation', 'requests', 'met', 'never met'], ...called.map(operationRow)])
  return [
    `API coverage: ${figureText(operations)} operations, ${figureText(outcomes)} outcomes, ${String(natural)} of them without a fault`,
    ...(called.length > 0 ? ['', ...table] : []),
    ...neverCalled(report),
    ...suggestions(report),
    '',
  ].join('\n')
}
