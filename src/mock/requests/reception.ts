// What a server or the worker of a page knows of a request besides the exchange. The journal holds it for the console
// alone: no entry, HAR, explanation, snapshot or state contains any of it.

/** Larger bodies are not kept: a few of them would take the place of all others. */
const mostBytes = 16 * 1024 * 1024

/** A body; its size where it was not kept. */
type ReceivedBody = string | Uint8Array | { readonly sizeBytes: number } | null

const isOnlyHere = (body: ReceivedBody, journalBytes: number): body is string | Uint8Array =>
  (typeof body === 'string' || body instanceof Uint8Array) &&
  body.length > journalBytes &&
  body.length <= mostBytes

/** The latest headers. Most requests have those of the one before, which the journal then holds once. */
let latest: readonly string[] = []

const shareHeaders = (headers: readonly string[]) =>
  headers.length === latest.length && headers.every((text, index) => text === latest[index])
    ? latest
    : (latest = headers)

export class Reception {
  /** Names and values in turn, as received. */
  readonly headers: readonly string[]
  /** The moment of its arrival, by the system clock. */
  readonly arrivedMs: number
  /** Milliseconds until its response was sent; undefined until then. */
  tookMs: number | undefined = undefined
  /** Bodies that the journal does not keep, since they are larger than 64 KiB. */
  requestBody: Uint8Array | undefined = undefined
  responseBody: string | Uint8Array | undefined = undefined
  heldBytes: number
  /** Whether names already stand in place of keys, as in a saved run. */
  areShown = false

  constructor(headers: readonly string[], arrivedMs: number) {
    this.headers = shareHeaders(headers)
    this.arrivedMs = arrivedMs
    this.heldBytes = 0
    for (const text of headers) this.heldBytes += text.length
  }

  /** The reception of a request of a saved run. */
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
