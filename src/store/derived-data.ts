// What others derive from a table, or from the stores of a mock, and keep with it for as long as it exists.

/** Values by the function that makes them: a constant of the module that derives them. */
export class DerivedData {
  readonly #values = new Map<() => unknown, unknown>()

  /** What `make` returned on the first call. */
  get<T>(make: () => T): T {
    if (!this.#values.has(make)) this.#values.set(make, make())
    return this.#values.get(make) as T
  }
}
