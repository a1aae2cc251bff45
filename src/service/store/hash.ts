// Short hashes of bytes and of JSON, for equality.

function hasPartAt(bytes: Uint8Array, part: Uint8Array, at: number): boolean {
  for (let index = 0; index < part.length; index++) if (bytes[at + index] !== part[index]) return false
  return true
}

/** Two FNV-1a hashes of bytes that come in chunks, skipping every occurrence of `skipped` within a chunk. */
export function hashOf(chunks: Iterable<Uint8Array>, skipped?: Uint8Array): string {
  let left = 0x811c9dc5
  let right = 0x1b873593
  let counted = 0
  const first = skipped?.[0]
  for (const bytes of chunks)
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (byte === first && skipped && hasPartAt(bytes, skipped, at)) {
        at += skipped.length - 1
        continue
      }
      left = Math.imul(left ^ byte, 0x01000193)
      right = Math.imul(right ^ byte, 0x85ebca6b) ^ (right >>> 13)
      counted += 1
    }
  return `${String(counted)}.${String(left)}.${String(right)}`
}

/** Characters that are encoded at a time: enough to make each call worth it. */
const chunkCharacters = 64 * 1024

function* textsOf(value: unknown, levels: number): Generator<string> {
  if (levels === 0 || typeof value !== 'object' || value === null) {
    yield `${JSON.stringify(value)},`
    return
  }
  yield Array.isArray(value) ? '[' : '{'
  for (const [name, part] of Object.entries(value)) {
    yield `${name}:`
    yield* textsOf(part, levels - 1)
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

/** A hash of JSON, whose outer levels are written part by part: the whole can exceed the maximum length of a text. */
export const hashOfJson = (value: unknown, levels: number): string =>
  hashOf(encodeInChunks(textsOf(value, levels)))
