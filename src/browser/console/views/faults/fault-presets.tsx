// Faults set with one click: presets that every client should tolerate, and one for a request of the journal.
import type { OperationId } from '../../../../contract/index.ts'
import type { FaultSpec } from '../../../../core/fault-spec.ts'
import type { JournalEntry } from '../../../../core/journal/entry.ts'
import { countText } from '../../format.ts'
import { useConsole } from '../../parts/context.ts'
import { Action } from '../../parts/controls.tsx'
import { labelled, Select } from '../../parts/fields.tsx'
import { useAct, useScope } from '../../parts/scope.tsx'
import { faultText } from './fault-text.ts'

const presetsOf = (create: OperationId): readonly (readonly [name: string, spec: FaultSpec])[] => [
  ['Lost response after a create', { operation: create, network: true, phase: 'after' }],
  ['Rate-limit storm', { status: 429, times: 5, retryAfter: 2 }],
  ['Slow network', { status: 200, times: null, delayMs: 2000 }],
  ['Broken connection', { network: true }],
]

/** Fails a running job, of which there is a list for one sandbox only. */
function JobPreset() {
  const { live } = useConsole()
  const { isAll } = useScope()
  const jobs = live.overview.workspaces.flatMap((workspace) => workspace.jobs)
  const job = jobs.findLast(({ completed_ms }) => completed_ms === null)
  const { id = '', row_count: rows = 0 } = job ?? {}
  const text = isAll
    ? 'Ends a running job as failed. Choose its sandbox first.'
    : job
      ? `Ends ${id} as failed; the ${countText(rows, 'row')} it has inserted stay.`
      : 'Ends a running job as failed; the rows it has inserted stay. No job is running.'
  return (
    <Action class="tile" disabled={!job || isAll} run={(one) => one.failJob(id)} done={`${id} failed.`}>
      <strong>Job that fails half-way</strong>
      <span>{text}</span>
    </Action>
  )
}

/** The first preset uses the create operation that the client sent last. */
export function Presets() {
  const sent = useScope().requests.findLast(({ operation }) => operation?.startsWith('create'))
  return (
    <div class="tiles" role="group" aria-label="Presets">
      {presetsOf(sent?.operation ?? 'createTask').map(([name, spec]) => (
        <Action key={name} class="tile" run={(controls) => controls.fault(spec)} done={`Set: ${name}.`}>
          <strong>{name}</strong>
          <span>{faultText(spec)}</span>
        </Action>
      ))}
      <JobPreset />
    </div>
  )
}

const failures: Readonly<Record<string, FaultSpec>> = {
  'with 503': { status: 503 },
  'with 429': { status: 429, retryAfter: 1 },
  'broken connection': { network: true },
  'lost response': { network: true, phase: 'after' },
}

/** Sets a fault for the next request like this one. */
export function FailNext({ entry: { operation, method, path } }: { entry: JournalEntry }) {
  const act = useAct()
  if (operation === null) return null
  const choose = (name: string) => {
    const spec = { operation, match: { path }, ...failures[name] }
    void act((controls) => controls.fault(spec), { done: `The next ${method} ${path} fails.` })
  }
  const names = Object.keys(failures).filter((name) => name !== 'lost response' || method !== 'GET')
  const texts = { label: 'Fail this next time', empty: 'Fail this next time …' }
  return <Select class="quiet" {...texts} choices={labelled(names)} value="" set={choose} />
}
