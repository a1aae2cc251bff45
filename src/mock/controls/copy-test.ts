// Requests of the journal as a vitest test that sends them again and expects the same responses.
import { parseQueryText } from '../../contract/data/query-text.ts'
import { operations } from '../../contract/index.ts'
import { pollMs } from '../../contract/limits.ts'
import { fillPath, type OperationSpec } from '../../contract/operation.ts'
import type { Exchange } from '../requests/exchange.ts'
import { addressOf, paramsOf } from '../journal/weight.ts'
import { parseMultipart } from '../requests/multipart.ts'
import {
  toFaultLine,
  toFetchOptions,
  headersOf,
  otherHeadersOf,
  sentBodyOf,
  unknownKey,
  type CopySource,
} from './copy-as.ts'
import { utf8Of } from '../../contract/text/curl.ts'
import { toBytesLiteral, toLiteral, toTextLiteral } from '../../contract/text/literal.ts'

const toOption = (name: string, value: unknown) => `${name}: ${toLiteral(value, '    ')}`

/** Body and files as options of `call`; undefined where it cannot send them. Throws for what cannot be parsed. */
function toBodyOptions(exchange: Exchange, operation: OperationSpec): string[] | undefined {
  const { contentType } = exchange
  const body = sentBodyOf(exchange)
  if (body === undefined) return contentType === null ? [] : undefined
  if (body === 'omitted' || contentType === null) return undefined
  if (/^multipart\/form-data/i.test(contentType)) return toMultipartOptions(body, contentType, operation)
  return contentType === 'application/json' ? [toOption('body', JSON.parse(utf8Of(body) ?? ''))] : undefined
}

function toMultipartOptions(bytes: Uint8Array, contentType: string, { body: spec }: OperationSpec) {
  if (!spec?.multipart) return undefined
  let isWhole = true
  const parsed = parseMultipart(bytes, contentType, spec.multipart, () => (isWhole = false))
  if (parsed.error || !isWhole) return undefined
  const files = parsed.files.map(
    (file) =>
      `new File([${toBytesLiteral(file.bytes)}], ${toTextLiteral(file.filename)}, { type: ${toTextLiteral(file.contentType)} })`,
  )
  const data = parsed.json === undefined ? [] : [toOption('body', parsed.json)]
  return [...data, `files: [${files.join(', ')}]`]
}

/** The query as `call` takes it; undefined where a name is repeated. */
function queryOf(exchange: Exchange, { query = {} }: OperationSpec): Record<string, unknown> | undefined {
  const pairs = [...parseQueryText(exchange.queryText)]
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) return undefined
  const valueOf = (name: string, text: string) =>
    query[name]?.kind === 'integer' && String(Number(text)) === text ? Number(text) : text
  return Object.fromEntries(pairs.map(([name, text]) => [name, valueOf(name, text)]))
}

/** The source of `call` with the operation; undefined where only a plain request is the same. */
function toOperationCall(exchange: Exchange): string | undefined {
  if (exchange.operation === null) return undefined
  const operation: OperationSpec = operations[exchange.operation]
  try {
    const query = queryOf(exchange, operation)
    const body = toBodyOptions(exchange, operation)
    const sent = Object.entries(paramsOf(exchange))
    const params = Object.fromEntries(sent.map(([name, value]) => [name, decodeURIComponent(value)]))
    const path = fillPath(operation.path, (name) => params[name] ?? '')
    if (!query || !body || path !== exchange.path) return undefined
    const headers = Object.fromEntries(otherHeadersOf(exchange))
    const { sender, isKeySent } = exchange
    const optionIfAny = (optionName: string, fields: object) =>
      Object.keys(fields).length === 0 ? [] : [toOption(optionName, fields)]
    const options = [
      `as: ${toLiteral(isKeySent ? (sender ?? unknownKey) : null)}`,
      ...optionIfAny('params', params),
      ...optionIfAny('query', query),
      ...body,
      ...optionIfAny('headers', headers),
    ]
    const lines = options.map((line) => `    ${line},\n`).join('')
    return `call('${exchange.operation}', {\n${lines}  })`
  } catch {
    // A part of it cannot be parsed, such as a body that is not JSON.
    return undefined
  }
}

