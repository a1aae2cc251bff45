// Compares what a client reports (its returned value, a command's output) and what it keeps (its storage, a command's
// folder) with the undisturbed run.
import { isTime } from '../../compare/moments.ts'
import { quote } from '../../../contract/text/quote.ts'
import { GeneratedIds, type JournalEntry, type Store } from '../../../mock/explorable.ts'
import type { Leaves } from './leaves.ts'

/** The leaf that counts the entries of an object or a list. */
const entryCount = /^\d+ entries$/

/** Counts how often each leaf occurs, ignoring counts of entries. */
function countLeaves(leaves: Leaves): Map<unknown, number> {
  const counts = new Map<unknown, number>()
  for (const leaf of leaves.values())
    if (typeof leaf !== 'string' || !entryCount.test(leaf)) counts.set(leaf, (counts.get(leaf) ?? 0) + 1)
  return counts
}

/** Leaves that occur more often in one value than in the other. */
const leavesBeyond = (counts: Map<unknown, number>, others: Map<unknown, number>) =>
  [...counts].filter(([leaf, count]) => count > (others.get(leaf) ?? 0)).map(([leaf]) => leaf)

interface ValueHarm {
  readonly what: string
  readonly isTwice: boolean
}

/** A value of the undisturbed run, compared without generated ids and times. */
export class BaselineValue {
  readonly #ids: GeneratedIds
  readonly #all: Leaves
  readonly #leaves: Leaves
  /** Paths that differ between undisturbed runs. */
  readonly #ignored = new Set<string>()

  /** Whether this is what the client keeps; then a changed number, such as a count, does not say what happened. */
  readonly #isKept: boolean

  constructor(leaves: Leaves, start: Store, isKept: boolean) {
    this.#isKept = isKept
    this.#ids = new GeneratedIds(start)
    this.#all = leaves
    this.#leaves = this.#reduce(leaves)
  }

  #reduce(all: Leaves): Leaves {
    const leaves = [...all].flatMap(([path, leaf]): [string, unknown][] => {
      if (typeof leaf === 'string') return [[path, this.#ids.replaceIds(leaf, () => '')]]
      return isTime(path.slice(path.lastIndexOf('/') + 1), leaf) ? [] : [[path, leaf]]
    })
    return new Map(leaves)
  }

  /** The paths of the leaves that differ from the undisturbed run. */
  findDifferences(value: Leaves): string[] {
    const isEqual = [...value].every(([path, leaf]) => Object.is(this.#all.get(path), leaf))
    // The usual case.
    if (isEqual && value.size === this.#all.size) return []
    const leaves = this.#reduce(value)
    const paths = new Set([...this.#leaves.keys(), ...leaves.keys()])
    return [...paths].filter(
      (path) => !this.#ignored.has(path) && !Object.is(this.#leaves.get(path), leaves.get(path)),
    )
  }

  ignoreDifferences(value: Leaves): void {
    for (const path of this.findDifferences(value)) this.#ignored.add(path)
  }

  /** Whether a value says what happened: it contains something that is in no successful response or undisturbed run. */
  tells(value: Leaves, journal: () => readonly JournalEntry[]): boolean {
    if (this.findDifferences(value).length === 0) return false
    const leaves = [...this.#reduce(value)]
    const compared = leaves.filter(
      ([path, leaf]) => !this.#isKept || typeof leaf !== 'number' || !this.#leaves.has(path),
    )
    const own = leavesBeyond(countLeaves(new Map(compared)), countLeaves(this.#leaves))
    if (own.some((leaf) => typeof leaf !== 'string')) return true
    const successful = own.length > 0 ? journal().filter(({ status }) => status < 400) : []
    const read = JSON.stringify(successful.map(({ responseBody }) => responseBody))
    return !own.every((text) => read.includes(JSON.stringify(text)))
  }

  /** Texts the value lacks or has twice, in any order; undefined if there are none or the value says what happened. */
  findHarm(value: Leaves, journal: () => readonly JournalEntry[]): ValueHarm | undefined {
    if (this.findDifferences(value).length === 0 || this.tells(value, journal)) return undefined
    const [expected, found] = [countLeaves(this.#leaves), countLeaves(this.#reduce(value))]
    const isText = (leaf: unknown) => typeof leaf === 'string' && leaf !== ''
    const name = ([first, ...more]: readonly unknown[]) =>
      `${quote(first)}${more.length > 0 ? ` (and ${String(more.length)} more)` : ''}`
    const missing = leavesBeyond(expected, found).filter(isText)
    if (missing.length > 0) return { what: `lacks ${name(missing)}`, isTwice: false }
    const surplus = leavesBeyond(found, expected).filter((leaf) => isText(leaf) && expected.has(leaf))
    return surplus.length > 0 ? { what: `has ${name(surplus)} twice`, isTwice: true } : undefined
  }
}
