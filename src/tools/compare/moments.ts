// Equality of values from two runs, with a tolerance for times.

/** Whether a value could be a duration, or a time in Unix seconds or milliseconds. */
export const isTime = (name: string, value: unknown) =>
  name === 'uploadedAt' ||
  name === 'duration' ||
  (typeof value === 'number' && ((value > 1e9 && value < 1e10) || (value > 1e12 && value < 1e13)))

const isClose = (a: number, b: number, slackSeconds: number) =>
  Math.abs(a - b) <= slackSeconds * (a > 1e12 ? 1000 : 1)

/** Whether each pair of times or durations differs by at most `slackSeconds`. */
export const areClose = (a: readonly number[], b: readonly number[], slackSeconds: number) =>
  a.length === b.length && a.every((time, index) => isClose(time, b[index] ?? NaN, slackSeconds))

/** Whether two values are equal, allowing times and durations to differ by `slackSeconds`. */
export function isSame(a: unknown, b: unknown, slackSeconds: number, name = ''): boolean {
  if (Object.is(a, b)) return true
  if (typeof a === 'number' && typeof b === 'number')
    return isTime(name, a) && isTime(name, b) && isClose(a, b, slackSeconds)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (a instanceof Uint8Array && b instanceof Uint8Array)
    return a.length === b.length && a.every((byte, index) => byte === b[index])
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((key) =>
    isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], slackSeconds, key),
  )
}
