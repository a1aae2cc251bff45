// Reads request bodies within limits, and discards what exceeds them.
import type { IncomingMessage } from 'node:http'
import type { BodyLimits, CallBody } from '../core/call.ts'
import { Disconnected } from './hang-up.ts'

/** Bodies up to this size usually arrive in one piece; reading them is faster than refusing them. */
const smallBytes = 64 * 1024

/** Whether the body is small enough to always be read to its end. */
export function hasSmallBody({ headers, complete }: IncomingMessage): boolean {
  return (
    !complete && headers.expect === undefined && Number(headers['content-length'] ?? Infinity) <= smallBytes
  )
}

export function hasBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  const length = headers['content-length']
  return length !== undefined && length !== '0'
}

/** Limits the bytes of request bodies held at the same time, over all connections. */
export class BodyBudget {
  #freeBytes: number

  constructor(bytes: number) {
    this.#freeBytes = bytes
  }

  take(bytes: number): boolean {
    if (bytes > this.#freeBytes) return false
    this.#freeBytes -= bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#freeBytes += bytes
  }
}

/** A body being received: its chunks, and how many bytes of the room they take. */
export class Upload {
  readonly #request: IncomingMessage
  readonly #room: BodyBudget
  #chunks: Buffer[] = []
  #heldBytes = 0
  #sizeBytes = 0
  #isCrowdedOut = false

  constructor(request: IncomingMessage, room: BodyBudget) {
    this.#request = request
    this.#room = room
  }

  /**
   * The body, or `too-large` as soon as it is known to exceed the limit; the rest is then left unread.
   * @throws {Disconnected}
   */
  read(limits: BodyLimits): Promise<CallBody> {
    const request = this.#request
    if (Number(request.headers['content-length'] ?? 0) > limits.mostBytes) return Promise.resolve('too-large')
    return new Promise((resolve, reject) => {
      const settle = () => {
        request.off('data', take).off('end', finish).off('close', abort).off('error', abort)
      }
      const take = (chunk: Buffer) => {
        this.#sizeBytes += chunk.length
        if (this.#sizeBytes <= limits.mostBytes) {
          this.#keep(chunk, limits.keptBytes)
          return
        }
        settle()
        request.pause()
        resolve('too-large')
      }
      const finish = () => {
        settle()
        resolve(this.#body())
      }
      const abort = () => {
        settle()
        reject(new Disconnected())
      }
      request.on('data', take).on('end', finish).on('close', abort).on('error', abort)
      if (request.destroyed) abort()
    })
  }

  /** Returns its bytes to the room. */
  release(): void {
    this.#room.giveBack(this.#heldBytes)
    this.#heldBytes = 0
    this.#chunks = []
  }

  #keep(chunk: Buffer, keptBytes: number): void {
    if (this.#heldBytes + chunk.length !== this.#sizeBytes) return
    const isKept = this.#sizeBytes <= keptBytes
    if (isKept && this.#room.take(chunk.length)) {
      this.#heldBytes += chunk.length
      this.#chunks.push(chunk)
      return
    }
    this.#isCrowdedOut = isKept
    this.release()
  }

  #body(): CallBody {
    const chunks = this.#chunks
    this.#chunks = []
    const [first] = chunks
    if (this.#heldBytes === this.#sizeBytes)
      return first && chunks.length === 1 ? first : Buffer.concat(chunks, this.#heldBytes)
    const cut = { head: new Uint8Array(), sizeBytes: this.#sizeBytes }
    return this.#isCrowdedOut ? { ...cut, isCrowdedOut: true } : cut
  }
}

const discardedBytes = 1024 * 1024 * 1024
const discardedMs = 10_000

/**
 * Discards the rest of a body, so that a client that reads the response only after it has sent everything receives it.
 * Stops when the client disconnects, after 1 GiB, or after 10 s.
 */
export function discardRest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    let leftBytes = discardedBytes
    const finish = () => {
      clearTimeout(timer)
      request.off('data', count).off('end', finish).off('close', finish).off('error', finish)
      resolve()
    }
    const count = (chunk: Buffer) => {
      leftBytes -= chunk.length
      if (leftBytes < 0) finish()
    }
    const timer = setTimeout(finish, discardedMs)
    timer.unref()
    request.on('data', count).on('end', finish).on('close', finish).on('error', finish)
    request.resume()
  })
}
