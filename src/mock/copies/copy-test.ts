// Formats requests from the journal as a vitest test that sends them again and expects the same responses.
import { parseQueryText } from '../../contract/data/query-text.ts'
import { operations } from '../../contract/index.ts'
import { pollMs } from '../../contract/limits.ts'
import { fillPath, type OperationSpec } from '../../contract/operation.ts'
import type { Exchange } from '../journal/exchange.ts'
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
import { findCreatedIds, indexWords, withVariables } from './dependencies.ts'
import { utf8Of } from '../../contract/text/curl.ts'
import { toBytesLiteral, toLiteral, toTextLiteral } from '../../contract/text/literal.ts'

const toOption = (name: string, value: unknown) => `${name}: ${toLiteral(value, '    ')}`

/** Body and files as options of `call`; undefined if `call` cannot send them. Throws if something cannot be parsed. */
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

/** The query as `call` accepts it; undefined if a name is repeated. */
function queryOf(exchange: Exchange, { query = {} }: OperationSpec): Record<string, unknown> | undefined {
  const pairs = [...parseQueryText(exchange.query)]
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) return undefined
  const valueOf = (name: string, text: string) =>
    query[name]?.kind === 'integer' && String(Number(text)) === text ? Number(text) : text
  return Object.fromEntries(pairs.map(([name, text]) => [name, valueOf(name, text)]))
}

/** Source code that calls the operation with `call`; undefined if only a plain request is equivalent. */
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
      `as: ${toLiteral(isKeySent ? (sender?.name ?? unknownKey) : null)}`,
      ...optionIfAny('params', params),
      ...optionIfAny('query', query),
      ...body,
      ...optionIfAny('headers', headers),
    ]
    const lines = options.map((line) => `    ${line},\n`).join('')
    return `call('${exchange.operation}', {\n${lines}  })`
  } catch {
    // Something cannot be parsed, such as a body that is not JSON.
    return undefined
  }
}

function toPlainCall(exchange: Exchange): string {
  const { sender } = exchange
  const key = sender === null ? undefined : `\`Bearer \${mock.keys[${toTextLiteral(sender.name)}]}\``
  const options = toFetchOptions(exchange, headersOf(exchange, unknownKey), key).replaceAll('\n', '\n  ')
  return `mock.fetch(${toTextLiteral(addressOf(exchange))}${options})`
}

