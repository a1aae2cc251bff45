// Rules for what a request holds: keys of rows, fields, parameters, page sizes.
import { isObject } from '../../contract/data/objects.ts'
import type { RuleId } from '../../contract/client-rules.ts'
import { operations, type OperationId } from '../../contract/index.ts'
import type { IntegerParameter, OperationSpec } from '../../contract/operation.ts'
import { suggestNearest } from '../../contract/text/nearest.ts'
import { quote, shorten } from '../../contract/text/quote.ts'
import { rowPaging } from '../../contract/rows.ts'
import { compileTable, type CompiledTable } from '../../service/rows/columns.ts'
import type { Exchange, Breach, OpenExchange } from '../requests/exchange.ts'
import { paramsOf } from '../journal/weight.ts'
import { idOf } from './request.ts'
import { isMultipart } from '../requests/multipart.ts'
import { suggestField } from '../requests/hints.ts'
import type { Findings } from './findings.ts'

/** The operation that a message names, and its table if it has one. */
interface Place {
  readonly operation: string
  readonly tableId: string | undefined
  readonly columns: CompiledTable | undefined
  readonly isMultipart: boolean
}

const describeTarget = ({ operation, tableId }: Place) =>
  tableId === undefined ? operation : `${operation} to ${tableId}`

const descriptions: Partial<Record<RuleId, (subject: string, place: Place) => string>> = {
  'read-only-write': (id, place) => {
    const column = place.columns?.byId.get(id)
    return `${describeTarget(place)} sent a value for ${id}${column ? ` (${column.name})` : ''}, which was ignored`
  },
  'row-key-name': (name, place) => {
    const key = place.columns?.byName.get(name)?.id
    const keyed = `${describeTarget(place)} keyed ${place.columns ? 'a row' : 'custom_data'} by the name ${quote(name)}`
    return key === undefined ? keyed : `${keyed}, whose key is ${key}`
  },
  'unknown-key': (key, place) =>
    `${describeTarget(place)} used the key ${quote(key)}, which is neither an id nor a name${toNearestText(suggestKey(key, place))}`,
  'unknown-parameter': (name, place) =>
    `${describeTarget(place)} had the query parameter ${quote(name)}${toNearestText(suggestNearest(name, Object.keys(specOf(place.operation)?.query ?? {})))}`,
  'unknown-field': (field, place) =>
    `${describeTarget(place)} had the ${place.isMultipart ? 'part' : 'body field'} ${quote(field)}${toNearestText(suggestFieldOf(field, place))}`,
  milliseconds: (field, place) => `${describeTarget(place)} sent ${field} in milliseconds`,
  'content-type': (received, place) => `${describeTarget(place)} came with ${received} and a JSON body`,
  'edit-running': (id) => `A PATCH went to time entry ${id} while it was running`,
}

const toNearestText = (name: string | undefined) => (name === undefined ? '' : `; the nearest is ${name}`)
const specOf = (operation: string): OperationSpec | undefined =>
  Object.hasOwn(operations, operation) ? operations[operation as OperationId] : undefined

function suggestFieldOf(field: string, { operation, isMultipart }: Place): string | undefined {
  const spec = specOf(operation)
  return spec && !isMultipart ? suggestField(spec, field) : undefined
}

function suggestKey(key: string, { columns }: Place): string | undefined {
  const found = columns && suggestNearest(key, [...columns.byId.keys(), ...columns.byName.keys()])
  return found === undefined ? undefined : (columns?.byName.get(found)?.id ?? found)
}

function placeOf(exchange: OpenExchange): Place {
  const { store } = exchange
  const operation = exchange.operation ?? `${exchange.method} ${exchange.path}`
  const table = 'tableId' in paramsOf(exchange) ? store.tables.get(idOf(exchange, 'tableId')) : undefined
  return {
    operation,
    tableId: table?.id,
    columns: table && compileTable(store, table),
    isMultipart: isMultipart(exchange.contentType),
  }
}

