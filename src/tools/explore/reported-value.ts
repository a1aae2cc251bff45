// What a client reports: its returned value, or the output of a command, compared with that of the baseline.
import { isTime } from '../compare/moments.ts'
import { quote } from '../../contract/text/quote.ts'
import { GeneratedIds, type Store } from '../../mock/explorable.ts'
import { describeValue, tryReading } from './texts.ts'
import type { RunRecord } from './runner.ts'

const mostLeaves = 10_000

/** The leaves of a value by their paths; lines of a text one by one. What cannot be read is a leaf in words. */
function leavesOf(value: unknown, isLeftOut = (_path: string) => false): ReadonlyMap<string, unknown> {
  const leaves = new Map<string, unknown>()
  const seen = new Set<object>()
  const visit = (inner: unknown, path: string) => {
    if (leaves.size >= mostLeaves || isLeftOut(path)) return
    if (typeof inner === 'object' && inner !== null) {
      if (seen.has(inner)) return
      seen.add(inner)
      const entries = tryReading(() => entriesOf(inner))
      const isError = tryReading(() => inner instanceof Error) === true
      leaves.set(path, isError || !entries ? describeValue(inner) : `${String(entries.length)} entries`)
      for (const [key, one] of entries ?? []) visit(one, `${path}/${describeValue(key)}`)
    } else if (typeof inner === 'string' && inner.includes('\n'))
      inner.split('\n').forEach((line, index) => visit(line, `${path}/${String(index)}`))
    else if (typeof inner !== 'function') leaves.set(path, inner)
  }
  visit(value, '')
  return leaves
}

function entriesOf(value: object): (readonly [unknown, unknown])[] {
  if (value instanceof Map || value instanceof Set) return [...value.entries()]
  // The properties of errors are not enumerable, but are wanted too.
  const keys = new Set([...Object.keys(value), ...(value instanceof Error ? ['cause', 'errors'] : [])])
  return [...keys]
    .map((key) => [key, tryReading(() => Reflect.get(value, key) as unknown)] as const)
    .filter(([key, one]) => one !== undefined || Object.hasOwn(value, key))
}

/** What a client leaves in the errors and responses of a library, such as the configuration of its requests. */
const ofLibraries = /\/"?(?:config|headers|req|request|options|socket)\b/i

/** Whether a value has a text in it that names the key. */
export function showsKey(value: unknown, key: string): boolean {
  const leaves = leavesOf(value, (path) => ofLibraries.test(path))
  return [...leaves].some((leaf) => leaf.some((text) => typeof text === 'string' && text.includes(key)))
}

/** Number of entries of an object or a list, as a leaf. */
const entryCount = /^\d+ entries$/

/** Counts how often each leaf occurs, apart from numbers of entries. */
function countLeaves(leaves: ReadonlyMap<string, unknown>): Map<unknown, number> {
  const counts = new Map<unknown, number>()
  for (const leaf of leaves.values())
    if (typeof leaf !== 'string' || !entryCount.test(leaf)) counts.set(leaf, (counts.get(leaf) ?? 0) + 1)
  return counts
}

/** The leaves that occur more often than in the others. */
const leavesBeyond = (counts: Map<unknown, number>, others: Map<unknown, number>) =>
  [...counts].filter(([leaf, count]) => count > (others.get(leaf) ?? 0)).map(([leaf]) => leaf)

/** The value that the undisturbed run reported. Generated ids and times in it do not count. */
export class BaselineValue {
  readonly #ids: GeneratedIds
  readonly #leaves: ReadonlyMap<string, unknown>
  /** What differs between the values of undisturbed runs. */
  readonly #ignored = new Set<string>()

  constructor(value: unknown, start: Store) {
    this.#ids = new GeneratedIds(start)
    this.#leaves = this.#leavesOf(value)
  }

  #leavesOf(value: unknown): ReadonlyMap<string, unknown> {
    const leaves = [...leavesOf(value)].flatMap(([path, leaf]): [string, unknown][] => {
      if (typeof leaf === 'string') return [[path, this.#ids.replaceIds(leaf, () => '')]]
      return isTime(path.slice(path.lastIndexOf('/') + 1), leaf) ? [] : [[path, leaf]]
    })
    return new Map(leaves)
  }

  /** The paths of the leaves in which a value differs. */
  findDifferences(value: unknown): string[] {
    const leaves = this.#leavesOf(value)
    const paths = new Set([...this.#leaves.keys(), ...leaves.keys()])
    return [...paths].filter(
      (path) => !this.#ignored.has(path) && !Object.is(this.#leaves.get(path), leaves.get(path)),
    )
  }

  ignoreDifferences(value: unknown): void {
    for (const path of this.findDifferences(value)) this.#ignored.add(path)
  }

  /**
   * What a value lacks, in whatever order; undefined if it lacks nothing, or has something of its own, other than values of
   * successful responses: that says what happened.
   */
  describeLoss({ value, journal }: RunRecord): string | undefined {
    if (this.findDifferences(value).length === 0) return undefined
    const [expected, found] = [countLeaves(this.#leaves), countLeaves(this.#leavesOf(value))]
    const own = leavesBeyond(found, expected)
    if (own.some((leaf) => typeof leaf !== 'string')) return undefined
    const successful = own.length > 0 ? journal().filter(({ status }) => status < 400) : []
    const read = JSON.stringify(successful.map(({ responseBody }) => responseBody))
    if (!own.every((text) => read.includes(JSON.stringify(text)))) return undefined
    const missing = leavesBeyond(expected, found).filter((leaf) => typeof leaf === 'string' && leaf !== '')
    const more = missing.length > 1 ? ` (and ${String(missing.length - 1)} more)` : ''
    return missing.length === 0
      ? undefined
      : `its result lacks ${quote(missing[0])}${more}, and nothing in it says so`
  }
}
