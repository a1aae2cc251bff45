// Equality of values apart from the time that passes differently in two runs.

/** Integers that are moments in Unix seconds or milliseconds. */
const isMoment = (value: number) => (value > 1e9 && value < 1e10) || (value > 1e12 && value < 1e13)

export const isTime = (name: string, value: unknown) =>
  name === 'uploadedAt' || name === 'duration' || (typeof value === 'number' && isMoment(value))

/**
 * Whether two values are equal; moments and durations may be apart by `slackSeconds`, the time by which the runs
 * differ.
 */
export function isSame(a: unknown, b: unknown, slackSeconds: number, name = ''): boolean {
  if (Object.is(a, b)) return true
  if (name === 'uploadedAt') return true
  if (typeof a === 'number' && typeof b === 'number') {
    if (!(name === 'duration' || (isMoment(a) && isMoment(b)))) return false
    return Math.abs(a - b) <= slackSeconds * (a > 1e12 ? 1000 : 1)
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (a instanceof Uint8Array || b instanceof Uint8Array)
    return a instanceof Uint8Array && b instanceof Uint8Array && isSameBytes(a, b)
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every(
    (key) =>
      Object.hasOwn(b, key) &&
      isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], slackSeconds, key),
  )
}

const isSameBytes = (a: Uint8Array, b: Uint8Array) =>
  a.length === b.length && a.every((byte, index) => byte === b[index])
