// Quotes a received value in messages.

/** Most characters of one value in a message. */
export const shownCharacters = 120

/** The start of a value's JSON. A value of any size or depth costs no more than the characters that are wanted. */
function writeStart(value: unknown, characters: number): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, characters))
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

/** A value as JSON, except for what JSON cannot express, such as the Infinity that a literal 1e999 becomes. */
function toJsonText(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'number') return String(value)
  try {
    return writeStart(value, shownCharacters + 1) ?? typeof value
  } catch {
    return Object.prototype.toString.call(value)
  }
}

/** Characters that move a terminal or turn the order of a text: controls (C0, C1), marks of direction, line separators. */
const unprintable = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** A text of a client or a file as one line that any terminal can show: other characters as in JSON, such as `\\u009b`. */
export const toPlainText = (text: string): string =>
  text.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Cuts a long text, and makes it plain. */
export const shorten = (text: string): string =>
  toPlainText(text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text)

/** A value as JSON, cut if long. */
export const quote = (value: unknown): string => shorten(toJsonText(value))

/** Most characters of a list in a message; the first item is always shown. */
const shownListCharacters = 1000

/** The first items as text, and how many more there are. */
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

/** Copies the first characters: a plain slice would keep the whole text in memory. */
export const copyStart = (text: string, most: number): string => Array.from(text.slice(0, most)).join('')
