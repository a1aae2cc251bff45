// Collects the findings of all runs: one for each cause, with the runs that show it.
import { getOrInsert } from '../contract/data/maps.ts'
import type { OperationId } from '../contract/index.ts'
import type { Disturbance } from '../core/disturbances.ts'
import { rankOf, type Statement } from './judge.ts'
import type { LateRequest, RunRecord } from './runner.ts'
import { reproductionOf } from './texts.ts'
import type { ExploreFinding, ShownBy } from './types.ts'

/** The run that shows a finding. */
type Evidence = Pick<RunRecord, 'journal' | 'report' | 'isInterleaved'>

/** The first of the runs that show a finding at its worst. */
interface Shown {
  readonly statement: Statement
  readonly disturbance: Disturbance | null
  readonly operation: OperationId | null
  readonly evidence: Evidence
}

interface Gathered {
  first: Shown
  count: number
  readonly shownBy: ShownBy[]
}

export class GatheredFindings {
  readonly #byCause = new Map<string, Gathered>()

  add(statement: Statement, disturbance: Disturbance | null, evidence: Evidence): void {
    this.#add({ statement, disturbance, operation: disturbance?.at?.operation ?? null, evidence })
  }

  #add(shown: Shown): void {
    const { statement, disturbance } = shown
    const key = `${statement.kind} ${statement.cause}`
    const gathered = getOrInsert(this.#byCause, key, () => ({ first: shown, count: 0, shownBy: [] }))
    gathered.count += 1
    if (rankOf(statement.severity) < rankOf(gathered.first.statement.severity)) gathered.first = shown
    if (!disturbance) return
    const { family, at } = disturbance
    gathered.shownBy.push({ operation: at?.operation ?? null, family, request: at ? at.index + 1 : null })
  }

  /** Adds a finding for each operation with requests that arrived after the end of their runs. */
  addLate(late: readonly LateRequest[]): void {
    for (const { operation, line } of late)
      this.#add({
        statement: {
          kind: 'late request',
          severity: 'warning',
          message: `${line} was sent after the scenario had settled; its connection was broken`,
          advice:
            'Wait for every request before the scenario resolves; otherwise nothing shows whether it succeeds.',
          cause: operation ?? line,
        },
        disturbance: null,
        operation,
        evidence: { journal: () => [], report: [], isInterleaved: false },
      })
  }

  /** Sorted by severity, errors first, then in order of discovery. */
  findings(): ExploreFinding[] {
    return [...this.#byCause.values()]
      .map(findingOf)
      .toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity))
  }
}

function findingOf({ first, count, shownBy }: Gathered): ExploreFinding {
  const { statement, disturbance, operation, evidence } = first
  const { kind, severity, message, cause, advice, ...more } = statement
  const faults = disturbance?.effect.do === 'fail' ? disturbance.effect.faults : []
  const finding = {
    kind,
    severity,
    message,
    operation,
    family: disturbance?.family ?? null,
    disturbance,
    fault: faults[0] ?? null,
    faults,
    cause: cause === '' ? kind : `${kind} ${cause}`,
    advice,
    reproduction: disturbance ? reproductionOf(disturbance, evidence.isInterleaved) : '',
    ...more,
    count,
    shownBy,
  }
  let requests: ExploreFinding['requests'] | undefined
  const hidden = {
    requests: { get: () => (requests ??= evidence.journal()) },
    report: { value: evidence.report },
  }
  return Object.defineProperties(finding, hidden) as typeof finding &
    Pick<ExploreFinding, 'requests' | 'report'>
}
