// Anonymizes a fixture: replaces its ids, and every text that the contract gives no meaning to.
import { sizeOfBase64, toBase64 } from '../../contract/data/base64.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { isObject } from '../../contract/data/objects.ts'
import { columnTypes } from '../../contract/datatables.ts'
import { Plan } from '../../contract/identity.ts'
import { priorities, statusTypes } from '../../contract/limits.ts'
import { defaultAnswers, type AnswersInput } from '../../contract/questions/register.ts'
import { isColor } from '../../contract/schema/colors.ts'
import { frequencies } from '../../contract/tasks.ts'
import type { Fixture } from '../../../fixtures/types.ts'
import { AnonymousText, Inventor } from './anonymous-text.ts'

/** The form item that becomes the task's title. */
const titleItem = 'title'

/** Whether fields of this name hold ids, in any record. */
const isIdField = (name: string) => name === 'assignees' || /^(?:\w+_)?id$/.test(name)

/** Values that the contract defines, by field. */
const enumerations: Readonly<Record<string, readonly string[]>> = {
  plan: Plan.options,
  type: [...columnTypes, ...defaultAnswers.customFieldTypes, ...statusTypes],
  priority: priorities,
  mode: ['select', 'items'],
  target_type: ['task', 'datatable', 'datatable_row'],
  trigger: ['on_schedule', 'on_complete'],
  frequency: frequencies,
  currency_code: Intl.supportedValuesOf('currency'),
  icon: ['folder'],
}
/** File types that identify nobody. */
const mediaTypes =
  'text/plain text/csv text/html application/json application/pdf application/zip image/png image/jpeg image/gif image/webp image/svg+xml video/mp4 audio/mpeg'
const anonymizeMediaType = (_: AnonymousText, type: string) =>
  mediaTypes.split(' ').includes(type) ? type : 'application/octet-stream'

/** Fields whose values must stay in a valid format, such as colours and formulas. */
const texts: Readonly<Record<string, (to: AnonymousText, text: string) => string>> = {
  color: (to, text) => (isColor(text) ? text : to.replaceText(text)),
  time: (to, text) => (/^\d\d:\d\d$/.test(text) ? text : to.replaceText(text)),
  formula: (to, text) => to.replaceFormula(text),
  format: (to, text) => to.replaceFormat(text),
  mime_type: anonymizeMediaType,
  contentType: anonymizeMediaType,
  key: (to, text) => to.replaceStorageKey(text),
}

/** Names kept in users' JSON: fields, and values of the field `type`. */
interface KeptNames {
  readonly fields: readonly string[]
  readonly types: readonly string[]
}
/** Rich text of type tiptap. */
const document: KeptNames = {
  fields: ['type', 'content', 'text', 'marks', 'attrs'],
  types:
    'doc paragraph text heading bulletList orderedList listItem blockquote codeBlock hardBreak horizontalRule bold italic strike underline code link'.split(
      ' ',
    ),
}
const formItem: KeptNames = {
  fields: ['id', 'label', 'type', 'required', 'options'],
  types: enumerations.type ?? [],
}
const nothing: KeptNames = { fields: [], types: [] }
/** Fields that hold arbitrary JSON, with the names kept in it. */
const free: Readonly<Record<string, KeptNames>> = {
  ...{ description: document, content: document, field_config: formItem },
  ...{ rules: nothing, settings: nothing },
}

/** Replaces texts and keys in users' JSON. */
function anonymizeJson(to: AnonymousText, value: unknown, kept: KeptNames = nothing, name = ''): unknown {
  const isKept = name === 'type' ? kept.types.includes(String(value)) : name === 'id' && value === titleItem
  if (typeof value === 'string') return isKept ? value : to.replaceText(value)
  if (Array.isArray(value)) return value.map((item) => anonymizeJson(to, item, kept))
  if (!isObject(value)) return value
  return anonymizeKeys(to, value, (inner, key) => anonymizeJson(to, inner, kept, key), kept.fields)
}

function anonymizeKeys(
  to: AnonymousText,
  value: object,
  change: (inner: unknown, key: string) => unknown,
  kept: readonly string[] = [],
) {
  const newKey = (key: string) => (key === titleItem || kept.includes(key) ? key : to.replaceText(key))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [newKey(key), change(inner, key)]))
}

/** A column or a custom field. */
interface Spec {
  readonly id: string
  readonly type: string
  readonly format?: string
}
type Specs = ReadonlyMap<unknown, Spec>

function anonymizeIds(to: AnonymousText, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((id) => anonymizeIds(to, id))
  return typeof value === 'string' ? to.id(value) : anonymizeJson(to, value)
}