/** Lines that expect the response's body; none if the journal does not hold it. */
function toBodyLines({ responseBody, baseUrl }: Exchange, name: string, isParsed: boolean): string[] {
  if (typeof responseBody === 'string') {
    if (!isJson(responseBody)) return [`expect(await ${name}.text()).toBe(${toTextLiteral(responseBody)})`]
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

/** A request as lines of a test. */
interface Step {
  readonly exchange: Exchange
  /** Lines before the request; they set the fault that it triggered. */
  readonly fault: readonly string[]
  readonly call: string
  readonly name: string
  readonly body: readonly string[]
  /** Milliseconds by which the mock advances its clock after the request. */
  readonly movesMs: number
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function toStep(exchange: Exchange, name: string): Step {
  const { responseBody } = exchange
  // `call` reads every body as JSON or as bytes, but a response set by the test can be any text.
  const isCallable = typeof responseBody !== 'string' || isJson(responseBody)
  const operationCall = isCallable ? toOperationCall(exchange) : undefined
  const { operation, status, isInjected, fault } = exchange
  const spec: OperationSpec | undefined = operation === null ? undefined : operations[operation]
  return {
    ...{ exchange, name },
    fault: isInjected && fault !== 'prefer' ? [toFaultLine(exchange).replaceAll('\n', '\n  ')] : [],
    call: operationCall ?? toPlainCall(exchange),
    body: toBodyLines(exchange, name, operationCall !== undefined),
    movesMs: spec?.advancesClock === true && status === 200 ? pollMs : 0,
  }
}

/** @param between lines after the status is expected and before the body is read */
function toLines(
  { exchange: { status }, fault, call, name, body }: Step,
  isExact: boolean,
  between: readonly string[] = [],
): string[] {
  if (status === 0) return [...fault, `await expect(${call}).rejects.toThrow()`]
  const lines = [
    ...fault,
    `const ${name} = await ${call}`,
    `expect(${name}.status).toBe(${String(status)})`,
    ...between,
  ]
  return isExact ? [...lines, ...body] : lines
}

const fewestRepeats = 3
const mostInRepeat = 6

const isRepeat = (a: Step | undefined, b: Step | undefined) =>
  a?.call === b?.call && a?.exchange.status === b?.exchange.status && a?.fault.join() === b?.fault.join()

/** Finds steps that repeat from `at` on: how many form one repeat, and how often it is sent. */
function findRepeats(steps: readonly Step[], at: number): { size: number; count: number } | undefined {
  for (let size = 1; size <= mostInRepeat; size++) {
    let end = at + size
    while (end < steps.length && isRepeat(steps[end], steps[end - size])) end++
    const count = Math.floor((end - at) / size)
    if (count >= fewestRepeats) return { size, count }
  }
  return undefined
}

/** Writes a loop. Each iteration advances the clock by the average time between repeats. */
function toLoop(repeated: readonly Step[], size: number, count: number) {
  const first = repeated.slice(0, size)
  const startMs = first[0]?.exchange.atMs ?? 0
  const lastMs = repeated.at(-size)?.exchange.atMs ?? startMs
  const ownMs = first.reduce((sum, { movesMs }) => sum + movesMs, 0)
  const stepMs = Math.max(0, Math.floor((lastMs - startMs) / (count - 1)) - ownMs)
  const textOf = ({ body, name }: Step) => body.join().replaceAll(`${name}.`, '')
  const lines = first.flatMap((step, index) => {
    const others = repeated.filter((_, at) => at % size === index)
    return toLines(
      step,
      others.every((other) => textOf(other) === textOf(step)),
    )
  })
  if (stepMs > 0) lines.push(`mock.clock.advance(${String(stepMs)})`)
  const head = `for (let sent = 0; sent < ${String(count)}; sent++) {`
  return {
    lines: [head, ...lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`), '}'],
    endMs: startMs + count * (stepMs + ownMs),
  }
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

/**
 * Writes a test file that starts from the fixture and sends the chosen requests, along with the requests they depend
 * on. Repeats become loops. Only the chosen requests have their response bodies checked.
 */
export function copyTest(
  exchanges: readonly Exchange[],
  {
    store,
    all,
    chosen,
  }: CopySource & { readonly all: readonly Exchange[]; readonly chosen?: ReadonlySet<Exchange> },
): string {
  // When requests are left out, later ones create different ids.
  const isPartial = exchanges.length < all.length
  const steps = exchanges.map((exchange, index) =>
    toStep(exchange, exchanges.length === 1 ? 'response' : `response${String(index + 1)}`),
  )
  const words = indexWords(isPartial ? exchanges : [])
  const names = new Map<string, string>()
  const lines: string[] = []
  let atMs = store.base.nowMs
  for (let index = 0; index < steps.length;) {
    const step = steps[index]
    if (!step) break
    lines.push(...toClockLines(atMs, step.exchange.atMs))
    const ids = isPartial ? findCreatedIds(step.exchange, (id) => (words.get(id) ?? 0) > index) : []
    const repeats = ids.length === 0 ? findRepeats(steps, index) : undefined
    if (repeats) {
      const { size, count } = repeats
      const loop = toLoop(steps.slice(index, index + size * count), size, count)
      lines.push(...loop.lines.map((line) => withVariables(line, names)))
      atMs = loop.endMs
      index += size * count
      continue
    }
    const isExact = chosen?.has(step.exchange) ?? true
    const isPlain = step.call.startsWith('mock.fetch')
    const created = ids.map(([id, way]) => {
      const variable = `id${String(names.size + 1)}`
      names.set(id, variable)
      return `const ${variable} = ${isPlain ? `(await ${step.name}.clone().json())` : `${step.name}.body`}${way}`
    })
    // The ids come from this step's own response.
    lines.push(...toLines(step, isExact, created).map((line) => withVariables(line, names)))
    atMs = step.exchange.atMs + step.movesMs
    index += 1
  }
  const titled = exchanges.filter((exchange) => chosen?.has(exchange) ?? true)
  const title = titled.map(titleOf).slice(0, 3).join(', ')
  return [
    "import { expect } from 'vitest'",
    ...toTestLines(store),
    `test(${toTextLiteral(title)}, async ({ mock, call }) => {`,
    ...lines.map((line) => `  ${line}`),
    '})',
    '',
  ].join('\n')
}
