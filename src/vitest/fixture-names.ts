// Checks the names passed to `extend` and `override`: vitest accepts any, so that a misspelled one would have no effect.
import type { TestAPI } from 'vitest'
import { unknownFields } from '../contract/schema/field-names.ts'
import { meant } from '../contract/values/nearest.ts'

const namesOf = (given: unknown): string[] => (typeof given === 'string' ? [given] : Object.keys(given ?? {}))

/** @throws {TypeError} for a new fixture whose name resembles that of an option */
function assertNew(names: readonly string[], known: readonly string[]): void {
  for (const name of names) {
    const found = known.includes(name) ? undefined : meant(name, known)
    if (found !== undefined)
      throw new TypeError(`test.extend: ${name} is not an option of the mock; did you mean ${found}?`)
  }
}

/** @throws {TypeError} for an unknown fixture, naming the nearest */
function assertKnown(names: readonly string[], known: readonly string[]): void {
  const message = unknownFields('test.override', names, known)
  if (message !== undefined) throw new TypeError(message)
}

/**
 * The same `test`, which rejects names that have no effect.
 * @param options fixtures that can be set
 * @param known all fixtures
 */
export function withCheckedNames<T extends TestAPI>(
  test: T,
  options: readonly string[],
  known: readonly string[],
): T {
  const { extend, override } = test
  return Object.assign(test, {
    extend(this: unknown, ...given: unknown[]): unknown {
      const names = namesOf(given[0])
      assertNew(names, options)
      return withCheckedNames(Reflect.apply(extend, this, given) as T, options, [...known, ...names])
    },
    override(this: unknown, ...given: unknown[]): unknown {
      assertKnown(namesOf(given[0]), known)
      return Reflect.apply(override, this, given) as unknown
    },
  })
}
