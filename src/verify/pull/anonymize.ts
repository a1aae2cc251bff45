// A fixture without what its workspace says: ids and free texts are invented, all else stays.
import { base64Size, toBase64 } from '../../contract/values/base64.ts'
import { isObject } from '../../contract/values/objects.ts'
import type { Fixture, FixtureForm } from '../../../fixtures/types.ts'
import { AnonymousText, titleItem } from './anonymous-text.ts'
import { Inventor } from './invented.ts'

/** Fields that hold an id, or several, wherever they stand in a fixture. */
const idFields = new Set(
  'id folder_id project_id type_id created_entity_id target_id default_list_id parent_task_id status_id author_id user_id table_id assignees'.split(
    ' ',
  ),
)
/** All texts and all ids of a fixture. */
function contents(value: unknown, name: string, texts: Set<string>, ids: Set<string>): void {
  if (typeof value === 'string') {
    texts.add(value)
    if (idFields.has(name) && value !== titleItem && value !== '') ids.add(value)
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
  readonly type: string
  readonly format?: string
}
type Specs = ReadonlyMap<unknown, Spec>

class Anonymizer {
  readonly #to: AnonymousText
  /** What becomes of the texts in the other fields that users write. */
  readonly #texts: Readonly<Record<string, (text: string) => string>>

  constructor(to: AnonymousText) {
    this.#to = to
    const text = (original: string) => to.text(original)
    const icon = (original: string) => (original === 'folder' ? original : to.text(original))
    this.#texts = {
      ...{ name: text, title: text, label: text, slug: text, note: text, icon },
      formula: (formula) => to.formula(formula),
      format: (format) => this.#format(format),
      filename: (filename) => to.filename(filename),
    }
  }

  /** Numbers stay, what is around them follows the format. */
  #autonumber(format: string | undefined, value: string): string {
    const [, prefix = '', suffix = ''] = /^([^{]*)\{[^}]*\}(.*)$/s.exec(format ?? '') ?? [undefined, format]
    if (!value.startsWith(prefix) || !value.endsWith(suffix)) return this.#to.text(value)
    const number = value.slice(prefix.length, value.length - suffix.length)
    return `${this.#to.text(prefix)}${/^\d*$/.test(number) ? number : this.#to.text(number)}${this.#to.text(suffix)}`
  }

  #format(format: string): string {
    const [, prefix, braces, suffix] = /^([^{]*)(\{[^}]*\})(.*)$/s.exec(format) ?? []
    if (prefix === undefined || braces === undefined) return this.#to.text(format)
    return `${this.#to.text(prefix)}${braces}${this.#to.text(suffix ?? '')}`
  }

  #ids(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((id) => this.#ids(id))
    return typeof value === 'string' ? this.#to.id(value) : value
  }

  #file(item: unknown): unknown {
    if (!isObject(item)) return item
    const filename = this.#to.filename(String(item.filename))
    return { ...item, key: this.#to.storageKey(String(item.key)), filename }
  }

  /** A value of a column or custom field. */
  #value({ type, format }: Spec, value: unknown): unknown {
    if (type === 'autonumber' && typeof value === 'string') return this.#autonumber(format, value)
    if (type === 'attachment' && Array.isArray(value)) return value.map((item) => this.#file(item))
    return ['dropdown', 'tags', 'people', 'datatable'].includes(type)
      ? this.#ids(value)
      : this.#to.json(value)
  }

  /** Anything of a fixture, by the name of the field that holds it. */
  #field(name: string, value: unknown, specs: Specs): unknown {
    if (value === null || name === 'keys' || name === 'repeat_config') return value
    if (idFields.has(name)) return this.#ids(value)
    if (['description', 'content', 'field_config', 'rules', 'settings'].includes(name))
      return this.#to.json(value)
    if (typeof value === 'string') return this.#texts[name]?.(value) ?? value
    if (Array.isArray(value)) return value.map((item) => this.#field(name, item, specs))
    if (!isObject(value)) return value
    if (name !== 'data' && name !== 'custom_data') return this.record(value, specs)
    return this.#to.keyed(value, (inner, key) => this.#value(specs.get(key) ?? { type: '' }, inner))
  }

  /** A record of a fixture; `specs` are the columns of its table or the custom fields of its list. */
  record<T extends object>(record: T, specs: Specs = new Map()): T {
    const { columns, fields } = record as { columns?: (Spec & { id: string })[]; fields?: typeof columns }
    const own = columns ?? fields
    const below = own ? new Map(own.map((spec) => [spec.id, spec])) : specs
    const entries = Object.entries(record).map(([name, value]) => [name, this.#field(name, value, below)])
    return Object.fromEntries(entries) as T
  }
}

/** Contents by their new keys; what was not fetched stays zeros. */
function newFiles(fixture: Fixture, to: AnonymousText, inventor: Inventor): Record<string, string> {
  const tasks = fixture.workspaces.flatMap(({ spaces = [] }) => spaces).flatMap(({ lists = [] }) => lists)
  const attachments = tasks.flatMap((list) => list.tasks ?? []).flatMap((task) => task.attachments ?? [])
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
  const texts = new Set<string>()
  const originals = new Set<string>()
  const workspaces = fixture.workspaces.map(({ keys: _keys, plan: _plan, ...rest }) => rest)
  contents(workspaces, '', texts, originals)
  const inventor = new Inventor(seed, texts)
  const ids = new Map([...originals].map((id) => [id, inventor.id(id)]))
  orderedSubmissions(
    fixture.workspaces.flatMap(({ forms = [] }) => forms),
    ids,
  )
  const to = new AnonymousText(inventor, ids)
  const anonymizer = new Anonymizer(to)
  return {
    ...fixture,
    workspaces: fixture.workspaces.map((workspace) => anonymizer.record(workspace)),
    files: newFiles(fixture, to, inventor),
    runtime: { ...fixture.runtime, lists: (fixture.runtime?.lists ?? []).map((id) => to.id(id)) },
  }
}
