// Forms and submissions, and what a submission writes.
import { isEmpty, isObject, isUnset } from '../../contract/data/objects.ts'
import { JsonObject } from '../../contract/schema/maps.ts'
import { newRecord, toShown } from '../../contract/schema/field-values.ts'
import { formFields, submissionFields, FormSubmission } from '../../contract/forms.ts'
import type { FormRecord, SubmissionRecord, Form } from '../../contract/forms.ts'
import type { Entity } from '../../contract/resources.ts'
import { ApiError } from '../../contract/errors.ts'
import { describeNearestRecord } from '../../contract/text/nearest.ts'
import { quote } from '../../contract/text/quote.ts'
import { compareText } from '../../contract/text/format.ts'
import { toAllowedNote, toValueError } from '../../contract/schema/checks.ts'
import { compileTable } from '../rows/columns.ts'
import { writeRow } from '../rows/rows.ts'
import { addTask } from './tasks.ts'
import { mapOptionIds, type ValueSpec } from '../rows/values.ts'
import { findFirstIndex, type Index } from '../store/collection.ts'
import { ignoreBreach, type Store } from '../store/store.ts'
import type { Handlers } from './request.ts'

/** A form as shown in responses, listed or single. Assumption: formTargetType, formStructure */
export function toForm(store: Store, form: FormRecord): Form {
  const shown = toShown(formFields, form, {})
  const asRow = form.target_type === 'datatable' && store.answers.formTargetType === 'datatable_row'
  return asRow ? { ...shown, target_type: 'datatable_row' } : shown
}

export function toSubmission(submission: SubmissionRecord): FormSubmission {
  return toShown(submissionFields, submission, {})
}

/** Submissions by form, oldest first. */
export const byForm: Index<SubmissionRecord> = {
  keysOf: ({ form_id }) => [form_id],
  compare: (a, b) => a.created_at - b.created_at || compareText(a.id, b.id),
}

export const formHandlers = {
  listForms: ({ store, workspace }) => ({
    forms: store.forms.ownedBy(workspace.id).map((form) => toForm(store, form)),
  }),

  getForm: ({ store, at }) => ({ form: toForm(store, at.form) }),

  /** The submissions created strictly after `since` (Unix seconds), oldest first. Assumption: listOrder */
  listFormSubmissions({ store, at, query: { limit, offset, since = -Infinity } }) {
    const submissions = store.submissions.of(byForm, at.form.id)
    const from = offset + findFirstIndex(submissions, ({ created_at }) => created_at > since)
    return { submissions: submissions.slice(from, from + limit).map(toSubmission), limit, offset }
  },
} satisfies Partial<Handlers>

function requireForm(store: Store, formId: string): FormRecord {
  const form = store.forms.get(formId)
  if (!form)
    throw new ApiError(
      'notFound',
      `form ${quote(formId)} does not exist${describeNearestRecord(formId, store.forms.all())}`,
    )
  return form
}

/**
 * Publishes a form, or makes it a draft again. Assumption: formPublishing
 * @throws {ApiError} notFound
 */
export function publishForm(store: Store, formId: string, published: boolean): FormRecord {
  const form = requireForm(store, formId)
  const is_published = published ? 1 : 0
  if (form.is_published === is_published) return form
  return store.forms.put({ ...form, is_published, updated_at: store.clock.now() })
}

/** The properties of a field_config item that the mock uses; items can be any JSON. Assumption: formStructure */
interface FormItem {
  readonly id: string
  readonly label: string
  readonly type: string
  readonly isRequired: boolean
}

function itemsOf(form: FormRecord): FormItem[] {
  return form.field_config.filter(isObject).flatMap(({ id, label, type, required }) => {
    if (typeof id !== 'string') return []
    const toText = (value: unknown, other: string) => (typeof value === 'string' ? value : other)
    return { id, label: toText(label, id), type: toText(type, ''), isRequired: required === true }
  })
}

/** A submission's values, by item id. */
type FormValues = ReadonlyMap<string, unknown>

/** Copies the data, because what is stored must not be shared with callers. @throws {ApiError} validation */
function parseSubmission(data: unknown): JsonObject {
  if (!isObject(data)) throw toValueError('data', 'an object keyed by the ids of the form fields', data)
  try {
    return JSON.parse(JSON.stringify(data)) as JsonObject
  } catch {
    throw new ApiError('validation', 'data must be plain JSON; received a value that JSON cannot represent')
  }
}

