// Forms with their submissions, as a fixture has them.
import { formFields, submissionFields, type Form, type FormSubmission } from '../../contract/forms.ts'
import { mostPerPage } from '../../contract/limits.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { FixtureForm } from '../../../fixtures/types.ts'
import type { Gathered } from './gathered.ts'
import { byOffset } from './reader.ts'
import type { Shown } from './shown.ts'

async function pulledForm(gathered: Gathered, listed: Shown<Form>): Promise<FixtureForm> {
  const { reader, bounds } = gathered
  const { id: formId } = listed
  const body = await reader.get('getForm', { formId })
  const form: Shown<Form> = { ...listed, ...(isObject(body?.form) && body.form), id: formId }
  const { records } = await reader.pages<FormSubmission>(
    'listFormSubmissions',
    { formId },
    ...byOffset('submissions', mostPerPage.submissions, bounds.submissions),
  )
  // What a submission made follows from the target of its form.
  const submissions = records.map(({ created_entity_type: _, ...one }) =>
    gathered.record(submissionFields, one),
  )
  if (form.target_type !== 'task') gathered.observe('formTargetType', form.target_type)
  return {
    ...gathered.record(formFields, form),
    submission_count: Math.max(form.submission_count ?? 0, submissions.length),
    submissions,
  }
}

export async function pulledForms(gathered: Gathered): Promise<FixtureForm[]> {
  const { reader, bounds } = gathered
  const listed = (await reader.list<Form>('listForms', 'forms')).slice(0, bounds.forms)
  reader.plan(2 * listed.length)
  const forms: FixtureForm[] = []
  for (const form of listed) forms.push(await pulledForm(gathered, form))
  return forms
}
