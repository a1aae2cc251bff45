// The evidence of a drift: a request and its response, as a curl command and for a HAR.
import type { OperationId } from '../../../contract/index.ts'
import type { HarExchange } from '../../../contract/data/har.ts'
import { toCurlCommand, quoteForShell } from '../../../contract/text/curl.ts'
import type { Reply } from './reply.ts'

export type RequestBody = string | FormData

export interface SentExchange {
  readonly operation: OperationId | undefined
  readonly method: string
  readonly url: string
  /** Without the key: `Authorization` names the variable that holds it. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: RequestBody | null
  readonly startedAt: string
  reply?: Reply
  /** Why there was no readable response. */
  failure?: string
}

const shownBody = 2000
const harBody = 65_536

/** Double quotes let the shell put the key in. */
const quoteHeader = (text: string) => (text.includes('WORKSPACE_API_KEY') ? `"${text}"` : quoteForShell(text))

/** A longer body stands in a file `body.json`. */
export function curlOf({ method, url, headers, body }: SentExchange): string {
  const shown = Object.entries(headers).filter(([name]) => name !== 'origin')
  const sent =
    typeof body === 'string' && body.length > shownBody ? { file: 'body.json' } : (body ?? undefined)
  return toCurlCommand(
    { method, url, headers: shown, body: sent },
    { flags: ['-i'], word: quoteForShell, headerWord: quoteHeader },
  )
}

function postDataOf({ body, headers }: SentExchange) {
  if (body === null) return {}
  if (body instanceof FormData) {
    const params = [...body].map(([name, value]) =>
      typeof value === 'string'
        ? { name, value }
        : { name, fileName: value.name, contentType: value.type, comment: `${String(value.size)} bytes` },
    )
    return { postData: { mimeType: 'multipart/form-data', params } }
  }
  return { postData: { mimeType: headers['content-type'] ?? '', text: body.slice(0, harBody) } }
}

export function toHarExchange(exchange: SentExchange, comment: string): HarExchange {
  const { startedAt, method, url, headers, reply, failure } = exchange
  return {
    comment,
    startedDateTime: startedAt,
    request: { method, url, headers: Object.entries(headers), ...postDataOf(exchange), bodySize: -1 },
    response: {
      status: reply?.status ?? 0,
      statusText: failure ?? '',
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
