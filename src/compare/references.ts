// Finds and replaces the ids that a run generated, also inside texts.
import { compareText } from '../contract/text/format.ts'
import { idKinds } from '../store/counters.ts'
import type { Store } from '../store/store.ts'
import { isTime } from './moments.ts'

/** Made on first use: in a bundle, this module can run before its imports. */
let pattern: RegExp | undefined
/** The placeholder of an id in a text; JSON never contains it. */
const gap = '\0'
const decoder = new TextDecoder('latin1')

/** A value as JSON, without the generated ids and the times in it. */
export interface Outline {
  readonly text: string
  readonly ids: readonly string[]
  /** Those of `ids` that identify objects inside the value, such as the statuses of a new list. */
  readonly nested: readonly string[]
  readonly times: readonly number[]
}

/** Recognizes ids that were generated after the initial state. */
export class GeneratedIds {
  readonly #before: Readonly<Record<string, number>>

  constructor(start: { readonly counters: Pick<Store['counters'], 'ids'> }) {
    this.#before = { ...start.counters.ids }
  }

  /** `at` is the position of the id in the text. */
  replaceIds(text: string, by: (id: string, at: number) => string): string {
    pattern ??= new RegExp(`(${idKinds.join('|')})_(\\d{6,})`, 'g')
    return text.replace(pattern, (id, kind: string, number: string, at: number) =>
      Number(number) > (this.#before[kind] ?? 0) ? by(id, at) : id,
    )
  }

  outline(value: object): Outline {
    const ids: string[] = []
    const nested: string[] = []
    const times: number[] = []
    const json = JSON.stringify(value, (name, inner: unknown) => {
      if (isTime(name, inner)) {
        if (typeof inner === 'number') times.push(inner)
        return null
      }
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
      // Sorted, since the order of keys does not count as a difference.
      return inner instanceof Uint8Array
        ? decoder.decode(inner)
        : Object.fromEntries(Object.entries(inner).sort(([a], [b]) => compareText(a, b)))
    })
    const text = this.replaceIds(json, (id, at) => {
      ids.push(id)
      if (json.endsWith('"id":"', at)) nested.push(id)
      return gap
    })
    return { text, ids, nested, times }
  }
}

export function fillOutline({ text, ids }: Outline, by: (id: string) => string): string {
  let next = 0
  return ids.length === 0 ? text : text.replaceAll(gap, () => by(ids[next++] ?? ''))
}
