// The forms of a workspace: publish them, submit them, and read their submissions.
import { numberTypes } from '../../../../contract/column-types.ts'
import type { Form } from '../../../../contract/forms.ts'
import { countText, momentText } from '../../format.ts'
import { useConsole, useLoaded, useViewState, useWorkspace } from '../../parts/context.ts'
import { PickList } from '../../parts/button.tsx'
import { Switch } from '../../parts/controls.tsx'
import { labelled } from '../../parts/fields.tsx'
import { EmptyState, Failure, Mark, Pairs, Table } from '../../parts/blocks.tsx'
import { RecordForm, type Editable } from '../../parts/record-form.tsx'
import { plainText } from './cell.tsx'

const editedTypes: readonly unknown[] = [...numberTypes, 'date', 'checkbox', 'longtext']

/** The fields of a form; `field_config` can hold any JSON. */
function fieldsOf({ field_config }: Form): Editable[] {
  return field_config.flatMap((item) => {
    const { id, label, type: given, required, options: texts } = (item ?? {}) as Record<string, unknown>
    if (typeof id !== 'string') return []
    const options = Array.isArray(texts) ? labelled(texts.map(String)) : []
    const type = options.length > 0 ? 'dropdown' : editedTypes.includes(given) ? String(given) : 'text'
    return { id, name: typeof label === 'string' ? label : id, type, options, required: required === true }
  })
}

function SubmitForm({ form }: { readonly form: Form }) {
  const { controls } = useConsole()
  const submit = (entered: Readonly<Record<string, unknown>>) => {
    const data = Object.fromEntries(Object.entries(entered).filter(([, value]) => value !== null))
    return controls.submitForm(form.id, data)
  }
  return (
    <details class="sheet padded">
      <summary>Submit this form</summary>
      <RecordForm
        fields={fieldsOf(form)}
        values={{}}
        save={submit}
        show={() => null}
        submit="Submit"
        done="Submitted."
        name={`form ${form.id}`}
      />
    </details>
  )
}

function Submissions({ form }: { readonly form: Form }) {
  const { controls, live } = useConsole()
  const { value, failure } = useLoaded(() => controls.inspect.submissions(form.id), [form.id, live.overview])
  if (!value) return <Failure message={failure} />
  if (value.length === 0)
    return (
      <EmptyState title="Nothing submitted yet">Submit the form above to see what a client reads.</EmptyState>
    )
  const labels = new Map(fieldsOf(form).map(({ id, name }) => [id, name]))
  return (
    <div class="sheet scroll" tabIndex={0} role="region" aria-label={`Submissions of ${form.name}`}>
      <Table class="submissions" heads={['id', 'Submitted', 'Created', 'Values']}>
        {value.map(({ id, created_at, created_entity_type, created_entity_id, data }) => (
          <tr key={id}>
            <th scope="row">
              <code>{id}</code>
            </th>
            <td class="number">{momentText(created_at * 1000)}</td>
            <td>
              {created_entity_type === 'task' ? 'task' : 'row'} <code>{created_entity_id}</code>
            </td>
            <td>
              <Pairs
                entries={Object.entries(data).map(([name, entry]) => [
                  labels.get(name) ?? name,
                  plainText(entry),
                ])}
              />
            </td>
          </tr>
        ))}
      </Table>
    </div>
  )
}

export function Forms() {
  const { controls, act } = useConsole()
  const { forms = [] } = useWorkspace() ?? {}
  const [wanted, setWanted] = useViewState('form')
  const form = forms.find(({ id }) => id === wanted) ?? forms[0]
  if (!form)
    return (
      <EmptyState title="This workspace has no form">
        Forms come with the fixture: the API only reads them.
      </EmptyState>
    )
  return (
    <PickList
      label="Forms"
      items={forms}
      current={form}
      onChange={setWanted}
      details={({ submission_count, is_published }) => (
        <>
          <span class="aside">{countText(submission_count, 'submission')}</span>
          {is_published === 0 && <Mark>draft</Mark>}
        </>
      )}
    >
      <div class="rows">
        <div class="toolbar">
          <h3>{form.name}</h3>
          <code class="aside">
            {form.id}, adds a {form.target_type === 'task' ? 'task' : 'row'} to {form.target_id}
          </code>
          <span class="spacer" />
          <Switch
            label="Published"
            isOn={form.is_published === 1}
            onChange={(published) => act(() => controls.publishForm(form.id, published))}
          />
        </div>
        <SubmitForm key={form.id} form={form} />
        <Submissions form={form} />
      </div>
    </PickList>
  )
}