function toPlainCall(exchange: Exchange): string {
  const { sender } = exchange
  const key = sender === null ? undefined : `\`Bearer \${mock.keys[${toTextLiteral(sender)}]}\``
  const options = toFetchOptions(exchange, headersOf(exchange, unknownKey), key).replaceAll('\n', '\n  ')
  return `mock.fetch(${toTextLiteral(addressOf(exchange))}${options})`
}

/** Lines that expect the body of the response; none if the journal does not have it. */
function toBodyLines({ responseBody, baseUrl }: Exchange, name: string, isParsed: boolean): string[] {
  if (typeof responseBody === 'string') {
    const actual = isParsed ? `${name}.body` : `await ${name}.json()`
    const value: unknown = JSON.parse(responseBody.replaceAll(baseUrl, 'https://api.workspace.test/v1'))
    return [`expect(${actual}).toEqual(${toLiteral(value, '  ')})`]
  }
  if (!(responseBody instanceof Uint8Array)) return []
  const actual = isParsed ? `${name}.body` : `new Uint8Array(await ${name}.arrayBuffer())`
  return [`expect(${actual}).toEqual(Uint8Array.from(${toLiteral([...responseBody], '  ')}))`]
}

function toClockLines(fromMs: number, toMs: number): string[] {
  if (fromMs === toMs) return []
  const ms = toMs % 1000
  return [
    `mock.clock.set(${String((toMs - ms) / 1000)})`,
    ...(ms > 0 ? [`mock.clock.advance(${String(ms)})`] : []),
  ]
}

function toRequestLines(exchange: Exchange, name: string): string[] {
  const operationCall = toOperationCall(exchange)
  const call = operationCall ?? toPlainCall(exchange)
  const lines = exchange.isInjected && exchange.fault !== 'prefer' ? [toFaultLine(exchange)] : []
  if (exchange.status === 0) return [...lines, `await expect(${call}).rejects.toThrow()`]
  return [
    ...lines,
    `const ${name} = await ${call}`,
    `expect(${name}.status).toBe(${String(exchange.status)})`,
    ...toBodyLines(exchange, name, operationCall !== undefined),
  ]
}

function toTestLines({ base }: CopySource['store']): string[] {
  if (base.name === 'demo') return ["import { test } from 'workspace-api-mock/vitest'", '']
  const isOwn = base.name === 'empty' || base.name === 'large'
  const fixture = isOwn ? `fixture: '${base.name}'` : 'fixture'
  return [
    "import { test as base } from 'workspace-api-mock/vitest'",
    ...(isOwn ? [] : [`import fixture from './${base.name}.json' with { type: 'json' }`]),
    '',
    `const test = base.extend({ mockOptions: { ${fixture} } })`,
    '',
  ]
}

const titleOf = ({ operation, method, path, status }: Exchange) =>
  `${operation ?? `${method} ${path}`} ${status === 0 ? 'breaks off' : `answers ${String(status)}`}`

/** A test file that starts from the fixture: requests that a response depends on must be copied with it. */
export function copyTest(exchanges: readonly Exchange[], { store }: CopySource): string {
  const lines: string[] = []
  let atMs = store.base.nowMs
  exchanges.forEach((exchange, index) => {
    const name = exchanges.length === 1 ? 'response' : `response${String(index + 1)}`
    for (const line of [...toClockLines(atMs, exchange.atMs), ...toRequestLines(exchange, name)])
      lines.push(line)
    const { operation, status } = exchange
    const spec: OperationSpec | undefined = operation === null ? undefined : operations[operation]
    atMs = exchange.atMs + (spec?.advancesClock === true && status === 200 ? pollMs : 0)
  })
  const title = exchanges.map(titleOf).slice(0, 3).join(', ')
  return [
    "import { expect } from 'vitest'",
    ...toTestLines(store),
    `test(${toTextLiteral(title)}, async ({ mock, call }) => {`,
    ...lines.map((line) => `  ${line}`),
    '})',
    '',
  ].join('\n')
}
