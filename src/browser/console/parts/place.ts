// The place: what is shown, as it is written in the address, so that the same can be shown again.
import { isViewId } from './context.ts'

/** `view`, `sandbox` and the parameters of the view. Absent means the default. */
export type Place = Readonly<Record<string, string>>

/** The address of a page, as far as it stores the place. */
export interface Address {
  read(): Place
  /** A step is added to the browser's history. */
  write(place: Place, isStep: boolean): void
  /** @returns a function that unsubscribes */
  listen(listener: () => void): () => void
  title(text: string): void
}

/** `request=12&sandbox=checkout`, without the `#`; a view alone is its name. */
export function placeOf(hash: string): Place {
  if (isViewId(hash)) return { view: hash }
  return Object.fromEntries(new URLSearchParams(hash))
}

export const hashOf = (place: Place) => new URLSearchParams(place).toString()
