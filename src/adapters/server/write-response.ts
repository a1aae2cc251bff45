// Writes responses to node:http.
import type { ServerResponse } from 'node:http'
import { getOrInsert } from '../../contract/data/maps.ts'
import type { ApiResponse } from '../../mock/requests/call.ts'

const bytesOf = (body: ApiResponse['body']) =>
  body === null ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength

/** Lists of headers by headers object. Most responses share an object, and these objects never change. */
const headerLists = new WeakMap<ApiResponse['headers'], string[]>()

/** Headers as a flat list, which Node writes twice as fast as an object. Node does not keep it, so it can be reused. */
function headerListOf(headers: ApiResponse['headers'], sizeBytes: number): string[] {
  const list = getOrInsert(headerLists, headers, () => [
    ...Object.entries(headers).flat(),
    'content-length',
    '',
  ])
  list[list.length - 1] = String(sizeBytes)
  return list
}

/** Throws for invalid headers, before anything is sent. */
export function writeResponse(outgoing: ServerResponse, { status, headers, body }: ApiResponse): void {
  if (outgoing.destroyed) return
  const sizeBytes = bytesOf(body)
  // No Date header: every run sends the same bytes, and the mock has its own clock.
  outgoing.sendDate = false
  outgoing.writeHead(status, status === 204 || status === 304 ? headers : headerListOf(headers, sizeBytes))
  if (typeof body !== 'string' || body === '') {
    outgoing.end(body)
    return
  }
  // Sends head and text in one write. `end(text)` would make Node add an empty chunk, and two chunks need a slower
  // system call, which costs more than the mock itself. ASCII text is encoded faster as latin1.
  outgoing.write(body, sizeBytes === body.length ? 'latin1' : 'utf8')
  outgoing.socket?.uncork()
  outgoing.end()
}

/** A response as text, for connections that have no response object because the request was invalid. */
export function toRawResponse({ status, headers, body }: ApiResponse, reason: string): string {
  const fields = { ...headers, 'content-length': String(bytesOf(body)), connection: 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${String(status)} ${reason}\r\n${lines.join('')}\r\n${typeof body === 'string' ? body : ''}`
}
