// Rules about a request's contents: row keys, fields, parameters, page sizes, moments, amounts.
import type { RuleId } from '../../contract/client-rules.ts'
import { operations, type OperationId } from '../../contract/index.ts'
import type { ColumnRecord } from '../../contract/datatables.ts'
import type { FieldRecord } from '../../contract/lists.ts'
import { isObject } from '../../contract/data/objects.ts'
import { getOrInsert, idsOf } from '../../contract/data/maps.ts'
import type { OperationSpec, QueryParameters } from '../../contract/operation.ts'
import { rowPaging } from '../../contract/rows.ts'
import { listFieldNames } from '../../contract/schema/field-names.ts'
import { suggestNearest } from '../../contract/text/nearest.ts'
import { listItems, quote } from '../../contract/text/quote.ts'
import type { Breach, OpenExchange } from '../requests/exchange.ts'
import { suggestField } from '../hints/body.ts'
import { isMultipart } from '../requests/multipart.ts'
import type { Findings, Sentence } from './findings.ts'
import { idOf } from './request.ts'

/** What a request reads or writes, for messages. */
interface Place {
  /** The operation, and the record its path names. */
  readonly target: string
  readonly spec: OperationSpec
  /** The table's columns, or the list's custom fields. */
  readonly columns: readonly (ColumnRecord | FieldRecord)[]
  readonly isRow: boolean
  readonly isMultipart: boolean
}

const noColumns: Place['columns'] = []

/** The columns or custom fields a request can have values for. */
function columnsOf({ at, store }: OpenExchange): Place['columns'] {
  const { table, task, list }: Partial<NonNullable<typeof at>> = at ?? {}
  if (table) return table.columns
  // The request may have moved the task.
  const listId = (task && store.tasks.get(task.id)?.list_id) ?? list?.id
  return (listId === undefined ? undefined : store.lists.get(listId))?.fields ?? noColumns
}

function describePlace(exchange: OpenExchange, operation: OperationId): Place {
  const params = Object.keys(exchange.route?.params ?? {})
  const records = params.map((name) => idOf(exchange, name)).reverse()
  const preposition = exchange.call.method === 'GET' ? ' of ' : ' to '
  return {
    target: `${operation}${records.length > 0 ? preposition : ''}${records.join(' of ')}`,
    spec: operations[operation],
    columns: columnsOf(exchange),
    isRow: params.includes('tableId'),
    isMultipart: isMultipart(exchange.contentType),
  }
}

const toNearestNote = (name: string | undefined) => (name === undefined ? '' : ` (the nearest is ${name})`)

const toNamesNote = (what: string, names: readonly string[]) =>
  names.length > 0 ? `; its ${what} are ${listItems(names, String)}` : `; it takes no ${what}`

const describeColumn = ({ columns }: Place, id: string): string => {
  const column = columns.find((each) => each.id === id)
  return column ? `${id} (${column.name})` : id
}

const sentences: Partial<Record<RuleId, (breach: Required<Breach>, place: Place) => Sentence>> = {
  'read-only-write': ({ subject, received }, place) => ({
    item: describeColumn(place, subject),
    before: `${place.target} sent a value for`,
    beforeMany: `${place.target} sent values for`,
    after: `, which had no effect${received === '' ? '' : `; received ${received}`}`,
  }),
  'row-key-name': ({ subject }, { target, columns, isRow }) => {
    const key = columns.find(({ name }) => name === subject)?.id
    const keyed = `${target} keyed ${isRow ? 'a row' : 'custom_data'} by the name`
    const item = key === undefined ? quote(subject) : `${quote(subject)}, whose key is ${key}`
    return { item, before: keyed }
  },
  'unknown-key': ({ subject }, { target, columns }) => {
    const names = new Map(columns.flatMap(({ id, name }) => [[id, id] as const, [name, id] as const]))
    const near = names.get(suggestNearest(subject, [...names.keys()]) ?? '')
    return {
      item: `${quote(subject)}${toNearestNote(near)}`,
      before: `${target} used the key`,
      after: `, which is neither an id nor a name; the keys are ${listItems(columns, ({ id }) => id)}`,
    }
  },
  'unknown-parameter': ({ subject }, { target, spec }) => {
    const names = Object.keys(spec.query ?? {})
    return {
      item: `${quote(subject)}${toNearestNote(suggestNearest(subject, names))}`,
      before: `${target} had the query parameter`,
      after: toNamesNote('parameters', spec.columnFilters ? [...names, 'names of columns'] : names),
    }
  },
  'unknown-field': ({ subject }, { target, spec, ...place }) => {
    const what = place.isMultipart ? 'part' : 'body field'
    const near = place.isMultipart ? undefined : suggestField(spec, subject)
    const { json, multipart } = spec.body ?? {}
    const names = place.isMultipart
      ? ['file', ...(multipart?.data ? ['data'] : [])]
      : listFieldNames(json ?? multipart?.data)
    return {
      item: `${quote(subject)}${toNearestNote(near)}`,
      before: `${target} had the ${what}`,
      after: toNamesNote(`${what}s`, names),
    }
  },
  'page-size': ({ subject, received }, { target, spec }) => {
    const query: QueryParameters = spec.query ?? rowPaging
    const parameter = query[subject] ?? query.limit
    const { minimum = 0, maximum } = parameter?.kind === 'integer' ? parameter : {}
    const allowed =
      maximum === undefined
        ? `of at least ${String(minimum)}`
        : `from ${String(minimum)} to ${String(maximum)}`
    return { before: `${target} asked for ${subject}=${received}; it must be an integer ${allowed}` }
  },
  milliseconds: ({ subject, received }, { target }) => ({
    item: subject,
    before: `${target} sent`,
    beforeMany: `${target} sent`,
    after: ` in milliseconds; received ${received}`,
  }),
  'time-too-small': ({ subject, received }, { target }) => ({
    item: subject,
    before: `${target} sent`,
    beforeMany: `${target} sent`,
    after: ` as a time before September 2001; received ${received}`,
  }),
  'relist-submissions': ({ received }, { target }) => ({
    before: `${target} listed all submissions, with since=${received}, which is not a time in Unix seconds`,
  }),
  'float-noise': ({ subject, received }, place) => ({
    item: describeColumn(place, subject),
    before: `${place.target} sent an amount with a rounding error for`,
    beforeMany: `${place.target} sent amounts with rounding errors for`,
    after: `; received ${received}, which rounds to ${String(roundAmount(Number(received)))}`,
  }),
  'empty-patch': (_, { target }) => ({ before: `${target} had a body without fields` }),
  'content-type': ({ subject }, { target }) => ({ before: `${target} sent a JSON body with ${subject}` }),
  'edit-running': ({ subject }) => ({ before: `Time entry ${subject} was patched while it was running` }),
}

