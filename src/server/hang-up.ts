// Detects clients that hang up before their response.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
// Fake timers of a test do not affect it.
import { clearInterval, setInterval } from 'node:timers'

/** The client disconnected before its request was complete, or while a fault delayed it: the request is discarded. */
export class Disconnected extends Error {
  constructor() {
    super('The client closed the connection.')
    this.name = 'Disconnected'
  }
}

/** The first bytes of every response. */
const firstBytes = 'HTTP/1.1 '
const probeEveryMs = 20

/**
 * Sends the first bytes of a response one by one, ahead of the rest: a client that is gone replies with a reset, which
 * the next write runs into.
 */
function probe(response: ServerResponse, socket: Socket): void {
  const { write } = socket
  let sent = 0
  const sendNext = () => {
    if (sent < firstBytes.length) write.call(socket, firstBytes.charAt(sent++))
  }
  const timer = setInterval(sendNext, probeEveryMs)
  response.once('close', () => {
    clearInterval(timer)
  })
  sendNext()
  // Node writes the head first and in one piece.
  socket.write = (head: Uint8Array | string, ...rest: never[]) => {
    clearInterval(timer)
    socket.write = write
    return socket.write(typeof head === 'string' ? head.slice(sent) : head, ...rest)
  }
}

/**
 * A signal that is aborted when the client closes the connection. A closed connection and a half-closed one, whose
 * client still waits, look the same until something is sent: the closed one replies with a reset.
 */
export function hangUpSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const { socket } = response.req
  const abort = () => {
    controller.abort(new Disconnected())
  }
  // Responses to earlier requests of the connection are sent first.
  const startProbe = () => {
    if (response.socket) probe(response, response.socket)
    else
      response.once('socket', (own: Socket) => {
        probe(response, own)
      })
  }
  if (socket.destroyed) abort()
  else if (socket.readableEnded) startProbe()
  else socket.once('end', startProbe)
  socket.once('close', abort)
  response.once('close', () => {
    socket.off('end', startProbe).off('close', abort)
    if (!response.writableFinished) abort()
  })
  return controller.signal
}
