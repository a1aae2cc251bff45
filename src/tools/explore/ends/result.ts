// The result of an exploration: its matrix, and the whole result as text.
import { getOrInsert } from '../../../contract/data/maps.ts'
import type { PlannedCase, RunRequest } from '../expectation.ts'
import { alignColumns } from '../../../contract/text/align.ts'
import { rankOf, type Statement } from '../statement.ts'
import { formatPlace } from '../texts.ts'
import type { ExploreFinding, ExploreResult, ExploreRow } from '../types.ts'

export type JudgedRun = readonly [PlannedCase, readonly Statement[]]

function outcomeOf({ kind, difference, rule }: Statement): string {
  if (kind === 'hang') return 'hangs'
  if (kind === 'check') return 'check failed'
  if (kind === 'lost') return 'gave up'
  if (difference) return difference.change === 'changed' ? 'differs' : difference.change
  return rule ?? kind
}

/**
 * A row per request and a column per family, or per fault if a single family was explored. Each cell shows the worst
 * outcome of its runs.
 */
export function matrixOf(
  requests: readonly RunRequest[],
  planned: readonly PlannedCase[],
  judged: readonly JudgedRun[],
): ExploreResult['matrix'] {
  const isOneFamily = new Set(planned.map(({ family }) => family)).size === 1
  const columnOf = ({ family, fault, name, at }: PlannedCase): string => {
    if (!isOneFamily) return family
    if (at === null) return 'whole run'
    // All kinds of 429 share a column.
    return fault.status === 429 ? '429' : name
  }
  const columns = [...new Set(planned.map(columnOf))]
  type Row = Omit<ExploreRow, 'cells'> & { readonly cells: Record<string, string> }
  const rows = new Map<string, Row>()
  const keyOf = (at: PlannedCase['at']) => (at ? `${at.operation} ${String(at.index)}` : '')
  const findCells = (at: PlannedCase['at']) => {
    const { operation = null, index } = at ?? {}
    const request = index === undefined ? null : index + 1
    return getOrInsert(rows, keyOf(at), (): Row => ({ operation, request, cells: {} })).cells
  }
  for (const request of requests) findCells(request)
  for (const one of planned) findCells(one.at)[columnOf(one)] = 'not tried'
  const outcomes = judged.flatMap(([one, found]) =>
    found.length === 0
      ? [[one, 'ok', Infinity] as const]
      : found.map((worst) => [one, outcomeOf(worst), rankOf(worst.severity)] as const),
  )
  // The worst outcome is written last and wins; among equals, the first one does.
  for (const [one, outcome] of outcomes.toReversed().toSorted(([, , a], [, , b]) => (a === b ? 0 : b - a)))
    findCells(one.at)[columnOf(one)] = outcome
  return { columns: isOneFamily ? columns.sort() : columns, rows: [...rows.values()] }
}

const countText = (count: number, noun: string) =>
  count === 1 ? `1 ${noun}` : `${count === 0 ? 'no' : String(count)} ${noun}s`

export function resultOf(data: Omit<ExploreResult, 'toString'>): ExploreResult {
  const toString = () => {
    const { findings, runs, covered, notes, matrix } = data
    const { tried, possible } = covered
    return [
      possible === 0 ? "None of the scenario's requests matches an operation." : tableOf(matrix),
      `${countText(runs, 'run')}, ${String(tried)} of ${String(possible)} failures tried: ${countText(findings.length, 'finding')}`,
      ...notes.map((note) => `Note: ${note}`),
      ...findings.map((finding, index) => formatFinding(finding, index + 1)),
    ].join('\n\n')
  }
  return Object.defineProperty({ ...data }, 'toString', { value: toString })
}

function tableOf({ columns, rows }: ExploreResult['matrix']): string {
  // Requests of one operation with equal outcomes share a line: `createTask 1-12`.
  const lines = new Map<string, { readonly numbers: number[]; readonly line: readonly string[] }>()
  for (const { operation, request, cells } of rows) {
    const line = [operation ?? 'whole run', ...columns.map((column) => cells[column] ?? '')]
    const { numbers } = getOrInsert(lines, line.join('|'), () => ({ numbers: [], line }))
    if (request !== null) numbers.push(request)
  }
  const body = [...lines.values()].map(({ numbers, line: [operation = '', ...outcomes] }) => [
    `${operation} ${formatRanges(numbers)}`,
    ...outcomes,
  ])
  return alignColumns([['request', ...columns], ...body]).join('\n')
}

/** `1-3, 5` */
function formatRanges(numbers: readonly number[]): string {
  const spans: [number, number][] = []
  for (const number of numbers) {
    const last = spans.at(-1)
    if (last?.[1] === number - 1) last[1] = number
    else spans.push([number, number])
  }
  return spans.map(([from, to]) => (from === to ? String(from) : `${String(from)}-${String(to)}`)).join(', ')
}

function formatFinding(finding: ExploreFinding, number: number): string {
  const { severity, kind, name, operation, message, advice, reproduction, count, shownBy } = finding
  const [first] = shownBy
  const where = first && name !== null ? formatPlace(first, name) : (operation ?? 'undisturbed')
  const families = [...new Set(shownBy.map(({ family }) => family))]
  const shown = families.length > 1 ? `: ${families.join(', ')}` : ''
  return [
    `${String(number)}. ${severity}, ${kind}, ${where}: ${message}${count > 1 ? ` [${String(count)} times${shown}]` : ''}`,
    `   ${advice}`,
    `   ${reproduction === '' ? 'It occurs without a fault.' : reproduction.replaceAll('\n', '\n   ')}`,
  ].join('\n')
}
