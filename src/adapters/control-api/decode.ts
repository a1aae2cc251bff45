// Decodes files from users: JSON, and text in the encoding that a byte order mark or the user names.
import { messageOf } from '../../contract/text/format.ts'
import { quote, toPlainText } from '../../contract/text/quote.ts'
import { ControlError } from '../../mock/control-error.ts'
import { depthRule, findErrorOffset, isTooDeep } from '../../mock/requests/json.ts'

const toDecoder = (encoding: string) => new TextDecoder(encoding, { fatal: true })

/** The characters of windows-1252 from 0x80 to 0x9F, which some versions of Node decode as control characters. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ'

const marks: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

const findMark = (bytes: Uint8Array) =>
  marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0]

const chunkBytes = 4096

/** The text before the first bytes that are invalid in the encoding. */
function decodeUpToError(bytes: Uint8Array, encoding: string): string {
  /** Stops at the first invalid chunk. */
  const decodeChunks = (start: number, sizeBytes: number, decoder: TextDecoder) => {
    let text = ''
    let at = start
    try {
      for (; at < bytes.length; at += sizeBytes)
        text += decoder.decode(bytes.subarray(at, at + sizeBytes), { stream: true })
    } catch {
      // `at` tells the caller where decoding stopped.
    }
    return { text, at }
  }
  const { text, at } = decodeChunks(0, chunkBytes, toDecoder(encoding))
  // Feeds the same bytes again, since a character can span two chunks.
  const decoder = toDecoder(encoding)
  decoder.decode(bytes.subarray(0, at), { stream: true })
  return text + decodeChunks(at, 1, decoder).text
}

/** Writes an offset in a text as `line 3, column 5`. */
function describePlace(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/)
  return `line ${String(lines.length)}, column ${String((lines.at(-1) ?? '').length + 1)}`
}

/**
 * The text of a file, without its byte order mark.
 * @param name of the file, for messages
 * @param encoding one that `assertEncoding` accepts; a byte order mark takes precedence; by default UTF-8
 * @param advice what to do about a file in another encoding
 * @throws {ControlError} naming the file, the line and the column of bytes that are invalid in the encoding
 */
export function decodeFile(
  name: string,
  bytes: Uint8Array,
  encoding = 'utf-8',
  advice = 'save it as UTF-8',
): string {
  const file = toPlainText(name)
  const used = findMark(bytes) ?? encoding
  const decoder = toDecoder(used)
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    const before = decodeUpToError(bytes, used)
    const shown = decoder.encoding.toUpperCase()
    throw new ControlError(`${file}, ${describePlace(before, before.length)} is not ${shown}: ${advice}`)
  }
  // UTF-16 without a byte order mark has a zero in every ASCII character.
  if (text.slice(0, 100).includes('\0'))
    throw new ControlError(`${file} is not text in ${decoder.encoding.toUpperCase()}: ${advice}`)
  if (decoder.encoding !== 'windows-1252') return text
  return text.replace(/[\x80-\x9F]/g, (control) => windows1252.charAt(control.charCodeAt(0) - 0x80))
}

/** @throws {ControlError} naming the file, the line and the column of the first character that is not JSON */
export function parseJsonFile(name: string, text: string): unknown {
  const file = toPlainText(name)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const offset = findErrorOffset(text)
    if (offset === undefined)
      throw new ControlError(`${file} is not JSON: ${messageOf(error)}`, { cause: error })
    const found =
      offset >= text.length
        ? 'the file ends too early'
        : `unexpected ${quote(String.fromCodePoint(text.codePointAt(offset) ?? 0))}`
    throw new ControlError(`${file} is not JSON: ${describePlace(text, offset)}: ${found}`, { cause: error })
  }
  if (isTooDeep(value)) throw new ControlError(`${file} ${depthRule}`)
  return value
}
