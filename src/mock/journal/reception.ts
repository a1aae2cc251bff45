// What a server or the worker of a page knows of a request besides the exchange. The journal holds it for the console
// alone: no entry, HAR, explanation, snapshot or state contains any of it.
import type { Exchange } from '../requests/exchange.ts'
import { isHeld, keptBodyBytes } from './weight.ts'

/** Larger bodies are not kept: a few of them would take the place of all others. */
const mostBytes = 16 * 1024 * 1024

type Bodies = Pick<Exchange, 'requestBody' | 'responseBody'>

const isOnlyHere = (body: Exchange['responseBody']): body is string | Uint8Array =>
  isHeld(body) && body.length > keptBodyBytes && body.length <= mostBytes

export class Reception {
  /** Names and values in turn, as received. */
  readonly headers: readonly string[]
  /** Of the system clock. */
  readonly arrivedMs: number
  /** Milliseconds until its response was sent; undefined until then. */
  tookMs: number | undefined = undefined
  /** Bodies that the journal does not keep, since they are larger than 64 KiB. */
  requestBody: Uint8Array | undefined = undefined
  responseBody: string | Uint8Array | undefined = undefined
  heldBytes: number

  constructor(headers: readonly string[], arrivedMs: number) {
    this.headers = headers
    this.arrivedMs = arrivedMs
    this.heldBytes = 0
    for (const text of headers) this.heldBytes += text.length
  }

  end(nowMs: number): void {
    this.tookMs = nowMs - this.arrivedMs
  }

  /** Keeps the bodies that the journal is about to drop. */
  keepBodies({ requestBody, responseBody }: Bodies): void {
    if (isOnlyHere(requestBody) && typeof requestBody !== 'string') this.requestBody = requestBody
    if (isOnlyHere(responseBody)) this.responseBody = responseBody
    this.heldBytes += (this.requestBody?.length ?? 0) + (this.responseBody?.length ?? 0)
  }
}
