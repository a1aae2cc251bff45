// Formats requests as curl commands, and strings as words of a POSIX shell.

interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body itself, or the name of a file that contains it. */
  readonly body?: Uint8Array | string | FormData | { readonly file: string } | undefined
}

interface CurlOptions {
  readonly flags?: readonly string[]
  /** Separates the parts of the command. Default: a space. */
  readonly separator?: string
  /** Formats a string as a shell word. */
  readonly word?: (text: string) => string
  /** Formats a header as a shell word; it may contain a variable. Default: `word`. */
  readonly headerWord?: (text: string) => string
}

export const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Formats a string as a shell word, quoted only if necessary. */
export const toShellWord = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : quoteForShell(text)

/** Decodes bytes as text; undefined if they are not valid UTF-8. */
export function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const escapes: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\\': '\\\\' }

/** The argument of `printf '%b'` that prints exactly these bytes. */
function escapeBytes(bytes: Uint8Array, text: string | undefined): string {
  const characters = text ?? Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const special = text === undefined ? /[^\x20-\x7e]|\\/g : /[\x00-\x1f\x7f]|\\/g
  return characters.replace(
    special,
    (character) => escapes[character] ?? `\\0${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
}

function toFormFlag([name, value]: readonly [string, string | File], word: (text: string) => string): string {
  if (typeof value === 'string') return `--form-string ${word(`${name}=${value}`)}`
  return `-F ${word(`${name}=@${value.name};type=${value.type}`)}`
}

/** Formats a request as a shell command. Dots and braces in the address are sent unchanged, although curl would rewrite them. */
export function toCurlCommand(
  { method, url, headers, body }: CurlRequest,
  { flags = [], separator = ' ', word = toShellWord, headerWord = word }: CurlOptions = {},
): string {
  const isGet = method === 'GET' && body === undefined
  const start = [
    'curl',
    ...flags,
    ...(method === 'HEAD' ? ['--head'] : isGet ? [] : [`-X ${toShellWord(method)}`]),
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/\/\.\.?(?:[/?]|$)/.test(url) ? ['--path-as-is'] : []),
    word(url),
  ].join(' ')
  const parts = [start, ...headers.map(([name, value]) => `-H ${headerWord(`${name}: ${value}`)}`)]
  const join = (...more: readonly string[]) => [...parts, ...more].join(separator)
  if (body === undefined) return join()
  if (body instanceof FormData) return join(...[...body].map((part) => toFormFlag(part, word)))
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) parts.push("-H 'Content-Type:'")
  if (typeof body === 'object' && 'file' in body) return join(`--data-binary @${body.file}`)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const text = utf8Of(bytes)
  if (text !== undefined && !/[\x00-\x09\x0b-\x1f\x7f]/.test(text)) return join(`--data-raw ${word(text)}`)
  return `printf '%b' ${word(escapeBytes(bytes, text))} | ${join('--data-binary @-')}`
}
