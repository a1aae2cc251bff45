// Open connections: the latest response of each, and the upload that later requests wait for.
import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { getOrInsert } from '../contract/data/maps.ts'

export class Connection {
  /** The response to the latest request, sent or not. */
  latest: ServerResponse | undefined
  /** Whether its response is a stream that stays open until one side ends it. */
  isStream = false
  #upload: Promise<unknown> | undefined

  /** Whether a request waits for its response. */
  get isBusy(): boolean {
    return this.latest !== undefined && !this.latest.writableFinished && !this.latest.destroyed
  }

  /** Whether an earlier request's body is still being read, so that this one has to wait. */
  get isWaiting(): boolean {
    return this.#upload !== undefined
  }

  /**
   * Reads a body after those of earlier requests. Node announces a pipelined request before the body of the previous
   * one has been read; without this it would overtake.
   */
  inTurn<T>(read: () => Promise<T>): Promise<T> {
    const before = this.#upload
    const upload = before ? before.then(read) : read()
    const end = () => {
      if (this.#upload === ended) this.#upload = undefined
    }
    const ended: Promise<void> = upload.then(end, end)
    this.#upload = ended
    return upload
  }
}

export class Connections {
  readonly #open = new Map<Duplex, Connection>()

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#open.set(socket, new Connection())
      socket.once('close', () => this.#open.delete(socket))
    })
  }

  find(socket: Duplex): Connection | undefined {
    return this.#open.get(socket)
  }

  of(socket: Duplex): Connection {
    return getOrInsert(this.#open, socket, () => new Connection())
  }

  /** Ends event streams. */
  endStreams(): void {
    for (const [socket, { isStream }] of this.#open) if (isStream) socket.destroy()
  }

  /** Ends idle connections, and the others after their response. */
  close(): void {
    for (const [socket, connection] of this.#open) {
      const { latest, isStream } = connection
      if (isStream || !latest || !connection.isBusy || !latest.req.complete) socket.destroy()
      else if (!latest.headersSent) latest.shouldKeepAlive = false
    }
  }
}
