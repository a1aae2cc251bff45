// The result of an exploration, and its text.
import { faultsText } from './judge.ts'
import type { OutcomeTable } from './table.ts'
import type { ExploreFinding, ExploreResult } from './types.ts'

export class Result implements ExploreResult {
  readonly findings: readonly ExploreFinding[]
  readonly runs: number
  readonly covered: ExploreResult['covered']
  readonly #table: OutcomeTable

  constructor(
    findings: readonly ExploreFinding[],
    runs: number,
    covered: ExploreResult['covered'],
    table: OutcomeTable,
  ) {
    this.findings = findings
    this.runs = runs
    this.covered = covered
    this.#table = table
  }

  toString(): string {
    const { tried, possible } = this.covered
    const table = possible === 0 ? 'No request of the scenario matches an operation.' : String(this.#table)
    const found = counted(this.findings.length, 'finding')
    const summary = `${counted(this.runs, 'run')}, ${String(tried)} of ${String(possible)} failures tried: ${found}`
    const findings = this.findings.map((finding, index) => findingText(finding, index + 1))
    return [table, summary, ...findings].join('\n\n')
  }
}

const counted = (count: number, noun: string) =>
  count === 1 ? `1 ${noun}` : `${count === 0 ? 'no' : String(count)} ${noun}s`

/** Three lines: what happened, what the contract requires, how to reproduce it. */
function findingText(finding: ExploreFinding, number: number): string {
  const { severity, kind, faults, operation, message, advice, reproduction, count } = finding
  const where = faults.length > 0 ? faultsText(faults) : (operation ?? 'without a fault')
  const times = count > 1 ? ` [${String(count)} times]` : ''
  return [
    `${String(number)}. ${severity}, ${kind}, ${where}: ${message}${times}`,
    `   ${advice}`,
    `   ${reproduction === '' ? 'It occurs without a fault.' : reproduction.replaceAll('\n', '; ')}`,
  ].join('\n')
}