/** Whether a value is unset, blank, or a list of such values. Assumption: formPublishing */
const isBlank = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every(isBlank)
    : isUnset(value) || (typeof value === 'string' && !isText(value))

/** Maximum number of unknown fields that an error names. */
const mostUnknown = 20

/** @throws {ApiError} validation, naming each unknown and each missing item */
function assertValues(items: readonly FormItem[], data: JsonObject): void {
  const ids = items.map(({ id }) => id)
  const valueOf = (id: string) => (Object.hasOwn(data, id) ? data[id] : undefined)
  const toProblem = (id: string, what: string) => ({
    path: `data.${id}`,
    message: `data.${id}${what}; received ${quote(valueOf(id))}`,
  })
  const unknown = Object.keys(data).filter((key) => !ids.includes(key))
  const missing = items.filter(({ id, isRequired }) => isRequired && isBlank(valueOf(id)))
  const problems = [
    ...unknown
      .slice(0, mostUnknown)
      .map((id) => toProblem(id, ` is not a field of the form${toAllowedNote(ids)}`)),
    ...missing.map(({ id, label }) => toProblem(id, ` (${label}) is required`)),
  ]
  if (problems.length > 0)
    throw new ApiError('validation', problems.map(({ message }) => message).join('; '), { problems })
}

/**
 * Values of items whose id is that of a column or field; other values stay only in the submission. Forms offer option labels
 * but store ids; anything that is not a label is left to the value check.
 */
function toTargetValues(targets: readonly (ValueSpec & Entity)[], values: FormValues): JsonObject {
  const found = targets.filter(({ id }) => values.has(id))
  const entries = found.map(({ id, type, options = [] }): [string, unknown] => {
    const given = values.get(id)
    const ids = mapOptionIds(options, true)
    const idOf = (value: unknown) => ids.get(value) ?? value
    if (type === 'dropdown') return [id, idOf(given)]
    if (type === 'tags') return [id, Array.isArray(given) ? given.map(idOf) : [idOf(given)]]
    return [id, given]
  })
  return Object.fromEntries(entries)
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/**
 * Writes a submission's row, or its task. A task gets its title from the value of `title`, the first text field, or the
 * form's name.
 * @returns its id
 */
function writeTarget(store: Store, form: FormRecord, items: readonly FormItem[], values: FormValues): string {
  if (form.target_type === 'task') {
    const list = store.lists.getOrThrow(form.target_id)
    const workspace = store.workspaces.getOrThrow(form.workspace_id)
    const given = values.get('title')
    if (given !== undefined && typeof given !== 'string') throw toValueError('data.title', 'a string', given)
    const texts = items.filter(({ type }) => /text/i.test(type)).map(({ id }) => values.get(id))
    const title = [given, ...texts].find(isText) ?? form.name
    const custom_data = toTargetValues(list.fields, values)
    return addTask({ store, workspace, list, reportBreach: ignoreBreach }, { title, custom_data }).id
  }
  const record = store.tables.getOrThrow(form.target_id)
  return writeRow(compileTable(store, record), toTargetValues(record.columns, values), ignoreBreach).id
}

/**
 * Submits a published form: writes its task or row and keeps the submission. Assumption: formPublishing
 * @throws {ApiError} notFound or validation
 */
export function submitForm(store: Store, formId: string, data: unknown): SubmissionRecord {
  const form = requireForm(store, formId)
  if (form.is_published === 0)
    throw new ApiError('validation', `form ${form.id} is a draft; only a published form accepts submissions`)
  const items = itemsOf(form)
  const submitted = parseSubmission(data)
  assertValues(items, submitted)
  const values = new Map(Object.entries(submitted).filter(([, value]) => !isEmpty(value)))
  const created_entity_type = form.target_type === 'task' ? 'task' : 'datatable_row'
  const created_entity_id = writeTarget(store, form, items, values)
  const [at, id] = [store.clock.now(), store.newId('submissions')]
  const owner = { workspace_id: form.workspace_id, form_id: form.id }
  const own = { id, ...owner, created_entity_type, created_entity_id, created_at: at } as const
  const submission = store.submissions.put(newRecord(submissionFields, { data: submitted }, own))
  store.forms.put({ ...form, submission_count: form.submission_count + 1 })
  store.emit('form.submitted', () => ({ at, ...owner, submission: toSubmission(submission) }))
  return submission
}
