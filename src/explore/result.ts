// The result of an exploration: its matrix, its findings, and both as text.
import { getOrInsert } from '../contract/data/maps.ts'
import type { Disturbance } from '../core/disturbances.ts'
import { alignedLines } from './aligned-lines.ts'
import { rankOf, type Statement } from './judge.ts'
import type { Planned, RunRequest } from './oracle.ts'
import { disturbanceText } from './texts.ts'
import type { ExploreFinding, ExploreResult, ExploreRow } from './types.ts'

/** The outcome of a run in a word or two: its most severe finding. */
function outcomeOf(found: readonly Statement[]): string {
  const [worst] = found.toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity))
  if (!worst) return 'ok'
  const { kind, difference, rule } = worst
  if (kind === 'hang') return 'hangs'
  if (kind === 'check') return 'check failed'
  if (kind === 'lost') return 'gave up'
  if (difference) return difference.change === 'changed' ? 'differs' : difference.change
  return rule ?? kind
}

interface Cell {
  text: string
  rank: number
}
const rowKey = (at: Disturbance['at']) => (at ? `${at.operation} ${String(at.index + 1)}` : '')

/** A row for each request, a column for each family, or for each disturbance where there is one family. */
export class Matrix {
  readonly #rows = new Map<
    string,
    Pick<ExploreRow, 'operation' | 'request'> & { readonly cells: Map<string, Cell> }
  >()
  readonly #columns: readonly string[]
  readonly #columnOf: (disturbance: Disturbance) => string

  constructor(requests: readonly RunRequest[], planned: readonly Planned[]) {
    const families = new Set(planned.map(({ disturbance }) => disturbance.family))
    this.#columnOf = families.size > 1 ? ({ family }) => family : columnOfFault
    const columns = new Set(planned.map(({ disturbance }) => this.#columnOf(disturbance)))
    this.#columns = families.size > 1 ? [...columns] : [...columns].sort()
    for (const { operation, index } of requests)
      this.#rows.set(rowKey({ operation, index }), { operation, request: index + 1, cells: new Map() })
    for (const { disturbance } of planned) this.#cellOf(disturbance)
  }

  #cellOf(disturbance: Disturbance): Cell {
    const { at } = disturbance
    const row = getOrInsert(this.#rows, rowKey(at), () => ({
      operation: at?.operation ?? null,
      request: at ? at.index + 1 : null,
      cells: new Map<string, Cell>(),
    }))
    return getOrInsert(row.cells, this.#columnOf(disturbance), () => ({ text: 'not tried', rank: Infinity }))
  }

  /** Enters the outcome of a run; of several in one cell the worst is shown. */
  fill(disturbance: Disturbance, found: readonly Statement[]): void {
    const cell = this.#cellOf(disturbance)
    const rank = Math.min(9, ...found.map(({ severity }) => rankOf(severity)))
    if (rank < cell.rank) Object.assign(cell, { rank, text: outcomeOf(found) })
  }

  get data(): ExploreResult['matrix'] {
    const rows = [...this.#rows.values()].map(({ operation, request, cells }) => {
      return {
        operation,
        request,
        cells: Object.fromEntries([...cells].map(([column, { text }]) => [column, text])),
      }
    })
    return { columns: this.#columns, rows }
  }
}

/** All kinds of 429 share a column. */
function columnOfFault({ effect, name, at }: Disturbance): string {
  if (at === null) return 'whole run'
  return effect.do === 'fail' && effect.faults[0]?.status === 429 ? '429' : name
}

export class Result implements ExploreResult {
  readonly findings: readonly ExploreFinding[]
  readonly runs: number
  readonly covered: ExploreResult['covered']
  readonly notes: readonly string[]
  readonly matrix: ExploreResult['matrix']

  constructor({ findings, runs, covered, notes, matrix }: Omit<ExploreResult, 'toString'>) {
    this.findings = findings
    this.runs = runs
    this.covered = covered
    this.notes = notes
    this.matrix = matrix
  }

  toString(): string {
    const { tried, possible } = this.covered
    const table = possible === 0 ? 'No request of the scenario matches an operation.' : tableOf(this.matrix)
    const found = countText(this.findings.length, 'finding')
    const summary = `${countText(this.runs, 'run')}, ${String(tried)} of ${String(possible)} failures tried: ${found}`
    const findings = this.findings.map((finding, index) => findingText(finding, index + 1))
    return [table, summary, ...this.notes.map((note) => `Note: ${note}`), ...findings].join('\n\n')
  }
}

function tableOf({ columns, rows }: ExploreResult['matrix']): string {
  // Requests of one operation with the same outcomes share a line: `createTask 1-12`.
  const lines = new Map<string, { readonly numbers: number[]; readonly line: readonly string[] }>()
  for (const { operation, request, cells } of rows) {
    const line = [operation ?? 'whole run', ...columns.map((column) => cells[column] ?? '')]
    const { numbers } = getOrInsert(lines, line.join('|'), () => ({ numbers: [], line }))
    if (request !== null) numbers.push(request)
  }
  const body = [...lines.values()].map(({ numbers, line: [operation = '', ...outcomes] }) => [
    `${operation} ${ranges(numbers)}`,
    ...outcomes,
  ])
  return alignedLines([['request', ...columns], ...body]).join('\n')
}

/** `1-3, 5` */
function ranges(numbers: readonly number[]): string {
  const spans: [number, number][] = []
  for (const number of numbers) {
    const last = spans.at(-1)
    if (last?.[1] === number - 1) last[1] = number
    else spans.push([number, number])
  }
  return spans.map(([from, to]) => (from === to ? String(from) : `${String(from)}-${String(to)}`)).join(', ')
}

const countText = (count: number, noun: string) =>
  count === 1 ? `1 ${noun}` : `${count === 0 ? 'no' : String(count)} ${noun}s`

/** Three lines: what happened, what the contract requires, how to reproduce it. */
function findingText(finding: ExploreFinding, number: number): string {
  const { severity, kind, disturbance, operation, message, advice, reproduction, count } = finding
  const where = disturbance ? disturbanceText(disturbance) : (operation ?? 'undisturbed')
  return [
    `${String(number)}. ${severity}, ${kind}, ${where}: ${message}${count > 1 ? ` [${String(count)} times${familiesText(finding)}]` : ''}`,
    `   ${advice}`,
    `   ${reproduction === '' ? 'It occurs without a fault.' : reproduction.replaceAll('\n', '\n   ')}`,
  ].join('\n')
}

/** The families that show a finding, if there are several. */
function familiesText({ shownBy }: ExploreFinding): string {
  const families = [...new Set(shownBy.map(({ family }) => family))]
  return families.length > 1 ? `: ${families.join(', ')}` : ''
}
