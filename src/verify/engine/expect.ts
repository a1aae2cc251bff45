// What checks expect of a deployment: a difference is drift, what is missing makes the rule inconclusive.
import type { Reply } from './reply.ts'
import { Drift, Unreachable, type SourceText } from './drift.ts'

function isSame(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const [names, others] = [Object.keys(left), Object.keys(right)]
  return (
    names.length === others.length &&
    names.every(
      (name) => Object.hasOwn(right, name) && isSame(Reflect.get(left, name), Reflect.get(right, name)),
    )
  )
}

const shownCharacters = 160
/** Characters before the first difference of two long texts that are shown. */
const shownBefore = 40

/** JSON, save that a missing value is `undefined`, not null. */
const asText = (value: unknown) =>
  (
    JSON.stringify(value, (_, inner: unknown) => (inner === undefined ? '\0' : inner)) ?? String(value)
  ).replaceAll('"\\u0000"', 'undefined')

const cut = (text: string) => (text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text)

/** Both as text; of long ones the part that differs. */
function shownPair(left: unknown, right: unknown): [string, string] {
  const [one, other] = [asText(left), asText(right)]
  if (Math.max(one.length, other.length) <= shownCharacters) return [one, other]
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const from = Math.max(0, same - shownBefore)
  const shown = (text: string) => cut(from === 0 ? text : `…${text.slice(from)}`)
  return [shown(one), shown(other)]
}

/** @throws {Drift} unless both are the same JSON */
export function expectSame(what: string, got: unknown, expected: unknown, source?: SourceText): void {
  if (isSame(got, expected)) return
  const [wanted, met] = shownPair(expected, got)
  throw new Drift(`${what} ${wanted}`, met, source)
}

/** @throws {Drift} unless these fields of a record have these values */
export function expectFields(what: string, got: object, expected: object, source?: SourceText): void {
  const names = Object.keys(expected)
  expectSame(what, Object.fromEntries(names.map((name) => [name, Reflect.get(got, name)])), expected, source)
}

/** @throws {Drift} unless the condition holds */
export function expectThat(condition: boolean, expected: string, got: unknown, source?: SourceText): void {
  if (!condition) throw new Drift(expected, typeof got === 'string' ? got : cut(asText(got)), source)
}

/** The value. @throws {Unreachable} if it is undefined */
export function needed<T>(value: T | undefined, why: string): T {
  if (value === undefined) throw new Unreachable(why)
  return value
}

/** The first that fits. @throws {Unreachable} if there is none */
export const found = <T>(things: readonly T[], fits: (thing: T) => boolean, why: string): T =>
  needed(things.find(fits), why)

/** @throws {Drift} unless all values differ */
export const expectOnce = (what: string, values: readonly string[]): void =>
  expectSame(what, values, [...new Set(values)])

/** @throws {Drift} unless one thing at least fits */
export const expectSome = <T>(things: readonly T[], fits: (thing: T) => boolean, expected: string): void =>
  expectThat(things.some(fits), expected, things)

/** @throws {Drift} for another status */
export const expectStatus = (reply: Reply, status: number): void =>
  expectThat(reply.status === status, `status ${String(status)}`, reply.summary)
