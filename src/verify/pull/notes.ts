// What a pull did not get or assumes, in sentences: each as it is, and without anything of the workspace for anonymized pulls.
import type { OperationId } from '../../contract/index.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { listItems } from '../../contract/text/quote.ts'

/** A sentence, and the same without names, ids and values of the workspace. */
export interface Note {
  readonly text: string
  readonly anonymous: string
}

/** Words of our own in a {@link note}. */
export const plainNote = (text: string): Note => ({ text, anonymous: text })

/** A sentence with texts of the workspace in it, of which the anonymous form shows none. */
export function note(texts: TemplateStringsArray, ...values: readonly (string | number | Note)[]): Note {
  const notes = values.map((value): Note => {
    if (typeof value === 'object') return value
    return typeof value === 'number' ? plainNote(String(value)) : { text: value, anonymous: '…' }
  })
  return {
    text: String.raw({ raw: texts }, ...notes.map(({ text }) => text)),
    anonymous: String.raw({ raw: texts }, ...notes.map(({ anonymous }) => anonymous)),
  }
}

/** Something that was asked for and is not in the result. */
export interface Missing {
  /** A whole response, what the key may not read, a record, or a value of a record. */
  readonly kind: 'response' | 'permission' | 'record' | 'value'
  /** Whose response lacks it; absent where the parts of the result do not fit together. */
  readonly operation?: OperationId
  /** The sentence that says what and why. */
  readonly text: string
  /** Ids of the records, unless the result is anonymized. */
  readonly ids: readonly string[]
}

interface Loss extends Pick<Missing, 'kind' | 'operation'> {
  /** Of the record. */
  readonly id?: string | undefined
}

export class Notes {
  readonly #sentences = new Map<string, Note>()
  /** Those that differ in texts of the workspace alone, as one. */
  readonly #losses = new Map<
    string,
    { readonly loss: Loss; readonly sentence: Note; count: number; ids: string[] }
  >()

  /** What the fixture lacks or assumes though nothing failed; each sentence once. */
  add(sentence: Note): void {
    this.#sentences.set(sentence.text, sentence)
  }

  lose(sentence: Note, loss: Loss): void {
    const group = [loss.kind, loss.operation, sentence.anonymous].join(' ')
    const known = getOrInsert(this.#losses, group, () => ({ loss, sentence, count: 0, ids: [] }))
    known.count += 1
    if (loss.id !== undefined) known.ids.push(loss.id)
  }

  sentences(isAnonymous: boolean): string[] {
    return [...this.#sentences.values()].map(({ text, anonymous }) => (isAnonymous ? anonymous : text))
  }

  missing(isAnonymous: boolean): Missing[] {
    return [...this.#losses.values()].map(({ loss: { kind, operation }, sentence, count, ids }) => {
      const named = ids.length > 1 && !isAnonymous ? `: ${listItems(ids, String)}` : ''
      const more = count > 1 ? ` (${String(count)} times${named})` : ''
      const text = (isAnonymous ? sentence.anonymous : sentence.text) + more
      return { kind, ...(operation && { operation }), text, ids: isAnonymous ? [] : ids }
    })
  }
}
