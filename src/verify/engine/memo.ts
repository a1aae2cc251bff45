// Values by name, each found or made once.
import { entryOf } from '../../contract/values/entries.ts'
import { Drift } from './rule.ts'

/** The value of a name; found or made again where a response was not as expected. */
export type Once = <T>(name: string, make: () => Promise<T>) => Promise<T>

export function memo(): Once {
  const known = new Map<string, Promise<unknown>>()
  return <T>(name: string, make: () => Promise<T>) =>
    entryOf(known, name, () => {
      const made = make()
      made.catch((error: unknown) => {
        if (error instanceof Drift) known.delete(name)
      })
      return made
    }) as Promise<T>
}
