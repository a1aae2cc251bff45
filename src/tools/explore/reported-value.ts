// Whether a client reports what happened: its returned value, or the output of a command, differs from that of the
// baseline.
import { isTime } from '../compare/moments.ts'
import type { GeneratedIds } from '../../mock/explorable.ts'
import { describeValue, tryReading } from './describe-value.ts'

const mostLeaves = 10_000

/** The leaves of a value by their paths; lines of a text one by one. What cannot be read is a leaf in words. */
function leavesOf(value: unknown, isLeftOut = (_path: string) => false): ReadonlyMap<string, unknown> {
  const leaves = new Map<string, unknown>()
  const seen = new Set<object>()
  const visit = (inner: unknown, path: string) => {
    if (leaves.size >= mostLeaves || isLeftOut(path)) return
    if (typeof inner === 'object' && inner !== null) {
      if (seen.has(inner)) return
      seen.add(inner)
      const entries = tryReading(() => entriesOf(inner))
      const isError = tryReading(() => inner instanceof Error) === true
      leaves.set(path, isError || !entries ? describeValue(inner) : entries.length)
      for (const [key, one] of entries ?? []) visit(one, `${path}/${describeValue(key)}`)
    } else if (typeof inner === 'string' && inner.includes('\n'))
      inner.split('\n').forEach((line, index) => visit(line, `${path}/${String(index)}`))
    else if (typeof inner !== 'function') leaves.set(path, inner)
  }
  visit(value, '')
  return leaves
}

function entriesOf(value: object): (readonly [unknown, unknown])[] {
  if (value instanceof Map || value instanceof Set) return [...value.entries()]
  // The properties of errors are not enumerable, but are wanted too.
  const keys = new Set([...Object.keys(value), ...(value instanceof Error ? ['cause', 'errors'] : [])])
  return [...keys]
    .map((key) => [key, tryReading(() => Reflect.get(value, key) as unknown)] as const)
    .filter(([key, one]) => one !== undefined || Object.hasOwn(value, key))
}

/** What a client leaves in the errors and responses of a library, such as the configuration of its requests. */
const ofLibraries = /\/"?(?:config|headers|req|request|options|socket)\b/i

/** Whether a value has a text in it that names the key. */
export function showsKey(value: unknown, key: string): boolean {
  const leaves = leavesOf(value, (path) => ofLibraries.test(path))
  return [...leaves].some((leaf) => leaf.some((text) => typeof text === 'string' && text.includes(key)))
}

/** The same without generated ids and times. */
function comparedLeaves(value: unknown, ids: GeneratedIds): ReadonlyMap<string, unknown> {
  const leaves = [...leavesOf(value)].flatMap(([path, leaf]): [string, unknown][] => {
    if (typeof leaf === 'string') return [[path, ids.replaceIds(leaf, () => '')]]
    return isTime(path.slice(path.lastIndexOf('/') + 1), leaf) ? [] : [[path, leaf]]
  })
  return new Map(leaves)
}

/** @returns a function that finds the paths of the leaves in which a value differs from that of the baseline */
export function compareValuesWith(baseline: unknown, ids: GeneratedIds): (value: unknown) => string[] {
  const expected = comparedLeaves(baseline, ids)
  return (value) => {
    const leaves = comparedLeaves(value, ids)
    const paths = new Set([...expected.keys(), ...leaves.keys()])
    return [...paths].filter((path) => !Object.is(expected.get(path), leaves.get(path)))
  }
}
