// The faults: those that are set with their hits, and the form that sets one.
import type { FaultState } from '../../../core/faults.ts'
import { useConsole } from '../parts/context.ts'
import { Button } from '../parts/controls.tsx'
import { Empty, Status } from '../parts/marks.tsx'
import { FaultForm } from './fault-form.tsx'
import { faultText } from './fault-text.ts'

function Fault({ fault }: { readonly fault: FaultState }) {
  const { world, act } = useConsole()
  const { id, hits, times } = fault
  const left = typeof times === 'number' ? { ...fault, times: times - hits } : fault
  return (
    <li>
      <Status status={fault.network === true ? 0 : (fault.status ?? 500)} />
      <span class="what">
        {faultText(left)}
        <span class="aside">
          {' '}
          {id}
          {fault.match === undefined ? '' : `, where ${JSON.stringify(fault.match)}`}
        </span>
      </span>
      <span class="hits">
        {hits}
        {typeof times === 'number' && <span class="of"> of {times}</span>}{' '}
        {hits === 1 && typeof times !== 'number' ? 'hit' : 'hits'}
      </span>
      <Button label={`Remove ${id}`} onClick={() => void act(() => world.removeFault(id))}>
        Remove
      </Button>
    </li>
  )
}

export function Faults() {
  const { live, world, act } = useConsole()
  return (
    <div class="faults">
      <FaultForm />
      <div>
        <div class="toolbar">
          <h3 class="section">Set now</h3>
          <span class="spacer" />
          {live.faults.length > 0 && (
            <Button kind="quiet" onClick={() => void act(() => world.resetFaults(), 'Faults removed.')}>
              Remove all
            </Button>
          )}
        </div>
        <div class="sheet">
          {live.faults.length === 0 ? (
            <Empty title="No fault is set">
              <p>
                A fault makes the next matching requests fail, be slow, or break off, with any status the
                contract documents. It goes away after its last hit. For a single request a client can also
                send <code>Prefer: code=503</code>.
              </p>
            </Empty>
          ) : (
            <ul class="fault-list">
              {live.faults.map((fault) => (
                <Fault key={fault.id} fault={fault} />
              ))}
            </ul>
          )}
        </div>
      </div>
    </div>
  )
}
