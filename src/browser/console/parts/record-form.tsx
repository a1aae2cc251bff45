// A form for the fields of a record; saves only what was changed.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from './controls.tsx'
import { Form } from './fields.tsx'
import { isEditable, ValueEditor, valueOf, type Editable } from './value-editor.tsx'

interface RecordFormProps<Field extends Editable> {
  readonly fields: readonly Field[]
  readonly values: Readonly<Record<string, unknown>>
  /** @returns whether it was saved */
  readonly save: (changed: Readonly<Record<string, unknown>>) => Promise<boolean>
  /** Shows a value that cannot be edited, and the rows that a value links to. */
  readonly show: (field: Field, value: unknown) => ComponentChildren
  /** The label of the button of a form that can be submitted without a change. */
  readonly submit?: string
}

/** Entered values stay when the record changes meanwhile. */
export function RecordForm<Field extends Editable>(props: RecordFormProps<Field>) {
  const { fields, values, save, show, submit } = props
  const [draft, setDraft] = useState<Readonly<Record<string, unknown>>>({})
  const isChanged = Object.keys(draft).length > 0
  const send = async () => {
    const changed = fields.filter(({ id }) => Object.hasOwn(draft, id))
    if (await save(Object.fromEntries(changed.map((field) => [field.id, valueOf(field, draft[field.id])]))))
      setDraft({})
  }
  return (
    <Form look="record" onSubmit={send}>
      {fields.map((field) => {
        const { id, name, type, required } = field
        const value = Object.hasOwn(draft, id) ? draft[id] : values[id]
        return (
          <div key={id}>
            <span class="field-label" title={id}>
              {name}{' '}
              <span class="aside">
                {type === 'date' ? 'date, UTC' : type}
                {required && ', required'}
              </span>
            </span>
            {isEditable(field) ? (
              <ValueEditor field={field} value={value} set={(next) => setDraft({ ...draft, [id]: next })} />
            ) : (
              show(field, value)
            )}
            {type === 'datatable' && <p class="links">{show(field, value)}</p>}
          </div>
        )
      })}
      <div class={`row saving ${isChanged ? 'is-changed' : ''}`}>
        <Button kind="primary" disabled={!isChanged && submit === undefined}>
          {submit ?? 'Save'}
        </Button>
        <Button disabled={!isChanged} onClick={() => setDraft({})}>
          Undo
        </Button>
      </div>
    </Form>
  )
}
