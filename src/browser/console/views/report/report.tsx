// The report: which rules of the contract the client broke, how often, and what to do about it.
import { clientRules, type Severity } from '../../../../contract/client-rules.ts'
import type { Finding } from '../../../../core/report.ts'
import { countText, timesText } from '../../format.ts'
import type { Located, RequestRow } from '../../live-state.ts'
import { EmptyState, FindingCard, Mark, RequestChips, toneOfSeverity } from '../../parts/blocks.tsx'
import { useConsole, useLoaded, useParam } from '../../parts/context.ts'
import { Button, CopyButton, SegmentedControl, SwitchFilter } from '../../parts/controls.tsx'
import { OperationSelect } from '../../parts/fields.tsx'
import { Parts } from '../../parts/tabs.tsx'
import { Coverage } from './coverage.tsx'
import { Exploration } from './exploration.tsx'

const severities = ['error', 'warning', 'info'] as const
const severityNames: Readonly<Record<Severity, string>> = {
  error: 'Errors',
  warning: 'Warnings',
  info: 'Assumptions',
}

/** The message of a finding without the advice at its end. */
const whatOf = ({ rule, message }: Finding) => message.replace(clientRules[rule].advice, '').trim()

const reportContext = ({ requests, offending }: Finding) => requests.filter((id) => !offending.includes(id))

const ids = (requests: readonly number[]) => requests.map((id) => `#${String(id)}`).join(', ')

function itemOf(finding: Finding): string {
  const { rule, operation, count, offending } = finding
  const { advice, source } = clientRules[rule]
  const context = reportContext(finding)
  const where = operation === null ? '' : `\`${operation}\`, `
  return [
    `- **${rule}** (${where}${timesText(count)}): ${whatOf(finding)}`,
    `  What to do: ${advice}`,
    `  Contract: ${source}. Requests: ${ids(offending) || 'none in the journal'}${context.length > 0 ? `; context: ${ids(context)}` : ''}.`,
  ].join('\n')
}

/** The report as Markdown, to paste into an issue. */
export function markdownOf(findings: readonly Finding[]): string {
  const sections = severities.flatMap((severity) => {
    const ofSeverity = findings.filter((finding) => finding.severity === severity)
    return ofSeverity.length === 0 ? [] : [`## ${severityNames[severity]}`, ...ofSeverity.map(itemOf)]
  })
  return (
    ['# Report on the client', `${countText(findings.length, 'finding')}.`, ...sections].join('\n\n') + '\n'
  )
}

const requestsShown = 12
const severityMeanings = {
  error: 'The client broke a rule of the contract.',
  warning: 'It works, but not as the contract intends.',
  info: 'Responses that rely on something the contract leaves open, and rules that a clock which stood still left undecided.',
}

type Shown = Located<Finding>

const countOf = (findings: readonly Finding[]) => findings.reduce((sum, { count }) => sum + count, 0)

const locate = (ids: readonly number[], { sandbox }: Shown) => ids.map((id) => ({ id, sandbox }))

type Requests = readonly Pick<RequestRow, 'id' | 'sandbox'>[]

