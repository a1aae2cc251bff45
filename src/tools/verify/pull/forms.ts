// Forms with their submissions, as a fixture has them.
import { formFields, submissionFields, type Form } from '../../../contract/forms.ts'
import { isObject } from '../../../contract/data/objects.ts'
import type { FixtureForm } from '../../../../fixtures/types.ts'
import type { Gathered } from './gathered.ts'
import type { Shown } from './lenient.ts'

export async function readForms(gathered: Gathered): Promise<FixtureForm[]> {
  const { reader } = gathered
  const listed = await reader.list('listForms')
  const chosen = gathered.chooseOwners('forms', listed)
  reader.planRequests(2 * chosen.length)
  const forms: FixtureForm[] = []
  for (const one of listed) {
    const { id: formId, ...known } = one
    const isChosen = chosen.includes(one)
    const body = isChosen ? await reader.get('getForm', { formId }) : undefined
    const form: Shown<Form> = { ...known, ...(isObject(body?.form) && body.form), id: formId }
    const { records, isCut } = isChosen
      ? await reader.readPages('listFormSubmissions', { formId }, gathered.bounds.submissions)
      : { records: [], isCut: true }
    if (isCut) gathered.partial.add(formId)
    // Follows from the target of the form.
    const submissions = records.map(({ created_entity_type: _, ...one }) =>
      gathered.toRecord(submissionFields, one),
    )
    if (form.target_type !== 'task') gathered.observe('formTargetType', form.target_type)
    const submission_count = Math.max(form.submission_count ?? 0, submissions.length)
    forms.push({ ...gathered.toRecord(formFields, form), submission_count, submissions })
  }
  return forms
}
