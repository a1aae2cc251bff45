// The key of the run in what a deployment sends: replaced, so that no report, recording or fixture repeats it.
import { isObject } from '../../contract/data/objects.ts'

/** Stand for the key of the run, and for one with another last character, wherever an exchange is shown. */
export const keyVariable = '$WORKSPACE_API_KEY'
export const similarKeyVariable = (last: string) => `\${WORKSPACE_API_KEY%?}${last}`

/** Shorter ones stand in other words as well. */
const shortestKey = 6

/** Replaces a key wherever a deployment repeats it. */
export class KeyRedaction {
  readonly #forms: readonly string[]

  constructor(key: string) {
    this.#forms = key.length < shortestKey ? [] : [...new Set([key, encodeURIComponent(key)])]
  }

  text(text: string): string {
    return this.#forms.reduce((redacted, form) => redacted.replaceAll(form, keyVariable), text)
  }

  /** The headers without cookies. */
  headers(headers: Headers): Headers {
    const redacted = new Headers()
    for (const [name, value] of headers) if (name !== 'set-cookie') redacted.append(name, this.text(value))
    return redacted
  }

  /** A body as it came if the key does not stand in it. */
  bytes(bytes: Uint8Array): Uint8Array {
    // One character a byte: bytes that are not text stay as they are.
    const text = new TextDecoder('latin1').decode(bytes)
    if (!this.#forms.some((form) => text.includes(form))) return bytes
    return new TextEncoder().encode(this.text(new TextDecoder().decode(bytes)))
  }

  /** Parsed JSON, in which escapes can have hidden the key. */
  json(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.json(item))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [this.text(key), this.json(inner)]))
  }
}
