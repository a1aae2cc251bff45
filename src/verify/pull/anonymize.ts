// A fixture without what its workspace says: ids and free texts are invented, all else stays.
import { base64Size, toBase64 } from '../../contract/values/base64.ts'
import { isObject, type JsonObject } from '../../contract/values/objects.ts'
import type {
  Fixture,
  FixtureColumn,
  FixtureField,
  FixtureForm,
  FixtureList,
  FixtureOption,
  FixtureSpace,
  FixtureTable,
  FixtureTask,
  FixtureWorkspace,
} from '../../../fixtures/types.ts'
import { AnonymousText } from './anonymous-text.ts'
import { Inventor } from './invented.ts'

/** Fields that hold ids wherever they stand in a fixture. */
const idFields = new Set([
  'id',
  'folder_id',
  'project_id',
  'type_id',
  'created_entity_id',
  'target_id',
  'default_list_id',
  'parent_task_id',
])
/** Means the title of the task that a form makes. */
const titleItem = 'title'

/** All texts and all ids of a fixture. */
function contents(value: unknown, name: string, texts: Set<string>, ids: Set<string>): void {
  if (typeof value === 'string') {
    texts.add(value)
    if (idFields.has(name) && value !== titleItem && value !== '') ids.add(value)
  } else if (Array.isArray(value)) {
    for (const item of value) contents(item, '', texts, ids)
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

class Anonymizer {
  readonly #to: AnonymousText

  constructor(to: AnonymousText) {
    this.#to = to
  }

  #options(options: readonly FixtureOption[] | undefined) {
    return (
      options &&
      options.map((option) => ({
        ...option,
        ...(option.id !== undefined && { id: this.#to.id(option.id) }),
        label: this.#to.text(option.label),
      }))
    )
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

  #attachment(item: unknown): unknown {
    if (!isObject(item)) return item
    return {
      ...item,
      key: this.#to.storageKey(String(item.key)),
      filename: this.#to.filename(String(item.filename)),
    }
  }

  #value({ type, format }: { readonly type: string; readonly format?: string }, value: unknown): unknown {
    if (type === 'autonumber' && typeof value === 'string') return this.#autonumber(format, value)
    if (type === 'attachment' && Array.isArray(value)) return value.map((item) => this.#attachment(item))
    if (['dropdown', 'tags', 'people', 'datatable'].includes(type)) {
      if (Array.isArray(value)) return value.map((id) => this.#to.id(String(id)))
      if (typeof value === 'string') return this.#to.id(value)
    }
    return this.#to.json(value)
  }

  #values(specs: readonly (FixtureColumn | FixtureField)[], data: JsonObject): JsonObject {
    const byId = new Map(specs.map((spec) => [spec.id, spec]))
    return Object.fromEntries(
      Object.entries(data).map(([id, value]) => [
        this.#to.id(id),
        this.#value(byId.get(id) ?? { type: '' }, value),
      ]),
    )
  }

  #spec<Spec extends FixtureColumn | FixtureField>(spec: Spec): Spec {
    const options = this.#options(spec.options)
    return {
      ...spec,
      ...this.#named(spec),
      ...(options && { options }),
      ...('format' in spec && spec.format !== undefined && { format: this.#format(spec.format) }),
      ...(spec.formula !== undefined && { formula: this.#to.formula(spec.formula) }),
      ...(spec.table_id !== undefined && { table_id: this.#to.id(spec.table_id) }),
    }
  }

  #table(table: FixtureTable): FixtureTable {
    const rows = (table.rows ?? []).map((row) => ({
      ...row,
      id: this.#to.id(row.id ?? ''),
      data: this.#values(table.columns, row.data ?? {}),
    }))
    return {
      ...table,
      ...this.#named(table),
      columns: table.columns.map((column) => this.#spec(column)),
      rows,
    }
  }

  #named({ id, name }: { readonly id?: string; readonly name?: string }) {
    return { id: this.#to.id(id ?? ''), name: this.#to.text(name ?? '') }
  }

  #idOrNull(id: string | null | undefined) {
    return typeof id === 'string' ? this.#to.id(id) : null
  }

  #icon<T extends string | null | undefined>(icon: T) {
    return typeof icon === 'string' && icon !== 'folder' ? this.#to.text(icon) : icon
  }

  #task(fields: readonly FixtureField[], task: FixtureTask): FixtureTask {
    const { comments = [], time_entries = [], attachments = [], custom_data = {} } = task
    const { id, title, status_id, assignees = [], description } = task
    return {
      ...task,
      id: this.#to.id(id ?? ''),
      title: this.#to.text(title),
      ...(status_id !== undefined && { status_id: this.#to.id(status_id) }),
      ...(description !== undefined && { description: this.#to.json(description) as string }),
      ...Object.fromEntries(
        (['project_id', 'parent_task_id', 'type_id'] as const).flatMap((name) =>
          name in task ? [[name, this.#idOrNull(task[name])]] : [],
        ),
      ),
      assignees: assignees.map((member) => this.#to.id(member)),
      custom_data: this.#values(fields, custom_data),
      comments: comments.map((comment) => ({
        ...comment,
        id: this.#to.id(comment.id ?? ''),
        author_id: this.#to.id(comment.author_id ?? ''),
        content: this.#to.json(comment.content) as string,
      })),
      time_entries: time_entries.map((entry) => ({
        ...entry,
        id: this.#to.id(entry.id ?? ''),
        user_id: this.#to.id(entry.user_id ?? ''),
        note: this.#to.text(entry.note ?? ''),
      })),
      attachments: attachments.map((file) => ({
        ...file,
        id: this.#to.id(file.id ?? ''),
        filename: this.#to.filename(file.filename),
      })),
    }
  }

  #list(list: FixtureList): FixtureList {
    const { fields = [], statuses = [], tasks = [], folder_id = null, icon = null } = list
    return {
      ...list,
      ...this.#named(list),
      folder_id: this.#idOrNull(folder_id),
      icon: this.#icon(icon),
      statuses: statuses.map((status) => ({ ...status, ...this.#named(status) })),
      fields: fields.map((field) => this.#spec(field)),
      tasks: tasks.map((task) => this.#task(fields, task)),
    }
  }

  #space(space: FixtureSpace): FixtureSpace {
    const { lists = [], icon = 'folder', default_list_id = '' } = space
    return {
      ...space,
      ...this.#named(space),
      icon: this.#icon(icon),
      default_list_id: this.#to.id(default_list_id),
      lists: lists.map((list) => this.#list(list)),
    }
  }

  #form(form: FixtureForm): FixtureForm {
    const { slug = '', target_id, field_config = [], rules = [], settings = {}, submissions = [] } = form
    return {
      ...form,
      ...this.#named(form),
      slug: this.#to.text(slug),
      target_id: this.#to.id(target_id),
      field_config: field_config.map((item) => this.#to.json(item)),
      rules: this.#to.json(rules) as JsonObject,
      settings: this.#to.object(settings),
      submissions: submissions.map((submission) => ({
        ...submission,
        id: this.#to.id(submission.id ?? ''),
        data: this.#to.object(submission.data ?? {}),
        created_entity_id: this.#to.id(submission.created_entity_id),
      })),
    }
  }

  workspace(workspace: FixtureWorkspace): FixtureWorkspace {
    const { members = [], tables = [], spaces = [], forms = [] } = workspace
    return {
      ...workspace,
      ...this.#named(workspace),
      members: members.map((member) => this.#named(member)),
      tables: tables.map((table) => this.#table(table)),
      spaces: spaces.map((space) => this.#space(space)),
      forms: forms.map((form) => this.#form(form)),
    }
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
 * The fixture with invented ids and texts: every one of the same kind and length, the same by the same. Enumerations,
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
    workspaces: fixture.workspaces.map((workspace) => anonymizer.workspace(workspace)),
    files: newFiles(fixture, to, inventor),
    runtime: { ...fixture.runtime, lists: (fixture.runtime?.lists ?? []).map((id) => to.id(id)) },
  }
}
