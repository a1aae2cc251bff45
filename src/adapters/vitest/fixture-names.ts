// Checks the names passed to `extend` and `override`, since vitest ignores misspelled names.
import type { TestAPI } from 'vitest'
import { describeUnknownFields } from '../../contract/schema/field-names.ts'
import { suggestNearest } from '../../contract/text/nearest.ts'

const listNames = (given: unknown): string[] =>
  typeof given === 'string' ? [given] : Object.keys(given ?? {})

/**
 * Makes `test.extend` throw a TypeError for a new fixture whose name resembles an option's, and `test.override` for an
 * unknown fixture.
 * @param options fixtures that tests can set
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
      const names = listNames(given[0])
      for (const name of names) {
        const found = options.includes(name) ? undefined : suggestNearest(name, options)
        if (found !== undefined)
          throw new TypeError(`test.extend: ${name} is not an option of the mock; did you mean ${found}?`)
      }
      return withCheckedNames(Reflect.apply(extend, this, given) as T, options, [...known, ...names])
    },
    override(this: unknown, ...given: unknown[]): unknown {
      const message = describeUnknownFields('test.override', listNames(given[0]), known)
      if (message !== undefined) throw new TypeError(message)
      return Reflect.apply(override, this, given) as unknown
    },
  })
}
