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
 * Headers as a flat list, which Node writes in half the time that an object takes. Most responses share their headers,
 * so the list is made once for them; only its last entry, the size, differs. Node does not keep it.
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
  // Every run sends the same bytes, and the mock has a clock of its own.
  outgoing.sendDate = false
  if (status === 204) outgoing.writeHead(status, headers)
  else outgoing.writeHead(status, headerList(headers, sizeBytes))
}

/**
 * Sends head and text in one write. `end(text)` would make Node send an empty chunk after them, and two chunks go out by
 * a slower system call, which costs more than the mock itself.
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

/** Ends once the rest of the request's body has been discarded; ending sooner would reset the connection. */
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

/** Some clients take bytes and a reset that arrive together for an ordinary end. */
const resetAfterMs = 10

/**
 * Breaks the connection so that the failure reaches the program. Many clients repeat a request on their own if a reused
 * connection ends without a byte; half a status line prevents it in most of them. Bun and Deno repeat it until they
 * have received a whole head, but accept an invalid one as final.
 */
export function breakOff(request: IncomingMessage, outgoing: ServerResponse): void {
  const { socket } = outgoing
  // Responses to earlier requests of the connection are sent first.
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

/** A response as text, for connections that have no response object because the request was invalid. */
export function rawResponse({ status, headers, body }: ApiResponse, reason: string): string {
  const fields = { ...headers, 'content-length': String(sizeOf(body)), connection: 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${String(status)} ${reason}\r\n${lines.join('')}\r\n${typeof body === 'string' ? body : ''}`
}
