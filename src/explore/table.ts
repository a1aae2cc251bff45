// The table of an exploration: a row for each request, a column for each fault, the outcomes as cells.
import { getOrInsert } from '../contract/data/maps.ts'
import type { Judgement } from './judge.ts'
import { faultName } from './plan.ts'
import type { RunRequest } from './runner.ts'
import type { ExploredFault } from './types.ts'

const columnKey = (fault: ExploredFault) => (fault.status === 429 ? '429' : faultName(fault))

/** The outcome of a run in a word or two: its most severe finding. */
function outcomeOf(found: readonly Judgement[]): string {
  const kinds = new Map(found.map((judgement) => [judgement.kind, judgement]))
  if (kinds.has('hang')) return 'hangs'
  const state = kinds.get('state')?.difference
  if (state) return state.change === 'changed' ? 'differs' : state.change
  if (kinds.has('check')) return 'check failed'
  if (kinds.has('gave up')) return 'gave up'
  const rule = kinds.get('rule')?.rule
  if (rule) return rule
  return kinds.has('lost') ? 'gave up' : 'ok'
}

/** A request of the undisturbed run, with the outcome of each of its faults. */
interface Row extends Pick<RunRequest, 'operation' | 'index'> {
  readonly outcomes: Map<string, string>
}

const rowKey = (operation: string, index: number) => `${operation} ${String(index)}`

export class OutcomeTable {
  readonly #rows: ReadonlyMap<string, Row>
  readonly #columns: readonly string[]

  constructor(requests: readonly RunRequest[], planned: readonly (readonly ExploredFault[])[]) {
    const rows = requests.map(({ operation, index }): Row => ({ operation, index, outcomes: new Map() }))
    this.#rows = new Map(rows.map((row) => [rowKey(row.operation, row.index), row]))
    this.#columns = [...new Set(planned.flat().map(columnKey))].sort()
    for (const fault of planned.flat()) this.#outcomesOf(fault)?.set(columnKey(fault), 'not tried')
  }

  #outcomesOf({ operation, skip = 0 }: ExploredFault): Map<string, string> | undefined {
    return this.#rows.get(rowKey(operation, skip))?.outcomes
  }

  /** Sets the cell of a run with one fault. All kinds of 429 share one cell, which shows the first failure. */
  fill([fault]: readonly ExploredFault[], found: readonly Judgement[]): void {
    const outcomes = fault && this.#outcomesOf(fault)
    if (!outcomes) return
    const before = outcomes.get(columnKey(fault)) ?? ''
    if (before === 'not tried' || before === 'ok') outcomes.set(columnKey(fault), outcomeOf(found))
  }

  toString(): string {
    // Requests of one operation with the same outcomes share a line: `createTask 1-12`.
    const lines = new Map<string, { readonly numbers: number[]; readonly line: readonly string[] }>()
    for (const { operation, index, outcomes } of this.#rows.values()) {
      const line = [operation, ...this.#columns.map((column) => outcomes.get(column) ?? '')]
      getOrInsert(lines, line.join('|'), () => ({ numbers: [], line })).numbers.push(index + 1)
    }
    const rows = [...lines.values()].map(({ numbers, line: [operation = '', ...outcomes] }) => [
      `${operation} ${ranges(numbers)}`,
      ...outcomes,
    ])
    return alignedLines([['request', ...this.#columns], ...rows]).join('\n')
  }
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

/** Lines of cells, each column as wide as its widest cell. */
export function alignedLines(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length))) ?? []
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
