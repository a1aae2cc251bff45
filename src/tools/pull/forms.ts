// Converts forms and their submissions to the shape of a fixture.
import { formFields, submissionFields } from '../../contract/forms.ts'
import type { FixtureForm } from '../../../fixtures/types.ts'
import type { Gathered } from './gathered.ts'

export const toForms = (gathered: Gathered): FixtureForm[] =>
  gathered.bag.recordsOf('listForms').map((form) => {
    // The form's target tells what type of record a submission created.
    const submissions = gathered.bag
      .recordsOf('listFormSubmissions', form.id)
      .map(({ created_entity_type: _, ...one }) => gathered.toRecord(submissionFields, one))
    if (form.target_type !== 'task') gathered.observe('formTargetType', form.target_type)
    const submission_count = Math.max(form.submission_count ?? 0, submissions.length)
    return { ...gathered.toRecord(formFields, form), submission_count, submissions }
  })
