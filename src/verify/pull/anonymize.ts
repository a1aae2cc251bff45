// A fixture without what its workspace says: ids and all texts are invented that are no enumeration of the contract.
import { base64Size, toBase64 } from '../../contract/data/base64.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { isObject } from '../../contract/data/objects.ts'
import { columnTypes } from '../../contract/datatables.ts'
import { Plan } from '../../contract/identity.ts'
import { statusTypes } from '../../contract/limits.ts'
import { defaultAnswers, type AnswersInput } from '../../contract/questions/register.ts'
import { priorities } from '../../contract/limits.ts'
import { frequencies } from '../../contract/tasks.ts'
import { isColor } from '../../contract/schema/colors.ts'
import type { Fixture, FixtureForm } from '../../../fixtures/types.ts'
import { AnonymousText, titleItem, type KeptNames } from './anonymous-text.ts'
import { Inventor } from './invented.ts'

/** Whether a field holds an id, or several, wherever it stands in a fixture. */
const isIdField = (name: string) => name === 'assignees' || /^(?:\w+_)?id$/.test(name)

/** All texts and all ids of a fixture. */
function collect(value: unknown, name: string, texts: Set<string>, ids: Set<string>): void {
  if (typeof value === 'string') {
    texts.add(value)
    if (isIdField(name) && value !== titleItem && value !== '') ids.add(value)
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, name, texts, ids)
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      texts.add(key)
      collect(inner, key, texts, ids)
    }
  }
}

/** Submissions of one moment are listed by id: the new ids are in the order of the old ones. */
function orderedSubmissions(forms: readonly FixtureForm[], ids: Map<string, string>): void {
  for (const { submissions = [] } of forms) {
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

/** A column or a custom field. */
interface Spec {
  readonly id: string
  readonly type: string
  readonly format?: string
}
type Specs = ReadonlyMap<unknown, Spec>

/** Texts that the contract gives a meaning, by the field that holds them. */
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

/** The parts of a rich-text document of the contract's type tiptap. */
const documentNames: KeptNames = {
  fields: new Set(['type', 'content', 'text', 'marks', 'attrs']),
  types: new Set(
    'doc paragraph text heading bulletList orderedList listItem blockquote codeBlock hardBreak horizontalRule bold italic strike underline code link'.split(
      ' ',
    ),
  ),
}
const itemNames: KeptNames = {
  fields: new Set(['id', 'label', 'type', 'required', 'options']),
  types: new Set(enumerations.type),
}
/** Fields that hold any JSON, with what is known of it. */
const free: Readonly<Record<string, KeptNames | undefined>> = {
  ...{ description: documentNames, content: documentNames, field_config: itemNames },
  ...{ rules: undefined, settings: undefined },
}

function newText(to: AnonymousText, name: string, text: string): string {
  if (enumerations[name]?.includes(text)) return text
  if (name === 'color' && isColor(text)) return text
  if (name === 'time' && /^\d\d:\d\d$/.test(text)) return text
  if (name === 'mime_type' || name === 'contentType') return to.mediaType(text)
  if (name === 'formula') return to.formula(text)
  return name === 'format' ? to.format(text) : to.text(text)
}

function newIds(to: AnonymousText, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((id) => newIds(to, id))
  return typeof value === 'string' ? to.id(value) : to.json(value)
}

/** An item of an attachment column. */
const newFile = (to: AnonymousText, item: unknown) =>
  isObject(item) ? { ...newRecord(to, item), key: to.storageKey(String(item.key)) } : to.json(item)

/** A value of a column or custom field. */
function newValue(to: AnonymousText, spec: Spec | undefined, value: unknown): unknown {
  const { type = '', format } = spec ?? {}
  if (type === 'autonumber' && typeof value === 'string') return to.autonumber(format, value)
  if (type === 'attachment' && Array.isArray(value)) return value.map((item) => newFile(to, item))
  return ['dropdown', 'tags', 'people', 'datatable'].includes(type) ? newIds(to, value) : to.json(value)
}

/** Anything of a fixture, by the name of the field that holds it. */
function newField(to: AnonymousText, name: string, value: unknown, specs: Specs): unknown {
  if (name === 'keys') return value
  if (isIdField(name)) return newIds(to, value)
  if (name in free) return to.json(value, free[name])
  if (typeof value === 'string') return newText(to, name, value)
  if (Array.isArray(value)) return value.map((item) => newField(to, name, item, specs))
  if (!isObject(value)) return value
  if (name !== 'data' && name !== 'custom_data') return newRecord(to, value, specs)
  return to.keyed(value, (inner, key) => newValue(to, specs.get(key), inner))
}

/** A record of a fixture; `specs` are the columns of its table or the custom fields of its list. */
function newRecord<T extends object>(to: AnonymousText, record: T, specs: Specs = new Map()): T {
  const { columns, fields = columns } = record as Partial<Record<'columns' | 'fields', readonly Spec[]>>
  const below = fields ? new Map(fields.map((spec) => [spec.id, spec])) : specs
  const entries = Object.entries(record).map(([name, value]) => [name, newField(to, name, value, below)])
  return Object.fromEntries(entries) as T
}

/** Contents by their new keys; what was not fetched stays zeros. */
function newFiles(fixture: Fixture, to: AnonymousText, inventor: Inventor): Record<string, string> {
  const lists = fixture.workspaces.flatMap(({ spaces = [] }) => spaces).flatMap((space) => space.lists ?? [])
  const attachments = lists.flatMap(({ tasks = [] }) => tasks).flatMap((task) => task.attachments ?? [])
  const types = new Map(attachments.map(({ id, mime_type = '' }) => [id, mime_type]))
  const files = Object.entries(fixture.files ?? {}).map(([key, contents]) => {
    const type = types.get(key)
    const made = type === undefined ? to.storageKey(key) : to.id(key)
    if (/^A*=*$/.test(contents)) return [made, contents]
    return [made, toBase64(inventor.bytes(key, base64Size(contents), type?.startsWith('text/') === true))]
  })
  return Object.fromEntries(files) as Record<string, string>
}

/**
 * The fixture and its answers with invented ids and texts: each of the same kind and length, each original always by the
 * same. Enumerations of the contract, numbers, dates, order and relations stay.
 * @param seed what is invented follows from it; without it, nobody can try which word gives which
 */
export function anonymize(
  { fixture, answers }: { readonly fixture: Fixture; readonly answers: AnswersInput },
  seed: string,
): { readonly fixture: Fixture; readonly answers: AnswersInput } {
  const texts = new Set<string>()
  const originals = new Set<string>()
  const workspaces = fixture.workspaces.map(({ keys: _keys, plan: _plan, ...rest }) => rest)
  collect(workspaces, '', texts, originals)
  const inventor = new Inventor(seed, texts)
  const ids = new Map([...originals].map((id) => [id, inventor.id(id)]))
  orderedSubmissions(
    fixture.workspaces.flatMap(({ forms = [] }) => forms),
    ids,
  )
  const to = new AnonymousText(inventor, ids)
  const { customFieldTypes } = answers
  return {
    fixture: {
      ...fixture,
      workspaces: fixture.workspaces.map((workspace) => newRecord(to, workspace)),
      files: newFiles(fixture, to, inventor),
      runtime: { ...fixture.runtime, lists: (fixture.runtime?.lists ?? []).map((id) => to.id(id)) },
    },
    answers: {
      ...answers,
      ...(customFieldTypes && {
        customFieldTypes: customFieldTypes.map((type) => newText(to, 'type', type)),
      }),
    },
  }
}
