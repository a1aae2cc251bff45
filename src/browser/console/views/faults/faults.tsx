// The faults: presets, a form, the active faults and the used ones, with what the client did afterwards.
import type { FaultState } from '../../../../core/faults.ts'
import type { Located } from '../../live-state.ts'
import { Button } from '../../parts/button.tsx'
import { useConsole, useLoaded } from '../../parts/context.ts'
import { Action } from '../../parts/controls.tsx'
import { InSandbox, sandboxText, scopeState, useScope } from '../../parts/scope.tsx'
import { EmptyState, Mark, StatusCode, toneOfSeverity } from '../../parts/blocks.tsx'
import { RequestChips } from '../../parts/finding.tsx'
import { FaultForm } from './fault-form.tsx'
import { Presets } from './fault-presets.tsx'
import { faultText, verdictOf } from './fault-text.ts'

/** What the client did after the fault, and which rules it broke. */
function AfterFault({ fault }: { readonly fault: FaultState }) {
  const { live, show, sandbox } = useConsole()
  const verdict = verdictOf(fault, useScope().requests)
  if (!verdict) return null
  const broken = live.findings.filter(
    (finding) => finding.sandbox === sandbox && finding.offending.some((id) => verdict.requests.includes(id)),
  )
  return (
    <p class="verdict">
      <Mark tone={verdict.tone}>then</Mark> {verdict.text}{' '}
      <RequestChips requests={verdict.requests.slice(-4).map((id) => ({ id, sandbox }))} />{' '}
      {[...new Map(broken.map((finding) => [finding.rule, finding.severity]))].map(([rule, severity]) => (
        <Button
          class="bare"
          key={rule}
          onClick={() => show('report', { rule, part: undefined, ...scopeState(sandbox) })}
        >
          <Mark tone={toneOfSeverity[severity]}>{rule}</Mark>
        </Button>
      ))}
    </p>
  )
}

interface FaultProps {
  readonly fault: FaultState
  readonly isUsed: boolean
  /** Name of its sandbox where several are shown. */
  readonly place: string
}

function Fault({ fault, isUsed, place }: FaultProps) {
  const { id, hits, disturbance, ...spec } = fault
  const { times } = spec
  const left = !isUsed && typeof times === 'number' ? { ...fault, times: times - hits } : fault
  return (
    <li>
      {disturbance ? (
        <Mark tone="accent">{disturbance.family}</Mark>
      ) : (
        <StatusCode status={fault.network === true ? 0 : (fault.status ?? 500)} />
      )}
      <div class="what">
        {faultText(left)}
        <span class="aside">
          {' '}
          {id}
          {fault.match === undefined ? '' : `, where ${JSON.stringify(fault.match)}`}
          {place !== '' && `, in ${place}`}
        </span>
        {hits > 0 && <AfterFault fault={fault} />}
      </div>
      <span class="hits">
        {hits}
        {typeof times === 'number' && <span class="of"> of {times}</span>}{' '}
        {(typeof times === 'number' ? times : hits) === 1 ? 'hit' : 'hits'}
      </span>
      {isUsed ? (
        <Action label={`Set ${id} again`} run={(controls) => controls.fault(spec)} done="Fault set.">
          Set again
        </Action>
      ) : (
        <Action target={id} run={(controls) => controls.removeFault(id)}>
          Remove
        </Action>
      )}
    </li>
  )
}

interface FaultListProps {
  readonly faults: readonly Located<FaultState>[]
  readonly isUsed?: boolean
}

function FaultList({ faults, isUsed = false }: FaultListProps) {
  const { isAll } = useScope()
  return (
    <ul class="sheet item-list">
      {faults.map(({ sandbox, ...fault }) => (
        <InSandbox key={`${sandbox ?? ''} ${fault.id}`} sandbox={sandbox}>
          <Fault fault={fault} isUsed={isUsed} place={isAll ? sandboxText(sandbox) : ''} />
        </InSandbox>
      ))}
    </ul>
  )
}

export function FaultsView() {
  const { live } = useConsole()
  const { each } = useScope()
  const { value: used } = useLoaded(async () => {
    const read = await each((controls) => controls.usedFaults())
    return read.flatMap(([sandbox, faults]) => faults.map((fault) => ({ ...fault, sandbox })))
  }, [live.faults])
  return (
    <div class="faults">
      <Presets />
      <FaultForm />
      <div>
        <div class="toolbar">
          <h3 class="section">Active</h3>
          <span class="spacer" />
          {live.faults.length > 0 && (
            <Action kind="quiet" run={(mock) => mock.resetFaults()} done="Faults removed.">
              Remove all
            </Action>
          )}
        </div>
        {live.faults.length > 0 ? (
          <FaultList faults={live.faults} />
        ) : (
          <EmptyState title="No fault is set">
            A fault makes the next matching requests slow, breaks their connection, or gives them an error
            status that the contract documents. It is removed after its last hit. For a single request a
            client can also send <code>Prefer: code=503</code>.
          </EmptyState>
        )}
        {used && used.length > 0 && (
          <>
            <h3 class="section">Used</h3>
            <FaultList faults={used.toReversed()} isUsed />
          </>
        )}
      </div>
    </div>
  )
}
