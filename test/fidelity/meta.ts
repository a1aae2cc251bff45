// How a test tells the reporter what it covered: names and counts in the test's metadata.
import type { TaskMeta } from 'vitest'

/** What is covered by name; coverage.ts lists all names of each kind. */
export type Covered = 'outcomes' | 'injected' | 'rules' | 'answers' | 'operators' | 'transitions' | 'learned'
/** What is only counted. */
export type Counted = 'sequences' | 'steps' | 'hostile' | 'mutants'

declare module 'vitest' {
  interface TaskMeta {
    covered?: Partial<Record<Covered, string[]>>
    counted?: Partial<Record<Counted, number>>
  }
}

/** Adds to what a test has covered. */
export function cover(meta: TaskMeta, what: Covered, names: Iterable<string>): void {
  const covered = (meta.covered ??= {})
  covered[what] = [...new Set([...(covered[what] ?? []), ...names])]
}

/** Adds to what a test has counted. */
export function count(meta: TaskMeta, what: Counted, by: number): void {
  const counted = (meta.counted ??= {})
  counted[what] = (counted[what] ?? 0) + by
}
