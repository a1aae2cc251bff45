// The report: which rules of the contract the client broke, how often, and what to do about it.
import { clientRules, type Severity } from '../../../../contract/client-rules.ts'
import type { Finding } from '../../../../core/report.ts'
import { countText } from '../../format.ts'
import type { Located, RequestRow } from '../../live-state.ts'
import { Button } from '../../parts/button.tsx'
import { useConsole, useLoaded, useViewState } from '../../parts/context.ts'
import { CopyButton, SegmentedFilter, Switch } from '../../parts/controls.tsx'
import { OperationSelect } from '../../parts/fields.tsx'
import { FindingCard, RequestChips } from '../../parts/finding.tsx'
import { EmptyState, Mark, toneOfSeverity } from '../../parts/blocks.tsx'
import { useScope } from '../../parts/scope.tsx'
import { Parts } from '../../parts/tabs.tsx'
import { Coverage } from './coverage.tsx'
import { Exploration } from './exploration.tsx'
import { reportContext, markdownOf, severities, severityNames, whatOf } from './report-markdown.ts'
import { Rules, sumOf } from './rules.tsx'

const requestsShown = 12
const severityMeanings = {
  error: 'The client broke a rule of the contract.',
  warning: 'It works, but not as the contract intends.',
  info: 'Responses that rely on something the contract leaves open, and rules that a clock which stood still left undecided.',
}

type Shown = Located<Finding>

const locate = (ids: readonly number[], { sandbox }: Shown) => ids.map((id) => ({ id, sandbox }))

interface RequestsProps {
  readonly title: string
  readonly requests: readonly Pick<RequestRow, 'id' | 'sandbox'>[]
}

function Requests({ title, requests }: RequestsProps) {
  if (requests.length === 0) return null
  return (
    <span class="requests">
      <span class="aside">{title}</span>
      <RequestChips requests={requests.slice(-requestsShown)} />
      {requests.length > requestsShown && <span>and {requests.length - requestsShown} earlier</span>}
    </span>
  )
}

/** One breach of a rule, in as many sandboxes as are shown. */
function BrokenRule({ findings }: { readonly findings: readonly Shown[] }) {
  const { go } = useConsole()
  const [first] = findings
  if (!first) return null
  const { rule, severity, operation } = first
  const { advice, source } = clientRules[rule]
  return (
    <FindingCard
      head={
        <Button class="bare" onClick={() => go({ rule })} title="Show the rule">
          <Mark tone={toneOfSeverity[severity]}>{rule}</Mark>
        </Button>
      }
      operation={operation}
      count={sumOf(findings)}
      message={whatOf(first)}
      notes={[
        ['What to do', advice],
        ...(findings.length > 1 ? [['In', countText(findings.length, 'sandbox', 'sandboxes')] as const] : []),
      ]}
    >
      <Requests title="At fault" requests={findings.flatMap((one) => locate(one.offending, one))} />
      <Requests title="Context" requests={findings.flatMap((one) => locate(reportContext(one), one))} />
      <span class="aside source">Contract: {source}</span>
    </FindingCard>
  )
}

const questionOf = ({ question }: Finding) => question

/** The assumptions that responses relied on, by question. */
function Assumptions({ findings }: { readonly findings: readonly Shown[] }) {
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
                <Button class="link" onClick={() => show('settings', { part: 'questions', question: id })}>
                  {id}
                </Button>
                {question?.fixed === true && <Mark>one answer</Mark>}
              </>
            }
            count={sumOf(own)}
            message={question?.notShown}
          >
            {own.map((one) => (
              <Requests
                key={`${one.operation ?? ''} ${one.sandbox ?? ''}`}
                title={one.operation ?? ''}
                requests={locate(one.requests, one)}
              />
            ))}
          </FindingCard>
        )
      })}
    </ul>
  )
}

function EmptyReport({ isFiltered }: { readonly isFiltered: boolean }) {
  const { live } = useConsole()
  const { requests } = useScope()
  const count = requests.length
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
function useFindings(isAssumed: boolean): readonly Shown[] {
  const { live } = useConsole()
  const { each } = useScope()
  const { value } = useLoaded(async () => {
    if (!isAssumed) return null
    const read = await each((controls) => controls.report({ assumptions: true }))
    return read.flatMap(([sandbox, findings]) => findings.map((finding) => ({ ...finding, sandbox })))
  }, [isAssumed, live.findings])
  return (isAssumed ? value : null) ?? live.findings
}

/** Filters; each is offered if it has a choice or is active. */
function Filters({ findings }: { readonly findings: readonly Finding[] }) {
  const { severity, operation } = useConsole().viewState
  const [assumed, setAssumed] = useViewState('assumptions')
  const offered = severities.filter((one) => one === severity || findings.some((it) => it.severity === one))
  return (
    <>
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
    </>
  )
}

const breachOf = (finding: Finding) => `${finding.rule} ${finding.operation ?? ''} ${whatOf(finding)}`

interface FindingsProps {
  readonly severity: Severity
  /** All of this severity. */
  readonly findings: readonly Shown[]
}

function Findings({ severity, findings }: FindingsProps) {
  if (findings.length === 0) return null
  const breaches = findings.filter((finding) => questionOf(finding) === undefined)
  return (
    <section>
      <h3 class="section">
        {severityNames[severity]} <span class="aside">{severityMeanings[severity]}</span>
      </h3>
      {breaches.length > 0 && (
        <ul class="findings">
          {[...Map.groupBy(breaches, breachOf)].map(([breach, own]) => (
            <BrokenRule key={breach} findings={own} />
          ))}
        </ul>
      )}
      {breaches.length < findings.length && <Assumptions findings={findings} />}
    </section>
  )
}

function Client() {
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
        <Filters findings={all} />
        <span class="spacer" />
        {all.length > 0 && (
          <CopyButton kind="quiet" text={() => markdownOf(findings)}>
            Copy as Markdown
          </CopyButton>
        )}
      </div>
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

const parts = {
  findings: { label: 'Findings', View: Client },
  coverage: { label: 'Coverage', View: Coverage },
  exploration: { label: 'Exploration', View: Exploration },
}

export function ReportView() {
  return <Parts label="Parts of the report" parts={parts} />
}
