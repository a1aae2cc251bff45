// Handlers for forms and their submissions.
import type { OperationHandler } from '../core/context.ts'
import { formsOf, toForm, toSubmission, submissionsOf } from '../resources/forms.ts'

export const listForms: OperationHandler<'listForms'> = ({ store, workspace }) => ({
  forms: formsOf(store, workspace).map((form) => toForm(store, form)),
})

export const getForm: OperationHandler<'getForm'> = ({ store, at }) => ({
  form: toForm(store, at.formId),
})

export const listFormSubmissions: OperationHandler<'listFormSubmissions'> = ({ store, at, query }) => {
  const { limit, offset, since } = query
  const submissions = submissionsOf(store, at.formId, since)
  return { submissions: submissions.slice(offset, offset + limit).map(toSubmission), limit, offset }
}
