// The faults: presets, a form, the active faults and the used ones, with what the client did afterwards.
import type { FaultState } from '../../../../core/faults.ts'
import { useConsole, useLines, useLoaded } from '../../parts/context.ts'
import { Action, Button } from '../../parts/controls.tsx'
import { EmptyState, Mark, StatusCode, toneOfSeverity } from '../../parts/blocks.tsx'
import { RequestChips } from '../../parts/finding.tsx'
import { FaultForm } from './fault-form.tsx'
import { Presets } from './fault-presets.tsx'
import { faultText, verdictOf } from './fault-text.ts'

/** What the client did after the fault, and which rules it broke. */
function AfterFault({ fault }: { readonly fault: FaultState }) {
  const { live, show } = useConsole()
  const verdict = verdictOf(fault, useLines())
  if (!verdict) return null
  const broken = live.findings.filter(({ offending }) =>
    offending.some((id) => verdict.requests.includes(id)),
  )
  return (
    <p class="verdict">
      <Mark tone={verdict.tone}>then</Mark> {verdict.text} <RequestChips ids={verdict.requests.slice(-4)} />{' '}
      {[...new Map(broken.map((finding) => [finding.rule, finding.severity]))].map(([rule, severity]) => (
        <Button class="bare" key={rule} onClick={() => show('report', { rule })}>
          <Mark tone={toneOfSeverity[severity]}>{rule}</Mark>
        </Button>
      ))}
    </p>
  )
}

function Fault({ fault, isUsed = false }: { readonly fault: FaultState; readonly isUsed?: boolean }) {
  const { id, hits, ...spec } = fault
  const { times } = spec
  const left = !isUsed && typeof times === 'number' ? { ...fault, times: times - hits } : fault
  return (
    <li>
      <StatusCode status={fault.network === true ? 0 : (fault.status ?? 500)} />
      <div class="what">
        {faultText(left)}
        <span class="aside">
          {' '}
          {id}
          {fault.match === undefined ? '' : `, where ${JSON.stringify(fault.match)}`}
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

export function FaultsView() {
  const { live, controls } = useConsole()
  const { value: used } = useLoaded(() => controls.usedFaults(), [live.faults])
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
          <ul class="sheet item-list">
            {live.faults.map((fault) => (
              <Fault key={fault.id} fault={fault} />
            ))}
          </ul>
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
            <ul class="sheet item-list">
              {used.toReversed().map((fault) => (
                <Fault key={fault.id} fault={fault} isUsed />
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  )
}
