// Collects the findings of all runs: one for each cause, with the number of runs that show it.
import type { JournalEntry } from '../core/journal/entry.ts'
import { judgementOf, type Judgement } from './judge.ts'
import { faultName } from './plan.ts'
import type { LateRequest, RunRecord } from './runner.ts'
import type { ExploredFault, ExploreFinding } from './types.ts'

const order: readonly ExploreFinding['severity'][] = ['error', 'warning', 'assumption', 'info']

/** The run that showed a finding first. */
type Evidence = Pick<RunRecord, 'journal' | 'report'>

interface Counted {
  readonly judgement: Judgement
  readonly evidence: Evidence
  count: number
}

export class GatheredFindings {
  readonly #byKey = new Map<string, Counted>()

  add(judgement: Judgement, evidence: Evidence): void {
    const key = keyOf(judgement, judgement.faults)
    // What one fault of a pair shows alone is not a new finding.
    const alone = judgement.faults.map((fault) => keyOf(judgement, [fault]))
    const known = [...alone, key].map((one) => this.#byKey.get(one)).find((found) => found !== undefined)
    if (known) known.count += 1
    else this.#byKey.set(key, { judgement, evidence, count: 1 })
  }

  /** Adds a finding for each operation with requests that arrived after the end of their runs. */
  addLate(late: readonly LateRequest[]): void {
    for (const { operation, line } of late) {
      const message = `${line} was sent after the scenario had settled; its connection was broken`
      const advice =
        'Wait for every request before the scenario resolves; otherwise nothing shows whether it succeeds.'
      const cause = operation ?? line
      const judgement = judgementOf(
        { kind: 'late request', severity: 'warning', message, advice, cause },
        [],
        operation,
      )
      this.add(judgement, { journal: () => [], report: [] })
    }
  }

  /** Sorted by severity, errors first, then in order of discovery. */
  findings(): ExploreFinding[] {
    return [...this.#byKey.values()]
      .map(findingOf)
      .toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
  }
}

/** Findings with the same key are counted as one. */
function keyOf({ kind, cause }: Judgement, faults: readonly ExploredFault[]): string {
  return [kind, cause, ...faults.map((fault) => `${fault.operation} ${faultName(fault)}`)].join('|')
}

function findingOf({ judgement, evidence: { journal, report }, count }: Counted): ExploreFinding {
  const finding = Object.fromEntries(Object.entries(judgement).filter(([name]) => name !== 'cause'))
  let requests: readonly JournalEntry[] | undefined
  const hidden = {
    requests: { get: () => (requests ??= journal()) },
    report: { value: report },
  }
  return Object.defineProperties({ ...finding, count }, hidden) as ExploreFinding
}
