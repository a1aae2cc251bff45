// Texts, formulas and storage keys with invented words in the place of real ones.
import { Inventor, runs } from './invented.ts'

const isoDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/
const scheme = /^(?:https?:\/\/|ftp:\/\/|mailto:|tel:)/i
/** Words, with the signs that join the parts of ids. */
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

export class AnonymousText {
  readonly inventor: Inventor
  readonly #ids: ReadonlyMap<string, string>

  constructor(inventor: Inventor, ids: ReadonlyMap<string, string>) {
    this.inventor = inventor
    this.#ids = ids
  }

  id(original: string): string {
    return this.#ids.get(original) ?? this.inventor.invent(original)
  }

  replaceText(original: string): string {
    const id = this.#ids.get(original)
    if (id !== undefined) return id
    if (isoDate.test(original)) return original
    const start = scheme.exec(original)?.[0] ?? ''
    return start + original.slice(start.length).replace(tokens, (token) => this.#anonymizeToken(token))
  }

  #anonymizeToken(token: string): string {
    const id = /[\d_]/.test(token) ? this.#ids.get(token) : undefined
    return id ?? token.replace(runs, (run) => this.inventor.invent(run))
  }

  /** Names of columns follow their columns, texts follow labels; numbers and functions stay. */
  replaceFormula(expression: string): string {
    return expression.replace(formulaParts, (whole: string, braces, literal, number, at: number) => {
      if (number !== undefined) return whole
      opensCall.lastIndex = at + whole.length
      if (functions.has(whole.toUpperCase()) && opensCall.test(expression)) return whole
      if (braces === undefined && literal === undefined) return this.replaceText(whole)
      const close = /^(?:\{.*\}|".*"|'.*')$/s.test(whole) ? whole.slice(-1) : ''
      const parts = whole.slice(1, whole.length - close.length).split(/(\\[nrt"'\\])/)
      const texts = parts.map((part) => (part.startsWith('\\') ? part : this.replaceText(part)))
      return whole.charAt(0) + texts.join('') + close
    })
  }

  /** The number of digits stays. */
  replaceFormat(original: string): string {
    const [, prefix = original, braces = '', suffix = ''] = formatParts.exec(original) ?? []
    return (
      this.replaceText(prefix) + (braces && `{${'0'.repeat(braces.length - 2)}}`) + this.replaceText(suffix)
    )
  }

  /** Numbers stay; prefix and suffix follow the format. */
  replaceAutonumber(format = '', value: string): string {
    const [, prefix = format, , suffix = ''] = formatParts.exec(format) ?? []
    const number = value.slice(prefix.length, value.length - suffix.length)
    const isOfFormat = prefix + number + suffix === value && /^\d*$/.test(number)
    return isOfFormat ? this.replaceText(prefix) + number + this.replaceText(suffix) : this.replaceText(value)
  }

  replaceStorageKey(original: string): string {
    const [, tableId = '', , rowId = '', columnId = '', ...name] = original.split('/')
    return `dt/${this.id(tableId)}/row/${this.id(rowId)}/${this.id(columnId)}/${this.replaceText(name.join('/'))}`
  }
}
