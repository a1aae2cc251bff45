// Whether a client reports what happened: its returned value, or the output of a command, differs from that of the
// undisturbed runs.
import { isTime } from '../compare/moments.ts'
import type { GeneratedIds } from '../../service/store/generated-ids.ts'

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
      const isIterable = inner instanceof Map || inner instanceof Set
      const entries: [unknown, unknown][] = isIterable ? [...inner.entries()] : Object.entries(inner)
      leaves.set(path, inner instanceof Error ? ids.replaceIds(inner.message, () => '') : entries.length)
      for (const [key, one] of entries) visit(one, `${path}/${String(key)}`, String(key))
    } else if (typeof inner === 'string') {
      if (inner.includes('\n')) visit(inner.split('\n'), path, name)
      else
        leaves.set(
          path,
          ids.replaceIds(inner, () => ''),
        )
    } else if (!isTime(name, inner) && typeof inner !== 'function') leaves.set(path, inner)
  }
  visit(value, '', '')
  return leaves
}

/** @returns a function that finds the paths of the leaves in which a value differs from that of the undisturbed run */
export function compareValuesWith(undisturbed: unknown, ids: GeneratedIds): (value: unknown) => string[] {
  const expected = leavesOf(undisturbed, ids)
  return (value) => {
    const leaves = leavesOf(value, ids)
    const paths = new Set([...expected.keys(), ...leaves.keys()])
    return [...paths].filter((path) => !Object.is(expected.get(path), leaves.get(path)))
  }
}
