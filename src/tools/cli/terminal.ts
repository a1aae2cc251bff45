// Formats text for terminals: colours when supported, no control sequences from untrusted text.
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

// Source: no-color.org
const { NO_COLOR: never = '', FORCE_COLOR: always = '' } = process.env
const isColoured = never === '' && (always === '' ? process.stdout.isTTY : always !== '0')

export const applyStyle = (style: Style, text: string) => (isColoured ? styleText(style, text) : text)

/** Indents lines under a title; empty without lines. */
export const listLines = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]

/** Control characters, including C1, and characters that change text direction. */
const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Makes an untrusted text one line of printable characters, shortened. */
export function toPrintable(text: string, characters: number): string {
  const plain = text.replace(unprintable, '?')
  return plain.length > characters ? `${plain.slice(0, characters)}…` : plain
}

export const toPrintableLines = (text: string) =>
  text.replace(unprintable, (found) => (found === '\n' ? found : '?'))

export function toPrintableTexts<T>(value: T): T {
  if (typeof value === 'string') return toPrintableLines(value) as T
  if (Array.isArray(value)) return value.map(toPrintableTexts) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [toPrintableLines(name), toPrintableTexts<unknown>(inner)]),
  ) as T
}

/** Formats untrusted values as JSON, with unprintable characters escaped. */
export const toAsciiJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? '').replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )
