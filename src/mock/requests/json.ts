// Reads the JSON of requests. Refuses invalid JSON, and JSON nested too deeply to handle safely.
import { assumedLimits } from '../../contract/limits.ts'
import { ApiError } from '../../contract/errors.ts'
import { quote } from '../../contract/text/quote.ts'

/** Maximum nesting depth of arrays and objects. Assumption: bodyBytes */
const { levels: maxDepth } = assumedLimits.bodyBytes

/** Whether arrays and objects nest deeper than `levels`; its own recursion goes no deeper. */
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

export const isTooDeep = (value: unknown): boolean => isDeeper(value, maxDepth)

export const depthRule = `must not nest arrays and objects deeper than ${String(maxDepth)} levels`

const space = /[ \t\n\r]*/y
const plainText = /[^"\\\u0000-\u001f]*/y
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
const textEnd = /"|\\(?:u[\da-fA-F]{0,3})?/y
/** The longest valid prefix of a number or a word. */
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
 * The offset of the first invalid character in a text that is not JSON: the text's length if it ends too early,
 * undefined if it nests too deeply first. Engines' error messages differ, but responses must not. Libraries that report
 * the offset are larger: jsonc-parser takes 3.2 KB, this function 0.5 KB.
 */
export function findErrorOffset(text: string): number | undefined {
  let at = 0
  let depth = 0
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const [taken = ''] = pattern.exec(text) ?? []
    at += taken.length
    return taken
  }
  const takesOne = (character: string): boolean => {
    take(space)
    if (text[at] !== character) return false
    at += 1
    return true
  }
  /** Consumes the longest valid prefix of a string, a number or a word. @returns whether it is complete */
  const takesScalar = (): boolean => {
    const start = at
    if (takesOne('"')) {
      do take(plainText)
      while (take(escape) !== '')
      take(textEnd)
    } else take(bare)
    return isJson(text.slice(start, at))
  }
  const takesMember = () => {
    take(space)
    return text[at] === '"' && takesScalar() && takesOne(':') && takesValue()
  }
  const takesItems = (close: string, takesItem: () => boolean): boolean => {
    if (takesOne(close)) return true
    depth += 1
    if (depth > maxDepth) return false
    do if (!takesItem()) return false
    while (takesOne(','))
    depth -= 1
    return takesOne(close)
  }
  const takesValue = (): boolean => {
    if (takesOne('[')) return takesItems(']', takesValue)
    return takesOne('{') ? takesItems('}', takesMember) : takesScalar()
  }
  if (takesValue()) take(space)
  return depth > maxDepth ? undefined : at
}

function describeSyntaxError(text: string, offset: number): string {
  if (offset >= text.length) return `it ends too early, after ${String(offset)} characters`
  return `unexpected ${quote(String.fromCodePoint(text.codePointAt(offset) ?? 0))} at offset ${String(offset)}`
}

/** The value of a JSON text, or its error; a text nested too deeply has both. `what` names it in messages. */
export function readJson(text: string, what: string): { value: unknown; error: ApiError | undefined } {
  const invalid = (rule: string) => new ApiError('validation', `${what} ${rule}`)
  try {
    const value: unknown = JSON.parse(text)
    // A shorter text has too few brackets to nest too deeply.
    const isRefused = text.length > 2 * maxDepth && isTooDeep(value)
    return { value, error: isRefused ? invalid(depthRule) : undefined }
  } catch {
    const offset = findErrorOffset(text)
    const rule = offset === undefined ? depthRule : `must be JSON: ${describeSyntaxError(text, offset)}`
    return { value: undefined, error: invalid(rule) }
  }
}

export function parseJson(text: string, what: string): unknown {
  const { value, error } = readJson(text, what)
  if (error) throw error
  return value
}
