// Bodies of requests: one that each operation accepts, and files in multipart.
import type { OperationId } from '../../contract/index.ts'
import type { Ask } from './client.ts'

/** A form with one file. */
export function fileForm(content = 'verify'): FormData {
  const form = new FormData()
  form.append('file', new Blob([content], { type: 'text/plain' }), 'verify.txt')
  return form
}

const bodiesWith = (text: string): Readonly<Partial<Record<OperationId, unknown>>> => {
  const [named, titled, said] = [{ name: text }, { title: text }, { content: text }]
  const [written, inBulk] = [{ data: {} }, { rows: [{}] }]
  return {
    ...{ queryRows: {}, createRow: written, updateRow: written },
    ...{ bulkInsertRows: inBulk, submitInsertJob: inBulk },
    ...{ updateSpace: named, createList: named, updateList: named },
    ...{ createTask: titled, updateTask: titled, createComment: said, updateComment: said },
    createTimeEntry: { action: 'manual', duration: 60 },
    updateTimeEntry: { duration: 60 },
  }
}

/** JSON that an operation accepts where the ids of its path exist; undefined where it takes none. */
export const plausibleJson = (operation: OperationId, text = 'verify'): unknown => bodiesWith(text)[operation]

/** A body that an operation accepts where the ids of its path exist. */
export function plausibleBody(operation: OperationId): Ask {
  const json = plausibleJson(operation)
  return operation.startsWith('upload') ? { body: fileForm() } : json === undefined ? {} : { json }
}
