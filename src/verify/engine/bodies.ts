// Bodies of requests: one that each operation accepts, and files in multipart.
import type { OperationId } from '../../contract/index.ts'
import type { Ask } from './client.ts'

/** A form with one file. */
export function fileForm(content = 'verify'): FormData {
  const form = new FormData()
  form.append('file', new Blob([content], { type: 'text/plain' }), 'verify.txt')
  return form
}

const titled = { json: { title: 'verify' } }
const written = { json: { data: {} } }
const inBulk = { json: { rows: [{}] } }
const said = { json: { content: 'verify' } }
const bodiesWith = (name: string): Readonly<Partial<Record<OperationId, Ask>>> => ({
  queryRows: { json: {} },
  ...{ createRow: written, updateRow: written, bulkInsertRows: inBulk, submitInsertJob: inBulk },
  ...{ updateSpace: { json: { name } }, createList: { json: { name } }, updateList: { json: { name } } },
  ...{ createTask: titled, updateTask: titled, createComment: said, updateComment: said },
  createTimeEntry: { json: { action: 'manual', duration: 60 } },
  updateTimeEntry: { json: { duration: 60 } },
})

/**
 * A body that an operation accepts where the ids of its path exist.
 * @param name of a space or list
 */
export const plausibleBody = (operation: OperationId, name = 'verify'): Ask =>
  operation.startsWith('upload') ? { body: fileForm() } : (bodiesWith(name)[operation] ?? {})

/** The same body as text; undefined where it is not JSON. */
export function bodyText(operation: OperationId, name: string): string | undefined {
  const { json } = plausibleBody(operation, name)
  return json === undefined ? undefined : JSON.stringify(json)
}
