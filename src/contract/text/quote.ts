// Quotes received values in messages.

/** Maximum number of characters that a message shows of a value. */
export const shownCharacters = 120

/** Hides an address's user and query values, which can be secret: `https://…@host/rows?token=…`. */
export const maskAddress = (address: string): string =>
  address.replace(/\/\/[^/?#]*@/, '//…@').replace(/\?[^#]*/, (query) => query.replace(/=[^&]*/g, '=…'))

const toShownString = (text: string): string => (/^\w+:\/\//.test(text) ? maskAddress(text) : text)

/** The start of a value's JSON. Its cost depends only on the number of characters, not on the value's size. */
function writeStart(value: unknown, characters: number): string | undefined {
  if (typeof value === 'string') return JSON.stringify(toShownString(value).slice(0, characters))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return writeStart((value.toJSON as () => unknown)(), characters)
  const isArray = Array.isArray(value)
  let text = isArray ? '[' : '{'
  const add = (name: string, inner: unknown) => {
    const start = (text.length > 1 ? ',' : '') + name
    const written = writeStart(inner, characters - text.length) ?? (isArray ? 'null' : undefined)
    if (written !== undefined) text += start + written
  }
  if (isArray)
    for (let index = 0; index < value.length && text.length < characters; index++) add('', value[index])
  else
    for (const name of Object.keys(value)) {
      if (text.length >= characters) break
      add(`${JSON.stringify(name.slice(0, characters))}:`, (value as Readonly<Record<string, unknown>>)[name])
    }
  return text + (isArray ? ']' : '}')
}

/** A value as JSON, except for values that JSON cannot express, such as the Infinity that a literal 1e999 becomes. */
function toJsonText(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'number') return String(value)
  try {
    return writeStart(value, shownCharacters + 1) ?? typeof value
  } catch {
    return Object.prototype.toString.call(value)
  }
}

/** Characters that control a terminal or reorder text: control characters (C0, C1), direction marks, line separators. */
const unprintable = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/**
 * Makes text from a client or a file a single line that any terminal can show: unprintable characters are escaped as in
 * JSON, such as `\\u009b`.
 */
export const toPlainText = (text: string): string =>
  text.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Makes a text of several lines safe for any terminal; line ends and tabs are kept. */
export const toPlainLines = (text: string): string =>
  text.replace(unprintable, (character) => (/[\t\n]/.test(character) ? character : toPlainText(character)))

/** Truncates a long text, and makes it safe to print. */
export const shorten = (text: string): string =>
  toPlainText(text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text)

/** A value as JSON, truncated if long. */
export const quote = (value: unknown): string => shorten(toJsonText(value))

/** Maximum length of a list in a message; the first item is always shown. */
const shownListCharacters = 1000

/** Formats the first items, and says how many more there are. */
export function listItems<T>(items: readonly T[], textOf: (item: T) => string, most = 20): string {
  const texts: string[] = []
  let length = 0
  for (const item of items.slice(0, most)) {
    const text = textOf(item)
    length += text.length + 2
    if (texts.length > 0 && length > shownListCharacters) break
    texts.push(text)
  }
  const rest = items.length - texts.length
  return texts.join(', ') + (rest > 0 ? ` and ${String(rest)} more` : '')
}

/** Copies the first characters. A plain slice would keep the whole text in memory. */
export const copyStart = (text: string, most: number): string => Array.from(text.slice(0, most)).join('')
