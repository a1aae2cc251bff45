// What a benchmark reports, and how it appears in a table.
import type { Timing } from './measure.ts'

/** One row of the table: a ratio to a limit measured in the same run. */
export interface Figure {
  readonly work: string
  /** Our measurement divided by the limit's, or an absolute figure in words. */
  readonly figure: number | string
  /** As the table shows it: `<= 0.8`. */
  readonly target?: string
  readonly ours?: string
  /** What it is compared with, and its measurement. */
  readonly limit?: string
}

export interface Bench {
  readonly name: string
  readonly title: string
  /** The heading of a separate table. */
  readonly heading?: string
  /** Whether it runs only when named on the command line. */
  readonly onRequest?: boolean
  run(): Promise<readonly Figure[]>
}

/** Three significant digits with a fitting unit. */
export function ms(value: number): string {
  if (value >= 1000) return `${(value / 1000).toPrecision(3)} s`
  if (value >= 1) return `${value.toPrecision(3)} ms`
  if (value >= 0.001) return `${(value * 1000).toPrecision(3)} µs`
  return `${Math.round(value * 1e6)} ns`
}

/** The second contender compared with the first; `against` names the first. */
export const figureOf = (
  work: string,
  target: string,
  against: string,
  [limit, ours]: readonly (Timing | undefined)[],
): Figure => ({
  work,
  figure: ours?.ratio ?? NaN,
  target,
  ours: ms(ours?.p50Ms ?? NaN),
  limit: `${against}: ${ms(limit?.p50Ms ?? NaN)}`,
})

export const mib = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`

const cell = (value: number | string | undefined) =>
  value === undefined ? '' : typeof value === 'number' ? value.toFixed(2) : value.replaceAll('|', '\\|')

function table(head: readonly string[], rows: readonly (readonly (number | string | undefined)[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

const units: Readonly<Record<string, number>> = { ns: 1e-6, µs: 0.001, ms: 1, s: 1000, KiB: 1, MiB: 1024 }

/** Parses a figure or a limit: `12 µs` is 0.012, `1.4` is 1.4. */
function numberIn(text: string): number {
  const [, number, unit = ''] = /([\d.]+)(?: (\S+))?/.exec(text) ?? []
  return Number(number) * (units[unit] ?? 1)
}

function misses({ figure, target }: Figure): boolean {
  if (target === undefined) return false
  const reached = numberIn(typeof figure === 'number' ? figure.toFixed(2) : figure)
  return target.startsWith('>=') ? reached < numberIn(target) : reached > numberIn(target)
}

/** Figures that miss their targets are bold. */
export function figureTable(figures: readonly Figure[]): string {
  return table(
    ['work', 'figure', 'target', 'ours', 'measured against'],
    figures.map((line) => {
      const { work, target, ours, limit } = line
      const figure = cell(line.figure)
      return [work, misses(line) ? `**${figure}**` : figure, target, ours, limit]
    }),
  )
}
