// Reads multipart/form-data bodies: the part `data` as JSON and the `file` parts as they are.
import {
  MultipartParseError,
  getMultipartBoundary,
  parseMultipart as readParts,
  type MultipartPart,
} from '@remix-run/multipart-parser'
import { ApiError } from '../../contract/errors.ts'
import type { MultipartBody, UploadedFile } from '../../contract/operation.ts'
import { copyStart, quote } from '../../contract/text/quote.ts'
import type { ReportBreach } from '../../service/store/store.ts'
import { readJson } from './json.ts'

/** A body before its fields are validated. */
export interface RawBody {
  /** The parsed JSON; for a multipart body, the JSON of its part `data`. Undefined if there is none. */
  readonly json: unknown
  readonly files: readonly UploadedFile[]
  /** The parts of a multipart body. */
  readonly parts?: readonly BodyPart[]
  /** The error to refuse it with, unless it is too large: 413 takes precedence over 400. Assumption: checkOrder */
  readonly error: ApiError | undefined
}

/** A part of a multipart body, without its contents. */
export interface BodyPart {
  readonly name: string | null
  readonly filename?: string
  readonly contentType?: string
  readonly sizeBytes: number
}

export const isMultipart = (contentType: string | null) => /^\s*multipart\//i.test(contentType ?? '')

/** The parser checks no sizes: the whole body's is checked before parsing, and each file's, by plan, after. */
const parserLimits = { maxParts: 1000, maxFileSize: Infinity, maxTotalSize: Infinity }

const partsShown = 100

const toValidationError = (message: string) => new ApiError('validation', message)

/** A boundary has 1 to 70 characters. Source: RFC 2046, 5.1.1 */
function boundaryOf(contentType: string): string {
  const boundary = /^\s*multipart\/form-data\s*;/i.test(contentType)
    ? getMultipartBoundary(contentType)?.trim()
    : ''
  if (boundary && boundary.length <= 70) return boundary
  const received = contentType === '' ? 'none' : quote(contentType)
  throw toValidationError(
    `content-type must be multipart/form-data with a boundary of 1 to 70 characters; received ${received}`,
  )
}

/** Finds the first boundary; everything before it is ignored. Source: RFC 2046, 5.1.1 */
function startOf(body: Uint8Array, boundary: string): number {
  const delimiter = new TextEncoder().encode(`--${boundary}`)
  const dash = 45
  for (let at = body.indexOf(dash); at !== -1; at = body.indexOf(dash, at + 1)) {
    const startsLine = at === 0 || (body[at - 1] === 10 && body[at - 2] === 13)
    if (startsLine && delimiter.every((byte, index) => body[at + index] === byte)) return at
  }
  return 0
}

// In quoted values, curl escapes quotes and backslashes and browsers do not; a browser's value may end with a backslash.
const parameters = /;\s*([^=;\s]+)\s*=\s*(?:"((?:\\["\\]|[^"\\]|\\(?!["\\]))*)"|"([^"]*)"|([^;]*))/g
const browserEscapes: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' }

/** Browsers escape quotes and line breaks in parameters as %22, %0D and %0A. Parameters with a star are encoded as a whole. */
function dispositionOf(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', quoted, raw, bare] of header.matchAll(parameters)) {
    const value = quoted?.replace(/\\(["\\])/g, '$1') ?? raw ?? bare?.trim() ?? ''
    const unescaped = name.endsWith('*')
      ? value
      : value.replace(/%(?:22|0D|0A)/gi, (escape) => browserEscapes[escape.toUpperCase()] ?? escape)
    found.set(name.toLowerCase(), unescaped)
  }
  return found
}

/** The name in `filename*` (RFC 5987) if it is valid, otherwise in `filename`. */
function filenameOf(disposition: ReadonlyMap<string, string>): string | undefined {
  const encoded = /^utf-8'[^']*'(.+)$/i.exec(disposition.get('filename*') ?? '')?.[1]
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded)
  } catch {
    // Not percent-encoded UTF-8; falls back to the plain name.
  }
  return disposition.get('filename')
}

function readPart(source: MultipartPart) {
  const headerOf = (name: string) => {
    try {
      return source.headers[name] ?? ''
    } catch {
      throw toValidationError('headers of a part must be UTF-8')
    }
  }
  const disposition = dispositionOf(headerOf('content-disposition'))
  return {
    name: disposition.get('name'),
    filename: filenameOf(disposition),
    contentType: headerOf('content-type'),
    source,
  }
}

type Part = ReturnType<typeof readPart>

function partsOf(body: Uint8Array, contentType: string): Part[] {
  const boundary = boundaryOf(contentType)
  if (body.length === 0) throw toValidationError('body must be multipart/form-data; received an empty body')
  try {
    const parts = readParts(body.subarray(startOf(body, boundary)), { boundary, ...parserLimits })
    return Array.from(parts, readPart)
  } catch (error) {
    if (error instanceof MultipartParseError)
      throw toValidationError(`body must be multipart/form-data: ${error.message}`)
    throw error
  }
}

function dataOf({ source }: Part): ReturnType<typeof readJson> {
  try {
    return readJson(source.text, 'data')
  } catch {
    return { value: undefined, error: toValidationError('data must be UTF-8 text') }
  }
}

/** Reads the parts that the declaration names, and ignores all others. Assumption: multipart */
export function parseMultipart(
  body: Uint8Array,
  contentType: string,
  spec: MultipartBody,
  reportBreach: ReportBreach,
): RawBody {
  const files: UploadedFile[] = []
  let count = 0
  let data: Part | undefined
  let wrong: string | undefined
  const parts = partsOf(body, contentType)
  for (const part of parts) {
    const { name, filename, source } = part
    if (name === undefined) throw toValidationError('every part must have a Content-Disposition with a name')
    if (name === 'data' && spec.data && !data) data = part
    else if (name !== 'file') reportBreach('unknown-field', data && name === 'data' ? 'data[1]' : name)
    else if (spec.maxFiles === 1 && count === 1) reportBreach('unknown-field', 'file[1]')
    else {
      count += 1
      // Browsers send an empty name if no file was chosen.
      if (filename)
        files.push({
          filename,
          contentType: part.contentType || 'application/octet-stream',
          bytes: source.bytes,
        })
      else wrong ??= 'file must be a file with a filename; received text or a part without a filename'
      if (count > spec.maxFiles)
        wrong ??= `file must be sent at most ${spec.maxFiles === 1 ? 'once' : `${String(spec.maxFiles)} times`}; received more`
    }
  }
  if (spec.data && !data) wrong ??= 'data is required and must be a part containing JSON'
  if (spec.fileRequired && count === 0) wrong ??= 'file is required and must be a part with a filename'
  const json = spec.data && data ? dataOf(data) : undefined
  const error = wrong === undefined ? json?.error : toValidationError(wrong)
  return { json: json?.value, files, parts: parts.slice(0, partsShown).map(toBodyPart), error }
}

const shortenText = (text: string) => copyStart(text, 200)

const toBodyPart = ({ name, filename, contentType, source }: Part): BodyPart => ({
  name: name === undefined ? null : shortenText(name),
  ...(filename !== undefined && { filename: shortenText(filename) }),
  ...(contentType !== '' && { contentType: shortenText(contentType) }),
  sizeBytes: source.size,
})

/** Lists the parts of a multipart body; undefined if it cannot be read. */
export function listParts(body: Uint8Array, contentType: string): BodyPart[] | undefined {
  try {
    return partsOf(body, contentType).slice(0, partsShown).map(toBodyPart)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
