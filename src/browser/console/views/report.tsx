// The report: which rules of the contract the client broke, how often, and what to do about it.
import { useState } from 'preact/hooks'
import { clientRules } from '../../../contract/client-rules.ts'
import type { Finding } from '../../../core/report.ts'
import { countText } from '../format.ts'
import { useConsole } from '../parts/context.ts'
import { Switch } from '../parts/controls.tsx'
import { useLoaded } from '../parts/loaded.ts'
import { Empty, Mark, toneOfSeverity } from '../parts/marks.tsx'

const requestsShown = 12
const severities = ['error', 'warning', 'info'] as const
const severityNames = { error: 'Errors', warning: 'Warnings', info: 'For your information' }
const severityMeanings = {
  error: 'The client broke a rule that the contract states.',
  warning: 'It works, but not as it is meant.',
  info: 'An answer rests on something the contract leaves open.',
}

function FindingCard({ finding }: { readonly finding: Finding }) {
  const { openEntry, sandbox } = useConsole()
  const { rule, severity, message, operation, requests, count } = finding
  const { advice, source } = clientRules[rule]
  const what = message.replace(advice, '').trim()
  return (
    <li class="sheet finding">
      <header>
        <Mark tone={toneOfSeverity[severity]}>{rule}</Mark>
        {operation !== null && <span class="operation">{operation}</span>}
        <span class="times">{count === 1 ? 'once' : `${String(count)} times`}</span>
      </header>
      <p class="message">{what}</p>
      <p class="advice">
        <strong>What to do</strong> {advice}
      </p>
      <footer>
        <span class="requests">
          {requests.slice(-requestsShown).map((id) => (
            <button
              type="button"
              class="chip"
              key={id}
              aria-label={`Request ${String(id)}`}
              onClick={() => openEntry({ id, sandbox })}
            >
              #{id}
            </button>
          ))}
          {requests.length > requestsShown && <span>and {requests.length - requestsShown} before</span>}
        </span>
        <span class="source">Contract: {source}</span>
      </footer>
    </li>
  )
}

function Rules() {
  return (
    <details class="rules">
      <summary>What is looked at: {Object.keys(clientRules).length} rules</summary>
      <dl>
        {Object.entries(clientRules).map(([id, { severity, condition }]) => (
          <div key={id}>
            <dt>
              <Mark tone={toneOfSeverity[severity]}>{id}</Mark>
            </dt>
            <dd>{condition}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

export function Report() {
  const { live, world, sandbox } = useConsole()
  const count = live.lines.filter((line) => line.sandbox === sandbox).length
  const [wantsAssumptions, setWantsAssumptions] = useState(false)
  const { value } = useLoaded(() => world.report({ assumptions: true }), [world, live.revision])
  const findings = wantsAssumptions ? (value ?? live.findings) : live.findings
  return (
    <div class="report">
      <div class="toolbar">
        <h2>Report on the client</h2>
        <span class="spacer" />
        <Switch
          label="Show what rests on open questions"
          isOn={wantsAssumptions}
          onChange={setWantsAssumptions}
        />
      </div>
      {findings.length === 0 && (
        <div class="sheet">
          {count === 0 ? (
            <Empty title="Nothing to judge yet">
              <p>
                The mock watches how your client uses the API: how often it polls, whether it heeds
                Retry-After, what it sends in rows. Breaches of the contract turn up here with what to do
                about them.
              </p>
            </Empty>
          ) : (
            <Empty title="Nothing to report">
              <p>{countText(count, 'request')} in the journal, and none broke a rule of the contract.</p>
            </Empty>
          )}
        </div>
      )}
      {severities.map((severity) => {
        const ofSeverity = findings.filter((finding) => finding.severity === severity)
        if (ofSeverity.length === 0) return null
        return (
          <section key={severity}>
            <h3 class="section">
              {severityNames[severity]} <span class="aside">{severityMeanings[severity]}</span>
            </h3>
            <ul class="findings">
              {ofSeverity.map((finding) => (
                <FindingCard
                  key={`${finding.rule} ${finding.operation ?? ''} ${finding.message}`}
                  finding={finding}
                />
              ))}
            </ul>
          </section>
        )
      })}
      <Rules />
    </div>
  )
}
