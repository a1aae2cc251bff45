// Changes made by requests: recorded by reference within bounds, and shown field by field.
import { isObject, readField } from '../../contract/data/objects.ts'
import type { Effect } from '../../service/store/overlay.ts'

/** A record that a request created, changed or deleted. */
export interface RecordChange {
  /** `row`, or the name of a collection in `mock.db`. */
  readonly resource: string
  readonly id: string
  readonly change: Effect['change']
}

/** A field's value before and after, as stored. */
export interface FieldChange {
  /** A field within `data` or `custom_data` is named like `data.col_customer`. */
  readonly field: string
  /** Absent if there was no value. */
  readonly before?: unknown
  /** Absent if the value was removed. */
  readonly after?: unknown
}

export interface DetailedChange extends RecordChange {
  /** What differs. Absent beyond a request's first 25 changes or 64 KiB, or if dropped because of `journalBytes`. */
  readonly fields?: readonly FieldChange[]
}

type FieldValues = Readonly<Record<string, unknown>>

/** Fields that hold objects, whose own fields are compared one by one. */
export const nestedFields: ReadonlySet<string> = new Set(['data', 'custom_data'])

/** The fields that differ between two versions of a record, without a prototype, so that __proto__ can be a field. */
function pickDifferent(record: unknown, other: unknown): FieldValues | null {
  if (!isObject(record) || !isObject(other)) return (record as FieldValues | undefined) ?? null
  const parts = Object.create(null) as Record<string, unknown>
  for (const name of Object.keys(record)) {
    const value = record[name]
    const otherValue = readField(other, name)
    if (value !== otherValue)
      parts[name] = nestedFields.has(name) ? pickDifferent(value, otherValue ?? {}) : value
  }
  return parts
}

/** Estimates a value's size in memory, in bytes; stops counting beyond `most`. */
function memoryOf(value: unknown, most: number): number {
  if (typeof value === 'string') return 16 + value.length
  if (typeof value !== 'object' || value === null) return 8
  let bytes = 16
  for (const name in value) {
    bytes += 16 + memoryOf((value as FieldValues)[name], most - bytes)
    if (bytes > most) return bytes
  }
  return bytes
}

export const changeOf = ({ resource, id, change }: Effect): RecordChange => ({ resource, id, change })

/** Keeps the changed values of a request's first effects, and drops those of later ones. */
export function limitEffects(effects: readonly Effect[]) {
  const mostDetailed = 25
  const mostBytes = 64 * 1024
  let effectBytes = 0
  let isFull = false
  const kept = effects.map((effect, index): Effect => {
    isFull ||= index >= mostDetailed
    if (isFull) return changeOf(effect)
    const { resource, id, change } = effect
    const before = pickDifferent(effect.before, effect.after)
    const after = pickDifferent(effect.after, effect.before)
    const left = mostBytes - effectBytes
    const bytes = memoryOf(before, left) + memoryOf(after, left)
    isFull = bytes > left
    if (isFull) return changeOf(effect)
    effectBytes += bytes
    return { resource, id, change, before, after }
  })
  return { effects: kept, effectBytes }
}

const isSameValue = (before: unknown, after: unknown) =>
  before === after ||
  (typeof before === 'object' &&
    typeof after === 'object' &&
    JSON.stringify(before) === JSON.stringify(after))

function findFieldChanges(resource: string, before: unknown, after: unknown, within?: string): FieldChange[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names].flatMap((name): FieldChange | FieldChange[] => {
    const [was, is] = [readField(before, name), readField(after, name)]
    const isNested = within === undefined && nestedFields.has(name)
    // Keys are never shown.
    const isHidden = name === 'id' || (resource === 'comments' && name === 'key')
    if (isSameValue(was, is) || (within === undefined && isHidden)) return []
    if (isNested) return findFieldChanges(resource, was, is, name)
    return {
      field: within === undefined ? name : `${within}.${name}`,
      ...(was === undefined ? {} : { before: structuredClone(was) }),
      ...(is === undefined ? {} : { after: structuredClone(is) }),
    }
  })
}

export function toDetailedChange(effect: Effect): DetailedChange {
  const { resource, before, after } = effect
  if (before === undefined || after === undefined) return changeOf(effect)
  return { ...changeOf(effect), fields: findFieldChanges(resource, before, after) }
}
