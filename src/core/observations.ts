// The breaches of client rules by one request: each distinct one once, up to a maximum, and their number.
import type { RuleId } from '../contract/client-rules.ts'
import type { Observation } from './journal/exchange.ts'

const mostKept = 1000
const subjectCharacters = 200

/** A copy, since a slice of a text keeps the whole text in memory. */
const cut = (text: string) =>
  text.length > subjectCharacters ? `${Array.from(text.slice(0, subjectCharacters)).join('')}…` : text

export class Observations {
  readonly kept: Observation[] = []
  readonly #known = new Set<string>()
  #count = 0

  /** How many were added, including those not kept. */
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
