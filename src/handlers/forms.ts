// Answers for forms and their submissions.
import type { OperationHandler } from '../core/context.ts'
import { toForm, toSubmission, submissionsOf } from '../resources/forms.ts'

export const listForms: OperationHandler<'listForms'> = async ({ store, workspace }) => {
  const forms = await store.forms.findMany((form) => form.workspace_id === workspace.id)
  return { forms: forms.map((form) => toForm(store, form)) }
}

export const getForm: OperationHandler<'getForm'> = ({ store, at }) => ({
  form: toForm(store, at.formId),
})

export const listFormSubmissions: OperationHandler<'listFormSubmissions'> = async ({ store, at, query }) => {
  const { limit, offset, since } = query
  const submissions = await submissionsOf(store, at.formId, since)
  return { submissions: submissions.slice(offset, offset + limit).map(toSubmission), limit, offset }
}
