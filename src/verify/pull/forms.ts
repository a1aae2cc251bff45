// Forms with their submissions, as a fixture has them.
import type { Form, FormSubmission } from '../../contract/forms.ts'
import { isObject } from '../../contract/values/objects.ts'
import type { FixtureForm } from '../../../fixtures/types.ts'
import type { Gathered } from './gathered.ts'

async function pulledForm(gathered: Gathered, listed: Form): Promise<FixtureForm> {
  const { reader } = gathered
  const body = await reader.get('getForm', { formId: listed.id })
  const form: Form = { ...listed, ...(isObject(body?.form) && body.form) }
  const found = await reader.pages<FormSubmission>('listFormSubmissions', 'submissions', { formId: form.id })
  const submissions = found.map(({ id, data, created_entity_id, created_at }) => {
    gathered.saw(created_at)
    return { id, data, created_entity_id, created_at }
  })
  const { id, name, slug, target_type, target_id, is_published, field_config, rules, settings } = form
  const { created_at, updated_at } = form
  gathered.saw(created_at, updated_at)
  if (target_type !== 'task') gathered.observe('formTargetType', target_type)
  const submission_count = Math.max(form.submission_count ?? 0, submissions.length)
  return {
    ...{ id, name, slug, target_type, target_id, is_published, submission_count },
    ...{ field_config, rules, settings, created_at, updated_at, submissions },
  }
}

export async function pulledForms(gathered: Gathered): Promise<FixtureForm[]> {
  const listed = await gathered.reader.list<Form>('listForms', 'forms')
  gathered.reader.plan(2 * listed.length)
  const forms: FixtureForm[] = []
  for (const form of listed) forms.push(await pulledForm(gathered, form))
  return forms
}
