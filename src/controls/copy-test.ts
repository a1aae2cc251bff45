// Requests of the journal as a vitest test that sends them again and expects the same responses.
import { operations } from '../contract/index.ts'
import { pollMs } from '../contract/limits.ts'
import { filledPath, type OperationSpec } from '../contract/operation.ts'
import type { Exchange } from '../core/exchange.ts'
import { addressOf, paramsOf } from '../core/journal/weight.ts'
import { parseMultipart } from '../core/request/multipart.ts'
import {
  faultLine,
  fetchOptions,
  headersOf,
  otherHeaders,
  sentBody,
  unknownKey,
  type CopySource,
} from './copy-as.ts'
import { utf8Of } from '../contract/text/curl.ts'
import { bytesLiteral, literal, textLiteral } from '../contract/text/literal.ts'

const option = (name: string, value: unknown) => `${name}: ${literal(value, '    ')}`

/** Body and files as options of `call`; undefined where it cannot send them. Throws for what cannot be parsed. */
function bodyOptions(exchange: Exchange, operation: OperationSpec): string[] | undefined {
  const { contentType } = exchange
  const body = sentBody(exchange)
  if (body === undefined) return contentType === null ? [] : undefined
  if (body === 'omitted' || contentType === null) return undefined
  if (/^multipart\/form-data/i.test(contentType)) return multipartOptions(body, contentType, operation)
  return contentType === 'application/json' ? [option('body', JSON.parse(utf8Of(body) ?? ''))] : undefined
}

function multipartOptions(bytes: Uint8Array, contentType: string, { body: spec }: OperationSpec) {
  if (!spec?.multipart) return undefined
  let isWhole = true
  const parsed = parseMultipart(bytes, contentType, spec.multipart, () => (isWhole = false))
  if (parsed.error || !isWhole) return undefined
  const files = parsed.files.map(
    (file) =>
      `new File([${bytesLiteral(file.bytes)}], ${textLiteral(file.filename)}, { type: ${textLiteral(file.contentType)} })`,
  )
  const data = parsed.json === undefined ? [] : [option('body', parsed.json)]
  return [...data, `files: [${files.join(', ')}]`]
}

/** The query as `call` takes it; undefined where a name is repeated. */
function queryOf(exchange: Exchange, { query = {} }: OperationSpec): Record<string, unknown> | undefined {
  const pairs = [...new URLSearchParams(exchange.queryText)]
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
    const body = bodyOptions(exchange, operation)
    const sent = Object.entries(paramsOf(exchange))
    const params = Object.fromEntries(sent.map(([name, value]) => [name, decodeURIComponent(value)]))
    const path = filledPath(operation.path, (name) => params[name] ?? '')
    if (!query || !body || path !== exchange.path) return undefined
    const headers = Object.fromEntries(otherHeaders(exchange))
    const { sender, isKeySent } = exchange
    const optionIfAny = (optionName: string, fields: object) =>
      Object.keys(fields).length === 0 ? [] : [option(optionName, fields)]
    const options = [
      `as: ${literal(isKeySent ? (sender ?? unknownKey) : null)}`,
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
  const key = sender === null ? undefined : `\`Bearer \${mock.keys[${textLiteral(sender)}]}\``
  const options = fetchOptions(exchange, headersOf(exchange, unknownKey), key).replaceAll('\n', '\n  ')
  return `mock.fetch(${textLiteral(addressOf(exchange))}${options})`
}

/** Lines that expect the body of the response; none if the journal does not have it. */
function bodyLines({ responseBody, baseUrl }: Exchange, name: string, isParsed: boolean): string[] {
  if (typeof responseBody === 'string') {
    const actual = isParsed ? `${name}.body` : `await ${name}.json()`
    const value: unknown = JSON.parse(responseBody.replaceAll(baseUrl, 'https://api.workspace.test/v1'))
    return [`expect(${actual}).toEqual(${literal(value, '  ')})`]
  }
  if (!(responseBody instanceof Uint8Array)) return []
  const actual = isParsed ? `${name}.body` : `new Uint8Array(await ${name}.arrayBuffer())`
  return [`expect(${actual}).toEqual(Uint8Array.from(${literal([...responseBody], '  ')}))`]
}

function clockLines(fromMs: number, toMs: number): string[] {
  if (fromMs === toMs) return []
  const ms = toMs % 1000
  return [
    `mock.clock.set(${String((toMs - ms) / 1000)})`,
    ...(ms > 0 ? [`mock.clock.advance(${String(ms)})`] : []),
  ]
}

function requestLines(exchange: Exchange, name: string): string[] {
  const operationCall = toOperationCall(exchange)
  const call = operationCall ?? toPlainCall(exchange)
  const lines = exchange.isInjected && exchange.fault !== 'prefer' ? [faultLine(exchange)] : []
  if (exchange.status === 0) return [...lines, `await expect(${call}).rejects.toThrow()`]
  return [
    ...lines,
    `const ${name} = await ${call}`,
    `expect(${name}.status).toBe(${String(exchange.status)})`,
    ...bodyLines(exchange, name, operationCall !== undefined),
  ]
}

function testLines({ base }: CopySource['store']): string[] {
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
    for (const line of [...clockLines(atMs, exchange.atMs), ...requestLines(exchange, name)]) lines.push(line)
    const isPoll = exchange.operation === 'getJob' && exchange.status === 200
    atMs = exchange.atMs + (isPoll ? pollMs : 0)
  })
  const title = exchanges.map(titleOf).slice(0, 3).join(', ')
  return [
    "import { expect } from 'vitest'",
    ...testLines(store),
    `test(${textLiteral(title)}, async ({ mock, call }) => {`,
    ...lines.map((line) => `  ${line}`),
    '})',
    '',
  ].join('\n')
}
