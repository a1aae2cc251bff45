// Faults that every client should bear, one click each.
import type { OperationId } from '../../../../contract/index.ts'
import type { FaultSpec } from '../../../../core/fault-spec.ts'
import { countText } from '../../format.ts'
import { useConsole } from '../../parts/context.ts'
import { faultText } from './fault-text.ts'

const creates = new Set([
  'createTask',
  'createRow',
  'createComment',
  'createTimeEntry',
  'createSpace',
  'createList',
])

const presetsOf = (create: OperationId): readonly (readonly [name: string, spec: FaultSpec])[] => [
  ['Lost response after a create', { operation: create, network: true, phase: 'after' }],
  ['Rate-limit storm', { status: 429, times: 5, retryAfter: 2 }],
  ['Slow network', { status: 200, times: null, delayMs: 2000 }],
  ['Broken connection', { network: true }],
]

function Tile({
  name,
  text,
  onClick,
}: {
  readonly name: string
  readonly text: string
  readonly onClick: (() => void) | undefined
}) {
  return (
    <button type="button" class="tile" disabled={!onClick} onClick={onClick}>
      <strong>{name}</strong>
      <span>{text}</span>
    </button>
  )
}

/** The create that the client sent last is the one whose response gets lost. */
export function Presets() {
  const { live, controls, act, sandbox } = useConsole()
  const sent = live.lines.findLast((line) => line.sandbox === sandbox && creates.has(line.operation ?? ''))
  const running = live.overview?.workspaces
    .flatMap(({ jobs }) => jobs)
    .findLast(({ completed_ms }) => completed_ms === null)
  return (
    <div class="tiles" role="group" aria-label="Presets">
      {presetsOf(sent?.operation ?? 'createTask').map(([name, spec]) => (
        <Tile
          key={name}
          name={name}
          text={faultText(spec)}
          onClick={() => void act(() => controls.fault(spec), `Set: ${name}.`)}
        />
      ))}
      <Tile
        name="Job that fails half-way"
        text={
          running
            ? `Ends ${running.id} as failed; the ${countText(running.row_count, 'row')} it has inserted stay.`
            : 'Ends a running job as failed; its rows stay. No job is running.'
        }
        onClick={running && (() => void act(() => controls.failJob(running.id), `${running.id} failed.`))}
      />
    </div>
  )
}
