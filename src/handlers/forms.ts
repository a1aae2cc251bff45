// Answers for forms and their submissions.
import type { OperationHandler } from '../core/context.ts'
import { presentForm, presentSubmission, submissionsOf } from '../resources/forms.ts'

export const listForms: OperationHandler<'listForms'> = async ({ world, workspace }) => {
  const forms = await world.forms.findMany((form) => form.workspace_id === workspace.id)
  return { forms: forms.map((form) => presentForm(world, form)) }
}

export const getForm: OperationHandler<'getForm'> = ({ world, at }) => ({
  form: presentForm(world, at.formId),
})

export const listFormSubmissions: OperationHandler<'listFormSubmissions'> = async ({ world, at, query }) => {
  const { limit, offset, since } = query
  const submissions = await submissionsOf(world, at.formId, since)
  return { submissions: submissions.slice(offset, offset + limit).map(presentSubmission), limit, offset }
}
