// A response of the deployment, in which the key of the run is replaced: no report, recording or fixture repeats it.
import { isObject } from '../../contract/data/objects.ts'
import { quote } from '../../contract/text/quote.ts'
import type { Received } from './receive.ts'

/** In place of the key of the run, wherever an exchange is shown. */
export const keyVariable = '$WORKSPACE_API_KEY'

/** Shorter keys are parts of other words, too. */
const shortestKey = 6
const utf8 = new TextDecoder()

/** The charset that a content type names; JSON without one is UTF-8. */
export const charsetOf = (type: string): string =>
  /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1] ?? 'utf-8'

/** JSON is UTF-8, whatever its content type says; bytes that are not are read as it says. */
function decode(bytes: Uint8Array, type: string): string {
  const text = utf8.decode(bytes)
  if (!text.includes('\uFFFD')) return text
  try {
    return new TextDecoder(charsetOf(type)).decode(bytes)
  } catch {
    // No such charset.
    return text
  }
}

export class KeyRedaction {
  readonly #forms: readonly string[]

  constructor(key: string) {
    this.#forms = key.length < shortestKey ? [] : [...new Set([key, encodeURIComponent(key)])]
  }

  text(text: string): string {
    return this.#forms.reduce((redacted, form) => redacted.replaceAll(form, keyVariable), text)
  }

  /** Leaves cookies out. */
  headers(headers: Headers): Headers {
    const redacted = new Headers()
    for (const [name, value] of headers) if (name !== 'set-cookie') redacted.append(name, this.text(value))
    return redacted
  }

  bytes(bytes: Uint8Array): Uint8Array {
    // One character a byte: bytes that are not text stay as they are.
    const text = new TextDecoder('latin1').decode(bytes)
    if (!this.#forms.some((form) => text.includes(form))) return bytes
    return new TextEncoder().encode(this.text(utf8.decode(bytes)))
  }

  /** Parsed JSON, in which escapes can have hidden the key. */
  json(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.json(item))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [this.text(key), this.json(inner)]))
  }
}

/** Deeper JSON is no response of this API, and cannot be compared: each level takes a part of the stack. */
const mostLevels = 500

function isTooDeep(text: string): boolean {
  let level = 0
  let isText = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isText) {
      if (character === '\\') at += 1
      else isText = character !== '"'
    } else if (character === '"') isText = true
    else if (character === '[' || character === '{') {
      if ((level += 1) > mostLevels) return true
    } else if (character === ']' || character === '}') level -= 1
  }
  return false
}

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
    return decode(this.bytes, this.headers.get('content-type') ?? '')
  }

  /** Undefined where the body is not JSON, or is nested too deeply. */
  get json(): unknown {
    if (!this.#json) {
      const { text } = this
      let value: unknown
      try {
        if (!isTooDeep(text)) value = JSON.parse(text)
      } catch {
        // The text is not JSON.
      }
      this.#json = { value: text.includes('\\u') ? this.#redaction.json(value) : value }
    }
    return this.#json.value
  }

  /** Whether the body begins as JSON and does not end so: a part of it was lost on the way. */
  get isCut(): boolean {
    if (this.json !== undefined) return false
    const { text } = this
    return /^\s*[[{]/.test(text) && !isTooDeep(text)
  }

  /** Undefined where the body is no object or lacks the field. */
  field(name: string): unknown {
    return isObject(this.json) ? this.json[name] : undefined
  }

  /** Undefined where Retry-After is absent or not a number. */
  get retryAfterMs(): number | undefined {
    const text = this.headers.get('retry-after')?.trim() ?? ''
    return /^\d+$/.test(text) ? Number(text) * 1000 : undefined
  }

  /** Status and message, for reports. */
  get summary(): string {
    const { status } = this
    if (this.isRedirect)
      return `status ${String(status)}, a redirect to ${this.headers.get('location') ?? 'nowhere'}`
    const error = this.field('error')
    return `status ${String(status)}${error === undefined ? '' : `, ${quote(error)}`}`
  }
}
