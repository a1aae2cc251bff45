// A body that each operation accepts, where the ids of its path exist.
import type { OperationId } from '../../../contract/index.ts'
import type { CallOptions } from './client.ts'

export function makeFileForm(content = 'verify'): FormData {
  const form = new FormData()
  form.append('file', new Blob([content], { type: 'text/plain' }), 'verify.txt')
  return form
}

/** Undefined where an operation takes no JSON. */
export function makePlausibleJson(operation: OperationId, text = 'verify'): unknown {
  const [named, titled, said] = [{ name: text }, { title: text }, { content: text }]
  const [written, inBulk] = [{ data: {} }, { rows: [{}] }]
  const bodies: Readonly<Partial<Record<OperationId, unknown>>> = {
    ...{ queryRows: {}, createRow: written, updateRow: written },
    ...{ bulkInsertRows: inBulk, submitInsertJob: inBulk },
    ...{ updateSpace: named, createList: named, updateList: named },
    ...{ createTask: titled, updateTask: titled, createComment: said, updateComment: said },
    createTimeEntry: { action: 'manual', duration: 60 },
    updateTimeEntry: { duration: 60 },
  }
  return bodies[operation]
}

export function makePlausibleBody(operation: OperationId): CallOptions {
  const json = makePlausibleJson(operation)
  return operation.startsWith('upload') ? { body: makeFileForm() } : json === undefined ? {} : { json }
}
