// Fields to edit the values of columns and custom fields, by their type.
import type { WorkspaceOverview } from '../../../controls/inspect.ts'
import { typed } from './controls.tsx'

/** A column or custom field, as far as editing needs it. */
export interface Editable {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly options?: readonly { readonly id: string; readonly label: string }[] | undefined
  /** Of a link: whether it has one row. */
  readonly mode?: 'select' | 'items' | undefined
}

/** Computed, or kept by the product itself. */
const fixedTypes: ReadonlySet<string> = new Set([
  'formula',
  'autonumber',
  'attachment',
  'created_at',
  'updated_at',
])
export const isEditable = ({ type }: Editable) => !fixedTypes.has(type)

const numberTypes: ReadonlySet<string> = new Set(['number', 'currency', 'slider'])

/** What `<input type="datetime-local">` takes; in UTC. */
const toDateInput = (seconds: unknown) =>
  typeof seconds === 'number' ? new Date(seconds * 1000).toISOString().slice(0, 16) : ''

export const fromDateInput = (text: string) => (text === '' ? null : Date.parse(`${text}Z`) / 1000)

interface Choice {
  readonly id: string
  readonly label: string
}

export function choicesOf({ type, options }: Editable, { members }: WorkspaceOverview): readonly Choice[] {
  if (type === 'people') return members.map(({ id, name }) => ({ id, label: name }))
  return options ?? []
}

interface EditorProps {
  readonly field: Editable
  readonly value: unknown
  readonly set: (value: unknown) => void
  readonly workspace: WorkspaceOverview
}

function Choices({
  choices,
  value,
  set,
  legend,
}: {
  readonly choices: readonly Choice[]
  readonly value: unknown
  readonly set: (ids: readonly string[]) => void
  readonly legend: string
}) {
  const ids = Array.isArray(value) ? value.map(String) : []
  return (
    <fieldset class="choices">
      <legend class="unseen">{legend}</legend>
      {choices.map(({ id, label }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={ids.includes(id)}
            onChange={() => set(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id])}
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

export function Choose({
  choices,
  value,
  set,
  label,
  empty = '–',
}: {
  readonly choices: readonly Choice[]
  readonly value: string
  readonly set: (value: string) => void
  readonly label: string
  /** The text for none; null where one must be chosen. */
  readonly empty?: string | null
}) {
  return (
    <select aria-label={label} value={value} onChange={(event) => set(typed(event))}>
      {empty !== null && <option value="">{empty}</option>}
      {choices.map(({ id, label: text }) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  )
}

const yesNo: readonly Choice[] = [
  { id: 'true', label: 'yes' },
  { id: 'false', label: 'no' },
]

/** What was typed as the value that it stands for; what it cannot stand for is left to be refused. */
export function valueOf({ type, mode }: Editable, draft: unknown): unknown {
  if (typeof draft !== 'string') return draft
  if (type === 'datatable') {
    const ids = draft.split(/[\s,]+/).filter((id) => id !== '')
    return mode === 'select' ? (ids[0] ?? null) : ids
  }
  if (draft === '') return null
  return numberTypes.has(type) && Number.isFinite(Number(draft)) ? Number(draft) : draft
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Gives what was typed, which `valueOf` reads. */
export function ValueEditor({ field, value, set, workspace }: EditorProps) {
  const { type, name } = field
  const text = textOf(value)
  const input = { 'aria-label': name, value: text }
  if (type === 'checkbox')
    return (
      <Choose
        label={name}
        choices={yesNo}
        value={text}
        set={(wanted) => set(wanted === '' ? null : wanted === 'true')}
      />
    )
  if (type === 'dropdown')
    return (
      <Choose label={name} choices={choicesOf(field, workspace)} value={text} set={(id) => set(id || null)} />
    )
  if (type === 'tags' || type === 'people')
    return <Choices legend={name} choices={choicesOf(field, workspace)} value={value} set={set} />
  if (type === 'date')
    return (
      <input
        type="datetime-local"
        aria-label={name}
        value={toDateInput(value)}
        onChange={(event) => set(fromDateInput(typed(event)))}
      />
    )
  const onInput = (event: Event) => set(typed(event))
  if (type === 'longtext') return <textarea rows={3} {...input} onInput={onInput} />
  const isNumber = numberTypes.has(type)
  return (
    <input
      {...input}
      type="text"
      inputMode={isNumber ? 'decimal' : 'text'}
      placeholder={type === 'datatable' ? 'Ids of rows' : undefined}
      onInput={onInput}
    />
  )
}
