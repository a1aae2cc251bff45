// Free texts, formulas, file names and JSON of users with invented words: what is an enumeration of the contract stays.
import { isObject } from '../../contract/data/objects.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { type Inventor, runs } from './invented.ts'

const isoDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/
const scheme = /^(?:https?:\/\/|ftp:\/\/|mailto:|tel:)/i
/** Words with what joins the parts of ids. */
const tokens = /(?:[^\s\p{P}\p{Z}$+<=>^`|~]|[_-])+/gu
/** A name in braces, a text literal, a number, or an identifier. */
const formulaParts =
  /(\{[^{}]*\})|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(\d+(?:\.\d+)?)|(?:[^\s\p{P}\p{Z}$+<=>^`|~]|_)+/gsu
const opensCall = /\s*\(/y
const functions: ReadonlySet<string> = new Set(
  'IF AND OR NOT ROUND FLOOR CEIL ABS SUM MIN MAX AVERAGE COUNT CONCAT LEN LOWER UPPER TRIM TODAY NOW'.split(
    ' ',
  ),
)
const formatParts = /^([^{]*)(\{[^}]*\})(.*)$/s
/** Types of files that anybody has. */
const mediaTypes: ReadonlySet<string> = new Set(
  'text/plain text/csv text/html application/json application/pdf application/zip image/png image/jpeg image/gif image/webp image/svg+xml video/mp4 audio/mpeg'.split(
    ' ',
  ),
)

/** Id of the item of a form that holds the title of the task that it makes. */
export const titleItem = 'title'

/** Names that JSON keeps: of fields, and of values of the field `type`. */
export interface KeptNames {
  readonly fields: ReadonlySet<string>
  readonly types: ReadonlySet<string>
}

export class AnonymousText {
  readonly #inventor: Inventor
  readonly #ids: ReadonlyMap<string, string>

  constructor(inventor: Inventor, ids: ReadonlyMap<string, string>) {
    this.#inventor = inventor
    this.#ids = ids
  }

  id(original: string): string {
    return this.#ids.get(original) ?? this.#inventor.id(original)
  }

  text(original: string): string {
    const id = this.#ids.get(original)
    if (id !== undefined) return id
    if (isoDate.test(original)) return original
    const start = scheme.exec(original)?.[0] ?? ''
    return start + original.slice(start.length).replace(tokens, (token) => this.#token(token))
  }

  #token(token: string): string {
    const id = /[\d_]/.test(token) ? this.#ids.get(token) : undefined
    return (
      id ??
      token.replace(runs, (run) =>
        /^\p{Nd}/u.test(run) ? this.#inventor.digits(run) : this.#inventor.word(run),
      )
    )
  }

  /** Names of columns follow their columns, texts follow labels; numbers and functions stay. */
  formula(expression: string): string {
    return expression.replace(formulaParts, (whole: string, braces, literal, number, at: number) => {
      if (number !== undefined) return whole
      opensCall.lastIndex = at + whole.length
      if (functions.has(whole.toUpperCase()) && opensCall.test(expression)) return whole
      if (braces === undefined && literal === undefined) return this.text(whole)
      const open = whole.charAt(0)
      const close = /^(?:\{.*\}|".*"|'.*')$/s.test(whole) ? whole.slice(-1) : ''
      const parts = whole.slice(1, whole.length - close.length).split(/(\\[nrt"'\\])/)
      return open + parts.map((part) => (part.startsWith('\\') ? part : this.text(part))).join('') + close
    })
  }

  /** The format of an autonumber: how many digits it has stays. */
  format(original: string): string {
    const [, prefix = original, braces = '', suffix = ''] = formatParts.exec(original) ?? []
    return this.text(prefix) + (braces && `{${'0'.repeat(braces.length - 2)}}`) + this.text(suffix)
  }

  /** Numbers stay, what is around them follows the format. */
  autonumber(format = '', value: string): string {
    const [, prefix = format, , suffix = ''] = formatParts.exec(format) ?? []
    if (!value.startsWith(prefix) || !value.endsWith(suffix)) return this.text(value)
    const number = value.slice(prefix.length, value.length - suffix.length)
    return this.text(prefix) + (/^\d*$/.test(number) ? number : this.text(number)) + this.text(suffix)
  }

  mediaType(original: string): string {
    return mediaTypes.has(original) ? original : 'application/octet-stream'
  }

  /** `dt/<tableId>/row/<rowId>/<colId>/<filename>` */
  storageKey(original: string): string {
    const [, tableId = '', , rowId = '', columnId = '', ...name] = original.split('/')
    return `dt/${this.id(tableId)}/row/${this.id(rowId)}/${this.id(columnId)}/${this.text(name.join('/'))}`
  }

  /** Any JSON: all texts change, those of keys too, but for the names that are kept. */
  json(value: unknown, kept?: KeptNames, name = ''): unknown {
    if (name === 'id' && value === titleItem) return value
    if (typeof value === 'string') return name === 'type' && kept?.types.has(value) ? value : this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.json(item, kept))
    return isObject(value) ? this.keyed(value, (inner, key) => this.json(inner, kept, key), kept) : value
  }

  /** An object whose keys are of users. */
  keyed(value: JsonObject, change: (inner: unknown, key: string) => unknown, kept?: KeptNames): JsonObject {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        kept?.fields.has(key) || key === titleItem ? key : this.text(key),
        change(inner, key),
      ]),
    )
  }
}