/** The rules that the handling of a request reports, and page-size. */
export function addFieldFindings(findings: Findings, exchange: OpenExchange): void {
  const { operation, observations, status } = exchange
  const inJob = operation === 'submitInsertJob' && status === 202 ? findJobBreaches(exchange) : []
  let place: Place | undefined
  const there = () => (place ??= placeOf(exchange))
  for (const { rule, subject } of inJob.length > 0 ? [...observations, ...inJob] : observations) {
    // How the client sends JSON is one cause in all operations.
    const cause =
      rule === 'content-type'
        ? subject
        : `${String(operation)} ${paramsOf(exchange).tableId ?? ''} ${subject}`
    const what = () => descriptions[rule]?.(subject, there()) ?? `${describeTarget(there())}: ${subject}`
    findings.add(exchange, rule, cause, what)
  }
  for (const { name, received } of findWrongPaging(exchange, exchange.json)) {
    const what = () => `${String(operation)} asked for ${name}=${received}`
    findings.add(exchange, 'page-size', `${String(operation)} ${name}`, what)
  }
}

/**
 * Breaches by the keys of a job's rows. The job reads each row later, outside any request;
 * here only keys are checked, each once.
 */
function findJobBreaches(exchange: OpenExchange): Breach[] {
  const { store, json } = exchange
  const table = store.tables.get(idOf(exchange, 'tableId'))
  const { rows } = json as { readonly rows?: unknown }
  if (!table || !Array.isArray(rows)) return []
  const { byId, byName } = compileTable(store, table)
  return keysOf(rows).flatMap((key): Breach[] => {
    const column = byId.get(key)
    if (!column) return [{ rule: byName.has(key) ? 'row-key-name' : 'unknown-key', subject: key }]
    return column.isWritable ? [] : [{ rule: 'read-only-write', subject: key }]
  })
}

/** Most distinct keys that are collected: a row can have any keys. */
const mostKeys = 1000

function keysOf(rows: readonly unknown[]): string[] {
  const keys = new Set<string>()
  let former: readonly string[] = []
  for (const row of rows) {
    if (!isObject(row)) continue
    const own = Object.keys(row)
    // Most rows have the keys of the row before, in the same order.
    for (let index = 0; index < own.length; index++) {
      const key = own[index]
      if (key !== undefined && key !== former[index]) keys.add(key)
    }
    if (keys.size > mostKeys) break
    former = own
  }
  return [...keys]
}

interface Paging {
  readonly name: string
  readonly received: string
}

/** A whole number as the API takes it: digits alone. */
export function isUsable(received: string, { minimum, maximum = Infinity }: IntegerParameter): boolean {
  return /^\d+$/.test(received) && Number(received) >= minimum && Number(received) <= maximum
}

/**
 * Parameters of paging that are not usable. Of a repeated one the first counts, and `limit` takes precedence over its
 * alias; an unusable `since` is left to relist-submissions. Assumption: limitAboveMax
 */
export function findWrongPaging({ operation, queryText }: Exchange, json: unknown): Paging[] {
  if (operation === null) return []
  const { query = {}, paging, body }: OperationSpec = operations[operation]
  if (paging && body) return findWrongQueryPaging(json)
  if (queryText === '') return []
  const sent = new URLSearchParams(queryText)
  return Object.entries(query).flatMap(([name, parameter]) => {
    if (parameter.kind !== 'integer') return []
    const used = sent.has(name) ? name : (parameter.alias ?? name)
    const received = sent.get(used)
    if (received === null || name === 'since' || isUsable(received, parameter)) return []
    return [{ name: used, received: shorten(received) }]
  })
}

function findWrongQueryPaging(json: unknown): Paging[] {
  if (typeof json !== 'object' || json === null) return []
  return (['page', 'limit'] as const).flatMap((name) => {
    const received = (json as Readonly<Record<string, unknown>>)[name]
    const text = Number.isInteger(received) ? BigInt(received as number).toString() : received
    const isWrong = received !== undefined && !(typeof text === 'string' && isUsable(text, rowPaging[name]))
    return isWrong ? [{ name, received: quote(received) }] : []
  })
}
