// Repeats reads that differ: a response that changes and changes back is intermittently wrong, not someone's write.
import { getOrInsert } from '../../../contract/data/maps.ts'
import { isWrite } from '../../../contract/scopes.ts'
import { placeOf, signatureOf, type Difference } from '../compare/difference.ts'
import { hasReturned } from './pulls.ts'
import type { Exchange } from './transcript.ts'

/** How often a read is sent again. */
const rereads = 5
/** A place is reread for at most this many records. */
const mostSettled = 3
const counts = new Set(['total', 'count', 'row_count'])

const fingerprintOf = (all: readonly Difference[]) =>
  JSON.stringify(all.map(({ path, kind, got }) => [path, kind, got]))

export class Rereads {
  /** Signatures of differences whose reads were repeated, by place. */
  readonly #settled = new Map<string, Set<string>>()
  /** Intermittent differences, by place. */
  readonly #unsteady = new Map<string, Difference>()

  /** How often a difference at this place shows, if it is intermittent. */
  seenOf(difference: Difference): string | undefined {
    return this.#unsteady.get(placeOf(difference))?.seen
  }

  #isSettled(one: Difference): boolean {
    const signatures = getOrInsert(this.#settled, placeOf(one), () => new Set<string>())
    return signatures.size >= mostSettled || signatures.has(signatureOf(one))
  }

  /**
   * Repeats a read that has new differences.
   * @param read sends it again @param isKnown whether the record was pulled or made by the run
   * @returns its differences; intermittent ones have `seen`
   */
  async settle(
    { about: { operation }, differences }: Pick<Exchange, 'about' | 'differences'>,
    read: () => Promise<readonly Difference[]>,
    isKnown: (id: string) => boolean,
  ): Promise<readonly Difference[]> {
    const isRead = !isWrite(operation) && operation !== 'getJob'
    if (!isRead || differences.every((one) => this.#isSettled(one))) return differences
    for (const one of differences) this.#settled.get(placeOf(one))?.add(signatureOf(one))
    const texts = [fingerprintOf(differences)]
    while (texts.length <= rereads) texts.push(fingerprintOf(await read()))
    // Another user may have made and deleted a record that only the deployment has.
    const isTheirs = ({ path, records = [] }: Difference) =>
      counts.has(path) || records.some((id) => !isKnown(id))
    const areTheirs = differences.every(isTheirs)
    if (!hasReturned(areTheirs ? texts : ['[]', ...texts])) return differences
    const right = texts.filter((text) => text === '[]').length
    // If most reads show the same differences, the pull was the exception.
    const shown = texts.filter((text) => text === texts[0]).length
    const isPullWrong = areTheirs && shown > right && shown < texts.length
    const seen = `${String(texts.length - (isPullWrong ? shown : right))} of ${String(texts.length)}`
    // Drops differences in bytes: intermittent ones mean that part of a file was lost on the way.
    return differences
      .filter(({ path }) => path !== 'bytes')
      .map((one) => {
        const { expected, got } = one
        const unsteady = { ...one, seen, ...(isPullWrong && { expected: got, got: expected }) }
        this.#unsteady.set(placeOf(one), unsteady)
        return unsteady
      })
  }
}
