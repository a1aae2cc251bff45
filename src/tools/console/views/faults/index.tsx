// The faults: a form, the active faults and the used ones, with what the client did afterwards.
import type { FaultSpec } from '../../../../mock/faults/fault-spec.ts'
import type { FaultState } from '../../../../mock/faults/faults.ts'
import type { JournalEntry } from '../../../../mock/journal/entry.ts'
import { formatQuantity } from '../../format.ts'
import { groupFaults, type Located } from '../../live-state.ts'
import { EmptyState, Mark, RequestChips, StatusCode, toneOfSeverity } from '../../parts/blocks.tsx'
import { useConsole, useLoaded } from '../../parts/context.ts'
import { Action, Button } from '../../parts/controls.tsx'
import { ActingSelect, toChoices } from '../../parts/fields.tsx'
import { InSandboxes, nameOfSandbox, scopeStateOf } from '../../parts/scope.tsx'
import { FaultForm } from './fault-form.tsx'
import { describeFault, verdictOf } from './fault-text.ts'

const failures: Readonly<Record<string, FaultSpec>> = {
  'with 503': { status: 503 },
  'with 429': { status: 429, retryAfter: 1 },
  'broken connection': { network: true },
  'lost response': { network: true, phase: 'after' },
}

export function FailNext({ entry: { operation, method, path } }: { entry: JournalEntry }) {
  const { act } = useConsole()
  if (operation === null) return null
  const choose = (name: string) => {
    const spec = { operation, match: { path }, ...failures[name] }
    void act((controls) => controls.fault(spec), { done: `The next ${method} ${path} fails.` })
  }
  const names = Object.keys(failures).filter((name) => name !== 'lost response' || method !== 'GET')
  const texts = { label: 'Fail this next time', empty: 'Fail this next time …' }
  return <ActingSelect {...texts} choices={toChoices(names)} choose={choose} />
}

function AfterFault({ fault, place }: { fault: FaultState; place: string }) {
  const { live, show, sandbox, requests: rows } = useConsole()
  const verdict = verdictOf(fault, rows)
  if (!verdict) return null
  const { tone, text, requests } = verdict
  const broken = live.findings.filter(
    (finding) => finding.sandbox === sandbox && finding.offending.some((id) => requests.includes(id)),
  )
  const open = (rule: string) => show('report', { rule, part: undefined, ...scopeStateOf(sandbox) })
  return (
    <p class="verdict">
      <Mark tone={broken.length > 0 ? 'bad' : tone}>then</Mark> {place && `In ${place}: `}
      {text} <RequestChips requests={requests.slice(-4).map((id) => ({ id, sandbox }))} />{' '}
      {[...new Map(broken.map(({ rule, severity }) => [rule, severity]))].map(([rule, severity]) => (
        <Button class="bare" key={rule} onClick={() => open(rule)}>
          <Mark tone={toneOfSeverity[severity]}>{rule}</Mark>
        </Button>
      ))}
    </p>
  )
}

const shownSandboxes = 3

interface FaultProps {
  /** A fault of one sandbox, or the same fault in each sandbox that is shown. */
  readonly faults: ReturnType<typeof groupFaults>[number]
  readonly isUsed: boolean
  readonly isAll: boolean
}

function Fault({ faults, isUsed, isAll }: FaultProps) {
  const { id, sandbox: first, hits: own, problem, ...spec } = faults[0]
  const { times, match, network, status, effect, sandboxes } = spec
  const met = faults.filter(({ hits }) => hits > 0)
  const hits = met.reduce((sum, one) => sum + one.hits, 0)
  const isCounted = typeof times === 'number' && sandboxes === undefined
  const left = !isUsed && isCounted ? { ...spec, times: times - own } : spec
  const place = sandboxes ? 'every sandbox, including those made later' : isAll ? nameOfSandbox(first) : ''
  const where = `${match === undefined ? '' : `, where ${JSON.stringify(match)}`}${place && `, in ${place}`}`
  const more = met.length - shownSandboxes
  return (
    <li>
      {effect ? (
        <Mark tone="accent">{Object.keys(effect)[0]}</Mark>
      ) : (
        <StatusCode status={network === true ? 0 : (status ?? 500)} />
      )}
      <div class="what">
        {describeFault(left, isUsed)} <span class="aside">{id + where}</span>
        {problem !== null && (
          <p class="verdict">
            <Mark tone="bad">failed</Mark> {problem}
          </p>
        )}
        {met.slice(0, shownSandboxes).map(({ sandbox, ...fault }) => (
          <InSandboxes key={sandbox} names={[sandbox]}>
            <AfterFault fault={fault} place={met.length > 1 ? nameOfSandbox(sandbox) : ''} />
          </InSandboxes>
        ))}
        {more > 0 && (
          <p class="aside">It hit requests in {formatQuantity(more, 'more sandbox', 'more sandboxes')}.</p>
        )}
      </div>
      <span class="hits">
        {hits}
        {isCounted && <span class="of"> of {times}</span>} {(isCounted ? times : hits) === 1 ? 'hit' : 'hits'}
      </span>
      {!isUsed && (
        <Action
          target={id}
          run={(controls) => controls.removeFault(id)}
          text={sandboxes && !isAll ? 'Remove everywhere' : 'Remove'}
        />
      )}
    </li>
  )
}

function FaultList({ faults, isUsed }: { faults: readonly Located<FaultState>[]; isUsed: boolean }) {
  const { isAll } = useConsole()
  return (
    <ul class="sheet item-list">
      {groupFaults(faults).map((own) => (
        <InSandboxes key={`${own[0].sandbox ?? ''} ${own[0].id}`} names={[own[0].sandbox]}>
          <Fault faults={own} {...{ isUsed, isAll }} />
        </InSandboxes>
      ))}
    </ul>
  )
}

export function FaultsView() {
  const { live, list } = useConsole()
  const { faults } = live
  const { value: used } = useLoaded(() => list((controls) => controls.usedFaults()), [faults])
  const removal = { kind: 'quiet', text: 'Remove all', done: 'Faults removed.' } as const
  return (
    <div class="faults">
      <FaultForm />
      <div>
        <div class="toolbar">
          <h3 class="section">Active</h3>
          <span class="spacer" />
          {faults.length > 0 && <Action {...removal} run={(mock) => mock.resetFaults()} />}
        </div>
        {faults.length > 0 ? (
          <FaultList faults={faults} isUsed={false} />
        ) : (
          <EmptyState title="No fault is set">
            A fault delays the next matching requests, breaks their connections, or returns a documented error
            status. For a single request, a client can also send <code>Prefer: code=503</code>.
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
