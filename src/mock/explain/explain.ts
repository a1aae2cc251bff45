// Explains a failing test as text: the latest requests, faults that were never triggered, and the report.
import { countText } from '../../contract/text/format.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { listItems, quote, shorten, toPlainLines, toPlainText } from '../../contract/text/quote.ts'
import type { Exchange } from '../journal/exchange.ts'
import type { FaultState } from '../faults/faults.ts'
import { toJournalEntry } from '../journal/entry.ts'
import { addressOf } from '../journal/weight.ts'
import type { Finding } from '../sandboxes/client-report.ts'
import type { Sandbox } from '../sandboxes/sandbox.ts'
import type { MockParts } from '../internals.ts'
import { errorBodyOf, reasonOf, type Remedy } from './reasons.ts'
import { toLiteral } from '../../contract/text/literal.ts'

/** The sandboxes and boundaries that can receive requests. */
export type Places = Pick<MockParts, 'sandboxes' | 'boundaries'>

/** The sandbox to explain, with its name if it has one. */
interface Explained {
  readonly shown: Sandbox
  readonly name: string | undefined
  readonly writeRemedy: (remedy: Remedy) => string
}

/** Notes on a request, one per line: error, failed rows, hint, fault, first remedy. */
function notesOf(exchange: Exchange, { shown, name, writeRemedy }: Explained): string[] {
  const entry = toJournalEntry(exchange)
  const { responseHeaders, partial, fault, delayMs, injected, refusal, status } = entry
  const { error } = errorBodyOf(entry)
  const hint = responseHeaders['x-mock-hint']
  const remedy = fault === null ? reasonOf(entry, shown, name)?.remedies[0] : undefined
  const isOwn = injected === true && refusal === null && status > 0
  const delay = delayMs === undefined ? '' : `, which delayed it by ${String(delayMs)} ms`
  return [
    ...(error === undefined
      ? []
      : [`error: ${typeof error === 'string' ? toPlainText(error) : quote(error)}`]),
    ...(partial ? [`${String(partial.failed)} of ${countText(partial.of, 'row')} failed`] : []),
    ...(hint === undefined ? [] : [`hint: ${toPlainText(hint)}`]),
    ...(fault === null ? [] : [`${isOwn ? 'response injected by' : 'triggered'} ${fault}${delay}`]),
    ...(remedy === undefined ? [] : [`remedy: ${writeRemedy(remedy)}`]),
  ]
}

function describeRequest(exchange: Exchange, about: Explained): string {
  const { id, method, operation, status, fault } = exchange
  const outcome = status !== 0 ? String(status) : fault === null ? 'failed' : 'connection broken'
  const line = `#${String(id)} ${method} ${shorten(addressOf(exchange))} ${outcome}`
  const named = operation === null ? `${line}, not an operation` : `${line} (${operation})`
  return [named, ...notesOf(exchange, about).map((note) => `  ${note}`)].join('\n')
}

function describeFault({ id, hits: _, problem, times, phase, ...others }: FaultState): string {
  // Default values are left out.
  const spec = {
    ...others,
    times: times === 1 ? undefined : times,
    phase: phase === 'before' ? undefined : phase,
  }
  const line = `${id}: mock.fault(${toLiteral(spec)})`
  return problem === null ? line : `${line}\n  ${problem}`
}

function toSection(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  return [[title, ...lines.map((line) => line.replace(/^/gm, '  '))].join('\n')]
}

/** Summarizes the findings of each rule on one line, with the first one's message. */
function describeRules(findings: readonly Finding[]): string[] {
  const byRule = new Map<string, Finding[]>()
  for (const finding of findings) getOrInsert(byRule, finding.rule, () => []).push(finding)
  return [...byRule.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const ids = new Set([first, ...others].flatMap(({ requests }) => requests))
    const requests = listItems(
      [...ids].sort((a, b) => a - b),
      (id) => `#${String(id)}`,
    )
    const more = others.length === 0 ? '' : ` [and ${String(others.length)} more for this rule]`
    return [`${first.severity} ${first.rule}: ${first.message}${more}${ids.size > 0 ? ` (${requests})` : ''}`]
  })
}

/** Counts requests that the mock's other sandboxes and boundaries received: `3 in boundaries`. */
function listOthers(shown: Sandbox, { sandboxes, boundaries }: Places): string[] {
  const named = sandboxes.entries().map(([name, sandbox]) => [`sandbox ${name}`, sandbox] as const)
  const states = [['the main state', sandboxes.main] as const, ...named]
  const isBoundary = states.every(([, sandbox]) => sandbox !== shown)
  const counts = [
    ...states.map(
      ([place, sandbox]) => [place, sandbox === shown ? 0 : sandbox.journal.counts.requests] as const,
    ),
    ['deleted sandboxes', sandboxes.deletedRequests] as const,
    ['boundaries', boundaries.counts.boundaries - (isBoundary ? shown.journal.counts.requests : 0)] as const,
    ['explorations', boundaries.counts.explorations] as const,
  ]
  return counts.flatMap(([place, count]) => (count > 0 ? [`${String(count)} in ${place}`] : []))
}

/** Says why no request is listed: none arrived, or the journal no longer holds them. */
function describeAbsence(shown: Sandbox, name: string | undefined, places: Places): string {
  const { total, lastId } = shown.journal
  const others = listOthers(shown, places)
  if (lastId === 0 && others.length === 0)
    return shown.journal.elsewhere.length > 0
      ? 'No request has reached the mock: handlers in front of it responded.'
      : 'No request has reached the mock.'
  const { main } = places.sandboxes
  const here = shown === main ? 'the main state' : name === undefined ? 'this boundary' : `sandbox ${name}`
  const own =
    total > 0
      ? `${String(total)} in ${here}, which the journal does not keep (journalSize is 0)`
      : `none in ${here}${lastId > 0 ? ' since its journal was cleared' : ''}`
  return `Requests: ${[own, others.join(', ')].filter((text) => text !== '').join('; ')}.`
}

interface ExplainOptions {
  /** Whether to list the rules that the client broke. Default true. */
  readonly hasRules?: boolean
  /** Formats a remedy for its reader; by default as a line of a test. */
  readonly writeRemedy?: (remedy: Remedy) => string
}

export function explain(
  shown: Sandbox,
  places: Places,
  { hasRules = true, writeRemedy = ({ code }) => code }: ExplainOptions = {},
): string {
  const { journal, faults, report } = shown
  const name = places.sandboxes.nameOf(shown)
  const latest = journal.exchanges({ limit: 10 })
  const count = latest.length < journal.total ? [`the last ${String(latest.length)}`] : []
  const notes = [
    ...count,
    ...(latest.length === 0 ? [] : listOthers(shown, places).map((other) => `plus ${other}`)),
  ]
  const findings = hasRules
    ? report.findings({ assumptions: true }).filter(({ rule }) => rule !== 'assumption')
    : []
  const sections = [
    ...(latest.length === 0 ? [describeAbsence(shown, name, places)] : []),
    ...toSection(
      `Requests${notes.length === 0 ? '' : ` (${notes.join(', ')})`}:`,
      latest.map((exchange) => describeRequest(exchange, { shown, name, writeRemedy })),
    ),
    ...toSection('Requests handled in front of the mock:', journal.elsewhere.map(shorten)),
    ...toSection('Faults that were never triggered:', faults.listUnmetStates().map(describeFault)),
    ...toSection(
      'Faults whose effect could not be carried out:',
      faults.listFailedStates().map(describeFault),
    ),
    ...toSection('Rules for clients:', describeRules(findings)),
  ]
  return toPlainLines(sections.join('\n\n'))
}
