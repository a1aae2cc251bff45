// Equality of JSON in assertions, in one pass: vitest's own check takes ten times as long for a workspace's state.
import { expect } from 'vitest'

/** Deeper values are left to vitest, as is everything that is not plain JSON. */
const mostLevels = 50

const isPlain = (value: object) =>
  Object.getPrototypeOf(value) === Object.prototype && Object.getOwnPropertySymbols(value).length === 0

/** Whether two values are certainly equal. */
function isSameJson(left: unknown, right: unknown, level = 0): boolean {
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (level > mostLevels) return false
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false
    for (let at = 0; at < left.length; at++)
      if (!(at in left && at in right && isSameJson(left[at], right[at], level + 1))) return false
    return true
  }
  if (!isPlain(left) || !isPlain(right)) return false
  const entries = Object.entries(left)
  return (
    entries.length === Object.keys(right).length &&
    entries.every(
      ([name, value]) => Object.hasOwn(right, name) && isSameJson(value, Reflect.get(right, name), level + 1),
    )
  )
}

// Each file that shares a worker runs this, but the tester must be added only once.
const added = Symbol.for('workspace-api-mock: equality of JSON')
if (!(added in globalThis)) {
  Reflect.set(globalThis, added, true)
  expect.addEqualityTesters([(left, right) => (isSameJson(left, right) ? true : undefined)])
}