function anonymizeValue(to: AnonymousText, { type = '', format }: Partial<Spec>, value: unknown): unknown {
  if (type === 'autonumber' && typeof value === 'string') return to.replaceAutonumber(format, value)
  if (type === 'attachment') return anonymizeField(to, 'attachments', value)
  return ['dropdown', 'tags', 'people', 'datatable'].includes(type)
    ? anonymizeIds(to, value)
    : anonymizeJson(to, value)
}

/** @param specs columns of the enclosing table, or custom fields of the enclosing list */
function anonymizeField(to: AnonymousText, name: string, value: unknown, specs: Specs = new Map()): unknown {
  if (name === 'keys') return value
  if (isIdField(name)) return anonymizeIds(to, value)
  const kept = free[name]
  if (kept) return anonymizeJson(to, value, kept)
  if (typeof value === 'string')
    return enumerations[name]?.includes(value) ? value : (texts[name]?.(to, value) ?? to.replaceText(value))
  if (Array.isArray(value)) return value.map((item) => anonymizeField(to, name, item, specs))
  if (!isObject(value)) return value
  if (name === 'data' || name === 'custom_data')
    return anonymizeKeys(to, value, (inner, key) => anonymizeValue(to, specs.get(key) ?? {}, inner))
  const { columns, fields = columns } = value
  const own = Array.isArray(fields) ? new Map((fields as Spec[]).map((spec) => [spec.id, spec])) : specs
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, anonymizeField(to, key, inner, own)]),
  )
}

function collectTexts(value: unknown, name: string, found: Set<string>, ids: Set<string>): void {
  if (typeof value === 'string') {
    found.add(value)
    if (isIdField(name) && value !== titleItem && value !== '') ids.add(value)
  } else if (Array.isArray(value)) {
    for (const item of value) collectTexts(item, name, found, ids)
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      found.add(key)
      collectTexts(inner, key, found, ids)
    }
  }
}

/** Makes new submission ids sort like the old ones, because submissions with the same time are listed by id. */
function orderSubmissions({ workspaces }: Fixture, ids: Map<string, string>): void {
  for (const { submissions = [] } of workspaces.flatMap(({ forms = [] }) => forms)) {
    const moments = new Map<unknown, string[]>()
    for (const { id, created_at } of submissions)
      if (id !== undefined) getOrInsert(moments, created_at, (): string[] => []).push(id)
    for (const group of moments.values()) {
      const originals = group.sort()
      const invented = originals.map((id) => ids.get(id) ?? id).sort()
      for (const [index, id] of originals.entries()) ids.set(id, invented[index] ?? id)
    }
  }
}

/** Replaces file contents. Files that were not fetched stay filled with zero bytes. */
function anonymizeFiles({ workspaces, files = {} }: Fixture, to: AnonymousText): Record<string, string> {
  // Task files are keyed by id, row files by storage key.
  const types = new Map<unknown, unknown>()
  JSON.stringify(workspaces, (_, value: unknown) => {
    if (isObject(value) && 'size_bytes' in value) types.set(value.id, value.mime_type)
    return value
  })
  const made = Object.entries(files).map(([key, contents]) => {
    const type = types.get(key)
    const isText = typeof type === 'string' && type.startsWith('text/')
    const isUnfetched = /^A*=*$/.test(contents)
    const bytes = () => toBase64(to.inventor.inventBytes(key, sizeOfBase64(contents), isText))
    return [
      types.has(key) ? to.id(key) : to.replaceStorageKey(key),
      isUnfetched ? contents : bytes(),
    ] as const
  })
  return Object.fromEntries(made)
}

/**
 * Replaces ids and texts, always the same original with the same replacement. Keeps enumerations, numbers, dates,
 * order and relations.
 */
export function anonymize(
  { fixture, answers }: { readonly fixture: Fixture; readonly answers: AnswersInput },
  seed: string,
): { readonly fixture: Fixture; readonly answers: AnswersInput } {
  const found = new Set<string>()
  const originals = new Set<string>()
  const workspaces = fixture.workspaces.map(({ keys: _keys, plan: _plan, ...rest }) => rest)
  collectTexts(workspaces, '', found, originals)
  const inventor = new Inventor(seed, found)
  const ids = new Map([...originals].map((id) => [id, inventor.invent(id)]))
  orderSubmissions(fixture, ids)
  const to = new AnonymousText(inventor, ids)
  const { customFieldTypes } = answers
  return {
    fixture: {
      ...fixture,
      workspaces: anonymizeField(to, 'workspaces', fixture.workspaces) as Fixture['workspaces'],
      files: anonymizeFiles(fixture, to),
      runtime: { ...fixture.runtime, lists: (fixture.runtime?.lists ?? []).map((id) => to.id(id)) },
    },
    answers: {
      ...answers,
      ...(customFieldTypes && {
        customFieldTypes: customFieldTypes.map((type) => String(anonymizeField(to, 'type', type))),
      }),
    },
  }
}
