// What happens in a mock as server-sent events.
import type { ServerResponse } from 'node:http'
import type { WorkspaceMock } from '../mock.ts'

/** Most bytes that wait for a client which does not read: beyond this the connection ends, and the client reconnects. */
const waitingBytes = 4 * 1024 * 1024

/**
 * Sends every signal of a sandbox, or without a name of all, until the connection ends: its kind as the event, the rest
 * with the name of the sandbox as JSON.
 */
export function streamEvents(
  mock: WorkspaceMock,
  sandbox: string | null,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): Promise<never> {
  response.sendDate = false
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' })
  const stop = mock.watch((signal) => {
    if (sandbox !== null && signal.sandbox !== sandbox) return
    const { event, ...data } = signal
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    if (response.writableLength > waitingBytes) response.destroy()
  })
  response.on('close', stop)
  // Half-closed connections stay open until the response ends, which this one never does.
  response.req.socket.once('end', () => response.end())
  // Sent at once, so that the client knows when it is connected.
  response.write(': connected\n\n')
  return new Promise<never>(() => undefined)
}
