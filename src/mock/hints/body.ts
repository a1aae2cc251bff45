// Hints about rejected bodies: misspelled names, and bodies that contradict their content type.
import { describeNearestValue, findMostSpecificIssue } from '../../contract/schema/issues.ts'
import { listFieldNames } from '../../contract/schema/field-names.ts'
import { suggestNearest } from '../../contract/text/nearest.ts'
import { quote } from '../../contract/text/quote.ts'
import type { OperationSpec, UploadedFile } from '../../contract/operation.ts'
import { isMultipart } from '../requests/multipart.ts'
import type { OpenExchange } from '../requests/exchange.ts'

function toRejectedBody(exchange: OpenExchange, operation: OperationSpec) {
  const { call, sent } = exchange
  const contentType = call.header('content-type') ?? ''
  const start = sent instanceof Uint8Array ? sent.subarray(0, 500) : new Uint8Array()
  const head = new TextDecoder().decode(start).trimStart()
  return { exchange, operation, contentType, saysMultipart: isMultipart(contentType), head }
}
type RejectedBody = ReturnType<typeof toRejectedBody>

const schemaOf = ({ body }: OperationSpec) => body?.json ?? body?.multipart?.data

/** Parses `rows[0].name` into `['rows', 0, 'name']`. */
const pathOf = (text: string) =>
  [...text.matchAll(/[^.[\]]+/g)].map(([part]) => (/^\d+$/.test(part) ? Number(part) : part))

/** Suggests the field that was probably meant by an unknown field's path. */
export function suggestField(operation: OperationSpec, field: string): string | undefined {
  const path = pathOf(field)
  return suggestNearest(String(path.at(-1)), listFieldNames(schemaOf(operation), path.slice(0, -1)))
}

/** What a file object becomes when converted to text by mistake. */
const lostFile = /^(?:undefined|null|\[object \w+\])$/

const describeLostText = (what: string, text: string) =>
  `${what} is the text ${text}: its contents were lost before sending, as happens with jsdom's File and ` +
  "FormData in Node's fetch; use Node's own"

function hintAtLostFile(files: readonly UploadedFile[]): string | undefined {
  for (const { filename, bytes } of files) {
    const text = bytes.length > 40 ? '' : new TextDecoder().decode(bytes)
    if (lostFile.test(text)) return describeLostText(`the file ${quote(filename)}`, text)
  }
  return undefined
}

/** The hint for a body that contradicts its content type, or that the operation does not take. */
function hintAtKind({ operation, contentType, saysMultipart, head }: RejectedBody): string | undefined {
  const looksMultipart = /^--\S[^\n]*\n.*content-disposition/is.test(head)
  const [, lost] = (looksMultipart ? /\r\n\r\n(undefined|\[object \w+\])\r\n--/.exec(head) : null) ?? []
  if (lost !== undefined) return describeLostText('a part of the body', lost)
  if (looksMultipart && (!saysMultipart || !/;\s*boundary=/i.test(contentType)))
    return 'the body is multipart/form-data: leave out the content-type header, so that the client sets it with the boundary'
  if (saysMultipart && /^[[{]/.test(head))
    return operation.body?.json
      ? 'the body is JSON, sent as multipart/form-data: send it with content-type application/json'
      : 'the body is JSON: send a FormData with the file in a part named file, and leave out the content-type header'
  if (/^"?\[object \w+\]"?$/.test(head))
    return `the body is the text ${head}: send JSON.stringify(body), or use the FormData of the platform that sends it`
  if (!saysMultipart && operation.body?.json === undefined)
    return 'send a FormData with the file in a part named file, and leave out the content-type header'
  return undefined
}

function hintAtEncoding({ call }: OpenExchange): string | undefined {
  const encoding = call.header('content-encoding')
  if (encoding === null || /^\s*(?:identity)?\s*$/i.test(encoding)) return undefined
  return `the body was sent with Content-Encoding: ${quote(encoding)}, which the mock does not decode: send it without compression`
}

function hintAtUnknownField({ operation, saysMultipart, exchange }: RejectedBody): string | undefined {
  const reported = exchange.breaches.filter(({ rule }) => rule === 'unknown-field')
  const unknown = reported.map(({ subject }) => subject)
  const [first] = unknown
  if (first === undefined) return undefined
  if (saysMultipart && exchange.json === undefined) {
    const parts = operation.body?.multipart?.data
      ? 'parts are data (all fields as JSON) and file'
      : 'only part is file'
    return `${unknown.map((name) => quote(name)).join(', ')} is not a part of this body; its ${parts}`
  }
  const near = unknown.find((field) => suggestField(operation, field) !== undefined) ?? first
  const found = suggestField(operation, near)
  const fields = listFieldNames(schemaOf(operation), pathOf(near).slice(0, -1)).join(', ')
  return `${near} is not a field of this body${found === undefined ? `, whose fields are ${fields}` : `; did you mean ${found}?`}`
}

function hintAtUnknownValue({ exchange: { json, issue } }: RejectedBody): string | undefined {
  const note = issue ? describeNearestValue(findMostSpecificIssue(issue), json) : ''
  return note === '' ? undefined : note.replace(', ', '')
}

export function hintAtBody(exchange: OpenExchange, status: number): string | undefined {
  const { files, route } = exchange
  if (status !== 400 || !route?.operation.body) return hintAtLostFile(files)
  const rejected = toRejectedBody(exchange, route.operation)
  return (
    hintAtEncoding(exchange) ??
    hintAtKind(rejected) ??
    hintAtUnknownField(rejected) ??
    hintAtUnknownValue(rejected)
  )
}
