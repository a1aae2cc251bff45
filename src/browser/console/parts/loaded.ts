// Owns the loading of what a view shows beside what is kept up to date anyway.
import { useEffect, useState } from 'preact/hooks'

export interface Loaded<T> {
  /** Null until the first answer. What was loaded for other `keys` stays until the new is there. */
  readonly value: T | null
  readonly failure: string | null
}

/** Loads whenever one of `keys` has changed; of two loads under way the later one counts. */
export function useLoaded<T>(load: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: null, failure: null })
  useEffect(() => {
    let isLatest = true
    load().then(
      (value) => {
        if (isLatest) setLoaded({ value, failure: null })
      },
      (error: unknown) => {
        if (isLatest)
          setLoaded({ value: null, failure: error instanceof Error ? error.message : String(error) })
      },
    )
    return () => {
      isLatest = false
    }
  }, keys)
  return loaded
}
