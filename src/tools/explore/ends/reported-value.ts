// What a client reports (its returned value, or the output of a command) and what it keeps (its storage, or the folder of a
// command), compared with those of the undisturbed run.
import { isTime } from '../../compare/moments.ts'
import { quote } from '../../../contract/text/quote.ts'
import { GeneratedIds, type JournalEntry, type Store } from '../../../mock/explorable.ts'
import type { Leaves } from './leaves.ts'

/** Number of entries of an object or a list, as a leaf. */
const entryCount = /^\d+ entries$/

/** Counts how often each leaf occurs, without numbers of entries. */
function countLeaves(leaves: Leaves): Map<unknown, number> {
  const counts = new Map<unknown, number>()
  for (const leaf of leaves.values())
    if (typeof leaf !== 'string' || !entryCount.test(leaf)) counts.set(leaf, (counts.get(leaf) ?? 0) + 1)
  return counts
}

/** The leaves that occur more often than in the others. */
const leavesBeyond = (counts: Map<unknown, number>, others: Map<unknown, number>) =>
  [...counts].filter(([leaf, count]) => count > (others.get(leaf) ?? 0)).map(([leaf]) => leaf)

/** A value of the undisturbed run. Generated ids and times in it do not count. */
export class BaselineValue {
  readonly #ids: GeneratedIds
  readonly #all: Leaves
  readonly #leaves: Leaves
  /** Paths that differ between undisturbed runs. */
  readonly #ignored = new Set<string>()

  constructor(leaves: Leaves, start: Store) {
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

  /** The paths of the leaves in which a value differs. */
  findDifferences(value: Leaves): string[] {
    const isEqual = [...value].every(([path, leaf]) => Object.is(this.#all.get(path), leaf))
    // As most runs do.
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

  /**
   * Whether a value has something of its own, other than values of successful responses: it says what happened.
   * @param isCount whether another number at the same path says nothing, as the count of what is stored
   */
  tells(value: Leaves, journal: () => readonly JournalEntry[], isCount = false): boolean {
    if (this.findDifferences(value).length === 0) return false
    const leaves = this.#reduce(value)
    const compared = isCount
      ? new Map([...leaves].filter(([path, leaf]) => typeof leaf !== 'number' || !this.#leaves.has(path)))
      : leaves
    const own = leavesBeyond(countLeaves(compared), countLeaves(this.#leaves))
    if (own.some((leaf) => typeof leaf !== 'string')) return true
    const successful = own.length > 0 ? journal().filter(({ status }) => status < 400) : []
    const read = JSON.stringify(successful.map(({ responseBody }) => responseBody))
    return !own.every((text) => read.includes(JSON.stringify(text)))
  }

  /** The texts that a value lacks, in whatever order, in words; undefined if it lacks none. */
  describeLoss(value: Leaves): string | undefined {
    if (this.findDifferences(value).length === 0) return undefined
    const [expected, found] = [countLeaves(this.#leaves), countLeaves(this.#reduce(value))]
    const missing = leavesBeyond(expected, found).filter((leaf) => typeof leaf === 'string' && leaf !== '')
    if (missing.length === 0) return undefined
    return `lacks ${quote(missing[0])}${missing.length > 1 ? ` (and ${String(missing.length - 1)} more)` : ''}`
  }
}
