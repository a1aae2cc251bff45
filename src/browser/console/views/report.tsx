// The report: which rules of the contract the client broke, how often, and what to do about it.
import { useEffect, useRef } from 'preact/hooks'
import { clientRules, type RuleId } from '../../../contract/client-rules.ts'
import type { QuestionId } from '../../../contract/questions/register.ts'
import type { Finding } from '../../../core/report.ts'
import { countText } from '../format.ts'
import { useConsole, usePlace } from '../parts/context.ts'
import { CopyButton, Segmented, Switch, typed } from '../parts/controls.tsx'
import { useLoaded } from '../parts/loaded.ts'
import { Empty, Mark, toneOfSeverity } from '../parts/marks.tsx'
import { RequestChips } from '../parts/request-chips.tsx'
import { contextOf, markdownOf, severities, severityNames, timesText, whatOf } from './report-markdown.ts'

const requestsShown = 12
const severityMeanings = {
  error: 'The client broke a rule of the contract.',
  warning: 'It works, but not as intended.',
  info: 'Responses that rely on something the contract leaves open.',
}

function Requests({ title, ids }: { readonly title: string; readonly ids: readonly number[] }) {
  if (ids.length === 0) return null
  return (
    <span class="requests">
      <span class="aside">{title}</span>
      <RequestChips ids={ids.slice(-requestsShown)} />
      {ids.length > requestsShown && <span>and {ids.length - requestsShown} earlier</span>}
    </span>
  )
}

function FindingCard({ finding }: { readonly finding: Finding }) {
  const { go } = useConsole()
  const { rule, severity, operation, count, offending } = finding
  const { advice, source } = clientRules[rule]
  return (
    <li class="sheet finding">
      <header>
        <button type="button" class="bare" onClick={() => go({ rule })} title="Show the rule">
          <Mark tone={toneOfSeverity[severity]}>{rule}</Mark>
        </button>
        {operation !== null && <span class="operation">{operation}</span>}
        <span class="times">{timesText(count)}</span>
      </header>
      <p class="message">{whatOf(finding)}</p>
      <p class="advice">
        <strong>What to do</strong> {advice}
      </p>
      <footer>
        <Requests title="At fault" ids={offending} />
        <Requests title="Context" ids={contextOf(finding)} />
        <span class="source">Contract: {source}</span>
      </footer>
    </li>
  )
}

const questionOf = ({ message }: Finding) => / question (\w+):/.exec(message)?.[1] as QuestionId | undefined

/** What responses relied on, by question. */
function Assumptions({ findings }: { readonly findings: readonly Finding[] }) {
  const { source, show } = useConsole()
  const { value: questions } = useLoaded(() => source.controls(null).questions(), [source])
  const ids = [...new Set(findings.map(questionOf))].filter((id) => id !== undefined)
  return (
    <ul class="findings">
      {ids.map((id) => {
        const own = findings.filter((finding) => questionOf(finding) === id)
        const question = questions?.find((one) => one.id === id)
        return (
          <li key={id} class="sheet finding">
            <header>
              <button type="button" class="link" onClick={() => show('questions', { question: id })}>
                {id}
              </button>
              {question?.fixed === true && <Mark>one answer</Mark>}
              <span class="times">{timesText(own.reduce((sum, { count }) => sum + count, 0))}</span>
            </header>
            <p class="message">{question?.notShown}</p>
            <footer>
              {own.map(({ operation, requests }) => (
                <Requests key={operation} title={operation ?? ''} ids={requests} />
              ))}
            </footer>
          </li>
        )
      })}
    </ul>
  )
}

