// The forms of a workspace: publish them, submit them, and read their submissions.
import { numberTypes } from '../../../../contract/column-types.ts'
import { isObject } from '../../../../contract/data/objects.ts'
import type { Form, FormSubmission } from '../../../../contract/forms.ts'
import { formatQuantity, formatMoment } from '../../format.ts'
import { EmptyState, Failure, Mark, Pairs } from '../../parts/blocks.tsx'
import { useConsole, useLoaded, useParam, useWorkspace } from '../../parts/context.ts'
import { ChoiceList, Switch } from '../../parts/controls.tsx'
import { toChoices } from '../../parts/fields.tsx'
import { RecordForm, type Editable } from '../../parts/record-form.tsx'
import { ScrollBox, Table, type TableColumn } from '../../parts/table.tsx'
import { toText } from './cell.tsx'

const editedTypes: readonly unknown[] = [...numberTypes, 'date', 'checkbox', 'longtext']

function fieldsOf({ field_config }: Form): Editable[] {
  return field_config.filter(isObject).flatMap(({ id, label, type: given, required, options: texts }) => {
    if (typeof id !== 'string') return []
    const options = Array.isArray(texts) ? toChoices(texts.map(String)) : []
    const type = options.length > 0 ? 'dropdown' : editedTypes.includes(given) ? String(given) : 'text'
    return { id, name: typeof label === 'string' ? label : id, type, options, required: required === true }
  })
}

function SubmitForm({ form }: { form: Form }) {
  const { controls } = useConsole()
  const save = (entered: object) => {
    const filled = Object.entries(entered).filter(([, value]) => value !== null)
    return controls.submitForm(form.id, Object.fromEntries(filled))
  }
  const texts = { name: `form ${form.id}`, submit: 'Submit', done: 'Submitted.' }
  return (
    <details class="sheet padded">
      <summary>Submit this form</summary>
      <RecordForm {...{ ...texts, save }} fields={fieldsOf(form)} values={{}} show={() => null} />
    </details>
  )
}

function Submissions({ form }: { form: Form }) {
  const { controls, live } = useConsole()
  const { value, failure } = useLoaded(() => controls.inspect.submissions(form.id), [form.id, live.overview])
  if (!value) return <Failure message={failure} />
  if (value.length === 0)
    return <EmptyState title="Nothing submitted yet">Submit the form above: clients read it.</EmptyState>
  const labels = new Map(fieldsOf(form).map(({ id, name }) => [id, name]))
  const pairsOf = (data: object) =>
    Object.entries(data).map(([name, entry]) => [labels.get(name) ?? name, toText(entry)] as const)
  const columns: readonly TableColumn<FormSubmission>[] = [
    { head: 'id', isName: true, cell: ({ id }) => <code>{id}</code> },
    { head: 'Submitted', class: 'number', cell: ({ created_at: at }) => formatMoment(at * 1000) },
    { head: 'Created', cell: (one) => [`${one.created_entity_type} `, <code>{one.created_entity_id}</code>] },
    { head: 'Values', cell: ({ data }) => <Pairs entries={pairsOf(data)} /> },
  ]
  return (
    <ScrollBox label={`Submissions of ${form.name}`}>
      <Table class="submissions" items={value} columns={columns} keyOf={({ id }) => id} />
    </ScrollBox>
  )
}

export function Forms() {
  const { act } = useConsole()
  const { forms = [] } = useWorkspace() ?? {}
  const wanted = useParam('form')
  const form = forms.find(({ id }) => id === wanted.value) ?? forms[0]
  if (!form) return <EmptyState title="This workspace has no form">Forms come with the fixture.</EmptyState>
  const { id, name, target_type, target_id, is_published } = form
  const publish = (isOn: boolean) => act((controls) => controls.publishForm(id, isOn))
  const details = (one: Form) => (
    <>
      <span class="aside">{formatQuantity(one.submission_count, 'submission')}</span>
      {one.is_published === 0 && <Mark>draft</Mark>}
    </>
  )
  return (
    <div class="with-list">
      <ChoiceList label="Forms" items={forms} current={id} onChange={wanted.set} details={details} />
      <div class="rows">
        <div class="toolbar">
          <h3>{name}</h3>
          <code class="aside">{`${id}, adds a ${target_type === 'task' ? 'task' : 'row'} to ${target_id}`}</code>
          <span class="spacer" />
          <Switch label="Published" isOn={is_published === 1} set={publish} />
        </div>
        <SubmitForm key={id} form={form} />
        <Submissions form={form} />
      </div>
    </div>
  )
}
