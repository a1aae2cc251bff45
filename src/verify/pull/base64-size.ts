// The sizes of files in base64, without decoding them.

/** Zero bytes of the given number as base64. */
export function zeroBase64(size: number): string {
  return 'AAAA'.repeat(Math.floor(size / 3)) + (['', 'AA==', 'AAA='][size % 3] ?? '')
}

/** The number of bytes that a base64 text encodes. */
export const base64Size = (text: string): number =>
  (text.length / 4) * 3 - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)
