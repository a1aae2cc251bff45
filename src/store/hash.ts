// A short hash of bytes, for equality.

function hasPartAt(bytes: Uint8Array, part: Uint8Array, at: number): boolean {
  for (let index = 0; index < part.length; index++) if (bytes[at + index] !== part[index]) return false
  return true
}

/** Two FNV-1a hashes of the bytes, skipping every occurrence of `passedOver`. */
export function hashOf(bytes: Uint8Array, passedOver?: Uint8Array): string {
  let left = 0x811c9dc5
  let right = 0x1b873593
  let counted = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === passedOver?.[0] && hasPartAt(bytes, passedOver, at)) {
      at += passedOver.length - 1
      continue
    }
    left = Math.imul(left ^ byte, 0x01000193)
    right = Math.imul(right ^ byte, 0x85ebca6b) ^ (right >>> 13)
    counted += 1
  }
  return `${String(counted)}.${String(left)}.${String(right)}`
}
