// Flattens a client's value into leaves by path, without recursion and within a bound.
import { describeValue, tryReading } from '../texts.ts'

export type Leaves = ReadonlyMap<string, unknown>

const mostKeyCharacters = 300
const most = { leaves: 6_000, characters: 200_000, depth: 100 }

const toBytes = (value: object): Uint8Array | undefined => {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined
}

/** The first entries of a collection or an object, and how many it has. */
function readEntries(value: object, mostEntries: number) {
  if (value instanceof Map || value instanceof Set) {
    const entries: [unknown, unknown][] = []
    for (const [key, one] of value.entries() as Iterable<[unknown, unknown]>) {
      if (entries.length >= mostEntries) break
      entries.push([key, value instanceof Set ? key : one])
    }
    return { count: value.size, entries }
  }
  if (Array.isArray(value))
    return {
      count: value.length,
      entries: (value.slice(0, mostEntries) as unknown[]).map((one, index) => [index, one] as const),
    }
  // The properties of errors are not enumerable, but are wanted too.
  const own = Object.keys(value)
  const keys = value instanceof Error ? [...new Set([...own, 'cause', 'errors'])] : own
  const entries = keys
    .slice(0, mostEntries)
    .map((key) => [key, tryReading(() => Reflect.get(value, key) as unknown)] as const)
    .filter(([key, one]) => one !== undefined || Object.hasOwn(value, key))
  return { count: own.length, entries }
}

/** Lines of a text are leaves of their own. What cannot be read is a leaf in words. */
export function leavesOf(root: unknown): Leaves {
  const leaves = new Map<string, unknown>()
  const seen = new Set<object>()
  let characters = 0
  const add = (path: string, text: string) => {
    if (leaves.size >= most.leaves || characters >= most.characters) return
    const kept = text.slice(0, most.characters - characters)
    characters += kept.length
    leaves.set(path, kept)
  }
  const addText = (path: string, text: string) => {
    if (!text.includes('\n')) {
      add(path, text)
      return
    }
    const lines = text.slice(0, most.characters - characters).split('\n', most.leaves)
    for (const [index, line] of lines.entries()) add(`${path}/${String(index)}`, line)
  }
  type Visit = readonly [value: unknown, path: string, depth: number]
  const pending: Visit[] = [[root, '', 0]]
  for (let next = pending.pop(); next && leaves.size < most.leaves; next = pending.pop()) {
    const [value, path, depth] = next
    if (typeof value === 'function') continue
    if (typeof value === 'string') addText(path, value)
    else if (typeof value !== 'object' || value === null) leaves.set(path, value)
    else if (!seen.has(value)) {
      seen.add(value)
      const bytes = tryReading(() => toBytes(value))
      if (bytes) {
        leaves.set(`${path}/length`, bytes.length)
        add(path, new TextDecoder('latin1').decode(bytes.subarray(0, most.characters - characters)))
        continue
      }
      const inner = depth < most.depth ? tryReading(() => readEntries(value, most.leaves)) : undefined
      const isError = tryReading(() => value instanceof Error) === true
      if (isError || (!inner && depth < most.depth)) add(path, describeValue(value))
      else leaves.set(path, inner ? `${String(inner.count)} entries` : 'nested too deep to be read')
      const entries = inner?.entries ?? []
      for (let index = entries.length - 1; index >= 0; index--) {
        const [key, one] = entries[index] ?? []
        pending.push([
          one,
          `${path}/${typeof key === 'string' ? key.slice(0, mostKeyCharacters) : describeValue(key)}`,
          depth + 1,
        ])
      }
    }
  }
  return leaves
}

/** Paths of what libraries keep in their errors and responses, such as the request configuration. */
const ofLibraries = /\/"?(?:config|headers|req|request|options|socket)\b/i

/** Whether a value has a text in it that names the key. */
export function showsKey(leaves: Leaves, key: string): boolean {
  for (const [path, leaf] of leaves) {
    const isShown = path.includes(key) || (typeof leaf === 'string' && leaf.includes(key))
    if (isShown && !ofLibraries.test(path)) return true
  }
  return false
}
