// Flattens a client's value into leaves by path, without recursion and within fixed limits.
import { describeValue, tryReading } from '../texts.ts'

export type Leaves = ReadonlyMap<string, unknown>

const mostKeyCharacters = 300
const most = { values: 6_000, keys: 12_000, characters: 200_000, pathCharacters: 600_000, depth: 100 }

const toBytes = (value: object): Uint8Array | undefined => {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined
}

/** Includes an error's `cause` and `errors`, which are not enumerable. */
const keysOf = (value: object): string[] =>
  value instanceof Error ? [...new Set([...Object.keys(value), 'cause', 'errors'])] : Object.keys(value)

type KeyedValue = readonly [key: unknown, value: unknown]

/** An object whose entries are read one at a time, so that unread entries cost nothing. */
interface Opened {
  readonly count: number
  /** How many keys were read to open it: JavaScript reads an object's keys all at once. */
  readonly keys: number
  /** The next entry; undefined at the end. */
  readonly next: () => KeyedValue | undefined
}

function open(value: object): Opened {
  let index = 0
  if (value instanceof Map || value instanceof Set) {
    const entries = value.entries() as Iterator<KeyedValue, undefined>
    return { count: value.size, keys: 0, next: () => entries.next().value }
  }
  if (Array.isArray(value)) {
    const { length } = value
    const next = (): KeyedValue | undefined =>
      index < length ? [index, value[index++] as unknown] : undefined
    return { count: length, keys: 0, next }
  }
  const keys = keysOf(value)
  const next = (): KeyedValue | undefined => {
    while (index < keys.length) {
      const key = keys[index++] ?? ''
      const one = tryReading(() => Reflect.get(value, key) as unknown)
      if (one !== undefined || Object.hasOwn(value, key)) return [key, one]
    }
    return undefined
  }
  return { count: keys.length, keys: keys.length, next }
}

/** Keys of a `Map` or `Set` can be objects or functions, which are named by their index. */
const keyText = (key: unknown, index: number): string =>
  typeof key === 'string'
    ? key.slice(0, mostKeyCharacters)
    : String((typeof key === 'object' && key !== null) || typeof key === 'function' ? index : key)

class LeafReader {
  readonly leaves = new Map<string, unknown>()
  readonly #seen = new Set<object>()
  /** How much can still be read. */
  readonly #left = { ...most }

  get isFull(): boolean {
    const { values, characters, pathCharacters } = this.#left
    return values <= 0 || characters <= 0 || pathCharacters <= 0
  }

  #set(path: string, leaf: unknown): void {
    this.#left.pathCharacters -= path.length
    this.leaves.set(path, leaf)
  }

  #add(path: string, text: string): void {
    if (this.#left.characters <= 0) return
    const kept = text.slice(0, this.#left.characters)
    this.#left.characters -= kept.length
    this.#set(path, kept)
  }

  #addText(path: string, text: string): void {
    const kept = text.slice(0, this.#left.characters)
    if (!kept.includes('\n')) {
      this.#add(path, kept)
      return
    }
    const lines = kept.split('\n', this.#left.values)
    for (const [index, line] of lines.entries()) this.#add(`${path}/${String(index)}`, line)
    this.#left.values -= lines.length
  }

  /** Adds a value, and returns its entries if it has any. */
  read(value: unknown, path: string, depth: number): Opened | undefined {
    this.#left.values -= 1
    if (typeof value === 'function') return undefined
    if (typeof value === 'string') this.#addText(path, value)
    else if (typeof value !== 'object' || value === null) this.#set(path, value)
    else if (!this.#seen.has(value)) return this.#readObject(value, path, depth)
    return undefined
  }

  #readObject(value: object, path: string, depth: number): Opened | undefined {
    this.#seen.add(value)
    const bytes = tryReading(() => toBytes(value))
    if (bytes) {
      this.#set(`${path}/length`, bytes.length)
      this.#add(path, new TextDecoder('latin1').decode(bytes.subarray(0, this.#left.characters)))
      return undefined
    }
    if (depth >= most.depth || this.#left.keys <= 0) {
      this.#set(path, depth >= most.depth ? 'nested too deep to be read' : 'too large to be read')
      return undefined
    }
    const inner = tryReading(() => open(value))
    const isError = tryReading(() => value instanceof Error) === true
    if (isError || !inner) this.#add(path, describeValue(value))
    else this.#set(path, `${String(inner.count)} entries`)
    this.#left.keys -= inner?.keys ?? 0
    return inner
  }
}

/** Each line of a text is a leaf of its own. For a value that cannot be read, the leaf says why. */
export function leavesOf(root: unknown): Leaves {
  const reader = new LeafReader()
  const parents: { readonly opened: Opened; readonly path: string; index: number }[] = []
  const read = (value: unknown, path: string) => {
    const opened = reader.read(value, path, parents.length)
    if (opened) parents.push({ opened, path, index: 0 })
  }
  read(root, '')
  for (let top = parents.at(-1); top && !reader.isFull; top = parents.at(-1)) {
    const { opened, path } = top
    // A collection can be a proxy or a subclass that throws.
    const entry = tryReading(opened.next)
    if (entry) read(entry[1], `${path}/${keyText(entry[0], top.index++)}`)
    else parents.pop()
  }
  return reader.leaves
}

/** Paths of what libraries keep in their errors and responses, such as the request configuration. */
const ofLibraries = /\/"?(?:config|headers|req|request|options|socket)\b/i

/** Whether a text or path in a value contains the key. */
export function showsKey(leaves: Leaves, key: string): boolean {
  for (const [path, leaf] of leaves) {
    const isShown = path.includes(key) || (typeof leaf === 'string' && leaf.includes(key))
    if (isShown && !ofLibraries.test(path)) return true
  }
  return false
}
