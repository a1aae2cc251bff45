// Encodes and decodes base64 with functions that both Node and browsers provide.

const chunk = 0x8000

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let i = 0; i < bytes.length; i += chunk) binary += String.fromCharCode(...bytes.subarray(i, i + chunk))
  return btoa(binary)
}

/** The number of bytes that base64 text encodes. */
export const sizeOfBase64 = (text: string) => Math.floor((text.replace(/=+$/, '').length * 3) / 4)

/** @throws {DOMException} for invalid base64 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}
