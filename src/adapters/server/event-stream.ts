// Server-sent events: the signals of a mock.
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { getOrInsert } from '../../contract/data/maps.ts'
import type { Signal } from '../../mock/sandboxes/signals.ts'
import type { WorkspaceMock } from '../../mock.ts'

/** A name for each mock that is served: what a client read of another one is not about this one. */
const boots = new WeakMap<WorkspaceMock, string>()

/** Most bytes buffered for a client that does not read; beyond this the connection ends, and the client reconnects. */
const waitingBytes = 4 * 1024 * 1024

/** How often a stream shows that the server runs: a process that a debugger stops keeps its connections. */
const signOfLifeMs = 1000

/** Sends the signals of a sandbox, or of all if `sandbox` is null, until the connection ends. */
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
  // Sent at once, so that the client knows when it is connected, and whether to a mock that it knows.
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
