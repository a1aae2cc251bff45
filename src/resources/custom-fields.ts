// Custom fields of tasks: a list's schema, and the checks and the read shape of their values.
import { toShown } from '../contract/schema/field-values.ts'
import { fieldFields, type ServedCustomField, type FieldRecord, type ListRecord } from '../contract/lists.ts'
import type { JsonObject } from '../contract/values/objects.ts'
import { ApiError } from '../contract/errors.ts'
import type { Answers } from '../contract/questions/register.ts'
import { quote } from '../contract/values/quote.ts'
import { among } from '../contract/schema/checks.ts'
import { formulasOf } from '../rows/formula-sets.ts'
import { checkAgainst, valueCheck } from '../rows/values.ts'
import type { WorkspaceRecord } from '../contract/workspaces.ts'
import type { ReportBreach, Store } from '../store/store.ts'

/** Assumption: customFieldOptions */
export function toField(answers: Answers, field: FieldRecord): ServedCustomField {
  const shown = toShown(fieldFields, field, {})
  if (!shown.options || answers.customFieldOptions === 'full') return shown
  return { ...shown, options: shown.options.map(({ label }) => ({ label })) }
}

const isReadOnly = (field: FieldRecord) => field.readonly || field.type === 'formula'

/**
 * The values of custom_data to store, null for those to clear; values for read-only fields
 * are left out. Assumption: typeChecks, unknownCustomFields
 * @param held the task's current values
 * @throws {ApiError} validation
 */
export function checkCustomData(
  store: Store,
  workspace: WorkspaceRecord,
  list: ListRecord,
  sent: JsonObject,
  reportBreach: ReportBreach,
  held: JsonObject = {},
): JsonObject {
  const values: JsonObject = {}
  for (const [key, value] of Object.entries(sent)) {
    const field = list.fields.find(({ id }) => id === key)
    if (!field) {
      refuseUnknown(store.answers, list, key, reportBreach)
    } else if (isReadOnly(field)) {
      reportBreach('read-only-write', field.id)
    } else {
      const check = valueCheck(field, store, workspace)
      const checked = checkAgainst(check, value, Object.hasOwn(held, key) ? held[key] : undefined)
      if ('error' in checked) throw new ApiError('validation', `custom_data.${key} ${checked.error}`)
      values[key] = checked.value
    }
  }
  return values
}

function refuseUnknown(
  answers: Answers,
  { fields }: ListRecord,
  key: string,
  reportBreach: ReportBreach,
): void {
  const named = fields.find(({ name }) => name === key)
  reportBreach(named ? 'row-key-name' : 'unknown-key', key)
  if (answers.unknownCustomFields === 'ignore') return
  const allowed = named
    ? `keys are ids, and that of ${quote(named.name)} is ${named.id}`
    : `keys must be ids of its fields${among(fields.map(({ id }) => id))}`
  throw new ApiError(
    'validation',
    `custom_data.${key} is not a field of the list: ${allowed}; received ${quote(key)}`,
    { reported: true },
  )
}

/** Values over a base that is merged or replaced; a null takes its field out. Assumption: customDataPatch */
export function mergedCustomData(base: JsonObject, values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...base, ...values }).filter(([, value]) => value !== null))
}

/** What formulas see: a dropdown by its label, a formula computed, all else as stored. Assumption: formulaLanguage */
function fieldReader({ fields }: ListRecord, stored: JsonObject): (field: FieldRecord) => unknown {
  const results = new Map<FieldRecord, unknown>()
  const operand = (name: string): unknown => {
    const field = fields.find((candidate) => candidate.name === name)
    return field ? valueOf(field) : null
  }
  function valueOf(field: FieldRecord): unknown {
    const { id, type, options, formula } = field
    const value = Object.hasOwn(stored, id) ? stored[id] : null
    if (type === 'dropdown') return options?.find((option) => option.id === value)?.label ?? null
    // A field whose formula is unknown has stored values.
    if (type !== 'formula' || formula === undefined) return value
    if (results.has(field)) return results.get(field)
    // Null until computed: every formula of a cycle gives null.
    results.set(field, null)
    const result = formulasOf(fields).get(field)?.(operand) ?? null
    results.set(field, result)
    return result
  }
  return valueOf
}

/** custom_data as read: stored values and the formula fields of the list. */
export function toCustomData(list: ListRecord, stored: JsonObject): JsonObject {
  const formulas = list.fields.filter(({ type }) => type === 'formula')
  if (formulas.length === 0) return stored
  const valueOf = fieldReader(list, stored)
  return { ...stored, ...Object.fromEntries(formulas.map((field) => [field.id, valueOf(field)])) }
}
