// The faults: presets, those that are set and those that were used, with what the client did then, and the form.
import { useMemo } from 'preact/hooks'
import type { FaultState } from '../../../../core/faults.ts'
import type { Line } from '../../live.ts'
import { useConsole } from '../../parts/context.ts'
import { Button } from '../../parts/controls.tsx'
import { useLoaded } from '../../parts/loaded.ts'
import { Empty, Mark, Status, toneOfSeverity } from '../../parts/marks.tsx'
import { RequestChips } from '../../parts/request-chips.tsx'
import { FaultForm } from './fault-form.tsx'
import { Presets } from './fault-presets.tsx'
import { faultText } from './fault-text.ts'
import { verdictOf } from './fault-verdict.ts'

/** What the client did after the fault, and which rules it broke in doing so. */
function AfterFault({ fault, lines }: { readonly fault: FaultState; readonly lines: readonly Line[] }) {
  const { live, show } = useConsole()
  const verdict = verdictOf(fault, lines)
  if (!verdict) return null
  const broken = live.findings.filter(({ offending }) =>
    offending.some((id) => verdict.requests.includes(id)),
  )
  return (
    <p class="verdict">
      <Mark tone={verdict.tone}>then</Mark> {verdict.text} <RequestChips ids={verdict.requests.slice(-4)} />{' '}
      {[...new Map(broken.map((finding) => [finding.rule, finding.severity]))].map(([rule, severity]) => (
        <button type="button" class="bare" key={rule} onClick={() => show('report', { rule })}>
          <Mark tone={toneOfSeverity[severity]}>{rule}</Mark>
        </button>
      ))}
    </p>
  )
}

interface FaultProps {
  readonly fault: FaultState
  readonly isUsed: boolean
  /** Requests of its sandbox. */
  readonly lines: readonly Line[]
}

function Fault({ fault, isUsed, lines }: FaultProps) {
  const { controls, act } = useConsole()
  const { id, hits, ...spec } = fault
  const { times } = spec
  const left = !isUsed && typeof times === 'number' ? { ...fault, times: times - hits } : fault
  return (
    <li>
      <Status status={fault.network === true ? 0 : (fault.status ?? 500)} />
      <div class="what">
        {faultText(left)}
        <span class="aside">
          {' '}
          {id}
          {fault.match === undefined ? '' : `, where ${JSON.stringify(fault.match)}`}
        </span>
        {hits > 0 && <AfterFault fault={fault} lines={lines} />}
      </div>
      <span class="hits">
        {hits}
        {typeof times === 'number' && <span class="of"> of {times}</span>}{' '}
        {(typeof times === 'number' ? times : hits) === 1 ? 'hit' : 'hits'}
      </span>
      {isUsed ? (
        <Button label={`Set ${id} again`} onClick={() => void act(() => controls.fault(spec), 'Fault set.')}>
          Set again
        </Button>
      ) : (
        <Button label={`Remove ${id}`} onClick={() => void act(() => controls.removeFault(id))}>
          Remove
        </Button>
      )}
    </li>
  )
}

export function Faults() {
  const { live, controls, act, sandbox } = useConsole()
  const lines = useMemo(() => live.lines.filter((line) => line.sandbox === sandbox), [live.lines, sandbox])
  const { value: used } = useLoaded(() => controls.usedFaults(), [controls, live.faults])
  return (
    <div class="faults">
      <Presets />
      <FaultForm />
      <div>
        <div class="toolbar">
          <h3 class="section">Active</h3>
          <span class="spacer" />
          {live.faults.length > 0 && (
            <Button kind="quiet" onClick={() => void act(() => controls.resetFaults(), 'Faults removed.')}>
              Remove all
            </Button>
          )}
        </div>
        <div class="sheet">
          {live.faults.length === 0 ? (
            <Empty title="No fault is set">
              <p>
                A fault makes the next matching requests fail, be slow, or break off, with any status the
                contract documents. It is removed after its last hit. For a single request a client can also
                send <code>Prefer: code=503</code>.
              </p>
            </Empty>
          ) : (
            <ul class="fault-list">
              {live.faults.map((fault) => (
                <Fault key={fault.id} fault={fault} isUsed={false} lines={lines} />
              ))}
            </ul>
          )}
        </div>
        {used && used.length > 0 && (
          <>
            <h3 class="section">Used</h3>
            <ul class="sheet fault-list">
              {used.toReversed().map((fault) => (
                <Fault key={fault.id} fault={fault} isUsed lines={lines} />
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  )
}
