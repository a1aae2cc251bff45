// Faults in words: what each does, and what the client did afterwards.
import { getOrInsert } from '../../../../contract/data/maps.ts'
import type { Rewrite } from '../../../../mock/faults/effect-spec.ts'
import type { FaultSpec } from '../../../../mock/faults/fault-spec.ts'
import type { FaultState } from '../../../../mock/faults/faults.ts'
import { formatQuantity, formatDuration, numberText, wordsOf } from '../../format.ts'
import { isError, isOfClient, type RequestRow } from '../../live-state.ts'
import type { Tone } from '../../parts/blocks.tsx'

function describeOutcome({ status = 500, network = false, resource, retryAfter = 1 }: FaultSpec): string {
  if (network) return 'fails with a broken connection'
  if (status < 300) return 'gets its usual response'
  const limit = resource === undefined ? '' : ` over ${resource}`
  return `gets ${String(status)}${limit}${status === 429 ? ` with Retry-After ${String(retryAfter)} s` : ''}`
}

const rewriteTexts: Readonly<Record<Rewrite, string>> = {
  'gateway before': 'gets an HTML page with 502 from a gateway; nothing changes',
  'gateway after': 'is carried out, then gets an HTML page with 502 from a gateway',
  cut: 'gets half of its response',
  'unknown field': 'gets its response with a field that clients do not know',
  'new items first': 'gets its response with new items first',
}

/** @param isUsed whether the fault is used up and hits no further request */
export function describeFault(fault: FaultSpec, isUsed = false): string {
  const { operation, times = 1, phase = 'before', delayMs = 0, status = 500, network } = fault
  const of = operation === undefined ? '' : ` of ${operation}`
  const counted =
    times === 1
      ? `${isUsed ? 'One' : 'The next'} request${of}`
      : `Each of ${isUsed ? '' : 'the next '}${String(times)} requests${of}`
  const which = times === null ? `Every request${of}` : counted
  const { effect: special } = fault
  const wait = delayMs > 0 ? ` after ${formatDuration(delayMs)}` : ''
  const carriedOut = phase === 'before' ? 'nothing changes' : 'the request is carried out nevertheless'
  if (special) {
    if ('answers' in special) return `Other answers to open questions: ${JSON.stringify(special.answers)}.`
    if ('extend' in special)
      return `${formatQuantity(special.extend.count, 'more item')} in ${special.extend.path}.`
    if ('respond' in special)
      return `${which} gets a custom response with ${String(special.respond.status)}${wait}; ${carriedOut}.`
    if ('rewrite' in special) return `${which} ${rewriteTexts[special.rewrite]}.`
    if ('spoil' in special) return `${which} has its last row made invalid.`
    if ('stop' in special)
      return `${which} ${phase === 'after' ? 'is carried out, and the connection breaks' : 'fails with a broken connection'}; so does every later one.`
    const { act } = special
    const what = 'method' in act ? `${act.method} ${act.path}` : `${act.control} ${act.argument}`
    return `${which} is followed by another user's action: ${what}.`
  }
  const end = network === true || status >= 300 ? `; ${carriedOut}.` : '.'
  return `${which} ${describeOutcome(fault)}${wait}${end}`
}

type Verdict = Readonly<{ tone: Tone; text: string; requests: readonly number[] }>

const requestTextOf = ({ method, path, query, sent = '', sandbox }: RequestRow) =>
  JSON.stringify([method, path, query, sent, sandbox])

/** Whether method, address and body are equal, as in a retry. */
const isSameRequest = (a: RequestRow, b: RequestRow) => requestTextOf(a) === requestTextOf(b)

/** Whether a request took effect although its response was an error or was lost. */
export const isCarriedOut = (row: RequestRow) => isError(row) && row.changes.length > 0

const isCreated = ({ change }: RequestRow['changes'][number]) => change === 'created'

const isCreate = ({ changes }: RequestRow) => changes.some(isCreated)

