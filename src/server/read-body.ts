// Owns the reading of request bodies within a limit, and the throwing away of what is beyond it.
import type { IncomingMessage } from 'node:http'
import type { CallBody } from '../core/call.ts'

/** The client went away before its body had come whole: the request is as if it had not been made. */
export class UploadAborted extends Error {
  constructor() {
    super('The client closed the connection before its request had come whole.')
    this.name = 'UploadAborted'
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  const length = headers['content-length']
  return length !== undefined && length !== '0'
}

/**
 * The body, or `too-large` as soon as it is known to be larger than the limit; the rest then waits unread.
 * @throws {UploadAborted}
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<CallBody> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return Promise.resolve('too-large')
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let sizeBytes = 0
    const settle = () => {
      request.off('data', take).off('end', finish).off('close', abort).off('error', abort)
    }
    const take = (chunk: Buffer) => {
      sizeBytes += chunk.length
      if (sizeBytes <= limitBytes) {
        chunks.push(chunk)
        return
      }
      settle()
      request.pause()
      resolve('too-large')
    }
    const finish = () => {
      settle()
      const [first] = chunks
      resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks, sizeBytes))
    }
    const abort = () => {
      settle()
      reject(new UploadAborted())
    }
    request.on('data', take).on('end', finish).on('close', abort).on('error', abort)
    if (request.destroyed) abort()
  })
}

const discardedBytes = 1024 * 1024 * 1024
const discardedMs = 10_000

/**
 * Throws away what is left of a body, so that a client which reads the answer only after it has sent everything
 * gets to see it. Ends early with the client, after 1 GiB, or after 10 s.
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
