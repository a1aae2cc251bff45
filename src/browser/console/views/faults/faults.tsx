// The faults: presets, a form, the active faults and the used ones, with what the client did afterwards.
import type { FaultState } from '../../../../core/faults.ts'
import type { Located } from '../../live-state.ts'
import { EmptyState, Mark, RequestChips, StatusCode, toneOfSeverity } from '../../parts/blocks.tsx'
import { useConsole, useLoaded } from '../../parts/context.ts'
import { Action, Button } from '../../parts/controls.tsx'
import { InSandboxes, sandboxText, scopeState, useScope } from '../../parts/scope.tsx'
import { FaultForm } from './fault-form.tsx'
import { Presets } from './fault-presets.tsx'
import { faultText, verdictOf } from './fault-text.ts'

/** What the client did after the fault, and which rules it broke. */
function AfterFault({ fault }: { fault: FaultState }) {
  const { live, show, sandbox } = useConsole()
  const verdict = verdictOf(fault, useScope().requests)
  if (!verdict) return null
  const { tone, text, requests } = verdict
  const broken = live.findings.filter(
    (finding) => finding.sandbox === sandbox && finding.offending.some((id) => requests.includes(id)),
  )
  const open = (rule: string) => () => show('report', { rule, part: undefined, ...scopeState(sandbox) })
  return (
    <p class="verdict">
      <Mark tone={tone}>then</Mark> {text}{' '}
      <RequestChips requests={requests.slice(-4).map((id) => ({ id, sandbox }))} />{' '}
      {[...new Map(broken.map(({ rule, severity }) => [rule, severity]))].map(([rule, severity]) => (
        <Button class="bare" key={rule} onClick={open(rule)}>
          <Mark tone={toneOfSeverity[severity]}>{rule}</Mark>
        </Button>
      ))}
    </p>
  )
}

/** `place`: name of its sandbox where several are shown. */
function Fault({ fault, isUsed, place }: { fault: FaultState; isUsed: boolean; place: string }) {
  const { id, hits, disturbance, ...spec } = fault
  const { times, match, network, status } = spec
  const isCounted = typeof times === 'number'
  const left = !isUsed && isCounted ? { ...fault, times: times - hits } : fault
  const where = `${match === undefined ? '' : `, where ${JSON.stringify(match)}`}${place && `, in ${place}`}`
  return (
    <li>
      {disturbance ? (
        <Mark tone="accent">{disturbance.family}</Mark>
      ) : (
        <StatusCode status={network === true ? 0 : (status ?? 500)} />
      )}
      <div class="what">
        {faultText(left)} <span class="aside">{id + where}</span>
        {hits > 0 && <AfterFault fault={fault} />}
      </div>
      <span class="hits">
        {hits}
        {isCounted && <span class="of"> of {times}</span>} {(isCounted ? times : hits) === 1 ? 'hit' : 'hits'}
      </span>
      {isUsed ? (
        <Action
          label={`Set ${id} again`}
          run={(controls) => controls.fault(spec)}
          done="Fault set."
          text="Set again"
        />
      ) : (
        <Action target={id} run={(controls) => controls.removeFault(id)} text="Remove" />
      )}
    </li>
  )
}

function FaultList({ faults, isUsed }: { faults: readonly Located<FaultState>[]; isUsed: boolean }) {
  const { isAll } = useScope()
  return (
    <ul class="sheet item-list">
      {faults.map(({ sandbox, ...fault }) => (
        <InSandboxes key={`${sandbox ?? ''} ${fault.id}`} names={[sandbox]}>
          <Fault fault={fault} isUsed={isUsed} place={isAll ? sandboxText(sandbox) : ''} />
        </InSandboxes>
      ))}
    </ul>
  )
}

export function FaultsView() {
  const { live } = useConsole()
  const { list } = useScope()
  const { value: used } = useLoaded(() => list((controls) => controls.usedFaults()), [live.faults])
  return (
    <div class="faults">
      <Presets />
      <FaultForm />
      <div>
        <div class="toolbar">
          <h3 class="section">Active</h3>
          <span class="spacer" />
          {live.faults.length > 0 && (
            <Action
              kind="quiet"
              run={(mock) => mock.resetFaults()}
              done="Faults removed."
              text="Remove all"
            />
          )}
        </div>
        {live.faults.length > 0 ? (
          <FaultList faults={live.faults} isUsed={false} />
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
