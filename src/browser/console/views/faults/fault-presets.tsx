// Faults set with one click: presets that every client should tolerate, and one for a request of the journal.
import type { OperationId } from '../../../../contract/index.ts'
import type { FaultSpec } from '../../../../core/fault-spec.ts'
import type { JournalEntry } from '../../../../core/journal/entry.ts'
import { countText } from '../../format.ts'
import { useConsole } from '../../parts/context.ts'
import { useScope } from '../../parts/scope.tsx'
import { Action } from '../../parts/controls.tsx'
import { labelled, Select } from '../../parts/fields.tsx'
import { faultText } from './fault-text.ts'

const presetsOf = (create: OperationId): readonly (readonly [name: string, spec: FaultSpec])[] => [
  ['Lost response after a create', { operation: create, network: true, phase: 'after' }],
  ['Rate-limit storm', { status: 429, times: 5, retryAfter: 2 }],
  ['Slow network', { status: 200, times: null, delayMs: 2000 }],
  ['Broken connection', { network: true }],
]

/** The first preset uses the create operation that the client sent last. */
export function Presets() {
  const { live } = useConsole()
  const { isAll } = useScope()
  const sent = useScope().requests.findLast(({ operation }) => operation?.startsWith('create'))
  const running = live.overview.workspaces
    .flatMap(({ jobs }) => jobs)
    .findLast(({ completed_ms }) => completed_ms === null)
  return (
    <div class="tiles" role="group" aria-label="Presets">
      {presetsOf(sent?.operation ?? 'createTask').map(([name, spec]) => (
        <Action key={name} class="tile" run={(controls) => controls.fault(spec)} done={`Set: ${name}.`}>
          <strong>{name}</strong>
          <span>{faultText(spec)}</span>
        </Action>
      ))}
      <Action
        class="tile"
        disabled={!running || isAll}
        run={(controls) => controls.failJob(running?.id ?? '')}
        done={`${running?.id ?? ''} failed.`}
      >
        <strong>Job that fails half-way</strong>
        <span>
          {isAll
            ? 'Ends a running job as failed. Choose its sandbox first.'
            : running
              ? `Ends ${running.id} as failed; the ${countText(running.row_count, 'row')} it has inserted stay.`
              : 'Ends a running job as failed; the rows it has inserted stay. No job is running.'}
        </span>
      </Action>
    </div>
  )
}

const failures: Readonly<Record<string, FaultSpec>> = {
  'with 503': { status: 503 },
  'with 429': { status: 429, retryAfter: 1 },
  'broken connection': { network: true },
  'lost response': { network: true, phase: 'after' },
}

/** "Fail this next time": sets a fault for the next request like this one. */
export function FailNext({ entry: { operation, method, path } }: { readonly entry: JournalEntry }) {
  const { controls, act } = useConsole()
  if (operation === null) return null
  const choose = (name: string) => {
    const spec = { operation, match: { path }, ...failures[name] }
    void act(() => controls.fault(spec), `The next ${method} ${path} fails.`)
  }
  const names = Object.keys(failures).filter((name) => name !== 'lost response' || method !== 'GET')
  return (
    <Select
      class="quiet"
      label="Fail this next time"
      empty="Fail this next time …"
      choices={labelled(names)}
      value=""
      set={choose}
    />
  )
}
