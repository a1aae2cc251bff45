// The field in which a value is edited, by its type.
import { isNumberType } from '../../../contract/column-types.ts'
import { formatIso } from '../format.ts'
import { useDirectory } from './context.ts'
import { Input, toNamedChoices, Select, TextArea, type Choice } from './fields.tsx'

/** A column or a custom field. */
export interface Editable {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly readonly?: boolean | undefined
  readonly options?: readonly Choice[] | undefined
  /** For a link column: whether it holds one row or several. */
  readonly mode?: 'select' | 'items' | undefined
}

const computedTypes: readonly string[] = ['formula', 'autonumber', 'attachment', 'created_at', 'updated_at']

/** Whether clients can write its values. */
export const isWritable = ({ type, readonly = false }: Pick<Editable, 'type' | 'readonly'>) =>
  !readonly && !computedTypes.includes(type)

interface CheckboxesProps {
  readonly legend: string
  readonly choices: readonly Choice[]
  readonly ids: readonly string[]
  readonly set: (ids: readonly string[]) => void
}

export function Checkboxes({ legend, choices, ids, set }: CheckboxesProps) {
  const toggle = (id: string) => set(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id])
  return (
    <fieldset class="choices">
      <legend class="visually-hidden">{legend}</legend>
      {choices.map(({ id, label }) => (
        <label key={id}>
          <input type="checkbox" checked={ids.includes(id)} onChange={() => toggle(id)} />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

const yesNo: readonly Choice[] = [
  { id: 'true', label: 'yes' },
  { id: 'false', label: 'no' },
]

/** The value for what was entered; an invalid entry is returned unchanged, for the mock to refuse. */
export function valueOf({ type, mode }: Editable, draft: unknown): unknown {
  if (typeof draft !== 'string') return draft
  if (type === 'datatable') {
    const ids = draft.split(/[\s,]+/).filter((id) => id !== '')
    return mode === 'select' ? (ids[0] ?? null) : ids
  }
  if (draft === '') return null
  return isNumberType(type) && Number.isFinite(Number(draft)) ? Number(draft) : draft
}

type EditorProps = Readonly<{ field: Editable; value: unknown; set: (value: unknown) => void }>

export function ValueEditor({ field, value, set }: EditorProps) {
  const { type, name: label } = field
  const { members } = useDirectory()
  const choices = type === 'people' ? toNamedChoices(members) : (field.options ?? [])
  const text = typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value)
  const own = { label, value: Array.isArray(value) ? value.join(', ') : text }
  switch (type) {
    case 'checkbox':
      return <Select {...own} choices={yesNo} set={(text) => set(text ? text === 'true' : null)} />
    case 'dropdown':
      return <Select {...own} choices={choices} set={(id) => set(id || null)} />
    case 'tags':
    case 'people': {
      const ids = Array.isArray(value) ? value.map(String) : []
      return <Checkboxes legend={label} choices={choices} ids={ids} set={set} />
    }
    case 'date': {
      const moment = typeof value === 'number' ? formatIso(value * 1000).slice(0, 16) : ''
      const enter = (text: string) => set(text === '' ? null : Date.parse(`${text}Z`) / 1000)
      return <Input {...own} type="datetime-local" value={moment} set={enter} />
    }
    case 'longtext':
      return <TextArea rows={3} {...own} set={set} />
    case 'datatable':
      return <Input {...own} placeholder="Ids of rows" set={set} />
    default:
      return <Input {...own} inputMode={isNumberType(type) ? 'decimal' : 'text'} set={set} />
  }
}
