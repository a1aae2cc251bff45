// Owns the reading of JSON texts: what is none, or nests too deep to be handled safely, is refused.
import { ApiError } from '../contract/errors.ts'

/** Levels of arrays and objects a text may nest. Assumption: bodyBytes */
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

/**
 * The value of a JSON text; `what` names the text in messages, such as `body`.
 * @throws {ApiError} validation
 */
export function parseJson(text: string, what: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ApiError('validation', `${what} must be JSON: ${reason}`)
  }
  if (isDeeper(value, maxDepth))
    throw new ApiError(
      'validation',
      `${what} must not nest arrays and objects deeper than ${String(maxDepth)} levels`,
    )
  return value
}
