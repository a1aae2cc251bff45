// Collects the findings of all runs: one per cause, with the runs that show it.
import { getOrInsert } from '../../contract/data/maps.ts'
import type { PlannedCase } from './expectation.ts'
import type { LateRequest, RunRecord } from './runner.ts'
import { reproductionOf } from './reproduction.ts'
import { createLateStatement, rankOf, type Statement } from './statement.ts'
import type { ExploreFinding, ShownBy } from './types.ts'

interface Evidence {
  readonly statement: Statement
  /** Null if it occurs without a fault. */
  readonly planned: PlannedCase | null
  readonly operation?: ExploreFinding['operation']
  readonly record?: RunRecord
}

/** How unusual a fault is. The most common one represents a finding, preferably one that hits a single request. */
function measureOddity(planned: PlannedCase | null): number {
  if (!planned) return 0
  const { operation, status = 503, effect } = planned.fault
  if (effect && ('act' in effect || 'answers' in effect)) return 2
  return (status >= 400 && status < 429) || operation === undefined ? 1 : 0
}

export class GatheredFindings {
  /** Findings by cause, each with the first of its worst runs. */
  readonly #byCause = new Map<string, { first: Evidence; count: number; readonly shownBy: ShownBy[] }>()

  add(evidence: Evidence): void {
    const { statement, planned } = evidence
    const { kind, cause, severity } = statement
    const gathered = getOrInsert(this.#byCause, `${kind} ${cause}`, () => ({
      first: evidence,
      count: 0,
      shownBy: [],
    }))
    gathered.count += 1
    const isWorse = rankOf(severity) < rankOf(gathered.first.statement.severity)
    const isSame = severity === gathered.first.statement.severity
    const isPlainer = isSame && measureOddity(planned) < measureOddity(gathered.first.planned)
    if (isWorse || isPlainer) gathered.first = evidence
    if (!planned) return
    const { family, at } = planned
    const shown = { operation: at?.operation ?? null, family, request: at ? at.index + 1 : null }
    if (isWorse || isPlainer) gathered.shownBy.unshift(shown)
    else gathered.shownBy.push(shown)
  }

  /** Adds a request that arrived after its run had ended: one finding per operation. */
  addLate(late: LateRequest): void {
    const { operation } = late
    // Already reported as unhandled: nothing awaited its promise.
    if (this.#byCause.has(`unhandled ${operation ?? ''}`)) return
    this.add({ statement: createLateStatement(late, 'settled'), planned: null, operation })
  }

  /** Sorted by severity, errors first, then in order of discovery. */
  findings(): ExploreFinding[] {
    // Drops a finding about the client at rest if a run with a fault shows the same harm, because that finding says
    // more.
    const isShown = ({ statement: { kind, cause } }: Evidence) =>
      kind === 'at rest' && this.#byCause.has(`state ${cause.replace(/again$/, 'twice')}`)
    const gathered = [...this.#byCause.values()].filter(({ first }) => !isShown(first))
    const found = gathered.map(({ first, ...shown }): ExploreFinding => {
      const { statement, planned, operation, record } = first
      const { kind, severity, message, cause, advice, lines, ...more } = statement
      const finding = {
        kind,
        severity,
        message,
        operation: operation ?? planned?.at?.operation ?? null,
        family: planned?.family ?? null,
        name: planned?.name ?? null,
        fault: planned?.fault ?? null,
        cause: `${kind} ${cause}`.trimEnd(),
        advice,
        reproduction: planned ? reproductionOf(planned.fault, record?.isInterleaved === true, lines) : '',
        ...more,
        ...shown,
      }
      let requests: ExploreFinding['requests'] | undefined
      const hidden = {
        requests: { get: () => (requests ??= record?.journal() ?? []) },
        report: { value: record?.report ?? [] },
      }
      return Object.defineProperties(finding, hidden) as typeof finding & ExploreFinding
    })
    return found.toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity))
  }
}
