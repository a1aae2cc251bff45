// Owns the writing of answers to node:http.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from '../http/call.ts'
import { discardRest, hasBody } from './read-body.ts'

const sizeOf = (body: Answer['body']) =>
  body === null ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength

function writeHead(response: ServerResponse, { status, headers, body }: Answer): void {
  // Every run answers the same bytes, and the machine's date is not the mock's.
  response.sendDate = false
  response.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': sizeOf(body) })
}

function send(response: ServerResponse, answer: Answer): void {
  writeHead(response, answer)
  response.end(answer.body)
}

/** Closes the connection once the rest of the body has been thrown away: ending sooner would reset it unseen. */
async function sendWithoutRest(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  response.shouldKeepAlive = false
  writeHead(response, answer)
  if (answer.body === null || answer.body.length === 0) response.flushHeaders()
  else response.write(answer.body)
  await discardRest(request)
  response.end()
}

/** Answers a request, whether or not its body was read. */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): void | Promise<void> {
  if (response.destroyed) return
  if (!request.complete && hasBody(request)) return sendWithoutRest(request, response, answer)
  send(response, answer)
}

/** An answer as it goes over a connection for which there is no response object, because its request was none. */
export function rawAnswer({ status, headers, body }: Answer, reason: string): string {
  const fields = { ...headers, 'content-length': String(sizeOf(body)), connection: 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${String(status)} ${reason}\r\n${lines.join('')}\r\n${typeof body === 'string' ? body : ''}`
}
