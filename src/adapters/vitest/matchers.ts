// Matchers for `expect`: requests, the report on the client, and findings of an exploration.
import { noteListed } from './failures.ts'
import { clientRules, type RuleId } from '../../contract/client-rules.ts'
import type { OperationId } from '../../contract/index.ts'
import { isObject } from '../../contract/data/objects.ts'
import { describeNearestName } from '../../contract/text/nearest.ts'
import { listItems, quote } from '../../contract/text/quote.ts'
import type { MockControls } from '../../mock/controls/mock-controls.ts'
import { assertFields } from '../../mock/parse-or-throw.ts'
import type { JournalEntry } from '../../mock/journal/entry.ts'
import { exploreSeverities, type ExploreSeverity, type Finding } from '../../mock/sandboxes/client-report.ts'

/** The conditions that a request must meet to count. */
export interface RequestExpectation {
  readonly status?: number
  /** The exact number of matching requests; by default at least one. */
  readonly times?: number
  /** A part of the JSON body; can contain asymmetric matchers. */
  readonly body?: unknown
}

interface MatcherState {
  readonly equals: (a: unknown, b: unknown, testers?: never[]) => boolean
  readonly utils: { readonly subsetEquality: unknown; readonly iterableEquality: unknown }
}
interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

const isMock = (value: unknown): value is MockControls =>
  isObject(value) && 'requests' in value && 'report' in value

function mockOf(received: unknown, matcher: string): MockControls {
  if (isMock(received)) return received
  throw new TypeError(`${matcher}: expected expect(mock); received ${quote(received)}`)
}

const sentJsonOf = ({ requestBody }: JournalEntry): unknown =>
  requestBody && 'json' in requestBody ? requestBody.json : undefined

function lineOf(entry: JournalEntry): string {
  const { id, method, path, status, operation } = entry
  const json = sentJsonOf(entry)
  const body = json === undefined ? '' : ` ${JSON.stringify(json)}`
  return `  #${String(id)} ${operation ?? 'no operation'}: ${method} ${path} ${String(status)}${body.slice(0, 200)}`
}

export function describeFindings(findings: readonly Finding[]): string {
  return findings
    .map(({ rule, severity, message, count, requests }) => {
      const times = count > 1 ? `, ${String(count)} times` : ''
      return `  ${severity} ${rule}: ${message} (requests ${listItems(requests, String)}${times})`
    })
    .join('\n')
}

export function toHaveRequested(
  this: MatcherState,
  received: unknown,
  operation: OperationId,
  expected: RequestExpectation = {},
): MatcherResult {
  const mock = mockOf(received, 'toHaveRequested')
  assertFields('toHaveRequested', expected, ['status', 'times', 'body'])
  const testers = [this.utils.subsetEquality, this.utils.iterableEquality] as never[]
  const { status, times, body } = expected
  const found = mock
    .requests({ operation, status })
    .filter((entry) => body === undefined || this.equals(sentJsonOf(entry), body, testers))
  const pass = times === undefined ? found.length > 0 : found.length === times
  const wanted = Object.entries(expected)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return {
    pass,
    message: () => {
      const all = mock.requests()
      const seen = all.length === 0 ? '  none' : all.map(lineOf).join('\n')
      const what = [operation, ...wanted].join(', ')
      const not = pass ? 'not to have been requested' : 'to have been requested'
      return `expected ${what} ${not}; matching requests: ${String(found.length)}. All requests:\n${seen}`
    },
  }
}

/** Which findings of the report on the client count. */
export interface ReportExpectation {
  /** Rules whose findings do not count; default none. */
  readonly except?: readonly RuleId[]
}

/** The findings that count. @throws {TypeError} naming an unknown rule and the nearest known one */
export function listCountedFindings(
  mock: MockControls,
  expected: ReportExpectation,
  where: string,
): readonly Finding[] {
  assertFields(where, expected, ['except'])
  const { except = [] } = expected
  const rules = Object.keys(clientRules)
  const given: unknown = except
  if (!Array.isArray(given))
    throw new TypeError(`${where}: except must be an array of rules; received ${quote(given)}`)
  const unknown = except.map(String).find((rule) => !rules.includes(rule))
  if (unknown !== undefined)
    throw new TypeError(
      `${where}: except must list rules of the report; received ${quote(unknown)}${describeNearestName(unknown, rules) || `; allowed: ${rules.join(', ')}`}`,
    )
  return mock.report().filter(({ rule }) => !except.includes(rule))
}

export function toHaveCleanReport(
  this: MatcherState,
  received: unknown,
  expected: ReportExpectation = {},
): MatcherResult {
  const mock = mockOf(received, 'toHaveCleanReport')
  const findings = listCountedFindings(mock, expected, 'toHaveCleanReport')
  if (findings.length > 0) noteListed(mock)
  return {
    pass: findings.length === 0,
    message: () =>
      findings.length === 0
        ? 'expected the report on the client to have findings; it has none'
        : `expected the report on the client to be empty; it has findings:\n${describeFindings(findings)}`,
  }
}

/** The parts of an exploration's result that the matcher reads. */
interface ExploreFindings {
  readonly findings: readonly { readonly severity: ExploreSeverity }[]
  toString(): string
}

const isResult = (value: unknown): value is ExploreFindings =>
  isObject(value) && 'findings' in value && 'covered' in value

/** Which findings of an exploration count. */
export interface FindingsExpectation {
  /** The lowest severity that counts. Default `warning`: errors and warnings count. */
  readonly severity?: ExploreSeverity
}

/** Passes if an exploration has no findings of the given severity or above. */
export function toHaveNoFindings(
  this: MatcherState,
  received: unknown,
  expected: FindingsExpectation = {},
): MatcherResult {
  if (!isResult(received))
    throw new TypeError(`toHaveNoFindings: expected the result of mock.explore; received ${quote(received)}`)
  assertFields('toHaveNoFindings', expected, ['severity'])
  const { severity: least = 'warning' } = expected
  if (!exploreSeverities.includes(least))
    throw new TypeError(
      `toHaveNoFindings: severity must be one of ${exploreSeverities.join(', ')}; received ${quote(least)}`,
    )
  const counted = exploreSeverities.slice(0, exploreSeverities.indexOf(least) + 1)
  const isClean = !received.findings.some(({ severity }) => counted.includes(severity))
  return {
    pass: isClean,
    message: () =>
      isClean
        ? `expected the exploration to have findings (${counted.join(', ')}); it has none`
        : `expected the exploration to have no findings (${counted.join(', ')}):\n\n${received.toString()}`,
  }
}
