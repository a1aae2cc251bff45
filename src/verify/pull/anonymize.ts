// A fixture without what its workspace says: ids and free texts are invented, all else stays.
import { base64Size, toBase64 } from '../../contract/data/base64.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { Fixture, FixtureForm } from '../../../fixtures/types.ts'
import { AnonymousText, titleItem } from './anonymous-text.ts'
import { Inventor } from './invented.ts'

/** Whether a field holds an id, or several, wherever it stands in a fixture. */
const isIdField = (name: string) => name === 'assignees' || /^(?:\w+_)?id$/.test(name)

/** All texts and all ids of a fixture. */
function contents(value: unknown, name: string, texts: Set<string>, ids: Set<string>): void {
  if (typeof value === 'string') {
    texts.add(value)
    if (isIdField(name) && value !== titleItem && value !== '') ids.add(value)
  } else if (Array.isArray(value)) {
    for (const item of value) contents(item, name, texts, ids)
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) contents(inner, key, texts, ids)
  }
}

/** Submissions of one moment are listed by id: the new ids are in the order of the old ones. */
function orderedSubmissions(forms: readonly FixtureForm[], ids: Map<string, string>): void {
  for (const { submissions = [] } of forms) {
    for (const moment of new Set(submissions.map(({ created_at }) => created_at))) {
      const group = submissions.filter(({ created_at }) => created_at === moment)
      const originals = group.flatMap(({ id }) => id ?? []).sort()
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

const plain = (to: AnonymousText, text: string) => to.text(text)

/** What becomes of the texts in the other fields that users write. */
const texts: Readonly<Record<string, (to: AnonymousText, text: string) => string>> = {
  ...{ name: plain, title: plain, label: plain, slug: plain, note: plain },
  icon: (to, icon) => (icon === 'folder' ? icon : to.text(icon)),
  formula: (to, formula) => to.formula(formula),
  format: (to, format) => to.format(format),
  filename: (to, filename) => to.filename(filename),
}

function newIds(to: AnonymousText, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((id) => newIds(to, id))
  return typeof value === 'string' ? to.id(value) : value
}

/** An item of an attachment column. */
const newFile = (to: AnonymousText, item: unknown) =>
  isObject(item)
    ? { ...item, key: to.storageKey(String(item.key)), filename: to.filename(String(item.filename)) }
    : item

/** A value of a column or custom field. */
function newValue(to: AnonymousText, spec: Spec | undefined, value: unknown): unknown {
  const { type = '', format } = spec ?? {}
  if (type === 'autonumber' && typeof value === 'string') return to.autonumber(format, value)
  if (type === 'attachment' && Array.isArray(value)) return value.map((item) => newFile(to, item))
  return ['dropdown', 'tags', 'people', 'datatable'].includes(type) ? newIds(to, value) : to.json(value)
}

/** Anything of a fixture, by the name of the field that holds it. */
function newField(to: AnonymousText, name: string, value: unknown, specs: Specs): unknown {
  if (value === null || name === 'keys' || name === 'repeat_config') return value
  if (isIdField(name)) return newIds(to, value)
  if (['description', 'content', 'field_config', 'rules', 'settings'].includes(name)) return to.json(value)
  if (typeof value === 'string') return texts[name]?.(to, value) ?? value
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
 * The fixture with invented ids and texts: each of the same kind and length, each original always by the same. Enumerations,
 * numbers, dates, order and relations stay.
 * @param seed what is invented follows from it; without it, nobody can try which word gives which
 */
export function anonymized(fixture: Fixture, seed: string): Fixture {
  const found = new Set<string>()
  const originals = new Set<string>()
  const workspaces = fixture.workspaces.map(({ keys: _keys, plan: _plan, ...rest }) => rest)
  contents(workspaces, '', found, originals)
  const inventor = new Inventor(seed, found)
  const ids = new Map([...originals].map((id) => [id, inventor.id(id)]))
  orderedSubmissions(
    fixture.workspaces.flatMap(({ forms = [] }) => forms),
    ids,
  )
  const to = new AnonymousText(inventor, ids)
  return {
    ...fixture,
    workspaces: fixture.workspaces.map((workspace) => newRecord(to, workspace)),
    files: newFiles(fixture, to, inventor),
    runtime: { ...fixture.runtime, lists: (fixture.runtime?.lists ?? []).map((id) => to.id(id)) },
  }
}
