// What a question reads from a request and its response to decide whether the response depended on its answer.
import type { RuleId } from '../client-rules.ts'
import { isObject, isUnset } from '../data/objects.ts'
import type { ErrorKind } from '../errors.ts'
import type { OperationId } from '../scopes.ts'

type JsonFields = Readonly<Record<string, unknown>>

interface Typed {
  readonly id: string
  readonly type: string
}

/** A request and its response. Bodies are absent if the journal no longer holds them. */
export interface SeenExchange {
  readonly operation: OperationId
  readonly status: number
  readonly isDone: boolean
  readonly refusal: ErrorKind | null
  /** The client rules the request broke. */
  readonly breaches: readonly { readonly rule: RuleId; readonly subject: string }[]
  readonly key: { readonly kind: string }
  readonly plan: string
  readonly isMultipart: boolean
  readonly query: URLSearchParams
  /** The JSON object sent, empty if there was no body; undefined if unknown. */
  readonly sent: JsonFields | undefined
  /** The JSON object of the response; undefined if unknown. */
  readonly response: JsonFields | undefined
  /** Whether the contract lists the status as an error of the operation. */
  readonly isListed: boolean
  /** Whether a page number, page size, offset or `since` had a value that the contract does not allow. */
  readonly hasWrongPaging: boolean
  readonly table: { readonly locked: boolean; readonly columns: readonly Typed[] } | undefined
  /** The custom fields of all lists. */
  readonly customFields: readonly Typed[]
  readonly isRepeating: (taskId: unknown) => boolean
}

type Holds<T> = (value: T) => boolean

export const isDone = (seen: SeenExchange): boolean => seen.isDone
export const isRefused = ({ status }: SeenExchange): boolean => status >= 400
export const never = (): boolean => false

export const hasRefusal = ({ refusal }: SeenExchange, ...kinds: ErrorKind[]): boolean =>
  refusal !== null && kinds.includes(refusal)

export const hasBreach = ({ breaches }: SeenExchange, ...rules: RuleId[]): boolean =>
  breaches.some(({ rule }) => rules.includes(rule))

export const hasItems = (value: unknown): boolean =>
  typeof value === 'object' && Object.keys(value ?? {}).length > 0

/** Whether `holds` is true for one of these body fields; also true if the body is unknown. */
export const hasField = (
  { sent }: SeenExchange,
  names: readonly string[],
  holds: Holds<unknown> = () => true,
): boolean => sent === undefined || names.some((name) => Object.hasOwn(sent, name) && holds(sent[name]))

/**
 * Whether `holds` is true for an object that the response has under one of these names, alone or in a list. If it has none
 * of them, the response itself is tested.
 */
export function hasShown(
  seen: SeenExchange,
  names: readonly string[],
  holds: Holds<JsonFields> = () => true,
): boolean {
  const { response } = seen
  if (!seen.isDone) return false
  if (response === undefined) return true
  const present = names.filter((name) => name in response)
  const shown: unknown[] = present.length > 0 ? present.flatMap((name) => response[name]) : [response]
  return shown.filter(isObject).some(holds)
}

/** Whether `holds` is true for the values of a row in the response, keyed by column id. */
export const hasShownRow = (seen: SeenExchange, holds?: Holds<JsonFields>): boolean =>
  hasShown(seen, ['rows', 'row'], holds && ((row) => holds(isObject(row.data) ? row.data : row)))

const idsOfType = (typed: readonly Typed[], type: string) =>
  typed.filter((each) => each.type === type).map(({ id }) => id)
const hasValue = (ids: readonly string[]) => (values: JsonFields) => ids.some((id) => !isUnset(values[id]))

export const columnsOf = ({ table }: SeenExchange, type: string): string[] =>
  idsOfType(table?.columns ?? [], type)

/** Whether a row in the response has a value in a column of this type. */
export function hasShownColumn(seen: SeenExchange, type: string): boolean {
  const ids = columnsOf(seen, type)
  return ids.length > 0 && hasShownRow(seen, hasValue(ids))
}

/** Whether a task in the response has a value in a custom field of this type. */
export function hasShownCustomField(seen: SeenExchange, type: string): boolean {
  const ids = idsOfType(seen.customFields, type)
  const holds = ({ custom_data: values }: JsonFields) => isObject(values) && hasValue(ids)(values)
  return ids.length > 0 && hasShown(seen, ['tasks'], holds)
}

const pagingNames = ['page', 'limit', 'pageSize', 'sort', 'select']

export const hasFilters = ({ operation, query, sent }: SeenExchange): boolean =>
  operation === 'queryRows'
    ? sent === undefined || hasItems(sent.filters)
    : [...query.keys()].some((name) => !pagingNames.includes(name))

/** Whether the request names columns in one of these parameters or fields. */
export const hasNamedColumns = (seen: SeenExchange, ...names: ('sort' | 'select')[]): boolean =>
  names.some((name) => seen.query.has(name)) || hasField(seen, names, hasItems)
