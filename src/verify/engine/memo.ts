// Values by name, each found or made once.
import { Drift } from './rule.ts'

export class Memo {
  readonly #known = new Map<string, Promise<unknown>>()

  /** The value of a name; found or made again where a response was not as expected. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    let known = this.#known.get(name) as Promise<T> | undefined
    if (!known) {
      this.#known.set(name, (known = make()))
      known.catch((error: unknown) => {
        if (error instanceof Drift) this.#known.delete(name)
      })
    }
    return known
  }
}