/** `4 rows`: counts the created records of the same resource as the first one. */
function countCreated(made: readonly RequestRow[]) {
  const resource = made[0]?.changes.find(isCreated)?.resource ?? 'records'
  const count = made.reduce(
    (sum, { changes, moreChanges = 0 }) =>
      sum + moreChanges + changes.filter((one) => isCreated(one) && one.resource === resource).length,
    0,
  )
  return `${numberText(count)} ${resource === 'row' ? 'rows' : wordsOf(resource)}`
}

/**
 * Says what retries created more than once because the failed requests had been carried out. The contract allows such
 * retries.
 * @param attempts all attempts at one request, oldest first
 */
function describeDuplicates(attempts: readonly RequestRow[]): string | null {
  const made = attempts.filter(isCreate)
  const failed = attempts.filter(isError)
  const stored = failed.filter(isCarriedOut).length
  if (made.length < 2 || stored === 0) return null
  const which =
    stored < failed.length
      ? formatQuantity(stored, 'failed request')
      : `${stored === 1 ? 'the' : 'each'} failed request`
  return `Created ${countCreated(made)}: ${which} had been carried out.`
}

/** Lists what retries created more than once, each with its requests. */
export function listDuplicates(rows: readonly RequestRow[]) {
  // Most journals have none.
  if (!rows.some(isCarriedOut)) return []
  const byText = new Map<string, RequestRow[]>()
  for (const row of rows) if (isOfClient(row)) getOrInsert(byText, requestTextOf(row), () => []).push(row)
  return [...byText.values()].flatMap((attempts) => {
    const first = attempts.findIndex((row) => isCarriedOut(row) && isCreate(row))
    const own = first < 0 ? [] : attempts.slice(first)
    const text = describeDuplicates(own)
    return text === null ? [] : [{ text, requests: own.filter(isCreate) }]
  })
}

/** @param rows the requests of the fault's sandbox, oldest first @returns null if the fault hit none of them */
export function verdictOf(fault: FaultState, rows: readonly RequestRow[]): Verdict | null {
  const hits = rows.filter((row) => row.fault === fault.id)
  const hit = hits.at(-1)
  const own = fault.effect && 'respond' in fault.effect ? fault.effect.respond.status : undefined
  if ((fault.effect && !(own !== undefined && own >= 400)) || !hit) return null
  const toVerdict = (tone: Tone, text: string, others: readonly RequestRow[] = []): Verdict => {
    return { tone, text, requests: [...hits, ...others].map(({ id }) => id) }
  }
  const later = rows.filter((row) => row.id > hit.id && isOfClient(row))
  const again = later.filter((row) => isSameRequest(row, hit))
  if (fault.network !== true && (own ?? fault.status ?? 500) < 300)
    return toVerdict('plain', `${formatQuantity(hits.length, 'slow response')}.`)
  const remark = isCarriedOut(hit) ? ' The failed request had been carried out.' : ''
  if (later.length === 0) return toVerdict('plain', `The client has sent nothing since.${remark}`)
  if (!again[0]) {
    const times = hits.filter((row) => isSameRequest(row, hit)).length
    const gaveUp = times > 1 ? `gave up after ${String(times)} attempts` : 'did not send it again'
    return toVerdict(
      'plain',
      `The client ${gaveUp}; it sent ${formatQuantity(later.length, 'other request')}.${remark}`,
    )
  }
  const waitedMs = again[0].atMs - hit.atMs
  const sentAgain = `The client sent it again${waitedMs > 0 ? ` after ${formatDuration(waitedMs)}` : ''}`
  const success = again.find(({ status }) => status >= 200 && status < 300)
  if (!success)
    return toVerdict(
      'warn',
      `${sentAgain}, without success: ${formatQuantity(again.length, 'time')}.${remark}`,
      again,
    )
  const tried = again.slice(0, again.indexOf(success) + 1)
  const duplicates = describeDuplicates([...hits.filter((row) => isSameRequest(row, hit)), ...tried])
  if (duplicates !== null) return toVerdict('bad', duplicates, tried)
  return toVerdict('good', `${sentAgain}, and it succeeded.${remark}`, tried)
}
