// The report: which rules of the contract the client broke, how often, and what to do about it.
import type { ComponentChildren, RenderableProps } from 'preact'
import type { Severity } from '../../../../contract/client-rules.ts'
import type { RuleInfo } from '../../../../adapters/control-api/console-controls.ts'
import type { QuestionRecord } from '../../../../contract/questions/register.ts'
import type { Finding } from '../../../../mock/sandboxes/client-report.ts'
import { formatQuantity, formatTimes } from '../../format.ts'
import type { Located } from '../../live-state.ts'
import { EmptyState, Mark, RequestLinks, toneOfSeverity } from '../../parts/blocks.tsx'
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

/** Where the contract has a rule. */
const sourceOf = (rule: string, rules: readonly RuleInfo[]) =>
  rules.find(({ id }) => id === rule)?.source ?? ''

function formatItem(finding: Finding, rules: readonly RuleInfo[]): string {
  const { rule, operation, count, offending, message } = finding
  const context = contextOf(finding)
  const where = operation === null ? '' : `\`${operation}\`, `
  const requests = `${formatIds(offending) || 'none in the journal'}${context.length > 0 ? `; context: ${formatIds(context)}` : ''}`
  return [
    `- **${rule}** (${where}${formatTimes(count)}): ${message}`,
    `  Contract: ${sourceOf(rule, rules)}. Requests: ${requests}.`,
  ].join('\n')
}

export function markdownOf(findings: readonly Finding[], rules: readonly RuleInfo[]): string {
  const sections = severityNames.flatMap(([id, name]) => {
    const items = findings.filter(({ severity }) => severity === id).map((one) => formatItem(one, rules))
    return items.length === 0 ? [] : [`## ${name}`, ...items]
  })
  return `${['# Report on the client', `${formatQuantity(findings.length, 'finding')}.`, ...sections].join('\n\n')}\n`
}

type Shown = Located<Finding>

const countOf = (findings: readonly Finding[]) => findings.reduce((sum, { count }) => sum + count, 0)

const requestsOf = (findings: readonly Shown[], idsOf: (finding: Finding) => readonly number[]) =>
  findings.flatMap((one) => idsOf(one).map((id) => ({ id, sandbox: one.sandbox })))

interface CardProps {
  readonly head: ComponentChildren
  readonly findings: readonly Shown[]
  readonly operation?: string | null
  readonly message: string | undefined
}

function FindingCard({ head, findings, operation, message, children }: RenderableProps<CardProps>) {
  return (
    <li class="sheet finding">
      <header>
        {head}
        {operation != null && <span class="soft">{operation}</span>}
        <span class="faint times">{formatTimes(countOf(findings))}</span>
      </header>
      <p class="message">{message}</p>
      <footer>{children}</footer>
    </li>
  )
}

type BrokenRuleProps = Readonly<{ findings: readonly [Shown, ...Shown[]]; rules: readonly RuleInfo[] }>

function BrokenRule({ findings, rules }: BrokenRuleProps) {
  const { set: open } = useParam('rule')
  const { rule, severity, operation, message } = findings[0]
  const places = findings.length > 1 ? ` In ${formatQuantity(findings.length, 'sandbox', 'sandboxes')}.` : ''
  const head = (
    <Button class="bare" onClick={() => open(rule)} title="Show the rule">
      <Mark tone={toneOfSeverity[severity]}>{rule}</Mark>
    </Button>
  )
  return (
    <FindingCard {...{ head, findings, operation, message: message + places }}>
      <RequestLinks title="At fault" requests={requestsOf(findings, ({ offending }) => offending)} />
      <RequestLinks title="Context" requests={requestsOf(findings, contextOf)} />
      <span class="aside source">Contract: {sourceOf(rule, rules)}</span>
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
    <FindingCard head={head} findings={findings} message={notShown}>
      {findings.map((one) => (
        <RequestLinks title={one.operation ?? ''} requests={requestsOf([one], ({ requests }) => requests)} />
      ))}
    </FindingCard>
  )
}

const findingKeyOf = (finding: Finding): string =>
  finding.question ?? `${finding.rule} ${finding.operation ?? ''} ${finding.message}`

interface FindingsProps {
  readonly findings: readonly Shown[]
  readonly questions: Questions
  readonly rules: readonly RuleInfo[]
}

function Findings({ findings, questions, rules }: FindingsProps) {
  return (
    <ul class="findings">
      {[...Map.groupBy(findings, findingKeyOf)].map(([key, own]) =>
        own[0]?.question === undefined ? (
          <BrokenRule key={key} findings={own as [Shown, ...Shown[]]} rules={rules} />
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

function Rules({ findings, rules }: Pick<FindingsProps, 'findings' | 'rules'>) {
  const { value: open } = useParam('rule')
  const show = (shown: HTMLElement | null) => shown?.scrollIntoView({ block: 'center' })
  return (
    <details class="rules" open={open !== ''}>
      <summary>{rules.length} rules are checked</summary>
      <dl>
        {rules.map(({ id, severity, condition, advice, source }) => {
          const broken = countOf(findings.filter(({ rule }) => rule === id))
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
  const { value: rules } = useLoaded(() => source.controls(null).console.rules(), [])
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
        {all.length > 0 && (
          <CopyButton copied={() => markdownOf(findings, rules ?? [])} text="Copy as Markdown" />
        )}
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
              <Findings findings={own} questions={questions} rules={rules ?? []} />
            </section>
          )
        )
      })}
      {rules && <Rules findings={all} rules={rules} />}
    </>
  )
}

const parts = {
  findings: ['Findings', Client],
  coverage: ['Coverage', Coverage],
} as const

export const ReportView = () => <Parts label="Parts of the report" parts={parts} />
