// Owns the contract of forms and their submissions, which the API only reads.
import * as z from 'zod/mini'
import { Flag, Id, JsonObject, UnixSeconds, offset, pageLimit } from './common.ts'
import { defineOperation, type Schema } from './operation.ts'
import type { Answers } from './questions/register.ts'

const form = <T extends z.ZodMiniType<string>>(targetType: T) =>
  z.object({
    id: Id,
    name: z.string(),
    slug: z.string(),
    target_type: targetType,
    target_id: Id,
    is_published: Flag,
    submission_count: z.int(),
    field_config: z.array(z.unknown()),
    rules: z.union([z.array(z.unknown()), JsonObject]),
    settings: JsonObject,
    created_at: UnixSeconds,
    updated_at: UnixSeconds,
  })
const TableForm = form(z.enum(['task', 'datatable']))
const RowForm = form(z.enum(['task', 'datatable_row']))
/** Assumption: formTargetType, formStructure */
export type Form = z.infer<typeof TableForm> | z.infer<typeof RowForm>
export const Form = (answers: Answers): Schema<Form> =>
  answers.formTargetType === 'datatable_row' ? RowForm : TableForm

export const FormSubmission = z.object({
  id: Id,
  data: JsonObject,
  created_entity_type: z.enum(['task', 'datatable_row']),
  created_entity_id: Id,
  created_at: UnixSeconds,
})
export type FormSubmission = z.infer<typeof FormSubmission>

export const FormRecord = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string(),
  slug: z.string(),
  target_type: z.enum(['task', 'datatable']),
  target_id: Id,
  is_published: Flag,
  submission_count: z.int(),
  field_config: z.array(z.unknown()),
  rules: z.union([z.array(z.unknown()), JsonObject]),
  settings: JsonObject,
  created_at: UnixSeconds,
  updated_at: UnixSeconds,
})
export type FormRecord = z.infer<typeof FormRecord>

export const SubmissionRecord = z.object({ ...FormSubmission.shape, workspace_id: Id, form_id: Id })
export type SubmissionRecord = z.infer<typeof SubmissionRecord>

export const listForms = defineOperation({
  id: 'listForms',
  method: 'GET',
  path: '/forms',
  tag: 'Forms',
  summary: 'List the forms',
  success: {
    status: 200,
    schema: (answers) => z.object({ forms: z.array(Form(answers)) }),
    description: 'The forms.',
  },
  documentedErrors: [],
})

export const getForm = defineOperation({
  id: 'getForm',
  method: 'GET',
  path: '/forms/{formId}',
  tag: 'Forms',
  summary: 'Read a form',
  success: {
    status: 200,
    schema: (answers) => z.object({ form: Form(answers) }),
    description: 'The whole form.',
  },
  documentedErrors: [404],
})

export const listFormSubmissions = defineOperation({
  id: 'listFormSubmissions',
  method: 'GET',
  path: '/forms/{formId}/submissions',
  tag: 'Forms',
  summary: 'List the submissions of a form, newer than a moment where asked',
  query: {
    limit: pageLimit(200),
    offset,
    since: {
      kind: 'integer',
      description: 'Only submissions created after this moment, in Unix seconds.',
      minimum: 0,
    },
  },
  success: {
    status: 200,
    schema: z.object({ submissions: z.array(FormSubmission), limit: z.int(), offset: z.int() }),
    description: 'Submissions, oldest first.',
  },
  documentedErrors: [],
})
