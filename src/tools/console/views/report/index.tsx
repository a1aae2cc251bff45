// The report: which rules of the contract the client broke, how often, and what to do about it.
import { clientRules, type Severity } from '../../../../contract/client-rules.ts'
import type { QuestionRecord } from '../../../../contract/questions/register.ts'
import type { Finding } from '../../../../mock/sandboxes/client-report.ts'
import { formatQuantity, formatTimes } from '../../format.ts'
import type { Located } from '../../live-state.ts'
import { EmptyState, FindingCard, Mark, RequestLinks, toneOfSeverity } from '../../parts/blocks.tsx'
import { useConsole, useLoaded, useParam } from '../../parts/context.ts'
import { Button, CopyButton, SegmentedControl, SwitchFilter } from '../../parts/controls.tsx'
import { OperationSelect } from '../../parts/fields.tsx'
import { Parts } from '../../parts/tabs.tsx'
import { Coverage } from './coverage.tsx'

const severities: Readonly<Record<Severity, readonly [name: string, meaning: string]>> = {
  error: ['Errors', 'The client broke a rule of the contract.'],
  warning: ['Warnings', 'It works, but not as the contract intends.'],
  info: [
    'Assumptions',
    'Responses that rely on something the contract leaves open, and rules that a clock which stood still left undecided.',
  ],
}
const severityNames = Object.entries(severities).map(([id, [name]]) => [id, name] as const)

const contextOf = ({ requests, offending }: Finding) => requests.filter((id) => !offending.includes(id))

const formatIds = (requests: readonly number[]) => requests.map((id) => `#${String(id)}`).join(', ')

function formatItem(finding: Finding): string {
  const { rule, operation, count, offending, message } = finding
  const { source } = clientRules[rule]
  const context = contextOf(finding)
  const where = operation === null ? '' : `\`${operation}\`, `
  const requests = `${formatIds(offending) || 'none in the journal'}${context.length > 0 ? `; context: ${formatIds(context)}` : ''}`
  return [
    `- **${rule}** (${where}${formatTimes(count)}): ${message}`,
    `  Contract: ${source}. Requests: ${requests}.`,
  ].join('\n')
}

export function markdownOf(findings: readonly Finding[]): string {
  const sections = severityNames.flatMap(([id, name]) => {
    const items = findings.filter(({ severity }) => severity === id).map(formatItem)
    return items.length === 0 ? [] : [`## ${name}`, ...items]
  })
  return `${['# Report on the client', `${formatQuantity(findings.length, 'finding')}.`, ...sections].join('\n\n')}\n`
}

type Shown = Located<Finding>

const countOf = (findings: readonly Finding[]) => findings.reduce((sum, { count }) => sum + count, 0)

const requestsOf = (findings: readonly Shown[], idsOf: (finding: Finding) => readonly number[]) =>
  findings.flatMap((one) => idsOf(one).map((id) => ({ id, sandbox: one.sandbox })))

function BrokenRule({ findings }: { findings: readonly [Shown, ...Shown[]] }) {
  const { set: open } = useParam('rule')
  const { rule, severity, operation, message } = findings[0]
  const { source } = clientRules[rule]
  const places = [['In', formatQuantity(findings.length, 'sandbox', 'sandboxes')]] as const
  const head = (
    <Button class="bare" onClick={() => open(rule)} title="Show the rule">
      <Mark tone={toneOfSeverity[severity]}>{rule}</Mark>
    </Button>
  )
  return (
    <FindingCard
      {...{ head, operation, message, count: countOf(findings) }}
      notes={findings.length > 1 ? places : []}
    >
      <RequestLinks title="At fault" requests={requestsOf(findings, ({ offending }) => offending)} />
      <RequestLinks title="Context" requests={requestsOf(findings, contextOf)} />
      <span class="aside source">Contract: {source}</span>
    </FindingCard>
  )
}

type Questions = readonly QuestionRecord[]