/**
 * What breaches with one cause have in common: the subject, or else the request, since many breaches in one request
 * usually come from one mistake.
 */
function signsOf({ rule, subject, received }: Required<Breach>, { id, operation }: OpenExchange): string[] {
  if (rule === 'page-size') return [`${subject}=${received}`, `${String(operation)} ${subject}`]
  if (rule === 'empty-patch') return [String(operation)]
  if (rule === 'edit-running') return ['']
  return rule === 'content-type' ? [subject] : [subject, `#${String(id)}`]
}

/** Adds the breaches found while handling a request, and the breaches that its body alone reveals. */
export function addFieldFindings(findings: Findings, exchange: OpenExchange): void {
  const { operation } = exchange
  if (operation === null) return
  if (exchange.json !== undefined && exchange.at !== undefined) reportContents(exchange)
  let place: Place | undefined
  for (const { rule, subject: path, received = '' } of exchange.breaches) {
    // The same field in many items of a list is one cause.
    const breach = { rule, subject: path.replaceAll(/\[\d+\]\./g, '[].'), received }
    findings.addBreach(exchange, {
      rule,
      signs: signsOf(breach, exchange),
      describe: () =>
        sentences[rule]?.(breach, (place ??= describePlace(exchange, operation))) ?? {
          before: `${operation}: ${path}`,
        },
      ...(rule === 'empty-patch' && operation === 'updateRow' && { severity: 'info' }),
    })
  }
}

/** Reports breaches that a body reveals whatever its operation. */
function reportContents(exchange: OpenExchange): void {
  const { call, json, route } = exchange
  if (!isObject(json)) return
  const ofTable = 'tableId' in (route?.params ?? {})
  const fields = ofTable ? json.data : json
  if (call.method === 'PATCH' && isObject(fields) && Object.keys(fields).length === 0)
    exchange.reportBreach('empty-patch', '')
  const rows = ofTable && Array.isArray(json.rows) ? (json.rows as readonly unknown[]) : undefined
  reportAmounts(exchange, rows ?? [ofTable ? json.data : json.custom_data])
}

/** Rounds to six decimals, using the number's decimal digits. */
const roundAmount = (value: number) => Number(value.toFixed(6))

/** Whether an amount has a rounding error. A quotient such as 10 / 3 is excluded, because its last digits are off by far more. */
function isNoisy(value: unknown): boolean {
  // Most amounts have few decimals; a multiplication detects them cheaply.
  if (typeof value !== 'number' || Math.round(value * 1e6) / 1e6 === value) return false
  const off = Math.abs(value - roundAmount(value))
  return off > 0 && off < 1e-14 * Math.abs(value)
}

/** Ids of the currency columns or custom fields, keyed by the list of all columns. */
const amounts = new WeakMap<Place['columns'], readonly string[]>()

function reportAmounts(exchange: OpenExchange, records: readonly unknown[]): void {
  if (!records.some(isObject)) return
  const columns = columnsOf(exchange)
  const ids = getOrInsert(amounts, columns, () => idsOf(columns.filter(({ type }) => type === 'currency')))
  if (ids.length === 0) return
  for (const record of records)
    if (isObject(record))
      for (const id of ids) if (isNoisy(record[id])) exchange.reportBreach('float-noise', id, record[id])
}
