// Short hashes of bytes and JSON, for testing equality.

function hasPartAt(bytes: Uint8Array, part: Uint8Array, at: number): boolean {
  for (let index = 0; index < part.length; index++) if (bytes[at + index] !== part[index]) return false
  return true
}

/** The parts of `bytes` around each occurrence of `skipped`. */
function* partsAround(bytes: Uint8Array, skipped: Uint8Array): Generator<Uint8Array> {
  const [first = 0] = skipped
  let start = 0
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at)) {
    if (!hasPartAt(bytes, skipped, at)) {
      at += 1
      continue
    }
    yield bytes.subarray(start, at)
    start = at += skipped.length
  }
  yield bytes.subarray(start)
}

/**
 * Returns the number of bytes and two 32-bit hashes, computed four bytes at a time. Occurrences of `skipped` within a
 * chunk are left out. The same bytes split into other chunks have another hash.
 */
export function hashOf(chunks: Iterable<Uint8Array>, skipped?: Uint8Array): string {
  let left = 0x811c9dc5
  let right = 0x1b873593
  let counted = 0
  const add = (word: number) => {
    left = Math.imul(left ^ word, 0x01000193)
    left ^= left >>> 15
    right = Math.imul(right ^ word, 0x85ebca6b) ^ (right >>> 13)
  }
  for (const chunk of chunks)
    for (const bytes of skipped?.length ? partsAround(chunk, skipped) : [chunk]) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const wordsEnd = bytes.length - (bytes.length % 4)
      for (let at = 0; at < wordsEnd; at += 4) add(view.getInt32(at, true))
      for (let at = wordsEnd; at < bytes.length; at++) add(bytes[at] ?? 0)
      counted += bytes.length
    }
  return `${String(counted)}.${String(left)}.${String(right)}`
}

/** Number of characters encoded at a time, large enough to make each call worthwhile. */
const chunkCharacters = 64 * 1024

interface HashOptions {
  /** Whether objects that differ only in key order get the same hash. */
  readonly sortsKeys?: boolean
}

/** Writes JSON with the keys of every object sorted. */
function toSortedJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(toSortedJson).join()}]`
  const object = value as Readonly<Record<string, unknown>>
  let text = '{'
  for (const key of Object.keys(object).sort())
    if (object[key] !== undefined) text += `${JSON.stringify(key)}:${toSortedJson(object[key])},`
  return `${text}}`
}

function* textsOf(value: unknown, levels: number, sortsKeys: boolean): Generator<string> {
  if (levels === 0 || typeof value !== 'object' || value === null) {
    yield `${sortsKeys ? toSortedJson(value) : JSON.stringify(value)},`
    return
  }
  yield Array.isArray(value) ? '[' : '{'
  const entries = Object.entries(value)
  if (sortsKeys && !Array.isArray(value)) entries.sort(([left], [right]) => (left < right ? -1 : 1))
  for (const [name, part] of entries) {
    yield `${name}:`
    yield* textsOf(part, levels - 1, sortsKeys)
  }
  yield ']'
}

function* encodeInChunks(texts: Iterable<string>): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  let chunk = ''
  for (const text of texts) {
    chunk += text
    if (chunk.length < chunkCharacters) continue
    yield encoder.encode(chunk)
    chunk = ''
  }
  yield encoder.encode(chunk)
}

/** A hash of JSON. Writes the outer `levels` piece by piece, because the whole can exceed the longest possible string. */
export const hashOfJson = (value: unknown, levels: number, { sortsKeys = false }: HashOptions = {}): string =>
  hashOf(encodeInChunks(textsOf(value, levels, sortsKeys)))
