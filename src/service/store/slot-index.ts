// Finds a row's position in an array by id. Ids that count up, like generated ones, need no map.
import type { Entity } from '../../contract/resources.ts'

/** The number at the end of an id, at most its last 15 digits; 0 if the id does not end in one. */
function parseNumberAtEnd(id: string): number {
  let number = 0
  let scale = 1
  for (let at = id.length - 1; at >= 0 && scale < 1e15; at--) {
    const digit = id.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) break
    number += digit * scale
    scale *= 10
  }
  return number
}

/**
 * Positions by id in an array that grows and shrinks only at its end. The last of several rows with the same id wins.
 */
export class SlotIndex {
  readonly #rows: readonly Entity[]
  /** Number of rows indexed. */
  #length = 0
  /** The number in the first id. Until there is a map, the other ids count up from it. */
  #first = 0
  #byId: Map<string, number> | undefined
  /** Positions of earlier rows, by the position of a later row with the same id. */
  readonly #former = new Map<number, number>()

  constructor(rows: readonly Entity[]) {
    this.#rows = rows
  }

  of(id: string): number | undefined {
    while (this.#length < this.#rows.length) this.#add(this.#rows[this.#length]?.id ?? '')
    if (this.#byId) return this.#byId.get(id)
    const slot = parseNumberAtEnd(id) - this.#first
    return slot >= 0 && slot < this.#length && this.#rows[slot]?.id === id ? slot : undefined
  }

  /** Call this after the last row has been removed. */
  removed({ id }: Entity): void {
    const slot = this.#rows.length
    if (this.#length <= slot) return
    this.#length = slot
    const former = this.#former.get(slot)
    if (former === undefined) this.#byId?.delete(id)
    else this.#byId?.set(id, former)
    this.#former.delete(slot)
  }

  #add(id: string): void {
    if (this.#length === 0) this.#first = parseNumberAtEnd(id)
    else if (!this.#byId && parseNumberAtEnd(id) !== this.#first + this.#length)
      this.#byId = new Map(this.#rows.slice(0, this.#length).map((row, slot) => [row.id, slot]))
    const former = this.#byId?.get(id)
    if (former !== undefined) this.#former.set(this.#length, former)
    this.#byId?.set(id, this.#length)
    this.#length += 1
  }
}
