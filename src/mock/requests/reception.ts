// What a server or a page's worker knows about a request beyond the exchange. The journal holds it only for the console: it
// appears in no entry, HAR, explanation, snapshot or state.

/** Larger bodies are not kept, because a few of them would displace all others. */
const mostBytes = 16 * 1024 * 1024

/** A body, or its size if it was not kept. */
type ReceivedBody = string | Uint8Array | { readonly sizeBytes: number } | null

const isOnlyHere = (body: ReceivedBody, journalBytes: number): body is string | Uint8Array =>
  (typeof body === 'string' || body instanceof Uint8Array) &&
  body.length > journalBytes &&
  body.length <= mostBytes

/** The latest headers. Most requests have the same headers as the one before; the journal then holds them once. */
let latest: readonly string[] = []

const shareHeaders = (headers: readonly string[]) =>
  headers.length === latest.length && headers.every((text, index) => text === latest[index])
    ? latest
    : (latest = headers)

export class Reception {
  /** Alternating names and values, as received. */
  readonly headers: readonly string[]
  /** When it arrived, by the system clock. */
  readonly arrivedMs: number
  /** Milliseconds until its response was sent; undefined until then. */
  tookMs: number | undefined = undefined
  /** Bodies that the journal does not keep because they exceed 64 KiB. */
  requestBody: Uint8Array | undefined = undefined
  responseBody: string | Uint8Array | undefined = undefined
  heldBytes: number
  /** Whether keys have already been replaced with names, as in a saved run. */
  areShown = false

  constructor(headers: readonly string[], arrivedMs: number) {
    this.headers = shareHeaders(headers)
    this.arrivedMs = arrivedMs
    this.heldBytes = 0
    for (const text of headers) this.heldBytes += text.length
  }

  /** Recreates the reception of a saved run's request. */
  static of(saved: Pick<Reception, 'headers' | 'arrivedMs' | 'tookMs'>): Reception {
    const made = new Reception(saved.headers, saved.arrivedMs)
    made.tookMs = saved.tookMs
    made.areShown = true
    return made
  }

  end(nowMs: number): void {
    this.tookMs = nowMs - this.arrivedMs
  }

  /** Keeps the bodies that the journal is about to drop: those larger than `journalBytes`. */
  keepBodies(requestBody: ReceivedBody, responseBody: ReceivedBody, journalBytes: number): void {
    if (isOnlyHere(requestBody, journalBytes) && typeof requestBody !== 'string')
      this.requestBody = requestBody
    if (isOnlyHere(responseBody, journalBytes)) this.responseBody = responseBody
    this.heldBytes += (this.requestBody?.length ?? 0) + (this.responseBody?.length ?? 0)
  }
}
