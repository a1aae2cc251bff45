// Defines what counts as a JSON object and which values count as empty, and copies JSON.

/** Whether a value is a JSON object, not an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of an object's own field; undefined for anything but an object. */
export const readField = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** Whether a cell or field counts as empty in filters and sorting. Assumption: emptyValues */
export function isEmpty(value: unknown): boolean {
  return value === '' || isUnset(value)
}

/** Whether a cell or field has no value. An empty string is a value: it is returned as written. */
export function isUnset(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** Copies a JSON value several times faster than `structuredClone`. Fields that are undefined are left out. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: unknown) => copyJson(item)) as T
  const copy: Record<string, unknown> = {}
  for (const name in value) {
    const inner = copyJson(value[name])
    if (name === '__proto__')
      // Assigning it would change the prototype.
      Object.defineProperty(copy, name, {
        value: inner,
        configurable: true,
        enumerable: true,
        writable: true,
      })
    else if (inner !== undefined) copy[name] = inner
  }
  return copy as T
}
