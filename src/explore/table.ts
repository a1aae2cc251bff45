// The table of an exploration: requests by faults, and the outcome of each.
import type { Judgement } from './judge.ts'
import { faultName } from './plan.ts'
import type { RunRequest } from './runner.ts'
import type { ExploredFault } from './types.ts'

const columnKey = (fault: ExploredFault) => (fault.status === 429 ? '429' : faultName(fault))

/** The outcome of a run in a word or two; the gravest first. */
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

export class Table {
  readonly #rows: string[]
  readonly #columns: string[]
  readonly #cells = new Map<string, string>()

  constructor(requests: readonly RunRequest[], planned: readonly (readonly ExploredFault[])[]) {
    this.#rows = [...new Set(requests.map(({ operation, index }) => rowKey(operation, index)))]
    this.#columns = [...new Set(planned.flatMap((faults) => faults.map(columnKey)))].sort()
    for (const [fault] of planned) if (fault) this.#cells.set(cellKey(fault), 'not tried')
  }

  /** Sets the cell of a run with one fault. A request that can fail with 429 for several reasons has one cell. */
  fill([fault]: readonly ExploredFault[], found: readonly Judgement[]): void {
    if (!fault) return
    const before = this.#cells.get(cellKey(fault))
    const outcome = outcomeOf(found)
    this.#cells.set(
      cellKey(fault),
      before === undefined || before === 'not tried' || before === 'ok' ? outcome : before,
    )
  }

  toString(): string {
    const lines = this.#rows.map((row) => [
      row,
      ...this.#columns.map((column) => this.#cells.get(`${row}|${column}`) ?? ''),
    ])
    return columnsOf([['request', ...this.#columns], ...merged(lines)]).join('\n')
  }
}

const rowKey = (operation: string, index: number) => `${operation} ${String(index + 1)}`
const cellKey = (fault: ExploredFault) => `${rowKey(fault.operation, fault.skip ?? 0)}|${columnKey(fault)}`

/** Requests of one operation that fared alike share a line: `createTask 1-12`. */
function merged(lines: readonly string[][]): string[][] {
  const rows = new Map<
    string,
    { readonly operation: string; readonly numbers: number[]; readonly cells: string[] }
  >()
  for (const [label = '', ...cells] of lines) {
    const [operation = '', number = ''] = label.split(' ')
    const key = `${operation}|${cells.join('|')}`
    const row = rows.get(key) ?? { operation, numbers: [], cells }
    row.numbers.push(Number(number))
    rows.set(key, row)
  }
  return [...rows.values()].map(({ operation, numbers, cells }) => [
    `${operation} ${ranges(numbers)}`,
    ...cells,
  ])
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
export function columnsOf(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length))) ?? []
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
