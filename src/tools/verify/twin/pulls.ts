// What the pulls of a run have shown, to tell what others write from what a deployment shows now and then.
import { getOrInsert } from '../../../contract/data/maps.ts'
import { collectIds } from '../compare/ids.ts'

export class PullHistory {
  /** The texts of each table and list, without repetitions. */
  readonly #contents = new Map<string, string[]>()
  #changed: readonly (readonly string[])[] = []

  /** @param content each pulled table, list and form as text, by id */
  note(content: ReadonlyMap<string, string>): void {
    for (const [id, text] of content) {
      const texts = getOrInsert(this.#contents, id, (): string[] => [])
      if (texts.at(-1) !== text) texts.push(text)
    }
    this.#changed = [...this.#contents.values()].filter((texts) => texts.length > 1)
  }

  get hasChanged(): boolean {
    return this.#changed.length > 0
  }

  /**
   * Whether others write. A record that was gone and is back, or that is as it was before, is nobody's write; a change that
   * stays is, and so is a record that others made and removed.
   */
  get areOthersWriting(): boolean {
    return this.#changed.some((texts) => !hasReturned(texts, lacksRecords))
  }
}

function lacksRecords(between: string, text: string): boolean {
  const [ids, own] = [between, text].map((one) => collectIds(JSON.parse(one))) as [Set<string>, Set<string>]
  return ids.size <= own.size || ![...own].every((id) => ids.has(id))
}

/** Whether a text stands again after others, of which one counts. */
export const hasReturned = (
  texts: readonly string[],
  counts: (between: string, text: string) => boolean = () => true,
): boolean =>
  texts.some((text, index) => {
    const again = texts.indexOf(text, index + 1)
    return texts.slice(index + 1, Math.max(again, 0)).some((between) => counts(between, text))
  })
