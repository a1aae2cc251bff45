// Explains a failing test: the latest requests, faults that no request met, and the report, as text.
import { isObject } from '../../contract/data/objects.ts'
import { listItems, quote, shorten } from '../../contract/text/quote.ts'
import type { Exchange } from '../requests/exchange.ts'
import type { FaultState } from '../faults/faults.ts'
import { toJournalEntry } from '../journal/entry.ts'
import { addressOf } from '../journal/weight.ts'
import type { Finding } from '../sandboxes/client-report.ts'
import type { Sandbox } from '../sandboxes/sandbox.ts'
import { toLiteral } from '../../contract/text/literal.ts'

/** Error, failed rows, hint and fault of a request, a line each. */
function notesOf(exchange: Exchange): string[] {
  const { responseBody: body, responseHeaders, partial, fault, delayMs } = toJournalEntry(exchange)
  const error = body && 'json' in body && isObject(body.json) ? body.json.error : undefined
  const hint = responseHeaders['x-mock-hint']
  const delay = delayMs === undefined ? '' : `, which delayed it by ${String(delayMs)} ms`
  return [
    ...(error === undefined ? [] : [`error: ${typeof error === 'string' ? error : quote(error)}`]),
    ...(partial ? [`${String(partial.failed)} of ${String(partial.of)} rows failed`] : []),
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
    ...(fault === null ? [] : [`met ${fault}${delay}`]),
  ]
}

function describeRequest(exchange: Exchange): string {
  const { id, method, operation, status } = exchange
  const outcome = status === 0 ? 'connection broken' : String(status)
  const line = `#${String(id)} ${method} ${shorten(addressOf(exchange))} ${outcome}`
  const named = operation === null ? `${line}, not an operation` : `${line} (${operation})`
  return [named, ...notesOf(exchange).map((note) => `  ${note}`)].join('\n')
}

function describeFault({ id, hits: _, times, phase, ...others }: FaultState): string {
  // Defaults are left out.
  const spec = {
    ...others,
    times: times === 1 ? undefined : times,
    phase: phase === 'before' ? undefined : phase,
  }
  return `${id}: mock.fault(${toLiteral(spec)})`
}

const describeFinding = ({ severity, rule, message, requests }: Finding) =>
  `${severity} ${rule}: ${message} (${listItems(requests, (id) => `#${String(id)}`)})`

function toSection(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  return [[title, ...lines.map((line) => line.replace(/^/gm, '  '))].join('\n')]
}

export function explain({ journal, faults, report }: Sandbox): string {
  const exchanges = journal.exchanges()
  const shown = exchanges.slice(-10)
  const count = shown.length < exchanges.length ? ` (the last ${String(shown.length)})` : ''
  const unmet = faults.listStates().filter(({ hits }) => hits === 0)
  const findings = report.findings({ assumptions: true }).filter(({ rule }) => rule !== 'assumption')
  return [
    ...(shown.length === 0 ? ['No request has reached the mock.'] : []),
    ...toSection(`Requests${count}:`, shown.map(describeRequest)),
    ...toSection('Faults that no request met:', unmet.map(describeFault)),
    ...toSection('Rules for clients:', findings.map(describeFinding)),
  ].join('\n\n')
}