function RequestLinks({ title, requests }: { title: string; requests: Requests }) {
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
function BrokenRule({ findings }: { findings: readonly Shown[] }) {
  const { set: open } = useParam('rule')
  const [first] = findings
  if (!first) return null
  const { rule, severity, operation } = first
  const { advice, source } = clientRules[rule]
  const places = [['In', countText(findings.length, 'sandbox', 'sandboxes')]] as const
  return (
    <FindingCard
      head={
        <Button class="bare" onClick={() => open(rule)} title="Show the rule">
          <Mark tone={toneOfSeverity[severity]}>{rule}</Mark>
        </Button>
      }
      {...{ operation, count: countOf(findings), message: whatOf(first) }}
      notes={[['What to do', advice], ...(findings.length > 1 ? places : [])]}
    >
      <RequestLinks title="At fault" requests={findings.flatMap((one) => locate(one.offending, one))} />
      <RequestLinks title="Context" requests={findings.flatMap((one) => locate(reportContext(one), one))} />
      <span class="aside source">Contract: {source}</span>
    </FindingCard>
  )
}

/** The assumptions that responses relied on, by question. */
function Assumptions({ findings }: { findings: readonly Shown[] }) {
  const { source, show } = useConsole()
  const { value: questions } = useLoaded(() => source.controls(null).questions(), [])
  return (
    <ul class="findings">
      {[...Map.groupBy(findings, ({ question }) => question)].map(([id, own]) => {
        const question = questions?.find((one) => one.id === id)
        const head = (
          <>
            <Button
              class="link"
              onClick={() => show('settings', { part: 'questions', question: id })}
              text={id}
            />
            {question?.fixed === true && <Mark>one answer</Mark>}
          </>
        )
        return (
          <FindingCard key={id} head={head} count={countOf(own)} message={question?.notShown}>
            {own.map((one) => (
              <RequestLinks title={one.operation ?? ''} requests={locate(one.requests, one)} />
            ))}
          </FindingCard>
        )
      })}
    </ul>
  )
}

function EmptyReport({ isFiltered }: { isFiltered: boolean }) {
  const { live, requests } = useConsole()
  const { length } = requests
  if (isFiltered) return <EmptyState title="No finding matches" />
  if (live.status === 'loading') return <EmptyState title="Reading the journal …" />
  if (length > 0)
    return (
      <EmptyState title="Nothing to report">
        {countText(length, 'request')} in the journal, and none broke a rule of the contract.
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
  const { live, list } = useConsole()
  const read = async () => (isAssumed ? list((controls) => controls.report({ assumptions: true })) : null)
  const { value } = useLoaded(read, [isAssumed, live.findings])
  return (isAssumed ? value : null) ?? live.findings
}

/** Filters; each is offered if it has a choice or is active. */
function Filters({ findings }: { findings: readonly Finding[] }) {
  const { operation } = useConsole().viewState
  const severity = useParam('severity')
  const offered = severities.filter(
    (one) => one === severity.value || findings.some((it) => it.severity === one),
  )
  const choices = Object.fromEntries(offered.map((id) => [id, severityNames[id]]))
  return (
    <>
      {offered.length > 1 && (
        <SegmentedControl legend="Severity" empty="All" choices={choices} {...severity} />
      )}
      {(operation !== undefined || new Set(findings.map((finding) => finding.operation)).size > 1) && (
        <OperationSelect items={findings} />
      )}
      <SwitchFilter name="assumptions" label="Assumptions" />
    </>
  )
}

const breachOf = (finding: Finding) => `${finding.rule} ${finding.operation ?? ''} ${whatOf(finding)}`

function Findings({ severity, findings }: { severity: Severity; findings: readonly Shown[] }) {
  if (findings.length === 0) return null
  const breaches = findings.filter(({ question }) => question === undefined)
  return (
    <section>
      <h3 class="section">
        {severityNames[severity]} <span class="aside">{severityMeanings[severity]}</span>
      </h3>
      <ul class="findings">
        {[...Map.groupBy(breaches, breachOf)].map(([breach, own]) => (
          <BrokenRule key={breach} findings={own} />
        ))}
      </ul>
      <Assumptions findings={findings.filter(({ question }) => question !== undefined)} />
    </section>
  )
}

/** The rules that are checked, with how often each was broken. */
function Rules({ findings }: { findings: readonly Finding[] }) {
  const { value: open } = useParam('rule')
  const show = (shown: HTMLElement | null) => shown?.scrollIntoView({ block: 'center' })
  return (
    <details class="rules" open={open !== ''}>
      <summary>{Object.keys(clientRules).length} rules are checked</summary>
      <dl>
        {Object.entries(clientRules).map(([id, { severity, condition, advice, source }]) => {
          const broken = countOf(findings.filter(({ rule }) => (rule as string) === id))
          const times = broken > 0 ? ` Broken ${timesText(broken)}.` : ''
          return (
            <div key={id} class={id === open ? 'is-open' : ''} ref={id === open ? show : null}>
              <dt>
                <Mark tone={toneOfSeverity[severity]}>{id}</Mark>
              </dt>
              <dd>
                {condition} {advice} <span class="aside">{`Contract: ${source}.${times}`}</span>
              </dd>
            </div>
          )
        })}
      </dl>
    </details>
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
        {all.length > 0 && <CopyButton copied={() => markdownOf(findings)} text="Copy as Markdown" />}
      </div>
      {findings.length === 0 && <EmptyReport isFiltered={all.length > 0} />}
      {severities.map((one) => (
        <Findings key={one} severity={one} findings={findings.filter((it) => it.severity === one)} />
      ))}
      <Rules findings={all} />
    </>
  )
}

const parts = {
  findings: ['Findings', Client],
  coverage: ['Coverage', Coverage],
  exploration: ['Exploration', Exploration],
} as const

export const ReportView = () => <Parts label="Parts of the report" parts={parts} />
