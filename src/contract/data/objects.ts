// Defines what counts as a JSON object, and which values count as empty.

/** Whether a value is a JSON object, not an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a cell or field counts as empty in filters and sorting. Assumption: emptyValues */
export function isEmpty(value: unknown): boolean {
  return value === '' || isUnset(value)
}

/** Whether a cell or field has no value. An empty string is a value: it reads as written. */
export function isUnset(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}
