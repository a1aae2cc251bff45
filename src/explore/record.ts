// A run that has ended, as the engine judges it.
import type { OperationId } from '../contract/index.ts'
import type { Exchange } from '../core/exchange.ts'
import type { Sandbox } from '../core/sandbox.ts'
import type { ExploreHost } from './host.ts'
import type { RunRecord, RunRequest } from './runner.ts'
import type { ExploreOutcome } from './types.ts'

function requestsOf(exchanges: readonly Exchange[]): RunRequest[] {
  const counts = new Map<OperationId, number>()
  return exchanges.flatMap(({ operation, fault }) => {
    if (operation === null) return []
    const index = counts.get(operation) ?? 0
    counts.set(operation, index + 1)
    return { operation, index, isFaulted: fault?.startsWith('explored_') === true }
  })
}

export function runRecordOf(
  sandbox: Sandbox,
  { start, controlsOf }: Pick<ExploreHost<unknown>, 'start' | 'controlsOf'>,
  outcome: ExploreOutcome,
  error: unknown,
): RunRecord {
  const { journal, store: end, faults, report } = sandbox
  return {
    outcome,
    error,
    isMet: faults.areMet,
    start,
    end,
    report: report.findings(),
    requests: () => requestsOf(journal.exchanges()),
    journal: () => controlsOf(sandbox).requests(),
  }
}