function Rules({ findings }: { readonly findings: readonly Finding[] }) {
  const [open] = usePlace('rule')
  const shown = useRef<HTMLDivElement>(null)
  useEffect(() => shown.current?.scrollIntoView({ block: 'center' }), [open])
  return (
    <details class="rules" open={open !== ''}>
      <summary>{Object.keys(clientRules).length} rules are checked</summary>
      <dl>
        {Object.entries(clientRules).map(([id, { severity, condition, advice, source }]) => {
          const broken = findings
            .filter(({ rule }) => rule === (id as RuleId))
            .reduce((sum, { count }) => sum + count, 0)
          return (
            <div key={id} class={id === open ? 'is-open' : ''} ref={id === open ? shown : null}>
              <dt>
                <Mark tone={toneOfSeverity[severity]}>{id}</Mark>
              </dt>
              <dd>
                {condition} {advice}{' '}
                <span class="aside">
                  Contract: {source}.{broken > 0 && ` Broken ${timesText(broken)}.`}
                </span>
              </dd>
            </div>
          )
        })}
      </dl>
    </details>
  )
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const { live, sandbox } = useConsole()
  const count = live.lines.filter((line) => line.sandbox === sandbox).length
  return (
    <div class="sheet">
      {isFiltered ? (
        <Empty title="No finding matches" />
      ) : count === 0 ? (
        <Empty title="Nothing to judge yet">
          <p>
            The mock checks how your client uses the API: how often it polls, whether it heeds Retry-After,
            what it sends in rows. Breaches of the contract are listed here with what to do about them.
          </p>
        </Empty>
      ) : (
        <Empty title="Nothing to report">
          <p>{countText(count, 'request')} in the journal, and none broke a rule of the contract.</p>
        </Empty>
      )}
    </div>
  )
}

export function Report() {
  const { live, controls } = useConsole()
  const [severity, setSeverity] = usePlace('severity')
  const [operation, setOperation] = usePlace('operation')
  const [assumed, setAssumed] = usePlace('assumptions')
  const { value } = useLoaded(
    () => (assumed === '' ? Promise.resolve(null) : controls.report({ assumptions: true })),
    [controls, assumed, live.findings],
  )
  const all = (assumed === '' ? null : value) ?? live.findings
  const operations = [...new Set(all.map((finding) => finding.operation))].filter((id) => id !== null).sort()
  const findings = all.filter(
    (finding) =>
      (severity === '' || finding.severity === severity) &&
      (operation === '' || finding.operation === operation),
  )
  const present = severities.filter((one) => one === severity || all.some((it) => it.severity === one))
  return (
    <div class="report">
      <div class="toolbar">
        <h2>Report on the client</h2>
        <span class="spacer" />
        {all.length > 0 && (
          <CopyButton kind="quiet" text={() => markdownOf(findings)}>
            Copy as Markdown
          </CopyButton>
        )}
      </div>
      <div class="toolbar">
        {present.length > 1 && (
          <Segmented
            legend="Severity"
            choices={[
              { value: '', label: 'All' },
              ...present.map((value) => ({ value, label: severityNames[value] })),
            ]}
            value={severity as (typeof severities)[number] | ''}
            onChange={(one) => setSeverity(one || undefined)}
          />
        )}
        {(operations.length > 1 || operation !== '') && (
          <select
            aria-label="Operation"
            value={operation}
            onChange={(event) => setOperation(typed(event) || undefined)}
          >
            <option value="">All operations</option>
            {operations.map((id) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </select>
        )}
        <Switch
          label="Assumptions"
          isOn={assumed !== ''}
          onChange={(isOn) => setAssumed(isOn ? 'shown' : undefined)}
        />
      </div>
      {findings.length === 0 && <Nothing isFiltered={all.length > 0} />}
      {severities.map((one) => {
        const own = findings.filter((finding) => finding.severity === one)
        if (own.length === 0) return null
        return (
          <section key={one}>
            <h3 class="section">
              {severityNames[one]} <span class="aside">{severityMeanings[one]}</span>
            </h3>
            {one === 'info' ? (
              <Assumptions findings={own} />
            ) : (
              <ul class="findings">
                {own.map((finding) => (
                  <FindingCard
                    key={`${finding.rule} ${finding.operation ?? ''} ${finding.message}`}
                    finding={finding}
                  />
                ))}
              </ul>
            )}
          </section>
        )
      })}
      <Rules findings={all} />
    </div>
  )
}
