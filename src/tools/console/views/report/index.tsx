// The report: which rules of the contract the client broke, how often, and what to do about it.
import { useMemo } from 'preact/hooks'
import type { Severity } from '../../../../contract/client-rules.ts'
import type { RuleInfo } from '../../../../adapters/control-api/console-controls.ts'
import type { QuestionRecord } from '../../../../contract/questions/register.ts'
import type { Finding } from '../../../../mock/sandboxes/client-report.ts'
import { formatQuantity, numberText } from '../../format.ts'
import { isOfClient, type Located } from '../../live-state.ts'
import { EmptyState, Mark, RequestChips, toneOfSeverity } from '../../parts/blocks.tsx'
import { useConsole, useLoaded, useParam } from '../../parts/context.ts'
import { Button, CopyButton, SegmentedControl, SwitchFilter } from '../../parts/controls.tsx'
import { OperationSelect } from '../../parts/fields.tsx'
import { Parts } from '../../parts/tabs.tsx'
import { listDuplicates } from '../faults/fault-text.ts'
import { Coverage } from './coverage.tsx'

const severities: Readonly<Record<Severity, readonly [name: string, meaning: string]>> = {
  error: ['Errors', 'The client broke a rule of the contract.'],
  warning: ['Warnings', 'It works, but not as the contract intends.'],
  info: [
    'Assumptions',
    'Responses that rely on something the contract leaves open, and rules left undecided because the clock stood still.',
  ],
}
const severityNames = Object.entries(severities).map(([id, [name]]) => [id, name] as const)

const contextOf = ({ requests, offending }: Finding) => requests.filter((id) => !offending.includes(id))

const formatIds = (requests: readonly number[]) => requests.map((id) => `#${String(id)}`).join(', ')

/** `once`, `3 times`. */
const formatTimes = (count: number) => (count === 1 ? 'once' : `${numberText(count)} times`)

/** The section of the contract that a rule comes from. */
const findSource = (rule: string, rules: readonly RuleInfo[]) =>
  rules.find(({ id }) => id === rule)?.source ?? ''

export function markdownOf(findings: readonly Finding[], rules: readonly RuleInfo[]): string {
  const formatFinding = (finding: Finding) => {
    const { rule, operation, count, offending, message } = finding
    const context = formatIds(contextOf(finding))
    const where = operation === null ? '' : `\`${operation}\`, `
    const requests = (formatIds(offending) || 'none in the journal') + (context && `; context: ${context}`)
    return [
      `- **${rule}** (${where}${formatTimes(count)}): ${message}`,
      `  Contract: ${findSource(rule, rules)}. Requests: ${requests}.`,
    ].join('\n')
  }
  const sections = severityNames.flatMap(([id, name]) => {
    const items = findings.filter(({ severity }) => severity === id).map(formatFinding)
    return items.length === 0 ? [] : [`## ${name}`, ...items]
  })
  return `${['# Report on the client', `${formatQuantity(findings.length, 'finding')}.`, ...sections].join('\n\n')}\n`
}

type LocatedFinding = Located<Finding>

const countOf = (findings: readonly Finding[]) => findings.reduce((sum, { count }) => sum + count, 0)

const requestsShown = 12

interface LinksProps {
  readonly title: string
  readonly findings: readonly LocatedFinding[]
  readonly idsOf: (finding: Finding) => readonly number[]
}

function RequestLinks({ title, findings, idsOf }: LinksProps) {
  const requests = findings.flatMap((one) => idsOf(one).map((id) => ({ id, sandbox: one.sandbox })))
  if (requests.length === 0) return null
  return (
    <span class="requests">
      <span class="aside">{title}</span>
      <RequestChips requests={requests.slice(-requestsShown)} />
      {requests.length > requestsShown && <span>and {requests.length - requestsShown} earlier</span>}
    </span>
  )
}

interface CardProps {
  /** The same finding in one or more sandboxes, or everything that relied on one assumed answer. */
  readonly findings: readonly [LocatedFinding, ...LocatedFinding[]]
  readonly questions: readonly QuestionRecord[]
  readonly rules: readonly RuleInfo[]
}

