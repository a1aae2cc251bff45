// An open record: its pane, and its fields as a form of which only what was changed is saved.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { WorkspaceOverview } from '../../../controls/inspect.ts'
import { Button, ConfirmButton } from './controls.tsx'
import { isEditable, ValueEditor, valueOf, type Editable } from './value-editor.tsx'

export function RecordPane({
  title,
  aside,
  close,
  remove,
  children,
}: {
  readonly title: string
  readonly aside?: ComponentChildren
  readonly close: () => void
  readonly remove?: () => void
  readonly children: ComponentChildren
}) {
  const pane = useRef<HTMLElement>(null)
  useEffect(() => pane.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <section
      class="sheet detail"
      aria-label={title}
      ref={pane}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <header>
        <h3>
          {title} <span class="aside">{aside}</span>
        </h3>
        {remove && (
          <ConfirmButton kind="quiet" confirm="Remove for good?" onClick={remove}>
            Remove
          </ConfirmButton>
        )}
        <Button kind="quiet" label="Close" onClick={close}>
          ✕
        </Button>
      </header>
      {children}
    </section>
  )
}

interface RecordFormProps<Field extends Editable> {
  readonly fields: readonly Field[]
  readonly values: Readonly<Record<string, unknown>>
  readonly workspace: WorkspaceOverview
  /** @returns whether it was saved */
  readonly save: (changed: Readonly<Record<string, unknown>>) => Promise<boolean>
  /** How a value is shown besides its editor: one that cannot be edited, and where links lead. */
  readonly show: (field: Field, value: unknown) => ComponentChildren
}

/** Values that were changed stay as they are while the record changes. */
export function RecordForm<Field extends Editable>({
  fields,
  values,
  workspace,
  save,
  show,
}: RecordFormProps<Field>) {
  const [draft, setDraft] = useState<Readonly<Record<string, unknown>>>({})
  const isChanged = Object.keys(draft).length > 0
  const submit = async () => {
    const changed = fields.filter(({ id }) => Object.hasOwn(draft, id))
    if (await save(Object.fromEntries(changed.map((field) => [field.id, valueOf(field, draft[field.id])]))))
      setDraft({})
  }
  return (
    <form
      class="record"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {fields.map((field) => {
        const value = Object.hasOwn(draft, field.id) ? draft[field.id] : values[field.id]
        return (
          <div key={field.id}>
            <span class="field-label" title={field.id}>
              {field.name} <span class="aside">{field.type === 'date' ? 'date, UTC' : field.type}</span>
            </span>
            {isEditable(field) ? (
              <ValueEditor
                field={field}
                value={value}
                workspace={workspace}
                set={(next) => setDraft({ ...draft, [field.id]: next })}
              />
            ) : (
              show(field, value)
            )}
            {field.type === 'datatable' && <p class="links">{show(field, value)}</p>}
          </div>
        )
      })}
      <div class={`row saving ${isChanged ? 'is-changed' : ''}`}>
        <button type="submit" class="button primary" disabled={!isChanged}>
          Save
        </button>
        <Button disabled={!isChanged} onClick={() => setDraft({})}>
          Undo
        </Button>
      </div>
    </form>
  )
}
