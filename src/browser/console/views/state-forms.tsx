// The forms of a workspace: publication, what was submitted, and a submission of one's own.
import { useState } from 'preact/hooks'
import type { Form } from '../../../contract/forms.ts'
import type { WorkspaceOverview } from '../../../controls/inspect.ts'
import { countText, momentText } from '../format.ts'
import { useConsole, usePlace } from '../parts/context.ts'
import { Field, Switch, typed } from '../parts/controls.tsx'
import { useLoaded } from '../parts/loaded.ts'
import { Empty, Failure, Mark } from '../parts/marks.tsx'
import { useStateMark } from './state-tables.tsx'

/** An item of `field_config`, of which any JSON may be there. */
interface Item {
  readonly id: string
  readonly label: string
  readonly type: string
  readonly required: boolean
  readonly options: readonly string[]
}

function itemsOf({ field_config }: Form): Item[] {
  return field_config.flatMap((item) => {
    if (typeof item !== 'object' || item === null || !('id' in item) || typeof item.id !== 'string') return []
    const { label, type, required, options } = item as Partial<Record<keyof Item, unknown>>
    return [
      {
        id: item.id,
        label: typeof label === 'string' ? label : item.id,
        type: typeof type === 'string' ? type : 'text',
        required: required === true,
        options: Array.isArray(options) ? options.map(String) : [],
      },
    ]
  })
}

const numberTypes: ReadonlySet<string> = new Set(['number', 'currency', 'slider'])

/** The answer that stands in a field; undefined where it is left empty. */
function answerOf({ type }: Item, text: string): unknown {
  if (text === '') return undefined
  if (numberTypes.has(type)) return Number(text)
  if (type === 'date') return Math.floor(Date.parse(text) / 1000)
  if (type === 'checkbox') return text === 'true'
  return text
}

function ItemField({
  item,
  value,
  set,
}: {
  readonly item: Item
  readonly value: string
  readonly set: (value: string) => void
}) {
  const options = item.type === 'checkbox' ? ['true', 'false'] : item.options
  const { required } = item
  const input = { value, required, onInput: (event: Event) => set(typed(event)) }
  return (
    <Field label={item.label} hint={required ? 'Required' : undefined}>
      {options.length > 0 ? (
        <select value={value} required={required} onChange={(event) => set(typed(event))}>
          <option value="" />
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      ) : item.type === 'date' ? (
        <input type="date" {...input} />
      ) : (
        <input type="text" inputMode={numberTypes.has(item.type) ? 'decimal' : 'text'} {...input} />
      )}
    </Field>
  )
}

function SubmitForm({ form }: { readonly form: Form }) {
  const { controls, act } = useConsole()
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const items = itemsOf(form)
  const submit = (event: Event) => {
    event.preventDefault()
    const answers = items.map((item): [string, unknown] => [item.id, answerOf(item, texts[item.id] ?? '')])
    const data = Object.fromEntries(answers.filter(([, answer]) => answer !== undefined))
    void act(() => controls.submitForm(form.id, data), 'Submitted.').then((isDone) => {
      if (isDone) setTexts({})
    })
  }
  return (
    <details class="sheet padded">
      <summary>Submit it as the public would</summary>
      <form class="answers" onSubmit={submit}>
        {items.map((item) => (
          <ItemField
            key={item.id}
            item={item}
            value={texts[item.id] ?? ''}
            set={(text) => setTexts({ ...texts, [item.id]: text })}
          />
        ))}
        <button type="submit" class="button primary">
          Submit
        </button>
      </form>
    </details>
  )
}

function Submissions({ form }: { readonly form: Form }) {
  const { controls } = useConsole()
  const mark = useStateMark()
  const { value, failure } = useLoaded(
    () => controls.inspect.submissions(form.id),
    [controls, form.id, form.submission_count, mark],
  )
  if (failure !== null) return <Failure>{failure}</Failure>
  if (!value) return null
  if (value.length === 0)
    return (
      <div class="sheet">
        <Empty title="Nothing submitted yet">
          <p>Submit the form above to see what a client reads.</p>
        </Empty>
      </div>
    )
  const labels = new Map(itemsOf(form).map(({ id, label }) => [id, label]))
  return (
    <div class="sheet scroll" tabIndex={0} role="region" aria-label={`Submissions of ${form.name}`}>
      <table class="grid submissions">
        <thead>
          <tr>
            <th scope="col">id</th>
            <th scope="col">Submitted</th>
            <th scope="col">Created</th>
            <th scope="col">Values</th>
          </tr>
        </thead>
        <tbody>
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
                <dl class="pairs">
                  {Object.entries(data).map(([name, answer]) => (
                    <div key={name}>
                      <dt>{labels.get(name) ?? name}</dt>
                      <dd>{typeof answer === 'string' ? answer : JSON.stringify(answer)}</dd>
                    </div>
                  ))}
                </dl>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function Forms({ workspace }: { readonly workspace: WorkspaceOverview }) {
  const { controls, act } = useConsole()
  const [wanted, setWanted] = usePlace('form')
  const { forms } = workspace
  const form = forms.find(({ id }) => id === wanted) ?? forms[0]
  if (!form)
    return (
      <div class="sheet">
        <Empty title="This workspace has no form">
          <p>Forms come with the fixture: the API only reads them.</p>
        </Empty>
      </div>
    )
  return (
    <div class="beside">
      <ul class="picks" aria-label="Forms">
        {forms.map(({ id, name, submission_count, is_published }) => (
          <li key={id}>
            <button type="button" aria-pressed={id === form.id} onClick={() => setWanted(id)}>
              <span class="name">{name}</span>
              <span class="aside">{countText(submission_count, 'submission')}</span>
              {is_published === 0 && <Mark>draft</Mark>}
            </button>
          </li>
        ))}
      </ul>
      <div class="rows">
        <div class="toolbar">
          <h3>{form.name}</h3>
          <code class="aside">
            {form.id}, writes {form.target_type} {form.target_id}
          </code>
          <span class="spacer" />
          <Switch
            label="Published"
            isOn={form.is_published === 1}
            onChange={(published) => void act(() => controls.publishForm(form.id, published))}
          />
        </div>
        <SubmitForm key={form.id} form={form} />
        <Submissions form={form} />
      </div>
    </div>
  )
}
