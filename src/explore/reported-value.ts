// Whether a client says what happened: whether the value that a scenario returned, or what a command printed, differs from
// that of the undisturbed runs.
import { isTime } from '../compare/moments.ts'
import type { GeneratedIds } from '../compare/references.ts'

const mostLeaves = 10_000

/** The leaves of a value by their paths, without generated ids and times; lines of a text one by one. */
function leavesOf(value: unknown, ids: GeneratedIds): ReadonlyMap<string, unknown> {
  const leaves = new Map<string, unknown>()
  const seen = new Set<object>()
  const visit = (inner: unknown, path: string, name: string) => {
    if (leaves.size >= mostLeaves) return
    if (typeof inner === 'object' && inner !== null) {
      if (seen.has(inner)) return
      seen.add(inner)
      const entries =
        inner instanceof Map || inner instanceof Set ? [...inner.entries()] : Object.entries(inner)
      leaves.set(path, inner instanceof Error ? ids.replaced(inner.message, () => '') : entries.length)
      for (const [key, one] of entries) visit(one, `${path}/${String(key)}`, String(key))
    } else if (typeof inner === 'string' && inner.includes('\n')) visit(inner.split('\n'), path, name)
    else if (typeof inner === 'string')
      leaves.set(
        path,
        ids.replaced(inner, () => ''),
      )
    else if (!isTime(name, inner) && typeof inner !== 'function') leaves.set(path, inner)
  }
  visit(value, '', '')
  return leaves
}

export class ReportedValue {
  readonly #ids: GeneratedIds
  readonly #leaves: ReadonlyMap<string, unknown>
  readonly #ignored = new Set<string>()

  constructor(value: unknown, ids: GeneratedIds) {
    this.#ids = ids
    this.#leaves = leavesOf(value, ids)
  }

  #differing(value: unknown): string[] {
    const leaves = leavesOf(value, this.#ids)
    return [...new Set([...this.#leaves.keys(), ...leaves.keys()])].filter(
      (path) => !Object.is(this.#leaves.get(path), leaves.get(path)) && !this.#ignored.has(path),
    )
  }

  /** Leaves out what differs between undisturbed runs. */
  ignore(value: unknown): void {
    for (const path of this.#differing(value)) this.#ignored.add(path)
  }

  differs(value: unknown): boolean {
    return this.#differing(value).length > 0
  }
}
