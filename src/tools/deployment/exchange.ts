// Evidence of drift: requests with their responses, as curl commands and HAR entries.
import { countText } from '../../contract/text/format.ts'
import type { OperationId } from '../../contract/index.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { HarExchange } from '../../contract/data/har.ts'
import { toCurlCommand, quoteForShell } from '../../contract/text/curl.ts'
import type { Reply } from './reply.ts'

export type RequestBody = string | FormData

export interface SentExchange {
  readonly operation: OperationId | undefined
  readonly method: string
  readonly url: string
  /** The headers as sent, except that `Authorization` names a shell variable instead of the key. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: RequestBody | null
  readonly startedAt: string
  reply?: Reply
  /** Why there was no readable response. */
  failure?: string
}

const shownBody = 2000
const harBody = 65_536

/** Finds the id of the record that a POST created, and the field that holds it. */
function findCreatedId({ method, reply }: SentExchange): readonly [name: string, id: string] | undefined {
  if (method !== 'POST' || reply?.isSuccess !== true || !isObject(reply.json)) return undefined
  const { attachment } = reply.json
  const created = isObject(attachment) ? attachment : reply.json
  for (const name of ['id', 'key', 'job_id']) {
    const id = created[name]
    if (typeof id === 'string' && /^[\w-]{6,}$/.test(id)) return [name, id]
  }
  return undefined
}

const sentTextOf = ({ url, body }: SentExchange) => `${url} ${typeof body === 'string' ? body : ''}`

/**
 * Finds the requests that reproduce the last one: those that created the records it names and, for a read, the last
 * write.
 */
export function findNeeded(sent: readonly SentExchange[], isAfterWrite: boolean): SentExchange[] {
  const last = sent.at(-1)
  if (!last) return []
  const needed = [last]
  for (const exchange of sent.slice(0, -1).reverse()) {
    const id = findCreatedId(exchange)?.[1]
    const isWrite = exchange.method !== 'GET' && exchange.operation !== 'queryRows'
    const isLastWrite = isAfterWrite && isWrite && needed.length === 1
    if (isLastWrite || (id !== undefined && needed.some((one) => sentTextOf(one).includes(id))))
      needed.unshift(exchange)
  }
  return needed
}

/**
 * Writes one curl command per line. Ids that a command creates become shell variables; a long body becomes
 * `body.json`.
 */
export function toCommands(exchanges: readonly SentExchange[]): string {
  const variables = new Map<string, string>()
  const lines = exchanges.map((exchange, index) => {
    const [name, id] = findCreatedId(exchange) ?? []
    const isUsed = id !== undefined && exchanges.slice(index + 1).some((one) => sentTextOf(one).includes(id))
    const { method, url, headers, body } = exchange
    const isLong = typeof body === 'string' && body.length > shownBody
    const sent = {
      method,
      url,
      headers: Object.entries(headers).filter(([header]) => header !== 'origin'),
      body: isLong ? { file: 'body.json' } : (body ?? undefined),
    }
    // Double quotes let the shell expand the variable that holds the key.
    const headerWord = (text: string) =>
      text.includes('WORKSPACE_API_KEY') ? `"${text}"` : quoteForShell(text)
    let command = toCurlCommand(sent, { flags: [isUsed ? '-s' : '-i'], word: quoteForShell, headerWord })
    for (const [known, variable] of variables)
      command = command.replaceAll(known, `'"$${variable}"'`).replaceAll(/"''(?= |$)/g, '"')
    if (!isUsed || name === undefined) return command
    const variable = `ID${String(variables.size + 1)}`
    variables.set(id, variable)
    return `${variable}=$(${command} | grep -o '"${name}": *"[^"]*"' | head -n 1 | cut -d '"' -f 4)`
  })
  return lines.join('\n')
}

export function toHarExchange(exchange: SentExchange, comment: string): HarExchange {
  const { startedAt, method, url, headers, body, reply, failure } = exchange
  const toParam = ([name, value]: [string, FormDataEntryValue]) =>
    typeof value === 'string'
      ? { name, value }
      : { name, fileName: value.name, contentType: value.type, comment: countText(value.size, 'byte') }
  const postData =
    body instanceof FormData
      ? { mimeType: 'multipart/form-data', params: [...body].map(toParam) }
      : body !== null && { mimeType: headers['content-type'] ?? '', text: body.slice(0, harBody) }
  const sent = { method, url, headers: Object.entries(headers), ...(postData && { postData }), bodySize: -1 }
  return {
    comment,
    startedDateTime: startedAt,
    request: sent,
    response: {
      status: reply?.status ?? 0,
      ...(failure !== undefined && { statusText: failure }),
      headers: reply?.headers ?? [],
      content: {
        size: reply?.bytes.length ?? 0,
        mimeType: reply?.headers.get('content-type') ?? '',
        text: reply?.text.slice(0, harBody) ?? '',
      },
      redirectURL: reply?.headers.get('location') ?? '',
    },
  }
}
