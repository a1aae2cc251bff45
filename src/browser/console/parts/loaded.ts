// Loads the data of a view that is not part of the live state.
import { useEffect, useState } from 'preact/hooks'
import { errorText } from '../../error-text.ts'
import { useConsole } from './context.ts'

interface Loaded<T> {
  /** Null until it is loaded. The value for earlier `keys` stays until the new one is loaded. */
  readonly value: T | null
  readonly failure: string | null
}

/** Loads whenever one of `keys` changes; of several pending loads the latest counts. */
export function useLoaded<T>(load: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: null, failure: null })
  useEffect(() => {
    let isLatest = true
    const end = (result: Loaded<T>) => {
      if (isLatest) setLoaded(result)
    }
    load().then(
      (value) => end({ value, failure: null }),
      (error: unknown) => end({ value: null, failure: errorText(error) }),
    )
    return () => void (isLatest = false)
  }, keys)
  return loaded
}

/** Milliseconds on the mock's clock; a running clock continues here between two reads. */
export function useNow(): number {
  const { live } = useConsole()
  const [, tick] = useState(0)
  const { clock } = live.overview
  const isRunning = clock.mode === 'system' && live.status !== 'lost'
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => tick((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  return clock.nowMs + (isRunning ? Date.now() - live.readAtMs : 0)
}
