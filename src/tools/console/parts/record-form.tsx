// A form for the fields of a record, by their type; saves only what was changed, and shows errors at their fields.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { isNumberType } from '../../../contract/column-types.ts'
import { messageOf } from '../../../contract/text/format.ts'
import { formatIso } from '../format.ts'
import { problemsOf } from '../source.ts'
import { Failure } from './blocks.tsx'
import { useDirectory, useDraft } from './context.ts'
import { Button } from './controls.tsx'
import { Form, Input, toNamedChoices, Select, TextArea, type Choice } from './fields.tsx'

/** A column or a custom field. */
export interface Editable {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly options?: readonly Choice[] | undefined
  /** Of a link: whether it has one row. */
  readonly mode?: 'select' | 'items' | undefined
}

const computedTypes: readonly string[] = ['formula', 'autonumber', 'attachment', 'created_at', 'updated_at']

/** Clients cannot write its values. */
export const isComputedType = (type: string) => computedTypes.includes(type)

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

/** The value for what was entered; an invalid entry is returned as it is, for the mock to refuse. */
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

interface RecordFormProps {
  /** Of its draft: unique in a sandbox. */
  readonly name: string
  readonly fields: readonly Editable[]
  readonly values: Readonly<Record<string, unknown>>
  readonly save: (changed: Readonly<Record<string, unknown>>) => Promise<unknown>
  readonly done: string
  /** Shows a value that cannot be edited, and the rows that a value links to. */
  readonly show: (field: Editable, value: unknown) => ComponentChildren
}

const noDraft: Readonly<Record<string, unknown>> = {}

export function RecordForm(props: RecordFormProps) {
  const { name: draftName, fields, values, save, done, show } = props
  const [draft, setDraft] = useDraft(draftName, noDraft)
  const [error, setError] = useState<unknown>(null)
  const isChanged = Object.keys(draft).length > 0
  const send = async () => {
    const changed = fields.filter(({ id }) => Object.hasOwn(draft, id))
    await save(Object.fromEntries(changed.map((field) => [field.id, valueOf(field, draft[field.id])])))
    setDraft(noDraft)
  }
  const problems = problemsOf(error)
  /** Of an error within a field, at a path such as `data.col_cups[0]`. */
  const findMessage = (id: string) => {
    const names = [id, `data.${id}`, `custom_data.${id}`]
    const found = problems.find(({ path }) =>
      names.some((prefix) => `${path}.`.replace('[', '.').startsWith(`${prefix}.`)),
    )
    return found?.message ?? null
  }
  const isPlaced = fields.some(({ id }) => findMessage(id) !== null)
  return (
    <Form class="record" run={send} done={done} canUndo onFailure={setError}>
      {fields.map((field) => {
        const { id, name, type } = field
        const value = Object.hasOwn(draft, id) ? draft[id] : values[id]
        const set = (next: unknown) => setDraft({ ...draft, [id]: next })
        return (
          <div key={id}>
            <span class="field-label" title={id}>
              {`${name} `}
              <span class="aside">{type === 'date' ? 'date, UTC' : type}</span>
            </span>
            {isComputedType(type) ? show(field, value) : <ValueEditor {...{ field, value, set }} />}
            {type === 'datatable' && <p class="links">{show(field, value)}</p>}
            <Failure message={findMessage(id)} />
          </div>
        )
      })}
      <Failure message={error === null || isPlaced ? null : messageOf(error)} />
      <div class={`row saving ${isChanged ? 'is-changed' : ''}`}>
        <Button kind="primary" disabled={!isChanged} text="Save" />
        <Button disabled={!isChanged} onClick={() => setDraft(noDraft)} text="Discard" />
      </div>
    </Form>
  )
}
