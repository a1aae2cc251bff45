// Forms with their submissions, as a fixture has them.
import { formFields, submissionFields } from '../../contract/forms.ts'
import type { FixtureForm } from '../../../fixtures/types.ts'
import type { Gathered } from './gathered.ts'

export const toForms = (gathered: Gathered): FixtureForm[] =>
  gathered.bag.recordsOf('listForms').map((form) => {
    // The type of what a submission has made follows from the target of the form.
    const submissions = gathered.bag
      .recordsOf('listFormSubmissions', form.id)
      .map(({ created_entity_type: _, ...one }) => gathered.toRecord(submissionFields, one))
    if (form.target_type !== 'task') gathered.observe('formTargetType', form.target_type)
    const submission_count = Math.max(form.submission_count ?? 0, submissions.length)
    return { ...gathered.toRecord(formFields, form), submission_count, submissions }
  })
