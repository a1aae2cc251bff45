// Sentences about what a pull lacks or assumes. Each has a second form, without workspace data, for anonymized pulls.
import type { OperationId } from '../../contract/index.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { listItems } from '../../contract/text/quote.ts'

/** A sentence, and a version of it without names, ids and values from the workspace. */
export interface Note {
  readonly text: string
  readonly anonymous: string
}

/** A text that contains no workspace data. */
export const toPlainNote = (text: string): Note => ({ text, anonymous: text })

/** A sentence with workspace data, which the anonymous form omits. */
export function toNote(texts: TemplateStringsArray, ...values: readonly (string | number | Note)[]): Note {
  const write = (form: keyof Note) =>
    String.raw(
      { raw: texts },
      ...values.map((value) =>
        typeof value === 'object' ? value[form] : typeof value === 'number' || form === 'text' ? value : '…',
      ),
    )
  return { text: write('text'), anonymous: write('anonymous') }
}

/** Something requested that is not in the result. */
export interface Missing {
  /** A whole response, something the key may not read, a record, or a record's value. */
  readonly kind: 'response' | 'permission' | 'record' | 'value'
  /** The operation whose response lacks it; absent if the parts of the result contradict each other. */
  readonly operation?: OperationId
  /** What is missing, and why. */
  readonly text: string
  /** Ids of the records, unless the result is anonymized. */
  readonly ids: readonly string[]
}

interface Loss extends Pick<Missing, 'kind' | 'operation'> {
  readonly id?: string | undefined
}

export class Notes {
  readonly #sentences = new Map<string, Note>()
  /** Losses that differ only in workspace data form one group. */
  readonly #losses = new Map<
    string,
    { readonly loss: Loss; readonly sentence: Note; count: number; ids: Set<string> }
  >()

  /** Notes something the fixture lacks or assumes although nothing failed. Repeats are dropped. */
  add(sentence: Note | string): void {
    const noted = typeof sentence === 'string' ? toPlainNote(sentence) : sentence
    this.#sentences.set(noted.text, noted)
  }

  lose(sentence: Note, loss: Loss): void {
    const group = [loss.kind, loss.operation, sentence.anonymous].join(' ')
    const known = getOrInsert(this.#losses, group, () => ({
      loss,
      sentence,
      count: 0,
      ids: new Set<string>(),
    }))
    // A recording can show several times that a record was lost.
    if (loss.id !== undefined && known.ids.has(loss.id)) return
    known.count += 1
    if (loss.id !== undefined) known.ids.add(loss.id)
  }

  read(isAnonymous: boolean): { readonly missing: Missing[]; readonly unseen: string[] } {
    const textOf = (noted: Note) => (isAnonymous ? noted.anonymous : noted.text)
    const missing = [...this.#losses.values()].map(
      ({ loss: { kind, operation }, sentence, count, ids: known }): Missing => {
        const ids = [...known]
        const named = ids.length > 1 && !isAnonymous ? `: ${listItems(ids, String)}` : ''
        const text = textOf(sentence) + (count > 1 ? ` (${String(count)} times${named})` : '')
        return { kind, ...(operation && { operation }), text, ids: isAnonymous ? [] : ids }
      },
    )
    const unseen = [...[...this.#sentences.values()].map(textOf), ...missing.map(({ text }) => `${text}.`)]
    return { missing, unseen }
  }
}
