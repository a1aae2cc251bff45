// Presets: faults that every client should tolerate.
import type { OperationId } from '../../../../contract/index.ts'
import type { FaultSpec } from '../../../../core/fault-spec.ts'
import { countText } from '../../format.ts'
import { useConsole, useLines } from '../../parts/context.ts'
import { Button } from '../../parts/controls.tsx'
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

interface TileProps {
  readonly name: string
  readonly text: string
  readonly disabled?: boolean
  readonly onClick: () => unknown
}

function Tile({ name, text, ...others }: TileProps) {
  return (
    <Button look="tile" {...others}>
      <strong>{name}</strong>
      <span>{text}</span>
    </Button>
  )
}

/** The first preset uses the create operation that the client sent last. */
export function Presets() {
  const { live, controls, act } = useConsole()
  const sent = useLines().findLast(({ operation }) => creates.has(operation ?? ''))
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
          onClick={() => act(() => controls.fault(spec), `Set: ${name}.`)}
        />
      ))}
      <Tile
        name="Job that fails half-way"
        text={
          running
            ? `Ends ${running.id} as failed; the ${countText(running.row_count, 'row')} it has inserted stay.`
            : 'Ends a running job as failed; its rows stay. No job is running.'
        }
        disabled={!running}
        onClick={() => running && act(() => controls.failJob(running.id), `${running.id} failed.`)}
      />
    </div>
  )
}
