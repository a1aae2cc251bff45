// Formats the report of `verify` as text: drift first, one line per cause, then inconclusive rules and how to decide
// them.
import { getOrInsert } from '../../../contract/data/maps.ts'
import { countText } from '../../../contract/text/format.ts'
import type { VerifyFinding, Learned, LeftBehind, VerifyReport } from '../../../verify.ts'
import { formatSource } from '../../verify/compare/difference.ts'
import { listLines, toShortLine, applyStyle } from '../terminal.ts'
import type { BaselineComparison } from './baseline.ts'

const printShort = (text: string) => toShortLine(text, 400)

function formatDrift(finding: VerifyFinding): string {
  const { operation, operations = [operation], rule, says, source, after, count = 1 } = finding
  const { expected = '', got = '' } = finding
  const more = operations.length > 3 ? ` and ${String(operations.length - 3)} more` : ''
  const names = operations.slice(0, 3).join(', ') + more
  const times = count > 1 ? `, ${countText(count, 'difference')}` : ''
  const since = after === undefined ? '' : `, after ${after}`
  return `${applyStyle('bold', names)} ${applyStyle('red', rule)}: ${says}; expected ${printShort(expected)}, got ${printShort(got)} ${applyStyle('dim', `(${formatSource(source)}${since}${times})`)}`
}

const numberLines = (lines: readonly string[]) =>
  lines.map((line, index) => `${String(index + 1).padStart(3)}  ${line}`)

const remedies: Readonly<Record<NonNullable<VerifyFinding['reason']>, string>> = {
  absent: 'add it to the workspace, or use a workspace that has it',
  drift: 'fix the drift of that operation first',
  failure: 'report it: this is a bug in verify',
  interrupted: 'run again',
  limit: 'run again later, or against a workspace that nobody else uses',
  permission: 'use a key with more rights, such as a master key',
  plan: 'use a workspace on another plan',
  status: '',
  unstable: 'run again, at a time when the deployment is quiet',
  writing: 'run with --write',
}

/** Lists reasons, the most frequent first. */
function listReasons(findings: readonly VerifyFinding[]): string[] {
  const reasons = new Map<string, { count: number; remedy: string }>()
  for (const { why, reason = 'status' } of findings)
    if (why !== undefined)
      getOrInsert(reasons, why, () => ({ count: 0, remedy: remedies[reason] })).count += 1
  return [...reasons]
    .sort(([, left], [, right]) => right.count - left.count)
    .map(([why, { count, remedy }]) => {
      const advice = remedy === '' ? '' : applyStyle('dim', ` -> ${remedy}`)
      return `${String(count).padStart(4)}  ${printShort(why)}${advice}`
    })
}

function listLeftBehind(leftBehind: readonly LeftBehind[]): string[] {
  const byReason = new Map<string, string[]>()
  for (const { what, why } of leftBehind) getOrInsert(byReason, why, () => []).push(what)
  return [...byReason].map(([why, things]) => {
    const count = things.length > 1 ? ` (${String(things.length)})` : ''
    return `${why}${count}: ${things.join(', ')}`
  })
}

export function formatReport(report: VerifyReport, { fresh, known, mended }: BaselineComparison): string {
  const { baseUrl, mode, counts, findings, notes, leftBehind, requests, interrupted, problem } = report
  const verdict =
    fresh.length === 0 ? applyStyle('green', 'no drift') : applyStyle('red', `${String(fresh.length)} drift`)
  const aside = known.length === 0 ? '' : `, ${String(known.length)} known drift`
  const curls = fresh.map(({ curl }) => curl ?? 'not reproducible with a single request')
  const lines = [
    `${baseUrl}, ${mode === 'read' ? 'read only' : 'read and write'}, ${countText(requests, 'request')}`,
    ...listLines('Drift:', numberLines(fresh.map(formatDrift))),
    ...listLines('To reproduce, with the key in WORKSPACE_API_KEY:', numberLines(curls)),
    ...listLines('Known drift (in the baseline):', known.map(formatDrift)),
    ...listLines('No longer drift (remove it from the baseline):', mended),
    ...listLines('Inconclusive:', listReasons(findings)),
    ...listLines(
      'Beyond the contract:',
      notes.map(({ operation, note }) => `${operation} ${note}`),
    ),
    ...listLines('Left behind:', listLeftBehind(leftBehind)),
    ...(problem === undefined ? [] : ['', applyStyle('red', problem)]),
    '',
    `${interrupted ? 'interrupted; ' : ''}${String(counts.pass)} pass, ${verdict}${aside}, ${String(counts.inconclusive)} inconclusive`,
  ]
  return `${lines.join('\n')}\n`
}

export function formatLearned(learned: Learned): string {
  const { baseUrl, evidence, notObserved, leftBehind } = learned
  const lines = [
    `${baseUrl}: ${countText(evidence.length, 'answer')} learned, ${countText(notObserved.length, 'question')} not observed`,
    ...listLines(
      'Learned:',
      evidence.map(
        ({ question, answer, how, estimate }) =>
          `${applyStyle('bold', question)} ${applyStyle('cyan', JSON.stringify(answer))}${estimate === true ? ' (an estimate)' : ''}  ${applyStyle('dim', how)}`,
      ),
    ),
    ...listLines(
      'Not observed:',
      notObserved.map(({ question, why }) => `${applyStyle('bold', question)}  ${applyStyle('dim', why)}`),
    ),
    ...listLines('Left behind:', listLeftBehind(leftBehind)),
  ]
  return `${lines.join('\n')}\n`
}
