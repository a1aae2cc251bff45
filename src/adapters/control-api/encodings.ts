// Names of encodings. Separate from decoding, because the console decodes files but never names an encoding.
import { describeNearestName } from '../../contract/text/nearest.ts'
import { quote } from '../../contract/text/quote.ts'
import { ControlError } from '../../mock/control-error.ts'

/** Common encoding names, to suggest the nearest. `TextDecoder` also knows their aliases. */
const encodings = [
  ...['utf-8', 'utf-16le', 'utf-16be', 'latin1', 'macintosh', 'x-mac-cyrillic', 'koi8-r', 'koi8-u', 'ibm866'],
  ...Array.from({ length: 9 }, (_, index) => `windows-125${String(index)}`),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16].map((part) => `iso-8859-${String(part)}`),
  ...['windows-874', 'shift_jis', 'euc-jp', 'iso-2022-jp', 'gbk', 'gb18030', 'big5', 'euc-kr'],
]

/** @throws {ControlError} naming the nearest encoding if `TextDecoder` does not know the name */
export function assertEncoding(name: string): void {
  try {
    new TextDecoder(name, { fatal: true })
  } catch {
    throw new ControlError(
      `encoding must be one that TextDecoder knows, such as utf-8, utf-16le or windows-1252; received ${quote(name)}${describeNearestName(name, encodings)}`,
    )
  }
}
