// Recognizes the ids that were generated after an initial state, also inside texts.
import { idKinds, type Counters } from './counters.ts'

/** The pattern of generated ids. It is made on first use: in a bundle, this module can run before its imports. */
let generatedId: RegExp | undefined

export class GeneratedIds {
  readonly #before: Readonly<Record<string, number>>

  constructor(start: { readonly counters: Pick<Counters, 'ids'> }) {
    this.#before = { ...start.counters.ids }
  }

  /** `at` is the position of the id in the text. */
  replaceIds(text: string, by: (id: string, at: number) => string): string {
    generatedId ??= new RegExp(`(${idKinds.join('|')})_(\\d{6,})`, 'g')
    return text.replace(generatedId, (id, kind: string, number: string, at: number) =>
      Number(number) > (this.#before[kind] ?? 0) ? by(id, at) : id,
    )
  }
}
