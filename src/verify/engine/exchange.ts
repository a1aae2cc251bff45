// A request as sent and its response: the evidence of a drift, as a curl command and as HAR.
import type { OperationId } from '../../contract/index.ts'
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
        ? `-F ${quoted(`${name}=${value}`)}`
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

const pairs = (entries: Iterable<readonly [string, string]>) =>
  [...entries].map(([name, value]) => ({ name, value }))

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

function responseOf({ reply, failure }: SentExchange) {
  const text = reply?.text.slice(0, harBody) ?? ''
  return {
    status: reply?.status ?? 0,
    statusText: failure ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(reply?.headers ?? []),
    content: { size: reply?.bytes.length ?? 0, mimeType: reply?.headers.get('content-type') ?? '', text },
    redirectURL: reply?.headers.get('location') ?? '',
    headersSize: -1,
    bodySize: reply?.bytes.length ?? 0,
  }
}

/** HTTP Archive 1.2; the comment of an entry names the rule that it broke. Bodies are cut at 64 KiB. */
export const harOfDrifts = (
  entries: readonly { readonly comment: string; readonly exchange: SentExchange }[],
) => ({
  log: {
    version: '1.2',
    creator: { name: 'workspace-api-mock verify', version: '1' },
    entries: entries.map(({ comment, exchange }) => ({
      startedDateTime: exchange.startedAt,
      time: 0,
      comment,
      request: {
        method: exchange.method,
        url: exchange.url,
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: pairs(Object.entries(exchange.headers)),
        queryString: pairs(new URL(exchange.url).searchParams),
        headersSize: -1,
        bodySize: -1,
        ...postDataOf(exchange),
      },
      response: responseOf(exchange),
      cache: {},
      timings: { send: 0, wait: 0, receive: 0 },
    })),
  },
})
export type DriftHar = ReturnType<typeof harOfDrifts>
