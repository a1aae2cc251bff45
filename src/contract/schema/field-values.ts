// Records of declared fields: creates and patches them, shows them in responses, and writes them to fixtures.
import type * as z from 'zod/mini'
import type { Schema } from '../operation.ts'
import type {
  ExtrasShape,
  FieldOptions,
  Fields,
  Having,
  RecordOf,
  RequiredName,
  ShownShape,
} from './fields.ts'

interface FieldPlan {
  readonly kept: readonly string[]
  readonly sent: readonly string[]
  readonly shown: readonly string[]
  readonly extras: readonly string[]
  readonly written: readonly string[]
}
const fieldPlans = new WeakMap<Fields, FieldPlan>()

/** Groups field names by purpose. Computed once, because listings need them for every record. */
function planOf(fields: Fields): FieldPlan {
  let plan = fieldPlans.get(fields)
  if (!plan) {
    const named = (has: (options: FieldOptions) => boolean) =>
      Object.entries(fields).flatMap(([name, { options }]) => (has(options) ? [name] : []))
    const isKept = ({ kept }: FieldOptions) => kept !== false
    plan = {
      kept: named(isKept),
      sent: named((options) => options.sent !== undefined && isKept(options)),
      shown: named(({ shown }) => shown !== false && shown !== 'extras'),
      extras: named(({ shown }) => shown === 'extras'),
      written: named((options) => options.fixture !== false && isKept(options)),
    }
    fieldPlans.set(fields, plan)
  }
  return plan
}

type FieldValues = Readonly<Record<string, unknown>>

/** Picks the named fields from two objects; the first takes precedence. Fields without a value are omitted. */
function pickValues(
  names: readonly string[],
  first: FieldValues,
  second: FieldValues,
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const name of names) {
    const value = first[name] === undefined ? second[name] : first[name]
    if (value !== undefined) result[name] = value
  }
  return result
}

type ShownRecord<F extends Fields> = z.output<z.ZodMiniObject<ShownShape<F>>>
type Extras<F extends Fields> = z.output<z.ZodMiniObject<ExtrasShape<F>>>
type OptionalName<T> = { [Name in keyof T]-?: undefined extends T[Name] ? Name : never }[keyof T]
/** Fields that every record has, but that neither clients nor initial values provide, such as `id`. */
type OwnName<F extends Fields> = Exclude<
  keyof RecordOf<F>,
  RequiredName<F> | Having<F, { readonly initial: unknown }> | OptionalName<RecordOf<F>>
>

/**
 * Creates a record. Each field comes from `values`, otherwise from what was sent (null counts as absent), otherwise from its
 * initial value.
 * @param values must include the fields that nothing else provides
 */
export function newRecord<F extends Fields>(
  fields: F,
  given: object,
  values: Pick<RecordOf<F>, OwnName<F>> & {
    readonly [Name in keyof RecordOf<F>]?: RecordOf<F>[Name] | undefined
  },
): RecordOf<F> {
  const sent = given as FieldValues
  const chosen = values as FieldValues
  const record: Record<string, unknown> = {}
  for (const name of planOf(fields).kept) {
    const value = chosen[name] === undefined ? (sent[name] ?? fields[name]?.options.initial) : chosen[name]
    if (value !== undefined) record[name] = value
  }
  return record as RecordOf<F>
}

/** Applies a patch to a record; `values` takes precedence. */
export function patchRecord<F extends Fields>(
  fields: F,
  record: RecordOf<F>,
  patch: object,
  values: Partial<RecordOf<F>> = {},
): RecordOf<F> {
  return { ...record, ...pickValues(planOf(fields).sent, values, patch as FieldValues), ...values }
}

/** Fields whose form in responses differs from the stored form. */
type ComputedName<F extends Fields> =
  Having<F, { readonly shown: Schema }> | Having<F, { readonly kept: false }>

/** The resource as responses show it. */
export function toShown<F extends Fields>(
  fields: F,
  record: RecordOf<F>,
  computed: Pick<ShownRecord<F>, ComputedName<F> & keyof ShownRecord<F>> & Partial<ShownRecord<F>>,
): ShownRecord<F> {
  return pickValues(planOf(fields).shown, computed, record) as ShownRecord<F>
}

/** The additional fields in responses with extras. Assumption: taskReadExtras */
export function toExtras<F extends Fields>(fields: F, record: RecordOf<F>): Extras<F> {
  return pickValues(planOf(fields).extras, record, {}) as Extras<F>
}

export function toFixture<F extends Fields>(
  fields: F,
  record: RecordOf<F>,
): Omit<RecordOf<F>, Having<F, { readonly fixture: false }>> {
  return pickValues(planOf(fields).written, record, {}) as RecordOf<F>
}
