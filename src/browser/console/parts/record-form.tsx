// Fields of a record as a form, of which only what was changed is saved.
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
  /** How a value is shown next to its editor: one that cannot be edited, and where links lead. */
  readonly show: (field: Field, value: unknown) => ComponentChildren
  /** The label of the button of a form that can be sent without a change. */
  readonly submit?: string
}

/** Values that were changed stay as they are while the record changes. */
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
