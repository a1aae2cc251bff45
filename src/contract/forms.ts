// Contract of forms and their submissions, both read-only in the API.
import { mostPerPage } from './limits.ts'
import * as z from 'zod/mini'
import {
  Count,
  Flag,
  Id,
  FlagOrBool,
  Text,
  UnixSeconds,
  Whole,
  objectOf,
  offset,
  pageLimit,
} from './schema/common.ts'
import { JsonObject } from './schema/maps.ts'
import { createdAt, field, shownOf, updatedAt } from './schema/fields.ts'
import { operationsOf, type Schema } from './operation.ts'
import type { Answers } from './questions/register.ts'
import type * as types from './types.d.ts'

export const formFields = {
  id: field(Id),
  workspace_id: field(Id, { shown: false, fixture: false }),
  name: field(Text, { fixture: 'required' }),
  slug: field(Text, {
    note: 'Last part of the address of the public form.',
    fixtureNote: 'Last part of the address of the public form; by default made from the name.',
  }),
  target_type: field(z.enum(['task', 'datatable']), { fixture: 'required' }),
  target_id: field(Id, { fixture: 'required', note: 'Id of the list or datatable that submissions go to.' }),
  is_published: field(Flag, {
    fixture: FlagOrBool,
    initial: 1,
    note: '1 is public, 0 a draft.',
    byDefault: '1',
  }),
  submission_count: field(Whole, { fixture: Count, byDefault: 'the number of `submissions`' }),
  field_config: field(z.array(z.unknown()), { initial: [] }),
  rules: field(z.union([z.array(z.unknown()), JsonObject]), { initial: [] }),
  settings: field(JsonObject, { initial: {} }),
  created_at: createdAt,
  updated_at: updatedAt,
}
export type FormRecord = types.FormRecord

const TableForm = shownOf(formFields)
const RowForm = objectOf(() => ({ ...TableForm.shape, target_type: z.enum(['task', 'datatable_row']) }))
/** Assumption: formTargetType, formStructure */
export type Form = types.Form
export const Form = (answers: Answers): Schema<Form> =>
  answers.formTargetType === 'datatable_row' ? RowForm : TableForm

export const submissionFields = {
  id: field(Id),
  workspace_id: field(Id, { shown: false, fixture: false }),
  form_id: field(Id, { shown: false, fixture: false }),
  data: field(JsonObject, { initial: {} }),
  created_entity_type: field(z.enum(['task', 'datatable_row']), {
    fixtureNote: "Follows from the form's target.",
  }),
  created_entity_id: field(Id, {
    fixture: 'required',
    note: 'Id of the task or row that the submission created.',
    fixtureNote: 'The task or row it created, which may have been deleted since.',
  }),
  created_at: field(UnixSeconds, {
    note: 'Time of the submission, in Unix seconds.',
    byDefault: '`clock`',
  }),
}
export type SubmissionRecord = types.SubmissionRecord
export const FormSubmission = shownOf(submissionFields)
export type FormSubmission = types.FormSubmission

export const formOperations = operationsOf('Forms', {
  listForms: {
    route: 'GET /forms',
    summary: 'List the forms',
    success: { schema: (answers) => z.object({ forms: z.array(Form(answers)) }), description: 'The forms.' },
  },
  getForm: {
    route: 'GET /forms/{formId}',
    summary: 'Read a form',
    success: { schema: (answers) => z.object({ form: Form(answers) }), description: 'The whole form.' },
    documentedErrors: [404],
  },
  listFormSubmissions: {
    route: 'GET /forms/{formId}/submissions',
    summary: 'List the submissions of a form, or only those after a given time',
    paging: { items: 'submissions', by: 'offset' },
    query: {
      limit: pageLimit(mostPerPage.submissions),
      offset,
      since: {
        kind: 'integer',
        description: 'Only submissions created after this time, in Unix seconds.',
        minimum: 0,
        isMoment: true,
      },
    },
    success: {
      schema: () => z.object({ submissions: z.array(FormSubmission), limit: z.int(), offset: z.int() }),
      description: 'Submissions, oldest first.',
    },
  },
})
