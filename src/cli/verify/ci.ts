// The report of `verify` for CI: JUnit XML, and annotations for GitHub Actions.
import type { VerifyFinding, VerifyReport } from '../../verify/index.ts'
import { sourceText } from '../../verify/engine/drift.ts'
import { rulesOf, type BaselineComparison } from './baseline.ts'

const escapes: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' }

const xml = (text: string) =>
  text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '?')
    .replace(/[<>&"]/g, (found) => escapes[found] ?? '')

const details = ({ says, source, expected = '', got = '', curl = '' }: VerifyFinding) =>
  `${says} (${sourceText(source)})\nexpected  ${expected}\ngot       ${got}\n${curl}`

/** Except for `passed`, names of JUnit elements. */
type Result = 'passed' | 'skipped' | 'failure' | 'error'

interface Case {
  readonly operation: string
  readonly result: Result
  readonly text: string
}

function testCase(operation: string, name: string, result: Result, message = '', inside = ''): Case {
  const open = `    <testcase classname="${xml(operation)}" name="${xml(name)}"`
  if (result === 'passed') return { operation, result, text: `${open}/>` }
  const end = inside === '' ? '/>' : `>${xml(inside)}</${result}>`
  return { operation, result, text: `${open}><${result} message="${xml(message)}"${end}</testcase>` }
}

/** Inconclusive rules and known drift count as skipped. */
function casesOf(finding: VerifyFinding, isFresh: boolean): Case[] {
  const { says, outcome, why = 'known drift, in the baseline', expected = '', got = '' } = finding
  return rulesOf(finding).map((name) => {
    const [operation = '', rule = ''] = name.split('/')
    const title = `${rule}: ${says}`
    if (outcome === 'pass') return testCase(operation, title, 'passed')
    if (!isFresh) return testCase(operation, title, 'skipped', why)
    return testCase(operation, title, 'failure', `expected ${expected}, got ${got}`, details(finding))
  })
}

const countOf = (cases: readonly Case[], wanted: Result) =>
  String(cases.filter(({ result }) => result === wanted).length)

export function junitText(
  { baseUrl, findings, problem }: VerifyReport,
  { fresh }: BaselineComparison,
): string {
  const cases = findings.flatMap((finding) => casesOf(finding, fresh.includes(finding)))
  if (problem !== undefined) cases.push(testCase('run', 'run', 'error', problem))
  const suites = [...new Set(cases.map(({ operation }) => operation))].flatMap((name) => {
    const own = cases.filter(({ operation }) => operation === name)
    return [
      `  <testsuite name="${xml(name)}" tests="${String(own.length)}" failures="${countOf(own, 'failure')}" errors="${countOf(own, 'error')}" skipped="${countOf(own, 'skipped')}">`,
      ...own.map(({ text }) => text),
      '  </testsuite>',
    ]
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(`verify ${baseUrl}`)}" tests="${String(cases.length)}" failures="${countOf(cases, 'failure')}" errors="${countOf(cases, 'error')}">`,
    ...suites,
    '</testsuites>\n',
  ].join('\n')
}

const data = (text: string) => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
const property = (text: string) => data(text).replace(/:/g, '%3A').replace(/,/g, '%2C')

/** Known drift and the problem of a run are warnings. */
export function githubText(report: VerifyReport, { fresh, known }: BaselineComparison): string {
  const { counts, problem, baseUrl } = report
  const line = (level: string, { operations, ...finding }: VerifyFinding) => {
    const names = operations ?? [finding.operation]
    return `::${level} title=${property(`${names.join(', ')}: ${finding.rule}`)}::${data(details(finding))}`
  }
  const sum = `${String(counts.pass)} pass, ${String(fresh.length)} drift, ${String(counts.notReachable)} inconclusive`
  return [
    ...fresh.map((finding) => line('error', finding)),
    ...known.map((finding) => line('warning', finding)),
    ...(problem === undefined ? [] : [`::warning title=verify::${data(problem)}`]),
    `::notice title=verify::${data(`${baseUrl}: ${sum}`)}\n`,
  ].join('\n')
}
