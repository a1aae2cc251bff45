// Writes values as JavaScript source code.
import { utf8Of } from './curl.ts'

/** Writes a string literal in single quotes. */
export function toTextLiteral(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner}'`
}

const toNameLiteral = (name: string) =>
  name === '__proto__' ? "['__proto__']" : /^[A-Za-z_$][\w$]*$/.test(name) ? name : toTextLiteral(name)

/** Writes JSON or undefined as an expression, on one line if it fits. */
export function toLiteral(value: unknown, indent = '', lineCharacters = 90): string {
  if (typeof value === 'string') return toTextLiteral(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const isArray = Array.isArray(value)
  const inside = `${indent}  `
  const parts = isArray
    ? value.map((item) => toLiteral(item, inside, lineCharacters))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => `${toNameLiteral(name)}: ${toLiteral(item, inside, lineCharacters)}`)
  const [open, close] = isArray ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  const gap = isArray ? '' : ' '
  const line = `${open}${gap}${parts.join(', ')}${gap}${close}`
  if (indent.length + line.length <= lineCharacters && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${inside}${part},\n`).join('')}${indent}${close}`
}

/** Writes bytes as an expression: a string if they are UTF-8, otherwise decoded from base64. */
export function toBytesLiteral(bytes: Uint8Array): string {
  const text = utf8Of(bytes)
  if (text !== undefined) return toTextLiteral(text)
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return `Uint8Array.from(atob('${btoa(binary)}'), (character) => character.charCodeAt(0))`
}
