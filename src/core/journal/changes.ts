// What requests changed: kept by reference and within bounds when recorded, shown field by field when read.
import type { Effect } from '../../store/overlay.ts'

/** A record that a request created, changed or deleted. */
export interface RecordChange {
  /** `row`, or the collection in `mock.db`. */
  readonly resource: string
  readonly id: string
  readonly change: Effect['change']
}

/** A field with its value before and after, as stored. */
export interface FieldChange {
  /** A field within `data` or `custom_data` as `data.col_customer`. */
  readonly field: string
  /** Absent if there was no value. */
  readonly before?: unknown
  /** Absent if there is no value any more. */
  readonly after?: unknown
}

export interface DetailedChange extends RecordChange {
  /**
   * What differs. Absent if it was not kept: beyond the first 25 changes or 64 KiB of a request, or dropped for
   * `journalBytes`.
   */
  readonly fields?: readonly FieldChange[]
}

type Fields = Readonly<Record<string, unknown>>

/** Fields of records whose own fields count one by one. */
export const nestedFields: ReadonlySet<string> = new Set(['data', 'custom_data'])

/** Keys are not shown. */
const isShown = (resource: string, field: string) =>
  field !== 'id' && !(resource === 'comments' && field === 'key')

const fieldOf = (record: unknown, name: string): unknown =>
  typeof record === 'object' && record !== null && Object.hasOwn(record, name)
    ? (record as Fields)[name]
    : undefined

const fieldNamesOf = (before: unknown, after: unknown) =>
  new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])

/** Of the own fields of a record, those that another version does not share; without a prototype, for __proto__. */
function pickDifferent(record: Fields, other: Fields): Fields {
  const parts = Object.create(null) as Record<string, unknown>
  for (const name of Object.keys(record)) {
    const value = record[name]
    const otherValue = fieldOf(other, name)
    if (value === otherValue) continue
    parts[name] = nestedFields.has(name)
      ? pickDifferent((value ?? {}) as Fields, (otherValue ?? {}) as Fields)
      : value
  }
  return parts
}

/** Bytes of a value in memory, roughly; stops counting beyond `most`. */
function memoryOf(value: unknown, most: number): number {
  if (typeof value === 'string') return 16 + value.length
  if (typeof value !== 'object' || value === null) return 8
  let bytes = 16
  for (const name in value) {
    bytes += 16 + memoryOf((value as Fields)[name], most - bytes)
    if (bytes > most) return bytes
  }
  return bytes
}

/** Changes of one request that keep both sides. */
const mostDetailed = 25
/** Bytes of all sides of one request. */
const mostBytes = 64 * 1024

/** A change without its sides. */
export const changeOf = ({ resource, id, change }: Effect): RecordChange => ({ resource, id, change })

/** The effects of a request as the journal keeps them: the first ones with what differs, the others without. */
export function limitEffects(effects: readonly Effect[]): {
  readonly effects: readonly Effect[]
  readonly effectBytes: number
} {
  let effectBytes = 0
  let isFull = false
  const kept = effects.map((effect, index): Effect => {
    isFull ||= index >= mostDetailed
    if (isFull) return changeOf(effect)
    const { resource, id, change } = effect
    let { before = null, after = null } = effect
    // What both share is not kept in memory by the journal.
    if (before && after)
      [before, after] = [
        pickDifferent(before as Fields, after as Fields),
        pickDifferent(after as Fields, before as Fields),
      ]
    const left = mostBytes - effectBytes
    const bytes = memoryOf(before, left) + memoryOf(after, left)
    isFull = bytes > left
    if (isFull) return changeOf(effect)
    effectBytes += bytes
    return { resource, id, change, before, after }
  })
  return { effects: kept, effectBytes }
}

const copyOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? structuredClone(value) : value

const isSame = (before: unknown, after: unknown) =>
  before === after ||
  (typeof before === 'object' &&
    typeof after === 'object' &&
    JSON.stringify(before) === JSON.stringify(after))

function fieldChanges(
  before: unknown,
  after: unknown,
  isListed: (field: string) => boolean,
  prefix = '',
): FieldChange[] {
  return [...fieldNamesOf(before, after)].flatMap((name) => {
    const [was, is] = [fieldOf(before, name), fieldOf(after, name)]
    if (!isListed(name) || isSame(was, is)) return []
    if (prefix === '' && nestedFields.has(name)) return fieldChanges(was, is, () => true, `${name}.`)
    return [
      {
        field: prefix + name,
        ...(was === undefined ? {} : { before: copyOf(was) }),
        ...(is === undefined ? {} : { after: copyOf(is) }),
      },
    ]
  })
}

/** A change as users see it. */
export function detailedChange(effect: Effect): DetailedChange {
  const { resource, before, after } = effect
  if (before === undefined || after === undefined) return changeOf(effect)
  const fields = fieldChanges(before, after, (field) => isShown(resource, field))
  return { ...changeOf(effect), fields }
}
