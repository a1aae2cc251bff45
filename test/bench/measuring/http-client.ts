// A load client for HTTP: keep-alive connections that do almost nothing, so that the server dominates.
import { connect, type Socket } from 'node:net'

const headEnd = Buffer.from('\r\n\r\n')

/** The end of the response at the start of the buffer; undefined until all of it has arrived. */
function endOf(received: Buffer): number | undefined {
  const end = received.indexOf(headEnd)
  if (end === -1) return undefined
  const size = /^content-length: *(\d+)/im.exec(received.toString('latin1', 0, end))?.[1]
  if (size === undefined) throw new Error('an answer came without its length')
  const total = end + headEnd.length + Number(size)
  return received.length < total ? undefined : total
}

/** One keep-alive connection that sends one request at a time. */
export class Connection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #answered: ((status: number) => void) | undefined
  #failed: ((error: Error) => void) | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => {
      try {
        this.#take(chunk)
      } catch (error) {
        this.#failed?.(error as Error)
      }
    })
    socket.on('error', (error) => this.#failed?.(error))
    socket.on('close', () => this.#failed?.(new Error('the server closed the connection')))
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => {
        socket.off('error', reject)
        resolve(new Connection(socket))
      })
      socket.once('error', reject)
    })
  }

  /** @returns the status of the response */
  send(request: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve
      this.#failed = reject
      this.#socket.write(request, 'latin1')
    })
  }

  close(): void {
    this.#failed = undefined
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    if (endOf(this.#received) === undefined) return
    const status = Number(this.#received.toString('latin1', 9, 12))
    this.#received = Buffer.alloc(0)
    this.#answered?.(status)
  }
}

/** A request as sent over the wire. */
export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const fields =
    body === ''
      ? headers
      : { ...headers, 'content-type': 'application/json', 'content-length': String(body.length) }
  const lines = Object.entries({ host: '127.0.0.1', ...fields }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** Sends requests over several connections, each waiting for its response. @returns responses per second */
export async function load(
  port: number,
  connections: number,
  forMs: number,
  next: () => string,
): Promise<number> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)))
  const start = performance.now()
  const end = start + forMs
  let answered = 0
  const run = async (connection: Connection) => {
    while (performance.now() < end) {
      const status = await connection.send(next())
      if (status !== 200) throw new Error(`answered ${String(status)}`)
      answered += 1
    }
  }
  await Promise.all(open.map(run))
  const seconds = (performance.now() - start) / 1000
  for (const connection of open) connection.close()
  return answered / seconds
}
