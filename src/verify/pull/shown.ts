// Bodies of responses as the contract's schemas judge them: what does not fit is left out and named, all else is read.
import { operations, type OperationId } from '../../contract/index.ts'
import { schemaFor, type OperationSpec } from '../../contract/operation.ts'
import { defaultAnswers } from '../../contract/questions/register.ts'
import { describeIssue, mostSpecificIssue, pathText, valueAt } from '../../contract/schema/issues.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { leaveOut, type Path } from './leave-out.ts'

/** A record as a deployment shows it: what is there fits the contract, but it need not be whole. */
export type Shown<T> = { readonly [Name in keyof T]?: T[Name] } & { readonly id: string }

/** Something that was left out of a body. */
interface LeftOut {
  readonly path: Path
  /** The rule that it broke and what was received. */
  readonly why: string
  /** Of the record that has it. */
  readonly id: string | undefined
}

/** The field of a body that holds what an operation reads. */
export const contentFields: Readonly<Partial<Record<OperationId, string>>> = {
  getIdentity: 'workspace',
  listDatatables: 'datatables',
  getDatatableSchema: 'columns',
  listRows: 'rows',
  listSpaces: 'spaces',
  listLists: 'lists',
  getListSchema: 'fields',
  listTasks: 'tasks',
  listComments: 'comments',
  listTimeEntries: 'entries',
  listTaskAttachments: 'attachments',
  listForms: 'forms',
  getForm: 'form',
  listFormSubmissions: 'submissions',
}

/** Why a body has nothing that could be read, as its expected form; undefined where it has. */
export function expectedBody(operation: OperationId, body: unknown): string | undefined {
  const name = contentFields[operation]
  if (name === undefined) return isObject(body) ? undefined : 'a JSON object'
  const isSingle = name === 'workspace' || name === 'form'
  const content = isObject(body) ? body[name] : undefined
  if (isSingle ? isObject(content) : Array.isArray(content)) return undefined
  return isSingle ? `{"${name}": {…}}` : `{"${name}": […]}`
}

/** Whatever the open questions allow; fields that are missing are none of its concern. */
function answersFor({ forms, form }: JsonObject) {
  const shown = [form, ...(Array.isArray(forms) ? (forms as unknown[]) : [])]
  const isRowForm = shown.some((one) => isObject(one) && one.target_type === 'datatable_row')
  const formTargetType = isRowForm ? ('datatable_row' as const) : ('datatable' as const)
  return { ...defaultAnswers, rowShape: 'flat' as const, taskReadExtras: true, formTargetType }
}

/** Items of listings have an id; options of fields need not show one. */
const isNeeded = (path: Path) => path.at(-1) === 'id' && !path.includes('options') && path.length > 2

/** The body without what its schema refuses. Fields that are missing or that the contract does not name are no reason. */
export function readBody(operation: OperationId, body: JsonObject): { body: JsonObject; leftOut: LeftOut[] } {
  const { success }: OperationSpec = operations[operation]
  if (!('schema' in success)) return { body, leftOut: [] }
  const checked = schemaFor(success.schema, answersFor(body)).safeParse(body)
  if (checked.success) return { body, leftOut: [] }
  const issues = checked.error.issues
    .map(mostSpecificIssue)
    .filter(
      ({ code, path }) =>
        code !== 'unrecognized_keys' && (valueAt(body, path) !== undefined || isNeeded(path)),
    )
  if (issues.length === 0) return { body, leftOut: [] }
  const read = structuredClone(body)
  const leftOut = issues.map((issue) => {
    const record = valueAt(body, issue.path.slice(0, 2))
    const id = isObject(record) && typeof record.id === 'string' ? record.id : undefined
    const field = pathText(issue.path)
    return { path: issue.path, why: describeIssue(issue, body, 'body').slice(field.length + 1), id }
  })
  leaveOut(
    read,
    issues.map(({ path }) => path),
  )
  return { body: read, leftOut }
}
