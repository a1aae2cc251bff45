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
const plainText = /[^"\\\u0000-\u001f]*/y
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
const textEnd = /"|\\(?:u[\da-fA-F]{0,3})?/y
/** A number or a word, as far as it is right. */
const bare =
  /t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?|-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE][+-]?\d*)?)?|[eE][+-]?\d*)?)?/y

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Offset of the first character that is wrong in a text that is not JSON; its length where it ends too early. The messages
 * of engines differ, and would make responses differ; libraries that name it take 3.2 KB (jsonc-parser) instead of 0.5.
 */
function findErrorOffset(text: string): number {
  /** The brackets that close what is open. */
  const open: string[] = []
  let at = 0
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const [taken = ''] = pattern.exec(text) ?? []
    at += taken.length
    return taken
  }
  const takeOne = (character: string | undefined): boolean => {
    if (text[at] !== character) return false
    at += 1
    return true
  }
  /** Takes a scalar as far as it is right. @returns whether it is whole */
  const takeScalar = (): boolean => {
    const start = at
    if (takeOne('"')) {
      do take(plainText)
      while (take(escape) !== '')
      take(textEnd)
    } else take(bare)
    return isJson(text.slice(start, at))
  }
  for (let isFirst = false; ;) {
    take(space)
    if (!isFirst || text[at] !== open.at(-1)) {
      if (open.at(-1) === '}') {
        if (text[at] !== '"' || !takeScalar()) return at
        take(space)
        if (!takeOne(':')) return at
        take(space)
      }
      isFirst = text[at] === '{' || text[at] === '['
      if (isFirst) {
        open.push(text[at++] === '{' ? '}' : ']')
        continue
      }
      if (!takeScalar()) return at
    }
    for (take(space); open.length > 0 && takeOne(open.at(-1)); take(space)) open.pop()
    if (open.length === 0 || !takeOne(',')) return at
    isFirst = false
  }
}

function describeSyntaxError(text: string): string {
  const offset = findErrorOffset(text)
  if (offset >= text.length) return `it ends too early, after ${String(offset)} characters`
  return `unexpected ${quote(String.fromCodePoint(text.codePointAt(offset) ?? 0))} at offset ${String(offset)}`
}

/**
 * The value of a JSON text, or the error it gives; a text that nests too deep has both.
 * @param what names the text in messages, such as `body`
 */
export function readJson(text: string, what: string): { value: unknown; error: ApiError | undefined } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const message = `${what} must be JSON: ${describeSyntaxError(text)}`
    return { value: undefined, error: new ApiError('validation', message) }
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