/** A question whose assumed answer the responses relied on. */
function Assumption({ id, questions, findings }: { id: string; questions: Questions; findings: Shown[] }) {
  const { show } = useConsole()
  const { fixed, notShown } = questions.find((question) => question.id === id) ?? {}
  const open = () => show('settings', { part: 'questions', question: id })
  const head = (
    <>
      <Button class="link" onClick={open} text={id} />
      {fixed === true && <Mark>one answer</Mark>}
    </>
  )
  return (
    <FindingCard head={head} count={countOf(findings)} message={notShown}>
      {findings.map((one) => (
        <RequestLinks title={one.operation ?? ''} requests={requestsOf([one], ({ requests }) => requests)} />
      ))}
    </FindingCard>
  )
}

const findingKeyOf = (finding: Finding): string =>
  finding.question ?? `${finding.rule} ${finding.operation ?? ''} ${finding.message}`

function Findings({ findings, questions }: { findings: readonly Shown[]; questions: Questions }) {
  return (
    <ul class="findings">
      {[...Map.groupBy(findings, findingKeyOf)].map(([key, own]) =>
        own[0]?.question === undefined ? (
          <BrokenRule key={key} findings={own as [Shown, ...Shown[]]} />
        ) : (
          <Assumption key={key} id={key} questions={questions} findings={own} />
        ),
      )}
    </ul>
  )
}

function EmptyReport({ isFiltered }: { isFiltered: boolean }) {
  const { live, requests } = useConsole()
  if (isFiltered) return <EmptyState title="No finding matches" />
  if (live.status === 'loading') return <EmptyState title="Reading the journal …" />
  return (
    <EmptyState title={requests.length > 0 ? 'Nothing to report' : 'No request yet'}>
      {requests.length > 0 &&
        `${formatQuantity(requests.length, 'request')}, and none broke a rule of the contract. `}
      Polling too often, ignoring Retry-After, unknown fields: breaches of the contract are listed here.
    </EmptyState>
  )
}

function Rules({ findings }: { findings: readonly Finding[] }) {
  const { value: open } = useParam('rule')
  const show = (shown: HTMLElement | null) => shown?.scrollIntoView({ block: 'center' })
  return (
    <details class="rules" open={open !== ''}>
      <summary>{Object.keys(clientRules).length} rules are checked</summary>
      <dl>
        {Object.entries(clientRules).map(([id, { severity, condition, advice, source }]) => {
          const broken = countOf(findings.filter(({ rule }) => (rule as string) === id))
          const times = broken > 0 ? ` Broken ${formatTimes(broken)}.` : ''
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
  const { source, live, list } = useConsole()
  const [severity, operation] = [useParam('severity'), useParam('operation')]
  const isAssumed = useParam('assumptions').value !== ''
  const read = async () =>
    isAssumed
      ? ([
          await list((controls) => controls.report({ assumptions: true })),
          await source.controls(null).questions(),
        ] as const)
      : null
  const { value } = useLoaded(read, [isAssumed, live.findings])
  const [all, questions] = (isAssumed ? value : null) ?? [live.findings, []]
  const findings = all.filter(
    (one) =>
      (severity.value === '' || one.severity === severity.value) &&
      (operation.value === '' || one.operation === operation.value),
  )
  const isOffered = (id: string) => isAssumed || id !== 'info' || id === severity.value
  const choices = Object.fromEntries(severityNames.filter(([id]) => isOffered(id)))
  return (
    <>
      <div class="toolbar">
        <SegmentedControl legend="Severity" empty="All" choices={choices} {...severity} />
        <OperationSelect items={all} />
        <SwitchFilter name="assumptions" label="Assumptions" />
        <span class="spacer" />
        {all.length > 0 && <CopyButton copied={() => markdownOf(findings)} text="Copy as Markdown" />}
      </div>
      {findings.length === 0 && <EmptyReport isFiltered={all.length > 0} />}
      {Object.entries(severities).map(([id, [name, meaning]]) => {
        const own = findings.filter((finding) => finding.severity === id)
        return (
          own.length > 0 && (
            <section key={id}>
              <h3 class="section">
                {name} <span class="aside">{meaning}</span>
              </h3>
              <Findings findings={own} questions={questions} />
            </section>
          )
        )
      })}
      <Rules findings={all} />
    </>
  )
}

const parts = {
  findings: ['Findings', Client],
  coverage: ['Coverage', Coverage],
} as const

export const ReportView = () => <Parts label="Parts of the report" parts={parts} />
