// A response from the deployment with the run's key redacted, so that no report, recording or fixture contains it.
import { isObject, readField } from '../../contract/data/objects.ts'
import { quote } from '../../contract/text/quote.ts'
import type { Received } from './receive.ts'

/** Replaces the run's key wherever an exchange is shown. */
export const keyVariable = '$WORKSPACE_API_KEY'

/** Shorter keys are not redacted, because they may be part of ordinary words. */
const shortestKey = 6
const utf8 = new TextDecoder()

/** The charset named in a content type; by default UTF-8. */
export const charsetOf = (type: string): string =>
  /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1] ?? 'utf-8'

/** Decodes as UTF-8, whatever the content type says; falls back to its charset if the bytes are not valid UTF-8. */
function decode(bytes: Uint8Array, type: string): string {
  const text = utf8.decode(bytes)
  if (!text.includes('\uFFFD')) return text
  try {
    return new TextDecoder(charsetOf(type)).decode(bytes)
  } catch {
    // The charset is unknown.
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

  /** Omits cookies. */
  headers(headers: Headers): Headers {
    const redacted = new Headers()
    for (const [name, value] of headers) if (name !== 'set-cookie') redacted.append(name, this.text(value))
    return redacted
  }

  bytes(bytes: Uint8Array): Uint8Array {
    // Latin-1 maps each byte to one character, so that even binary content can be searched.
    const text = new TextDecoder('latin1').decode(bytes)
    if (!this.#forms.some((form) => text.includes(form))) return bytes
    return new TextEncoder().encode(this.text(utf8.decode(bytes)))
  }

  /** Redacts parsed JSON, because escapes may have hidden the key in the text. */
  json(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.json(item))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [this.text(key), this.json(inner)]))
  }
}

/** Maximum nesting of JSON. The API never nests deeper, and a recursive comparison could overflow the stack. */
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

  /** Undefined if the body is not JSON or is nested too deeply. */
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

  /** Whether the body starts like JSON but does not parse, because part of it was lost on the way. */
  get isCut(): boolean {
    if (this.json !== undefined) return false
    const { text } = this
    return /^\s*[[{]/.test(text) && !isTooDeep(text)
  }

  /** Undefined if the body is not an object or lacks the field. */
  field(name: string): unknown {
    return readField(this.json, name)
  }

  /** Undefined if Retry-After is absent or not a number. */
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
