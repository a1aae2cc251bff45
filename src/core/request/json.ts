// JSON texts of requests: invalid JSON, and JSON that nests too deep to be handled safely, is refused.
import { ApiError } from '../../contract/errors.ts'
import { quote } from '../../contract/text/quote.ts'

/** Most levels of nested arrays and objects in a text. Assumption: bodyBytes */
const maxDepth = 256

/** Whether arrays and objects nest beyond `levels`; goes no deeper than that itself. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const inner of value) if (typeof inner === 'object' && isDeeper(inner, levels - 1)) return true
    return false
  }
  const object = value as Readonly<Record<string, unknown>>
  for (const key in object) {
    const inner = object[key]
    if (typeof inner === 'object' && isDeeper(inner, levels - 1)) return true
  }
  return false
}

const space = /[ \t\n\r]*/y
const whole = /0|[1-9]\d*/y
const digits = /\d+/y
const exponent = /[eE][+-]?/y
const plainText = /[^"\\\u0000-\u001f]*/y
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
const escapeStart = /\\(?:u[\da-fA-F]{0,3})?/y

/** Finds where a text stops being JSON. The messages of engines differ, and would make responses differ. */
class ErrorScan {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Offset of the first character that is wrong; the length of the text where it ends too early. */
  offset(): number {
    // True for an object, false for an array.
    const open: boolean[] = []
    this.#take(space)
    for (;;) {
      if (this.#takeText('{')) {
        this.#take(space)
        if (!this.#takeText('}')) {
          if (!this.#key()) return this.#at
          open.push(true)
          continue
        }
      } else if (this.#takeText('[')) {
        this.#take(space)
        if (!this.#takeText(']')) {
          open.push(false)
          continue
        }
      } else if (!this.#scalar()) return this.#at
      this.#take(space)
      while (open.length > 0 && this.#takeText(open.at(-1) ? '}' : ']')) {
        open.pop()
        this.#take(space)
      }
      if (open.length === 0 || !this.#takeText(',')) return this.#at
      this.#take(space)
      if (open.at(-1) === true && !this.#key()) return this.#at
    }
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    this.#at += match?.[0].length ?? 0
    return match
  }

  #takeText(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #key(): boolean {
    if (!this.#string()) return false
    this.#take(space)
    if (!this.#takeText(':')) return false
    this.#take(space)
    return true
  }

  #string(): boolean {
    if (!this.#takeText('"')) return false
    do this.#take(plainText)
    while (this.#take(escape))
    if (this.#takeText('"')) return true
    this.#take(escapeStart)
    return false
  }

  #number(): boolean {
    this.#takeText('-')
    if (!this.#take(whole)) return false
    if (this.#takeText('.') && !this.#take(digits)) return false
    return !this.#take(exponent) || this.#take(digits) !== null
  }

  #scalar(): boolean {
    const first = this.#text[this.#at] ?? ''
    if (first === '"') return this.#string()
    const word = ['true', 'false', 'null'].find((known) => known.startsWith(first) && first !== '')
    if (word === undefined) return this.#number()
    for (const letter of word) if (!this.#takeText(letter)) return false
    return true
  }
}

function syntaxError(text: string): string {
  const offset = new ErrorScan(text).offset()
  if (offset >= text.length) return `it ends too early, after ${String(offset)} characters`
  return `unexpected ${quote(String.fromCodePoint(text.codePointAt(offset) ?? 0))} at offset ${String(offset)}`
}

/** The value of a JSON text, or the error it gives; a text that nests too deep has both. */
export interface ParsedJson {
  readonly value: unknown
  readonly error: ApiError | undefined
}

/** The value of a JSON text; `what` names the text in messages, such as `body`. */
export function readJson(text: string, what: string): ParsedJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return {
      value: undefined,
      error: new ApiError('validation', `${what} must be JSON: ${syntaxError(text)}`),
    }
  }
  // A text too short for as many brackets need not be searched.
  const error =
    text.length > 2 * maxDepth && isDeeper(value, maxDepth)
      ? new ApiError(
          'validation',
          `${what} must not nest arrays and objects deeper than ${String(maxDepth)} levels`,
        )
      : undefined
  return { value, error }
}

/** @throws {ApiError} validation */
export function parseJson(text: string, what: string): unknown {
  const { value, error } = readJson(text, what)
  if (error) throw error
  return value
}
