// Forms with their submissions, as a fixture has them.
import { formFields, submissionFields, type Form, type FormSubmission } from '../../contract/forms.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { FixtureForm } from '../../../fixtures/types.ts'
import type { Gathered } from './gathered.ts'

async function pulledForm(gathered: Gathered, listed: Form): Promise<FixtureForm> {
  const { reader } = gathered
  const body = await reader.get('getForm', { formId: listed.id })
  const form: Form = { ...listed, ...(isObject(body?.form) && body.form) }
  const found = await reader.pages<FormSubmission>('listFormSubmissions', 'submissions', { formId: form.id })
  // What a submission made follows from the target of its form.
  const submissions = found.map(({ created_entity_type: _, ...one }) =>
    gathered.record(submissionFields, one),
  )
  if (form.target_type !== 'task') gathered.observe('formTargetType', form.target_type)
  const submission_count = Math.max(form.submission_count ?? 0, submissions.length)
  return {
    ...gathered.record(formFields, form),
    target_type: form.target_type,
    submission_count,
    submissions,
  }
}

export async function pulledForms(gathered: Gathered): Promise<FixtureForm[]> {
  const listed = await gathered.reader.list<Form>('listForms', 'forms')
  gathered.reader.plan(2 * listed.length)
  const forms: FixtureForm[] = []
  for (const form of listed) forms.push(await pulledForm(gathered, form))
  return forms
}