function FindingCard({ findings, questions, rules }: CardProps) {
  const { show, go } = useConsole()
  const { rule, severity, operation, message, question: id } = findings[0]
  const { fixed = false, notShown } = questions.find((question) => question.id === id) ?? {}
  const places = findings.length > 1 ? ` In ${formatQuantity(findings.length, 'sandbox', 'sandboxes')}.` : ''
  const openQuestion = () => show('settings', { part: 'questions', question: id })
  return (
    <li class="sheet finding">
      <header>
        {id === undefined ? (
          <Button class="bare" onClick={() => go({ rule })} title="Show the rule">
            <Mark tone={toneOfSeverity[severity]}>{rule}</Mark>
          </Button>
        ) : (
          <Button class="link" onClick={openQuestion} text={id} />
        )}
        {fixed && <Mark>one answer</Mark>}
        {id === undefined && operation !== null && <span class="soft">{operation}</span>}
        <span class="faint times">{formatTimes(countOf(findings))}</span>
      </header>
      <p class="message">{id === undefined ? message + places : notShown}</p>
      {id === undefined ? (
        <footer>
          <RequestLinks title="At fault" findings={findings} idsOf={({ offending }) => offending} />
          <RequestLinks title="Context" findings={findings} idsOf={contextOf} />
          <span class="aside source">Contract: {findSource(rule, rules)}</span>
        </footer>
      ) : (
        <footer>
          {findings.map((one) => (
            <RequestLinks title={one.operation ?? ''} findings={[one]} idsOf={({ requests }) => requests} />
          ))}
        </footer>
      )}
    </li>
  )
}

function Rules({ findings, rules }: { findings: readonly LocatedFinding[]; rules: readonly RuleInfo[] }) {
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
  const { source, live, list, requests } = useConsole()
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
  const known = rules ?? []
  const [all, questions] = (isAssumed ? value : null) ?? [live.findings, []]
  const findings = all.filter(
    (one) =>
      (severity.value === '' || one.severity === severity.value) &&
      (operation.value === '' || one.operation === operation.value),
  )
  const isOffered = (id: string) => isAssumed || id !== 'info' || id === severity.value
  const choices = Object.fromEntries(severityNames.filter(([id]) => isOffered(id)))
  const keyOf = (finding: Finding): string =>
    finding.question ?? `${finding.rule} ${finding.operation ?? ''} ${finding.message}`
  const { sent, duplicates } = useMemo(
    () => ({
      sent: requests.filter(isOfClient).length,
      duplicates: listDuplicates(requests),
    }),
    [requests],
  )
  const nothing =
    all.length > 0 || live.status === 'loading' ? (
      <EmptyState title={all.length > 0 ? 'No finding matches' : 'Reading the journal …'} />
    ) : (
      <EmptyState title={sent === 0 ? 'No request yet' : 'Nothing to report'}>
        {sent > 0 && `${formatQuantity(sent, 'request')}, and none broke a rule of the contract. `}
        Breaches of the contract, such as polling too often or ignoring Retry-After, are listed here.
      </EmptyState>
    )
  return (
    <>
      <div class="toolbar">
        <SegmentedControl legend="Severity" empty="All" choices={choices} {...severity} />
        <OperationSelect items={all} />
        <SwitchFilter name="assumptions" label="Assumptions" />
        <span class="spacer" />
        {all.length > 0 && <CopyButton copied={() => markdownOf(findings, known)} text="Copy as Markdown" />}
      </div>
      {duplicates.map(({ text, requests: made }) => (
        <p class="notes" role="note" key={text + String(made[0]?.id)}>
          {text} The contract allows these retries; each created another record.{' '}
          <RequestChips requests={made.slice(-requestsShown)} />
        </p>
      ))}
      {findings.length === 0 && (all.length > 0 || duplicates.length === 0) && nothing}
      {Object.entries(severities).map(([id, [name, meaning]]) => {
        const own = findings.filter((finding) => finding.severity === id)
        return (
          own.length > 0 && (
            <section key={id}>
              <h3 class="section">
                {name} <span class="aside">{meaning}</span>
              </h3>
              <ul class="findings">
                {[...Map.groupBy(own, keyOf)].map(([key, same]) => (
                  <FindingCard
                    key={key}
                    findings={same as [LocatedFinding, ...LocatedFinding[]]}
                    {...{ questions, rules: known }}
                  />
                ))}
              </ul>
            </section>
          )
        )
      })}
      {rules && <Rules findings={all} rules={rules} />}
    </>
  )
}

const reports = { findings: ['Findings', Client], coverage: ['Coverage', Coverage] } as const

export const ReportView = () => <Parts label="Parts of the report" parts={reports} />
