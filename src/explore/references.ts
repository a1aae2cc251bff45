// Ids that a run generated: found in texts, and replaced by what stands for them.
import type { Store } from '../store/store.ts'

/** Recognizes ids that were generated after the start. */
export class GeneratedIds {
  readonly #before: Readonly<Record<string, number>>
  readonly #pattern: RegExp | undefined

  /** @param ends the ends of the runs that are compared */
  constructor(start: Store, ends: readonly Store[]) {
    this.#before = start.counters.state().ids
    const kinds = new Set(ends.flatMap((end) => Object.keys(end.counters.state().ids)))
    const alternatives = [...kinds].sort((a, b) => b.length - a.length).join('|')
    if (kinds.size > 0) this.#pattern = new RegExp(`(${alternatives})_(\\d{6,})`, 'g')
  }

  /** The text with each generated id replaced. */
  replaced(text: string, by: (id: string) => string): string {
    if (!this.#pattern || !text.includes('_')) return text
    return text.replace(this.#pattern, (id, kind: string, number: string) =>
      Number(number) > (this.#before[kind] ?? 0) ? by(id) : id,
    )
  }
}

const decoder = new TextDecoder('latin1')

/** A value with each generated id in its texts, keys and bytes replaced. */
export function withIds(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return replace(decoder.decode(value))
  if (Array.isArray(value)) return value.map((inner) => withIds(inner, replace))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [replace(name), withIds(inner, replace)]),
  )
}

/** Objects inside a record that have generated ids of their own, such as the statuses of a new list, by their place. */
export function nestedIds(
  value: unknown,
  isGenerated: (id: string) => boolean,
  place = '',
): Map<string, string> {
  const found = new Map<string, string>()
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return found
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'id' && typeof inner === 'string' && isGenerated(inner)) found.set(inner, place)
    else for (const [id, at] of nestedIds(inner, isGenerated, `${place}/${name}`)) found.set(id, at)
  }
  return found
}
