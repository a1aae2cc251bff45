// The report as Markdown, to paste into an issue.
import { clientRules, type Severity } from '../../../../contract/client-rules.ts'
import type { Finding } from '../../../../core/report.ts'
import { countText, timesText } from '../../format.ts'

export const severities = ['error', 'warning', 'info'] as const
export const severityNames: Readonly<Record<Severity, string>> = {
  error: 'Errors',
  warning: 'Warnings',
  info: 'Assumptions',
}

/** The message of a finding without the advice at its end. */
export const whatOf = ({ rule, message }: Finding) => message.replace(clientRules[rule].advice, '').trim()

export const reportContext = ({ requests, offending }: Finding) =>
  requests.filter((id) => !offending.includes(id))

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

export function markdownOf(findings: readonly Finding[]): string {
  const sections = severities.flatMap((severity) => {
    const ofSeverity = findings.filter((finding) => finding.severity === severity)
    return ofSeverity.length === 0 ? [] : [`## ${severityNames[severity]}`, ...ofSeverity.map(itemOf)]
  })
  return (
    ['# Report on the client', `${countText(findings.length, 'finding')}.`, ...sections].join('\n\n') + '\n'
  )
}
