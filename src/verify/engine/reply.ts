// A response of the deployment as the checks see it.
import { isObject } from '../../contract/data/objects.ts'
import { quote } from '../../contract/text/quote.ts'
import type { Received } from './receive.ts'
import type { KeyRedaction } from './redact.ts'

const utf8 = new TextDecoder()

export class Reply {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly #redaction: KeyRedaction
  #json: { value: unknown } | undefined

  constructor({ response, bytes }: Received, redaction: KeyRedaction) {
    this.status = response.status
    this.headers = redaction.headers(response.headers)
    this.bytes = redaction.bytes(bytes)
    this.#redaction = redaction
  }

  get isSuccess(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get isRedirect(): boolean {
    return this.status >= 300 && this.status < 400
  }

  get text(): string {
    return utf8.decode(this.bytes)
  }

  /** The body as JSON; undefined where it is not JSON. */
  get json(): unknown {
    if (!this.#json)
      try {
        const { text } = this
        const value: unknown = JSON.parse(text)
        this.#json = { value: text.includes('\\u') ? this.#redaction.json(value) : value }
      } catch {
        this.#json = { value: undefined }
      }
    return this.#json.value
  }

  /** A field of a JSON object; undefined where there is none. */
  field(name: string): unknown {
    return isObject(this.json) ? this.json[name] : undefined
  }

  /** Milliseconds of Retry-After; undefined where it is absent or not a number. */
  get retryAfterMs(): number | undefined {
    const text = this.headers.get('retry-after')?.trim() ?? ''
    return /^\d+$/.test(text) ? Number(text) * 1000 : undefined
  }

  /** Status and message, for reports. */
  get summary(): string {
    const error = this.field('error')
    const location = this.headers.get('location')
    if (this.isRedirect) return `status ${String(this.status)}, a redirect to ${location ?? 'nowhere'}`
    return `status ${String(this.status)}${error === undefined ? '' : `, ${quote(error)}`}`
  }
}
