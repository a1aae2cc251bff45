// Writes text to the terminal: colours when supported, no control sequences from untrusted text.
import { styleText } from 'node:util'
import { toPlainLines, toPlainText } from '../../contract/text/quote.ts'

type Style = Parameters<typeof styleText>[0]

// Source: no-color.org
const { NO_COLOR: never = '', FORCE_COLOR: always = '' } = process.env
const isColoured = never === '' && (always === '' ? process.stdout.isTTY : always !== '0')

export const applyStyle = (style: Style, text: string) =>
  isColoured ? styleText(style, toPlainLines(text)) : text

const styles = /(\x1b\[\d{1,2}m)/

/** Escapes control characters, except line ends and, if colours are supported, styles. */
const toPrintable = (text: string): string =>
  isColoured
    ? text
        .split(styles)
        .map((part, index) => (index % 2 === 1 ? part : toPlainLines(part)))
        .join('')
    : toPlainLines(text)

/** Prints text. All commands print with this or `printError`. Escaping does not change the values in JSON. */
export const print = (text: string): void => void process.stdout.write(toPrintable(text))

export const printError = (text: string): void => void process.stderr.write(toPrintable(text))

/** Indents lines under a title; empty without lines. */
export const listLines = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]

/** Shortens untrusted text to one line. */
export function toShortLine(text: string, characters: number): string {
  const plain = toPlainText(text)
  return plain.length > characters ? `${plain.slice(0, characters)}…` : plain
}
