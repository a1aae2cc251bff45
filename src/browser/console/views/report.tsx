// The report: which rules of the contract the client broke, how often, and what to do about it.
import { useEffect, useRef } from 'preact/hooks'
import { clientRules, type RuleId, type Severity } from '../../../contract/client-rules.ts'
import type { Finding } from '../../../core/report.ts'
import { countText, timesText } from '../format.ts'
import { useConsole, useLines, useLoaded, useViewState } from '../parts/context.ts'
import { Button, CopyButton, SegmentedFilter, Switch } from '../parts/controls.tsx'
import { OperationSelect } from '../parts/fields.tsx'
import { FindingCard, RequestChips } from '../parts/finding.tsx'
import { EmptyState, Mark, toneOfSeverity } from '../parts/blocks.tsx'
import { reportContext, markdownOf, severities, severityNames, whatOf } from './report-markdown.ts'

const requestsShown = 12
const severityMeanings = {
  error: 'The client broke a rule of the contract.',
  warning: 'It works, but not as the contract intends.',
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

function BrokenRule({ finding }: { readonly finding: Finding }) {
  const { go } = useConsole()
  const { rule, severity, operation, count, offending } = finding
  const { advice, source } = clientRules[rule]
  return (
    <FindingCard
      head={
        <Button class="bare" onClick={() => go({ rule })} title="Show the rule">
          <Mark tone={toneOfSeverity[severity]}>{rule}</Mark>
        </Button>
      }
      operation={operation}
      count={count}
      message={whatOf(finding)}
      notes={[['What to do', advice]]}
    >
      <Requests title="At fault" ids={offending} />
      <Requests title="Context" ids={reportContext(finding)} />
      <span class="aside source">Contract: {source}</span>
    </FindingCard>
  )
}

const sumOf = (findings: readonly Finding[]) => findings.reduce((sum, { count }) => sum + count, 0)

const questionOf = ({ question }: Finding) => question

/** The assumptions that responses relied on, by question. */
function Assumptions({ findings }: { readonly findings: readonly Finding[] }) {
  const { source, show } = useConsole()
  const { value: questions } = useLoaded(() => source.controls(null).questions(), [])
  const ids = [...new Set(findings.map(questionOf))].filter((id) => id !== undefined)
  return (
    <ul class="findings">
      {ids.map((id) => {
        const own = findings.filter((finding) => questionOf(finding) === id)
        const question = questions?.find((one) => one.id === id)
        return (
          <FindingCard
            key={id}
            head={
              <>
                <Button class="link" onClick={() => show('questions', { question: id })}>
                  {id}
                </Button>
                {question?.fixed === true && <Mark>one answer</Mark>}
              </>
            }
            count={sumOf(own)}
            message={question?.notShown}
          >
            {own.map(({ operation, requests }) => (
              <Requests key={operation} title={operation ?? ''} ids={requests} />
            ))}
          </FindingCard>
        )
      })}
    </ul>
  )
}

function Rules({ findings }: { readonly findings: readonly Finding[] }) {
  const [open] = useViewState('rule')
  const shown = useRef<HTMLDivElement>(null)
  useEffect(() => shown.current?.scrollIntoView({ block: 'center' }), [open])
  return (
    <details class="rules" open={open !== ''}>
      <summary>{Object.keys(clientRules).length} rules are checked</summary>
      <dl>
        {Object.entries(clientRules).map(([id, { severity, condition, advice, source }]) => {
          const broken = sumOf(findings.filter(({ rule }) => rule === (id as RuleId)))
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

function EmptyReport({ isFiltered }: { readonly isFiltered: boolean }) {
  const { live } = useConsole()
  const { length: count } = useLines()
  if (isFiltered) return <EmptyState title="No finding matches" />
  if (live.status === 'loading') return <EmptyState title="Reading the journal …" />
  if (count > 0)
    return (
      <EmptyState title="Nothing to report">
        {countText(count, 'request')} in the journal, and none broke a rule of the contract.
      </EmptyState>
    )
  return (
    <EmptyState title="No request yet">
      The mock checks how your client uses the API: how often it polls, whether it honours Retry-After, what
      it sends in rows. Breaches of the contract are listed here with what to do about them.
    </EmptyState>
  )
}

/** The findings with or without assumptions, which have to be read. */
function useFindings(isAssumed: boolean): readonly Finding[] {
  const { live, controls } = useConsole()
  const { value } = useLoaded(
    async () => (isAssumed ? controls.report({ assumptions: true }) : null),
    [isAssumed, live.findings],
  )
  return (isAssumed ? value : null) ?? live.findings
}

/** Filters; each is offered if it has a choice or is active. */
function Filters({ findings }: { readonly findings: readonly Finding[] }) {
  const { severity, operation } = useConsole().viewState
  const [assumed, setAssumed] = useViewState('assumptions')
  const offered = severities.filter((one) => one === severity || findings.some((it) => it.severity === one))
  return (
    <div class="toolbar">
      {offered.length > 1 && (
        <SegmentedFilter
          name="severity"
          legend="Severity"
          empty="All"
          choices={Object.fromEntries(offered.map((id) => [id, severityNames[id]]))}
        />
      )}
      {(operation !== undefined || new Set(findings.map((finding) => finding.operation)).size > 1) && (
        <OperationSelect items={findings} />
      )}
      <Switch
        label="Assumptions"
        isOn={assumed !== ''}
        onChange={(isOn) => setAssumed(isOn ? 'shown' : undefined)}
      />
    </div>
  )
}

interface FindingsProps {
  readonly severity: Severity
  /** All of this severity. */
  readonly findings: readonly Finding[]
}

function Findings({ severity, findings }: FindingsProps) {
  if (findings.length === 0) return null
  return (
    <section>
      <h3 class="section">
        {severityNames[severity]} <span class="aside">{severityMeanings[severity]}</span>
      </h3>
      {severity === 'info' ? (
        <Assumptions findings={findings} />
      ) : (
        <ul class="findings">
          {findings.map((finding) => (
            <BrokenRule
              key={`${finding.rule} ${finding.operation ?? ''} ${finding.message}`}
              finding={finding}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

export function ReportView() {
  const { severity, operation, assumptions = '' } = useConsole().viewState
  const all = useFindings(assumptions !== '')
  const findings = all.filter(
    (finding) =>
      (severity === undefined || finding.severity === severity) &&
      (operation === undefined || finding.operation === operation),
  )
  return (
    <>
      <div class="toolbar">
        <h2>Report on the client</h2>
        <span class="spacer" />
        {all.length > 0 && (
          <CopyButton kind="quiet" text={() => markdownOf(findings)}>
            Copy as Markdown
          </CopyButton>
        )}
      </div>
      <Filters findings={all} />
      {findings.length === 0 && <EmptyReport isFiltered={all.length > 0} />}
      {severities.map((one) => (
        <Findings
          key={one}
          severity={one}
          findings={findings.filter((finding) => finding.severity === one)}
        />
      ))}
      <Rules findings={all} />
    </>
  )
}
