// What a run has made and not removed yet, read from the responses themselves so that nothing is missed.
import { isObject } from '../../contract/values/objects.ts'
import type { OperationId } from '../../contract/index.ts'
import type { Params } from './client.ts'
import { unknownId } from './context.ts'
import type { Reply } from './reply.ts'

/** Something made that an operation removes. */
export interface Made {
  readonly what: string
  readonly remove: OperationId
  readonly params: Params
}

/** Something made that no operation removes. */
export interface Lasting {
  readonly what: 'space' | 'list' | 'job'
  readonly id: string
  readonly name: string
}

const textAt = (value: unknown, name: string): string | undefined => {
  const inner = isObject(value) ? value[name] : undefined
  return typeof inner === 'string' ? inner : undefined
}

const keyOf = (remove: OperationId, params: Params) => JSON.stringify([remove, Object.values(params)])

/** What was made according to a response, by operation. */
const makers: Readonly<Partial<Record<OperationId, (params: Params, json: unknown) => Made[]>>> = {
  createRow: (params, json) => made('row', 'deleteRow', params, 'rowId', json),
  createTask: (params, json) => {
    const tasks = made('task', 'deleteTask', {}, 'taskId', json)
    const [task] = tasks
    const attachments = isObject(json) && Array.isArray(json.attachments) ? json.attachments : []
    if (!task) return []
    const files = attachments.flatMap((one) =>
      made('attachment', 'deleteTaskAttachment', task.params, 'attachmentId', one),
    )
    return [...tasks, ...files]
  },
  createComment: (params, json) => made('comment', 'deleteComment', params, 'commentId', json),
  createTimeEntry: (params, json) => made('time entry', 'deleteTimeEntry', params, 'entryId', json),
  uploadTaskAttachment: (params, json) =>
    made(
      'attachment',
      'deleteTaskAttachment',
      params,
      'attachmentId',
      isObject(json) ? json.attachment : json,
    ),
  uploadRowAttachment: (params, json) => {
    const key = textAt(isObject(json) ? json.attachment : undefined, 'key')
    if (key === undefined) return []
    return [{ what: `file ${key}`, remove: 'deleteRowAttachment', params: { ...params, key } }]
  },
}

function made(what: string, remove: OperationId, params: Params, name: string, json: unknown): Made[] {
  const id = textAt(json, 'id')
  return id === undefined ? [] : [{ what: `${what} ${id}`, remove, params: { ...params, [name]: id } }]
}

const rowMakers: readonly OperationId[] = ['bulkInsertRows', 'submitInsertJob', 'createRow']

export class Ledger {
  readonly #made = new Map<string, Made>()
  readonly #lasting = new Map<string, Lasting>()
  /** Tables that got rows without their ids being returned. */
  readonly sweptTables = new Set<string>()

  /** What is left to remove, latest first. */
  get open(): Made[] {
    return [...this.#made.values()].reverse()
  }

  get lasting(): Lasting[] {
    return [...this.#lasting.values()]
  }

  observe(operation: OperationId, params: Params, reply: Reply): void {
    // A refusal stores nothing; after any other response rows may be there.
    if (reply.status < 400 || reply.status >= 500) this.suspect(operation, params)
    if (!reply.isSuccess) return
    if (operation.startsWith('delete')) this.#made.delete(keyOf(operation, params))
    const { json } = reply
    for (const entry of makers[operation]?.(params, json) ?? [])
      this.#made.set(keyOf(entry.remove, entry.params), entry)
    if (operation === 'createSpace') this.#addSpace(json)
    if (operation === 'createList') this.#addLasting('list', json)
    const job = operation === 'submitInsertJob' ? textAt(json, 'job_id') : undefined
    if (job !== undefined) this.#lasting.set(job, { what: 'job', id: job, name: '' })
  }

  /** Notes where a request may have stored rows without saying so. */
  suspect(operation: OperationId, params: Params): void {
    if (rowMakers.includes(operation) && params.tableId !== unknownId)
      this.sweptTables.add(params.tableId ?? '')
  }

  #addLasting(what: Lasting['what'], json: unknown): void {
    const id = textAt(json, 'id')
    if (id !== undefined) this.#lasting.set(id, { what, id, name: textAt(json, 'name') ?? '' })
  }

  #addSpace(json: unknown): void {
    this.#addLasting('space', json)
    const lists = isObject(json) && Array.isArray(json.lists) ? json.lists : []
    for (const list of lists) this.#addLasting('list', list)
  }

  forget({ remove, params }: Made): void {
    this.#made.delete(keyOf(remove, params))
  }
}
