// Which values fit each type of column or custom field.
import type { Option } from '../../contract/datatables.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { numberTypes, textTypes } from '../../contract/column-types.ts'
import { listItems, quote } from '../../contract/text/quote.ts'
import type { Member } from '../../contract/schema/common.ts'
import type { WorkspaceRecord } from '../../contract/workspaces.ts'

/** The part of a store that value checks read. */
interface ValueLookup {
  readonly answers: Pick<Answers, 'typeChecks'>
  readonly tables: { get(id: string): { readonly name: string } | undefined }
  rows(tableId: string): { get(id: string): unknown }
}

/** What columns and custom fields have in common. */
export interface ValueSpec {
  readonly type: string
  readonly options?: readonly Option[] | undefined
  readonly mode?: 'select' | 'items' | undefined
  readonly table_id?: string | undefined
}

/** The value to store, or why it is refused: "must be …; received …". The caller names the field. */
export type CheckedValue = { readonly value: unknown } | { readonly error: string }
export type ValueCheck = (value: unknown) => CheckedValue

const unset: CheckedValue = { value: null }

/** Returns what to store for a value or a list item; undefined refuses it. */
type Resolve = (value: unknown) => unknown

function createCheck(allowed: () => string, resolve: Resolve, isList: boolean): ValueCheck {
  return (value) => {
    if (value === null || value === undefined) return unset
    const resolved = isList ? resolveItems(value, resolve) : resolve(value)
    return resolved === undefined
      ? { error: `must be ${allowed()}; received ${quote(value)}` }
      : { value: resolved }
  }
}

/** A type whose values are stored as sent. */
interface SimpleType {
  readonly allowed: string
  readonly fits: (value: unknown) => boolean
}

const text: SimpleType = { allowed: 'a string', fits: (value) => typeof value === 'string' }
const number: SimpleType = { allowed: 'a finite number', fits: Number.isFinite }
const checkbox: SimpleType = { allowed: 'true or false', fits: (value) => typeof value === 'boolean' }
const date: SimpleType = { allowed: 'an integer (Unix seconds)', fits: Number.isSafeInteger }

const simpleTypes = new Map<string, SimpleType>([
  ...textTypes.map((type) => [type, text] as const),
  ...numberTypes.map((type) => [type, number] as const),
  ['checkbox', checkbox],
  ['date', date],
])

/** Creates a test for whether a value is stored as sent. For simple types it saves the result that `check` builds. */
export function createSentTest(type: string, check: ValueCheck): (value: unknown) => boolean {
  const simple = simpleTypes.get(type)
  if (simple) return simple.fits
  return (value) => {
    const checked = check(value)
    return 'value' in checked && checked.value === value
  }
}

/** Resolves every item; returns the array itself if nothing changes. */
function resolveItems(value: unknown, resolve: Resolve): readonly unknown[] | undefined {
  if (!Array.isArray(value)) return undefined
  const items: readonly unknown[] = value
  let isSame = true
  for (const item of items) {
    const resolved = resolve(item)
    if (resolved === undefined) return undefined
    isSame &&= resolved === item
  }
  return isSame ? items : items.map(resolve)
}

/**
 * Writes `"opt_a" (Open), "opt_b" (Won)`; long lists are truncated. `what`, such as `options`, says what an empty list
 * lacks.
 */
export function listChoices(named: readonly Member[], what: string): string {
  if (named.length === 0) return `none (there are no ${what})`
  return listItems(named, ({ id, name }) => `${quote(id)} (${name})`)
}

/** Option ids, keyed by what clients may send for them. Assumption: typeChecks */
export function mapOptionIds(options: readonly Option[], withLabels: boolean): ReadonlyMap<unknown, string> {
  const ids = new Map<unknown, string>()
  // In this order, an id takes precedence over a label, and the first of two equal labels wins.
  if (withLabels) for (const { id, label } of options.toReversed()) ids.set(label, id)
  for (const { id } of options) ids.set(id, id)
  return ids
}

function createOptionCheck(options: readonly Option[], withLabels: boolean, isList: boolean): ValueCheck {
  const ids = mapOptionIds(options, withLabels)
  const named = options.map(({ id, label }) => ({ id, name: label }))
  const choices = () => listChoices(named, 'options')
  const allowed = () => {
    if (isList) return `an array of option ids${withLabels ? ' or labels' : ''} from ${choices()}`
    if (options.length === 0) return 'null, since there are no options'
    return `one of ${choices()}${withLabels ? ', by id or label' : ''}`
  }
  return createCheck(allowed, (value) => ids.get(value), isList)
}

/**
 * Creates the check for a column's or field's values. Null fits every type. Any value fits a type that is unknown or that
 * the API never writes. Assumption: typeChecks, relationValues, unknownReferences
 */
export function createValueCheck(
  spec: ValueSpec,
  store: ValueLookup,
  { members }: WorkspaceRecord,
): ValueCheck {
  const simple = simpleTypes.get(spec.type)
  if (simple)
    return createCheck(
      () => simple.allowed,
      (value) => (simple.fits(value) ? value : undefined),
      false,
    )
  const withLabels = store.answers.typeChecks === 'dropdownLabels'
  switch (spec.type) {
    case 'dropdown':
      return createOptionCheck(spec.options ?? [], withLabels, false)
    case 'tags':
      return createOptionCheck(spec.options ?? [], withLabels, true)
    case 'people': {
      const ids = new Map<unknown, string>(members.map(({ id }) => [id, id]))
      const allowed = () => `an array of member ids from ${listChoices(members, 'members')}`
      return createCheck(allowed, (value) => ids.get(value), true)
    }
    case 'datatable': {
      const { mode, table_id: tableId = '' } = spec
      const isList = mode !== 'select'
      const table = () => `${store.tables.get(tableId)?.name ?? 'no datatable'} (${tableId})`
      const allowed = () => `${isList ? 'an array of ids of rows' : 'the id of a row'} of ${table()}`
      const resolve: Resolve = (value) =>
        typeof value === 'string' && store.rows(tableId).get(value) ? value : undefined
      return createCheck(allowed, resolve, isList)
    }
    default:
      return (value: unknown): CheckedValue => ({ value: value ?? null })
  }
}

/**
 * Checks a record's new value. Its current value is accepted even if its target was deleted; new references must exist.
 * Assumption: unknownReferences
 */
export function checkAgainst(check: ValueCheck, value: unknown, held: unknown): CheckedValue {
  const checked = check(value)
  if (!('error' in checked) || held === undefined || held === null) return checked
  if (!Array.isArray(value) || !Array.isArray(held)) return value === held ? { value } : checked
  const known = new Set<unknown>(held)
  const fresh = check(value.filter((item) => !known.has(item)))
  return 'error' in fresh ? checked : { value }
}
