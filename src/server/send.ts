// Writes responses to node:http.
import type { IncomingMessage, ServerResponse } from 'node:http'
// Fake timers of a test do not affect it.
import { setTimeout } from 'node:timers'
import type { ApiResponse } from '../core/call.ts'
import { discardRest, hasBody } from './read-body.ts'

const sizeOf = (body: ApiResponse['body']) =>
  body === null ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength

const headerLists = new WeakMap<ApiResponse['headers'], string[]>()

/**
 * Headers as a flat list, which Node writes in half the time that an object takes. Most answers share their headers,
 * so the list is made once for them; only its last entry, the size, differs. Node is done with it when it returns.
 */
function headerList(headers: ApiResponse['headers'], sizeBytes: number): string[] {
  let list = headerLists.get(headers)
  if (!list) {
    list = [...Object.entries(headers).flat(), 'content-length', '']
    headerLists.set(headers, list)
  }
  list[list.length - 1] = String(sizeBytes)
  return list
}

function writeHead(outgoing: ServerResponse, { status, headers }: ApiResponse, sizeBytes: number): void {
  // Every run returns the same bytes, and the machine's date is not the mock's.
  outgoing.sendDate = false
  if (status === 204) outgoing.writeHead(status, headers)
  else outgoing.writeHead(status, headerList(headers, sizeBytes))
}

/**
 * Ends with head and text in one write. `end(text)` would hand Node a second, empty piece to send behind them, and two
 * pieces go out by a slower call: in answers per second that is more than the mock itself costs.
 */
function endAtOnce(outgoing: ServerResponse, body: ApiResponse['body'], sizeBytes: number): void {
  if (typeof body !== 'string' || body === '') {
    outgoing.end(body)
    return
  }
  // A text of ASCII alone is the same bytes, and encoded faster.
  outgoing.write(body, sizeBytes === body.length ? 'latin1' : 'utf8')
  outgoing.socket?.uncork()
  outgoing.end()
}

/** Ends once the rest of the request's body has been thrown away: ending sooner would reset the connection. */
function endWithoutRest(request: IncomingMessage, outgoing: ServerResponse, body: ApiResponse['body']): void {
  if (body === null || body.length === 0) outgoing.flushHeaders()
  else outgoing.write(body)
  void discardRest(request).then(() => outgoing.end())
}

/** Sends a response, whether or not the request's body was read. Throws for invalid headers, before anything is sent. */
export function sendResponse(
  request: IncomingMessage,
  outgoing: ServerResponse,
  response: ApiResponse,
): void {
  if (outgoing.destroyed) return
  const isRead = request.complete || !hasBody(request)
  if (!isRead) outgoing.shouldKeepAlive = false
  const sizeBytes = sizeOf(response.body)
  writeHead(outgoing, response, sizeBytes)
  if (isRead) endAtOnce(outgoing, response.body, sizeBytes)
  else endWithoutRest(request, outgoing, response.body)
}

/** Bytes and reset that arrive together look like an ordinary end to some clients. */
const resetAfterMs = 10

/**
 * Breaks the connection so that the failure reaches the program. Where a connection that was used before ends without a
 * byte, many clients repeat the request by themselves: half a status line keeps most from it. Bun and Deno repeat it
 * until they have a whole head; one that is wrong they take for final.
 */
export function breakOff(request: IncomingMessage, outgoing: ServerResponse): void {
  const { socket } = outgoing
  // The responses to earlier requests of the connection come first.
  if (!socket) {
    outgoing.once('socket', () => {
      breakOff(request, outgoing)
    })
    return
  }
  const repeats = /^(?:Bun|Deno)\//.test(request.headers['user-agent'] ?? '')
  socket.write(repeats ? 'HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n' : 'HTTP/1.1 ')
  setTimeout(() => socket.resetAndDestroy(), resetAfterMs)
}

/** A response as text, for a connection without a response object because its request was invalid. */
export function rawResponse({ status, headers, body }: ApiResponse, reason: string): string {
  const fields = { ...headers, 'content-length': String(sizeOf(body)), connection: 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${String(status)} ${reason}\r\n${lines.join('')}\r\n${typeof body === 'string' ? body : ''}`
}
