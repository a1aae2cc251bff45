// Small components that the pages share.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

export const numberText = (value: number) => new Intl.NumberFormat('en').format(value)

export const dateText = (seconds: number) =>
  new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    seconds * 1000,
  )

export const typed = (event: Event) => (event.currentTarget as HTMLInputElement | HTMLSelectElement).value

export interface Loaded<T> {
  readonly value: T | null
  readonly failure: string | null
  readonly isLoading: boolean
}

export function useLoaded<T>(load: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: null, failure: null, isLoading: true })
  useEffect(() => {
    let isLatest = true
    const set = (next: Loaded<T>) => {
      if (isLatest) setLoaded(next)
    }
    setLoaded(({ value }) => ({ value, failure: null, isLoading: true }))
    load().then(
      (value) => set({ value, failure: null, isLoading: false }),
      (error: unknown) =>
        set({
          value: null,
          failure: error instanceof Error ? error.message : String(error),
          isLoading: false,
        }),
    )
    return () => {
      isLatest = false
    }
  }, keys)
  return loaded
}

export function Dot({ color }: { readonly color: string }) {
  return (
    <svg class="dot" viewBox="0 0 8 8" aria-hidden="true">
      <circle cx="4" cy="4" r="4" fill={color} />
    </svg>
  )
}

export function Failure({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="failure" role="alert">
      {children}
    </p>
  )
}
