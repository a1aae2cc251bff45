// Pairs ids, because the mock's `task_000007` has a different id in the deployment.

/** Matches ids that a mock generates. A fixture's ids are the same on both sides and need no pair. */
const generatedIds = /\b[a-z]+(?:_[a-z]+)*_\d{6}\b/g
const generatedId = /^[a-z]+(?:_[a-z]+)*_\d{6}$/

export class IdPairs {
  /** Deployment ids by mock id, and autonumbers by column and row. */
  readonly #theirs = new Map<string, string>()
  readonly #ours = new Map<string, string>()
  readonly #shared: Set<string>

  /** @param shared ids that mean the same on both sides */
  constructor(shared: Iterable<string> = []) {
    this.#shared = new Set(shared)
  }

  copy(): IdPairs {
    const copy = new IdPairs(this.#shared)
    for (const [ours, theirs] of this.#theirs) copy.pair(ours, theirs)
    return copy
  }

  /** Whether the mock generated the id and it has no pair yet. */
  isUnpaired(ours: string): boolean {
    return generatedId.test(ours) && !this.#theirs.has(ours) && !this.#shared.has(ours)
  }

  /** Whether the record was not made by the run. */
  isForeign(theirs: string): boolean {
    return !this.#ours.has(theirs)
  }

  isKnown(theirs: string): boolean {
    return this.#shared.has(theirs) || this.#ours.has(theirs)
  }

  /** @returns false if the deployment's id already belongs to another record */
  pair(ours: string, theirs: string): boolean {
    if (this.isKnown(theirs)) return this.#theirs.get(ours) === theirs
    this.#theirs.set(ours, theirs)
    this.#ours.set(theirs, ours)
    return true
  }

  /** Pairs the autonumber of a row. @returns false if it belongs to another row or has changed */
  pairNumber(column: string, row: string, theirs: string): boolean {
    const [place, number] = [`${column} ${row}`, `${column} ${theirs}`]
    return this.#theirs.has(place) ? this.#theirs.get(place) === number : this.pair(place, number)
  }

  /** Replaces the mock's ids with the deployment's in any JSON, including inside texts. */
  toTheirs<T>(value: T): T
  toTheirs(value: unknown): unknown {
    if (typeof value === 'string')
      return this.#theirs.get(value) ?? value.replaceAll(generatedIds, (id) => this.#theirs.get(id) ?? id)
    if (Array.isArray(value)) return value.map((item: unknown) => this.toTheirs(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]: [string, unknown]) => [name, this.toTheirs(item)]),
    )
  }
}

/** Collects the values of fields called `id` in any JSON. */
export function collectIds(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) collectIds(item, found)
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) {
      if (name === 'id' && typeof item === 'string') found.add(item)
      collectIds(item, found)
    }
  return found
}
