// A response of the deployment as the checks see it.
import { isObject } from '../../contract/data/objects.ts'
import { quote } from '../../contract/text/quote.ts'

const utf8 = new TextDecoder()

export class Reply {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  #json: { value: unknown } | undefined

  constructor(status: number, headers: Headers, bytes: Uint8Array) {
    this.status = status
    this.headers = headers
    this.bytes = bytes
  }

  static async of(response: Response): Promise<Reply> {
    return new Reply(response.status, response.headers, new Uint8Array(await response.arrayBuffer()))
  }

  get isSuccess(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get text(): string {
    return utf8.decode(this.bytes)
  }

  /** The body as JSON; undefined where it is not JSON. */
  get json(): unknown {
    if (!this.#json)
      try {
        this.#json = { value: JSON.parse(this.text) as unknown }
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
    if (this.status >= 300 && this.status < 400)
      return `status ${String(this.status)}, a redirect to ${location ?? 'nowhere'}`
    return `status ${String(this.status)}${error === undefined ? '' : `, ${quote(error)}`}`
  }
}
