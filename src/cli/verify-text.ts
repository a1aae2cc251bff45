// Owns the reports of `verify` as text: what drifted in full, the rest in numbers.
import { operationIds } from '../contract/scopes.ts'
import type { Finding, Learned, Subject, VerifyReport } from '../verify/index.ts'
import { sourceText } from '../verify/engine/rule.ts'
import { styled } from './terminal.ts'

const number = (count: number, what: string) => `${String(count)} ${what}`

function tally(findings: readonly Finding[]) {
  const of = (outcome: Finding['outcome']) => findings.filter((finding) => finding.outcome === outcome)
  return { pass: of('pass').length, drifts: of('drift'), unreached: of('not reachable').length }
}

const driftLines = ({ rule, says, source, expected = '', got = '' }: Finding) => [
  `      ${styled('red', rule)}: ${says} (${sourceText(source)})`,
  `        expected  ${expected}`,
  `        got       ${got}`,
]

function operationLines(operation: Subject, findings: readonly Finding[]): string[] {
  const { pass, drifts, unreached } = tally(findings)
  if (pass + drifts.length + unreached === 0) return []
  const mark = drifts.length > 0 ? styled('red', 'x') : pass > 0 ? styled('green', 'v') : '-'
  const counts = [
    number(pass, 'pass'),
    ...(drifts.length > 0 ? [number(drifts.length, 'drift')] : []),
    ...(unreached > 0 ? [number(unreached, 'not reachable')] : []),
  ]
  return [
    `  ${mark} ${operation.padEnd(24)} ${styled('dim', counts.join(', '))}`,
    ...drifts.flatMap(driftLines),
  ]
}

/** Why rules were not reachable, the most frequent reason first. */
function reasonLines(findings: readonly Finding[]): string[] {
  const reasons = new Map<string, number>()
  for (const { why } of findings) if (why !== undefined) reasons.set(why, (reasons.get(why) ?? 0) + 1)
  const sorted = [...reasons].sort(([, left], [, right]) => right - left)
  return sorted.length === 0
    ? []
    : ['', 'Not reachable:', ...sorted.map(([why, count]) => `  ${String(count).padStart(4)}  ${why}`)]
}

const listLines = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]

export function reportText(report: VerifyReport): string {
  const { baseUrl, mode, counts, findings, notes, leftBehind, requests, interrupted } = report
  const subjects: readonly Subject[] = ['general', ...operationIds]
  const verdict = report.ok ? styled('green', 'no drift') : styled('red', number(counts.drift, 'drift'))
  const lines = [
    `${baseUrl}, ${mode === 'read' ? 'read alone' : 'read and written to'}, ${number(requests, 'requests')}`,
    '',
    ...subjects.flatMap((subject) =>
      operationLines(
        subject,
        findings.filter(({ operation }) => operation === subject),
      ),
    ),
    ...reasonLines(findings),
    ...listLines(
      'Beyond the contract:',
      notes.map(({ operation, note }) => `${operation} ${note}`),
    ),
    ...listLines(
      'Left behind:',
      leftBehind.map(({ what, why }) => `${what}: ${why}`),
    ),
    '',
    `${interrupted ? 'called off; ' : ''}${number(counts.pass, 'pass')}, ${verdict}, ${number(counts.notReachable, 'not reachable')}`,
  ]
  return `${lines.join('\n')}\n`
}

export function learnedText({ baseUrl, evidence, notObserved, leftBehind }: Learned): string {
  const lines = [
    `${baseUrl}: ${number(evidence.length, 'answers')} learned, ${number(notObserved.length, 'questions')} not observed`,
    ...listLines(
      'Learned:',
      evidence.map(
        ({ question, answer, how }) =>
          `${styled('bold', question)} ${styled('cyan', JSON.stringify(answer))}  ${styled('dim', how)}`,
      ),
    ),
    ...listLines(
      'Not observed:',
      notObserved.map(({ question, why }) => `${styled('bold', question)}  ${styled('dim', why)}`),
    ),
    ...listLines(
      'Left behind:',
      leftBehind.map(({ what, why }) => `${what}: ${why}`),
    ),
  ]
  return `${lines.join('\n')}\n`
}
