// Coverage as text for a terminal, and as JSON.
import type { CoverageReport, OutcomeCoverage } from '../../mock/journal/coverage.ts'
import { alignColumns } from '../../contract/text/align.ts'
import { isMet, findMissingOutcomes, type WriteStep } from './lines.ts'

export function figuresOf({ operations }: CoverageReport) {
  const outcomes = operations.flatMap((operation) => operation.outcomes)
  return {
    operations: { met: operations.filter(({ requests }) => requests > 0).length, all: operations.length },
    outcomes: { met: outcomes.filter(isMet).length, all: outcomes.length },
    natural: outcomes.filter(({ natural }) => natural > 0).length,
  }
}

export const formatFigure = ({ met, all }: { readonly met: number; readonly all: number }) =>
  `${String(met)} of ${String(all)} (${String(Math.floor((100 * met) / all))} %)`

export const toCoverageJson = (report: CoverageReport, write?: WriteStep) =>
  `${JSON.stringify({ ...report, missing: findMissingOutcomes(report, write) }, null, 2)}\n`

/** Lists the minimums that a report misses, in words; `min` is in percent. */
export function listShortfalls(
  report: CoverageReport,
  min: { readonly operations?: number; readonly outcomes?: number } = {},
): string[] {
  const figures = figuresOf(report)
  return (['operations', 'outcomes'] as const).flatMap((name) => {
    const { met, all } = figures[name]
    const [least, percent] = [min[name] ?? 0, (100 * met) / all]
    if (percent >= least) return []
    return [`${percent.toFixed(1)} % of the ${name} covered; the minimum is ${String(least)} %`]
  })
}

const shownLines = 8
const shownNames = 6
/** Statuses every client must handle, most important first; all others come after them. */
const urgency = [503, 429, 500]
const rank = ({ status }: Pick<OutcomeCoverage, 'status'>) => (urgency.indexOf(status) + 4) % 4

/**
 * Writes a summary that fits on a screen. Of the outcomes never hit, it lists a few for operations that were called.
 */
export function toCoverageText(report: CoverageReport, write?: WriteStep): string {
  const figures = figuresOf(report)
  const called = report.operations.filter(({ requests }) => requests > 0)
  const missing = findMissingOutcomes({ ...report, operations: called }, write).toSorted(
    (a, b) => rank(a) - rank(b),
  )
  const others = report.operations.filter(({ requests }) => requests === 0)
  const more = others.length > shownNames ? ` and ${String(others.length - shownNames)} more` : ''
  const names = others.slice(0, shownNames).map(({ operation }) => operation)
  const table = (rows: readonly (readonly string[])[]) => alignColumns(rows).map((line) => `  ${line}`)
  const rows = called.map(({ operation, requests, outcomes }) => {
    const statusesOf = (some: readonly OutcomeCoverage[]) => new Set(some.map(({ status }) => status))
    const met = statusesOf(outcomes.filter(isMet))
    const never = [...statusesOf(outcomes)].filter((status) => !met.has(status))
    return [operation, String(requests), [...met].join(' '), never.join(' ')]
  })
  const lines = missing
    .slice(0, shownLines)
    .map(({ operation, status, line }) => [operation, String(status), line])
  return [
    `API coverage: ${formatFigure(figures.operations)} operations, ${formatFigure(figures.outcomes)} outcomes, ${String(figures.natural)} of them without a fault`,
    ...(rows.length > 0 ? ['', ...table([['operation', 'requests', 'hit', 'never hit'], ...rows])] : []),
    ...(names.length > 0 ? ['', `Never called: ${names.join(', ')}${more}`] : []),
    ...(lines.length > 0 ? ['', 'Never hit, each with a line that produces it:', ...table(lines)] : []),
    '',
  ].join('\n')
}
