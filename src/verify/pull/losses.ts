// What a pull did not get, in sentences: each as it is, and without anything of the workspace for anonymized pulls.
import type { OperationId } from '../../contract/index.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { listItems } from '../../contract/text/quote.ts'

/** A sentence, and the same without names, ids and values of the workspace. */
export interface Note {
  readonly text: string
  readonly anonymous: string
}

/** Words of our own in a {@link note}. */
export const fixed = (text: string): Note => ({ text, anonymous: text })

/** A sentence with texts of the workspace in it, of which the anonymous form shows none. */
export function note(texts: TemplateStringsArray, ...values: readonly (string | number | Note)[]): Note {
  const join = (shown: (value: string | number | Note) => string) =>
    texts.map((text, index) => text + (index < values.length ? shown(values[index] ?? '') : '')).join('')
  return {
    text: join((value) => (typeof value === 'object' ? value.text : String(value))),
    anonymous: join((value) =>
      typeof value === 'object' ? value.anonymous : typeof value === 'number' ? String(value) : '…',
    ),
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

interface Loss {
  readonly kind: Missing['kind']
  readonly operation?: OperationId | undefined
  readonly note: Note
  /** Of the record. */
  readonly id?: string | undefined
}

export class Losses {
  /** Those of one kind together: their ids differ, not the reason. */
  readonly #groups = new Map<string, { readonly first: Loss; count: number; readonly ids: string[] }>()

  add(group: string, loss: Loss): void {
    const known = getOrInsert(this.#groups, group, () => ({ first: loss, count: 0, ids: [] as string[] }))
    known.count += 1
    if (loss.id !== undefined) known.ids.push(loss.id)
  }

  list(isAnonymous: boolean): Missing[] {
    return [...this.#groups.values()].map(({ first, count, ids }) => {
      const { kind, operation, note: sentence } = first
      const named = ids.length > 1 && !isAnonymous ? `: ${listItems(ids, String)}` : ''
      const more = count > 1 ? ` (${String(count)} times${named})` : ''
      return {
        kind,
        ...(operation && { operation }),
        text: `${isAnonymous ? sentence.anonymous : sentence.text}${more}`,
        ids: isAnonymous ? [] : ids,
      }
    })
  }
}
