// The report of `verify` for a CI: JUnit XML, and annotations of GitHub Actions.
import type { VerifyFinding, VerifyReport } from '../../verify/index.ts'
import { sourceText } from '../../verify/engine/rule.ts'
import { rulesOf, type Compared } from './baseline.ts'

const escapes: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' }

/** Text for XML, without the characters that it cannot hold. */
const xml = (text: string) =>
  text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '?')
    .replace(/[<>&"]/g, (found) => escapes[found] ?? '')

const details = ({ says, source, expected = '', got = '', curl = '' }: VerifyFinding) =>
  `${says} (${sourceText(source)})\nexpected  ${expected}\ngot       ${got}\n${curl}`

function testCase(name: string, finding: VerifyFinding, isKnown: boolean): string {
  const [operation = '', rule = ''] = name.split('/')
  const open = `    <testcase classname="${xml(operation)}" name="${xml(`${rule}: ${finding.says}`)}"`
  if (finding.outcome === 'pass') return `${open}/>`
  if (finding.outcome === 'not reachable' || isKnown) {
    const why = isKnown ? 'known drift, in the baseline' : (finding.why ?? '')
    return `${open}><skipped message="${xml(why)}"/></testcase>`
  }
  const message = `expected ${finding.expected ?? ''}, got ${finding.got ?? ''}`
  return `${open}><failure message="${xml(message)}">${xml(details(finding))}</failure></testcase>`
}

/** JUnit XML: a suite for each operation, a case for each rule; inconclusive rules and known drift are skipped. */
export function junitText({ baseUrl, findings, problem }: VerifyReport, { known }: Compared): string {
  const cases = new Map<string, { text: string; failed: boolean; skipped: boolean }[]>()
  for (const finding of findings)
    for (const name of rulesOf(finding)) {
      const [operation = ''] = name.split('/')
      const isKnown = known.includes(finding)
      const failed = finding.outcome === 'drift' && !isKnown
      const one = {
        text: testCase(name, finding, isKnown),
        failed,
        skipped: !failed && finding.outcome !== 'pass',
      }
      cases.set(operation, [...(cases.get(operation) ?? []), one])
    }
  const suites = [...cases].map(([operation, all]) => {
    const failures = all.filter(({ failed }) => failed).length
    const skipped = all.filter((one) => one.skipped).length
    return [
      `  <testsuite name="${xml(operation)}" tests="${String(all.length)}" failures="${String(failures)}" errors="0" skipped="${String(skipped)}">`,
      ...all.map(({ text }) => text),
      '  </testsuite>',
    ].join('\n')
  })
  const all = [...cases.values()].flat()
  const error =
    problem === undefined
      ? []
      : [
          `  <testsuite name="run" tests="1" failures="0" errors="1" skipped="0">\n    <testcase classname="run" name="run"><error message="${xml(problem)}"/></testcase>\n  </testsuite>`,
        ]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(`verify ${baseUrl}`)}" tests="${String(all.length + error.length)}" failures="${String(all.filter(({ failed }) => failed).length)}" errors="${String(error.length)}">`,
    ...suites,
    ...error,
    '</testsuites>\n',
  ].join('\n')
}

const data = (text: string) => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
const property = (text: string) => data(text).replace(/:/g, '%3A').replace(/,/g, '%2C')

/** Workflow commands: an error for each new drift, a warning for known drift and for a run that does not count. */
export function githubText(report: VerifyReport, { fresh, known }: Compared): string {
  const { counts, problem, baseUrl } = report
  const line = (level: string, finding: VerifyFinding) => {
    const { operation, operations = [operation], rule } = finding
    return `::${level} title=${property(`${operations.join(', ')}: ${rule}`)}::${data(details(finding))}`
  }
  const sum = `${String(counts.pass)} pass, ${String(fresh.length)} drift, ${String(counts.notReachable)} inconclusive`
  return [
    ...fresh.map((finding) => line('error', finding)),
    ...known.map((finding) => line('warning', finding)),
    ...(problem === undefined ? [] : [`::warning title=verify::${data(problem)}`]),
    `::notice title=verify::${data(`${baseUrl}: ${sum}`)}\n`,
  ].join('\n')
}
