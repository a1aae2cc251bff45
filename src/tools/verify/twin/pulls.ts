// Compares the pulls of a run, to tell other people's writes from responses that change back and forth.
import { getOrInsert } from '../../../contract/data/maps.ts'
import { collectIds } from '../compare/ids.ts'

export class PullHistory {
  /** Successive contents of each table, list and form, without repetitions. */
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
   * Whether other people write to the workspace. A lasting change is someone's write, and so is a record that was
   * made and removed; a record that reappears or changes back is not.
   */
  get areOthersWriting(): boolean {
    return this.#changed.some((texts) => !hasReturned(texts, lacksRecords))
  }
}

function lacksRecords(between: string, text: string): boolean {
  const [ids, own] = [between, text].map((one) => collectIds(JSON.parse(one))) as [Set<string>, Set<string>]
  return ids.size <= own.size || ![...own].every((id) => ids.has(id))
}

/** Whether a text returns after other texts, at least one of which satisfies `counts`. */
export const hasReturned = (
  texts: readonly string[],
  counts: (between: string, text: string) => boolean = () => true,
): boolean =>
  texts.some((text, index) => {
    const again = texts.indexOf(text, index + 1)
    return texts.slice(index + 1, Math.max(again, 0)).some((between) => counts(between, text))
  })
