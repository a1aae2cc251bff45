// Streams a mock's signals as server-sent events.
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { getOrInsert } from '../../contract/data/maps.ts'
import type { Signal } from '../../mock/sandboxes/signals.ts'
import type { WorkspaceMock } from '../../mock.ts'

/** An id for each served mock. When it changes, a client must discard what it has read. */
const boots = new WeakMap<WorkspaceMock, string>()

/**
 * Maximum bytes buffered for a client that does not read. Beyond this, the connection ends, and the client reconnects.
 */
const waitingBytes = 4 * 1024 * 1024

/** Heartbeat interval. A server paused in a debugger sends no heartbeats, although its connections stay open. */
const signOfLifeMs = 1000

/** Sends a sandbox's signals, or those of all sandboxes if `sandbox` is null, until the connection ends. */
export function streamEvents(
  mock: WorkspaceMock,
  sandbox: string | null,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): Promise<never> {
  response.sendDate = false
  response.writeHead(200, headers)
  const send = (signal: Signal) => {
    if (sandbox !== null && signal.sandbox !== sandbox) return
    const { event, ...data } = signal
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    if (response.writableLength > waitingBytes) response.destroy()
  }
  // Sent at once, so that the client knows that it is connected, and whether the mock is still the same.
  response.write(`: boot ${getOrInsert(boots, mock, randomUUID)}\n\n`)
  const stop = mock.watch(send, { pending: true })
  const timer = setInterval(() => response.write(':\n\n'), signOfLifeMs).unref()
  response.on('close', () => {
    clearInterval(timer)
    stop()
  })
  // A half-closed connection would stay open until the response ends, which never happens here.
  response.req.socket.once('end', () => response.end())
  return new Promise<never>(() => undefined)
}
