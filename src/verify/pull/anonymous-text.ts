// Free texts, formulas, file names and JSON of users with invented words.
import { isObject, type JsonObject } from '../../contract/data/objects.ts'
import type { Inventor } from './invented.ts'

const keptWhole = /^(?:\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?|#[0-9a-f]{3}(?:[0-9a-f]{3})?)$/i
const scheme = /^(?:https?:\/\/|ftp:\/\/|mailto:|tel:)/i
const tokens = /[\p{L}\p{M}\p{N}_-]+/gu
/** Fields of JSON whose values are enumerations, as long as they look like one. */
const enumerations = new Set(['type', 'operator', 'action', 'match', 'mode', 'content_type'])
/** A name in braces, a text literal, or an identifier that is not a function. */
const formulaNames =
  /(\{[^}]*\})|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\d[\w.]*)|[\p{L}_$][\p{L}\p{M}\p{N}_$]*(?!\s*\()(?![\p{L}\p{M}\p{N}_$])/gu

const formatParts = /^([^{]*)(\{[^}]*\})(.*)$/s

/** Id of the item of a form that holds the title of the task that it makes. */
export const titleItem = 'title'

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
    if (keptWhole.test(original)) return original
    const start = scheme.exec(original)?.[0] ?? ''
    return start + original.slice(start.length).replace(tokens, (token) => this.#token(token))
  }

  #token(token: string): string {
    const id = /[\d_]/.test(token) ? this.#ids.get(token) : undefined
    return (
      id ??
      token.replace(/\d+|[\p{L}\p{M}]+/gu, (run) =>
        /^\d/.test(run) ? this.#inventor.digits(run) : this.#inventor.word(run),
      )
    )
  }

  /** Names of columns follow their columns, texts follow labels; numbers and functions stay. */
  formula(expression: string): string {
    return expression.replace(formulaNames, (whole, _braces: unknown, literal: unknown, number: unknown) => {
      if (number !== undefined) return whole
      if (literal === undefined && !whole.startsWith('{')) return this.text(whole)
      const parts = whole.slice(1, -1).split(/(\\.)/)
      const inner = parts.map((part) => (part.startsWith('\\') ? part : this.text(part))).join('')
      return `${whole.charAt(0)}${inner}${whole.slice(-1)}`
    })
  }

  /** The format of an autonumber. */
  format(original: string): string {
    const [, prefix = original, braces = '', suffix = ''] = formatParts.exec(original) ?? []
    return this.text(prefix) + braces + this.text(suffix)
  }

  /** Numbers stay, what is around them follows the format. */
  autonumber(format = '', value: string): string {
    const [, prefix = format, , suffix = ''] = formatParts.exec(format) ?? []
    if (!value.startsWith(prefix) || !value.endsWith(suffix)) return this.text(value)
    const number = value.slice(prefix.length, value.length - suffix.length)
    return this.text(prefix) + (/^\d*$/.test(number) ? number : this.text(number)) + this.text(suffix)
  }

  /** The ending stays. */
  filename(original: string): string {
    const ending = /\.[a-z0-9]{1,4}$/i.exec(original)?.[0] ?? ''
    return this.text(original.slice(0, original.length - ending.length)) + ending
  }

  /** `dt/<tableId>/row/<rowId>/<colId>/<filename>` */
  storageKey(original: string): string {
    const [, tableId = '', , rowId = '', columnId = '', ...name] = original.split('/')
    return `dt/${this.id(tableId)}/row/${this.id(rowId)}/${this.id(columnId)}/${this.filename(name.join('/'))}`
  }

  /** Any JSON: keys that are ids and all texts change, enumerations stay. */
  json(value: unknown, name = ''): unknown {
    if (name === 'id' && value === titleItem) return value
    if (typeof value === 'string')
      return enumerations.has(name) && /^[a-z_]{1,30}$/i.test(value) ? value : this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.json(item))
    return isObject(value) ? this.keyed(value, (inner, key) => this.json(inner, key)) : value
  }

  /** An object whose keys may be ids. */
  keyed(value: JsonObject, change: (inner: unknown, key: string) => unknown): JsonObject {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [this.#ids.get(key) ?? key, change(inner, key)]),
    )
  }
}
