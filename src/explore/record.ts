// A run that has ended, as the engine judges it.
import type { OperationId } from '../contract/index.ts'
import type { Sandbox } from '../core/sandbox.ts'
import type { ExploreHost } from './host.ts'
import type { RunRecord, RunRequest } from './runner.ts'
import type { ExploreOutcome } from './types.ts'

export function recordOf(
  sandbox: Sandbox,
  { start, controlsOf }: Pick<ExploreHost<unknown>, 'start' | 'controlsOf'>,
  outcome: ExploreOutcome,
  error: unknown,
): RunRecord {
  const { journal, store, faults, report } = sandbox
  const counts = new Map<OperationId, number>()
  const requests: RunRequest[] = []
  for (const { operation, fault } of journal.exchanges()) {
    if (operation === null) continue
    const index = counts.get(operation) ?? 0
    counts.set(operation, index + 1)
    requests.push({ operation, index, isFaulted: fault?.startsWith('explored_') === true })
  }
  return {
    outcome,
    error,
    requests,
    isMet: faults.areMet,
    start,
    end: store,
    report: report.findings(),
    journal: () => controlsOf(sandbox).requests(),
  }
}
