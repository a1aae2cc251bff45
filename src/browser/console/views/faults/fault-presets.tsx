// Presets: faults that every client should tolerate.
import { operationList, type OperationId } from '../../../../contract/index.ts'
import type { FaultSpec } from '../../../../core/fault-spec.ts'
import { countText } from '../../format.ts'
import { useConsole, useLines } from '../../parts/context.ts'
import { Action } from '../../parts/controls.tsx'
import { faultText } from './fault-text.ts'

const creates = new Set(operationList.map(({ id }) => id).filter((id) => id.startsWith('create')))

const presetsOf = (create: OperationId): readonly (readonly [name: string, spec: FaultSpec])[] => [
  ['Lost response after a create', { operation: create, network: true, phase: 'after' }],
  ['Rate-limit storm', { status: 429, times: 5, retryAfter: 2 }],
  ['Slow network', { status: 200, times: null, delayMs: 2000 }],
  ['Broken connection', { network: true }],
]

/** The first preset uses the create operation that the client sent last. */
export function Presets() {
  const { live } = useConsole()
  const sent = useLines().findLast(({ operation }) => operation !== null && creates.has(operation))
  const running = live.overview.workspaces
    .flatMap(({ jobs }) => jobs)
    .findLast(({ completed_ms }) => completed_ms === null)
  return (
    <div class="tiles" role="group" aria-label="Presets">
      {presetsOf(sent?.operation ?? 'createTask').map(([name, spec]) => (
        <Action key={name} look="tile" run={(controls) => controls.fault(spec)} done={`Set: ${name}.`}>
          <strong>{name}</strong>
          <span>{faultText(spec)}</span>
        </Action>
      ))}
      <Action
        look="tile"
        disabled={!running}
        run={(controls) => controls.failJob(running?.id ?? '')}
        done={`${running?.id ?? ''} failed.`}
      >
        <strong>Job that fails half-way</strong>
        <span>
          {running
            ? `Ends ${running.id} as failed; the ${countText(running.row_count, 'row')} it has inserted stay.`
            : 'Ends a running job as failed; its rows stay. No job is running.'}
        </span>
      </Action>
    </div>
  )
}
