// What the handling of one request reports about its client: each breach once, up to a most, and how many there were.
import type { RuleId } from '../contract/client-rules.ts'
import type { Observation } from './journal.ts'

const mostKept = 1000
const subjectCharacters = 200

/** A text of its own, since a part of a text would hold on to the whole of it. */
const cut = (text: string) =>
  text.length > subjectCharacters ? `${Array.from(text.slice(0, subjectCharacters)).join('')}…` : text

export class Observations {
  readonly kept: Observation[] = []
  readonly #known = new Set<string>()
  #count = 0

  /** Of all that were added, the ones that are not kept included. */
  get count(): number {
    return this.#count
  }

  add(rule: RuleId, subject: string): void {
    this.#count += 1
    if (this.kept.length === mostKept) return
    const observation = { rule, subject: cut(subject) }
    const key = `${rule} ${observation.subject}`
    if (this.#known.has(key)) return
    this.#known.add(key)
    this.kept.push(observation)
  }
}
