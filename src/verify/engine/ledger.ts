// What a run has made and not removed yet, read from the responses themselves so that nothing is missed.
import { isObject } from '../../contract/values/objects.ts'
import { operations, type OperationId } from '../../contract/index.ts'
import { pathParameters } from '../../contract/operation.ts'
import type { Params } from './client.ts'
import { unknownId } from './rule.ts'
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

/** What an operation makes, and what removes it. */
const made: Readonly<Partial<Record<OperationId, readonly [what: string, remove: OperationId]>>> = {
  createRow: ['row', 'deleteRow'],
  createTask: ['task', 'deleteTask'],
  createComment: ['comment', 'deleteComment'],
  createTimeEntry: ['time entry', 'deleteTimeEntry'],
  uploadTaskAttachment: ['attachment', 'deleteTaskAttachment'],
  uploadRowAttachment: ['file', 'deleteRowAttachment'],
}

/** What was made according to a response. */
function madeBy(operation: OperationId, params: Params, json: unknown): Made[] {
  if (!made[operation] || !isObject(json)) return []
  const [what, remove] = made[operation]
  const own = operation.startsWith('upload') ? json.attachment : json
  const id = textAt(own, remove === 'deleteRowAttachment' ? 'key' : 'id')
  if (id === undefined) return []
  const names = pathParameters(operations[remove].path)
  const entry = {
    what: `${what} ${id}`,
    remove,
    params: Object.fromEntries(names.map((name) => [name, params[name] ?? id])),
  }
  const files: unknown[] =
    operation === 'createTask' && Array.isArray(json.attachments) ? json.attachments : []
  return [
    entry,
    ...files.flatMap((file) => madeBy('uploadTaskAttachment', { taskId: id }, { attachment: file })),
  ]
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
    for (const entry of madeBy(operation, params, json))
      this.#made.set(keyOf(entry.remove, entry.params), entry)
    if (operation === 'createSpace') {
      this.#addLasting('space', json)
      for (const list of isObject(json) && Array.isArray(json.lists) ? json.lists : [])
        this.#addLasting('list', list)
    }
    if (operation === 'createList') this.#addLasting('list', json)
    if (operation === 'submitInsertJob') this.#addLasting('job', json, 'job_id')
  }

  /** Notes where a request may have stored rows without saying so. */
  suspect(operation: OperationId, params: Params): void {
    if (rowMakers.includes(operation) && params.tableId !== unknownId)
      this.sweptTables.add(params.tableId ?? '')
  }

  #addLasting(what: Lasting['what'], json: unknown, idName = 'id'): void {
    const id = textAt(json, idName)
    if (id !== undefined) this.#lasting.set(id, { what, id, name: textAt(json, 'name') ?? '' })
  }

  forget({ remove, params }: Made): void {
    this.#made.delete(keyOf(remove, params))
  }
}
