// Custom fields of tasks: how lists show them, and how their values are checked and read.
import { toShown } from '../../contract/schema/field-values.ts'
import {
  fieldFields,
  type ServedCustomField,
  type FieldRecord,
  type ListRecord,
} from '../../contract/lists.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { quote } from '../../contract/text/quote.ts'
import { toAllowedNote } from '../../contract/schema/checks.ts'
import { getFormulaReaders } from '../rows/formula-sets.ts'
import { checkAgainst, createValueCheck } from '../rows/values.ts'
import type { WorkspaceRecord } from '../../contract/workspaces.ts'
import type { ReportBreach, Store } from '../store/store.ts'

/** Assumption: customFieldOptions */
export function toField(answers: Answers, field: FieldRecord): ServedCustomField {
  const shown = toShown(fieldFields, field, {})
  if (!shown.options || answers.customFieldOptions === 'full') return shown
  return { ...shown, options: shown.options.map(({ label }) => ({ label })) }
}

/**
 * Checks custom_data and returns the values to store; null clears a field. Drops values for read-only fields. Assumption:
 * typeChecks, unknownCustomFields
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
    if (!field) reportUnknownKey(store.answers, list, key, reportBreach)
    else if (field.readonly || field.type === 'formula') reportBreach('read-only-write', field.id, value)
    else {
      const check = createValueCheck(field, store, workspace)
      const checked = checkAgainst(check, value, Object.hasOwn(held, key) ? held[key] : undefined)
      const path = `custom_data.${key}`
      if ('error' in checked) throw new ApiError('validation', `${path} ${checked.error}`, { field: path })
      values[key] = checked.value
    }
  }
  return values
}

/** @throws {ApiError} validation, unless unknown keys are ignored */
function reportUnknownKey(answers: Answers, { fields }: ListRecord, key: string, reportBreach: ReportBreach) {
  const named = fields.find(({ name }) => name === key)
  reportBreach(named ? 'row-key-name' : 'unknown-key', key)
  if (answers.unknownCustomFields === 'ignore') return
  const allowed = named
    ? `keys are ids, and the id of ${quote(named.name)} is ${named.id}`
    : `keys must be ids of its fields${toAllowedNote(fields.map(({ id }) => id))}`
  throw new ApiError(
    'validation',
    `custom_data.${key} is not a field of the list: ${allowed}; received ${quote(key)}`,
    { reported: true },
  )
}

/** Merges new values into existing ones; null removes a field. Assumption: customDataPatch */
export function mergeCustomData(base: JsonObject, values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...base, ...values }).filter(([, value]) => value !== null))
}

/** custom_data as shown in responses: stored values plus the list's formula fields. */
export function toCustomData({ fields }: ListRecord, stored: JsonObject): JsonObject {
  const readers = getFormulaReaders(
    fields,
    ({ id }: FieldRecord) =>
      (values: JsonObject): unknown =>
        Object.hasOwn(values, id) ? values[id] : null,
  )
  if (readers.size === 0) return stored
  return { ...stored, ...Object.fromEntries([...readers].map(([{ id }, read]) => [id, read(stored)])) }
}
