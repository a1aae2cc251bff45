// The report of `verify` for CI: JUnit XML, and annotations for GitHub Actions.
import type { VerifyFinding, VerifyReport } from '../../../verify.ts'
import { formatSource } from '../../verify/compare/difference.ts'
import { rulesOf, type BaselineComparison } from './baseline.ts'

const escapes: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' }

const escapeXml = (text: string) =>
  text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '?')
    .replace(/[<>&"]/g, (found) => escapes[found] ?? '')

const formatDetails = ({ says, source, expected = '', got = '', curl = '' }: VerifyFinding) =>
  `${says} (${formatSource(source)})\nexpected  ${expected}\ngot       ${got}\n${curl}`

/** The result of a test case. All but `passed` are names of JUnit elements. */
type Result = 'passed' | 'skipped' | 'failure' | 'error'

interface Case {
  readonly operation: string
  readonly result: Result
  readonly text: string
}

function makeCase(operation: string, name: string, result: Result, message = '', inside = ''): Case {
  const open = `    <testcase classname="${escapeXml(operation)}" name="${escapeXml(name)}"`
  if (result === 'passed') return { operation, result, text: `${open}/>` }
  const end = inside === '' ? '/>' : `>${escapeXml(inside)}</${result}>`
  return { operation, result, text: `${open}><${result} message="${escapeXml(message)}"${end}</testcase>` }
}

/** Reports inconclusive rules and known drift as skipped. */
function toCases(finding: VerifyFinding, isFresh: boolean): Case[] {
  const { says, outcome, why = 'known drift, in the baseline', expected = '', got = '' } = finding
  return rulesOf(finding).map((name) => {
    const [operation = '', rule = ''] = name.split('/')
    const title = `${rule}: ${says}`
    if (outcome === 'pass') return makeCase(operation, title, 'passed')
    if (!isFresh) return makeCase(operation, title, 'skipped', why)
    return makeCase(operation, title, 'failure', `expected ${expected}, got ${got}`, formatDetails(finding))
  })
}

const countCases = (cases: readonly Case[], wanted: Result) =>
  String(cases.filter(({ result }) => result === wanted).length)

export function formatJUnit(
  { baseUrl, findings, problem }: VerifyReport,
  { fresh }: BaselineComparison,
): string {
  const cases = findings.flatMap((finding) => toCases(finding, fresh.includes(finding)))
  if (problem !== undefined) cases.push(makeCase('run', 'run', 'error', problem))
  const suites = [...new Set(cases.map(({ operation }) => operation))].flatMap((name) => {
    const own = cases.filter(({ operation }) => operation === name)
    return [
      `  <testsuite name="${escapeXml(name)}" tests="${String(own.length)}" failures="${countCases(own, 'failure')}" errors="${countCases(own, 'error')}" skipped="${countCases(own, 'skipped')}">`,
      ...own.map(({ text }) => text),
      '  </testsuite>',
    ]
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(`verify ${baseUrl}`)}" tests="${String(cases.length)}" failures="${countCases(cases, 'failure')}" errors="${countCases(cases, 'error')}">`,
    ...suites,
    '</testsuites>\n',
  ].join('\n')
}

const escapeData = (text: string) => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
const escapeProperty = (text: string) => escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C')

/** Reports known drift and a run's problem as warnings. */
export function formatGitHub(report: VerifyReport, { fresh, known }: BaselineComparison): string {
  const { counts, problem, baseUrl } = report
  const line = (level: string, { operations, ...finding }: VerifyFinding) => {
    const names = operations ?? [finding.operation]
    return `::${level} title=${escapeProperty(`${names.join(', ')}: ${finding.rule}`)}::${escapeData(formatDetails(finding))}`
  }
  const sum = `${String(counts.pass)} pass, ${String(fresh.length)} drift, ${String(counts.inconclusive)} inconclusive`
  return [
    ...fresh.map((finding) => line('error', finding)),
    ...known.map((finding) => line('warning', finding)),
    ...(problem === undefined ? [] : [`::warning title=verify::${escapeData(problem)}`]),
    `::notice title=verify::${escapeData(`${baseUrl}: ${sum}`)}\n`,
  ].join('\n')
}
