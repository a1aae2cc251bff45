// A request as sent and its response: the evidence of a drift, as a curl command and for a HAR.
import type { OperationId } from '../../contract/index.ts'
import type { HarExchange } from '../../contract/values/har.ts'
import type { Reply } from './reply.ts'

export interface SentExchange {
  readonly operation: OperationId | undefined
  readonly method: string
  readonly url: string
  /** Without the key: `Authorization` names the variable that holds it. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: BodyInit | null
  readonly startedAt: string
  reply?: Reply
  /** Why there was no readable response. */
  failure?: string
}

/** Stands for the key of the run wherever an exchange is shown. */
export const keyVariable = '$WORKSPACE_API_KEY'

const shownBody = 2000
const harBody = 65_536

/** In double quotes only to expand a variable. */
const quoted = (text: string) =>
  text.includes(keyVariable) ? `"${text.replace(/["\\`]/g, '\\$&')}"` : `'${text.replaceAll("'", "'\\''")}'`

function bodyFlags(body: BodyInit | null): string[] {
  if (body === null) return []
  if (body instanceof FormData)
    return [...body].map(([name, value]) =>
      typeof value === 'string'
        ? `--form-string ${quoted(`${name}=${value}`)}`
        : `-F ${quoted(`${name}=@${value.name};type=${value.type}`)}`,
    )
  if (typeof body !== 'string') return ['--data-binary @body']
  return [body.length > shownBody ? `--data-binary @body.json` : `--data-raw ${quoted(body)}`]
}

/** The request as a command for a shell; bodies above 2,000 characters stand in a file `body.json`. */
export function curlOf({ method, url, headers, body }: SentExchange): string {
  const shown = Object.entries(headers).filter(([name]) => name !== 'origin')
  return [
    'curl -i',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quoted(url),
    ...shown.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...bodyFlags(body),
  ].join(' ')
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
  const text = typeof body === 'string' ? body.slice(0, harBody) : ''
  return { postData: { mimeType: headers['content-type'] ?? '', text } }
}

/** For HAR; bodies are cut at 64 KiB. */
export function recorded(exchange: SentExchange, comment: string): HarExchange {
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
