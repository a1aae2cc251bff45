// What is shown, as it stands in the address: the view, and what each view needs to show the same again.
import { isViewId } from './context.ts'

/** `view`, `sandbox` and whatever else a view keeps there. Absent is the default. */
export type Place = Readonly<Record<string, string>>

/** Where places are kept: the address of a page, or nowhere. */
export interface Address {
  read(): Place
  /** A step is a place to come back to. */
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
