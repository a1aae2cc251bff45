// The records that a run has created, according to the responses.
import { readField } from '../../contract/data/objects.ts'
import { operations, type OperationId } from '../../contract/index.ts'
import { listPathParameters } from '../../contract/operation.ts'
import type { Reply } from './reply.ts'

/** Path parameters by name. */
export type Params = Readonly<Record<string, string>>

/** An id that no record has. */
export const unknownId = 'verify_no_such_id'

/** Writes of spaces and lists, which no operation deletes. */
export const lastingWrites: ReadonlySet<OperationId> = new Set([
  'createSpace',
  'updateSpace',
  'createList',
  'updateList',
])

const makers = {
  createRow: ['row', 'deleteRow'],
  createTask: ['task', 'deleteTask'],
  createComment: ['comment', 'deleteComment'],
  createTimeEntry: ['time entry', 'deleteTimeEntry'],
  uploadTaskAttachment: ['attachment', 'deleteTaskAttachment'],
  uploadRowAttachment: ['file', 'deleteRowAttachment'],
} as const satisfies Partial<Record<OperationId, readonly [what: string, remove: OperationId]>>
type Maker = keyof typeof makers

/**
 * Delete operations that deleting the task or row makes unnecessary. Not among them: task attachments, whose files
 * are kept for 30 days, and time entries, whose timers may keep running.
 */
const containers: Readonly<Partial<Record<OperationId, OperationId>>> = {
  deleteComment: 'deleteTask',
  deleteRowAttachment: 'deleteRow',
}

export interface CreatedRecord {
  readonly what: string
  readonly remove: OperationId
  readonly params: Params
}

interface UndeletableRecord {
  readonly what: 'space' | 'list' | 'job'
  readonly id: string
  readonly name: string
}

const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const toMadeKey = (remove: OperationId, params: Params) => JSON.stringify([remove, Object.values(params)])

export function toCreatedRecord(maker: Maker, params: Params, id: string): CreatedRecord {
  const [what, remove] = makers[maker]
  const names = listPathParameters(operations[remove].path)
  return {
    what: `${what} ${id}`,
    remove,
    params: Object.fromEntries(names.map((name) => [name, params[name] ?? id])),
  }
}

function findMade(operation: OperationId, params: Params, json: unknown): CreatedRecord[] {
  if (!Object.hasOwn(makers, operation)) return []
  const own = operation.startsWith('upload') ? readField(json, 'attachment') : json
  const id = asText(readField(own, operation === 'uploadRowAttachment' ? 'key' : 'id'))
  if (id === undefined) return []
  const files = operation === 'createTask' ? asList(readField(json, 'attachments')) : []
  return [
    toCreatedRecord(operation as Maker, params, id),
    ...files.flatMap((file) => findMade('uploadTaskAttachment', { taskId: id }, { attachment: file })),
  ]
}

const rowMakers: readonly OperationId[] = ['bulkInsertRows', 'submitInsertJob', 'createRow']

export class Ledger {
  readonly #made = new Map<string, CreatedRecord>()
  readonly lasting = new Map<string, UndeletableRecord>()
  /** Tables that may have rows whose ids no response gave. */
  readonly sweptTables = new Set<string>()
  /** Tables and lists that may have received records with unknown ids since the last search. */
  readonly unsearched = { tables: new Set<string>(), lists: new Set<string>(), hasLostJob: false }
  /** Whether spaces or lists may exist whose ids no response gave. */
  hasLostSpace = false

  /** Records to keep until the end of the run. */
  #kept: ReadonlySet<CreatedRecord> = new Set()

  /** Keeps everything created so far until the end of the run. */
  keep(): void {
    this.#kept = new Set(this.#made.values())
    this.skipSearch()
  }

  /** Lists the run created or adopted. All their tasks belong to the run. */
  get ownLists(): string[] {
    return [...this.lasting.values()].flatMap(({ what, id }) => (what === 'list' ? [id] : []))
  }

  /** Postpones the search for records with unknown ids to the end of the run. */
  skipSearch(): void {
    this.unsearched.tables.clear()
    this.unsearched.lists.clear()
    this.unsearched.hasLostJob = false
  }

  /** Finds the next record to remove: newest first, except that records removed with their task or row come last. */
  findNext(isFinal: boolean): CreatedRecord | undefined {
    const open = [...this.#made.values()].filter((made) => isFinal || !this.#kept.has(made)).reverse()
    return open.find(({ remove }) => !(remove in containers)) ?? open[0]
  }

  observe(operation: OperationId, params: Params, { status, isSuccess, json }: Reply): void {
    // A 4xx means that nothing was stored; after any other response there may be new rows.
    if (status < 400 || status >= 500) this.suspect(operation, params, status >= 500)
    if (!isSuccess) return
    if (operation.startsWith('delete')) this.#forgetRemoved(operation, params)
    for (const entry of findMade(operation, params, json))
      this.#made.set(toMadeKey(entry.remove, entry.params), entry)
    if (operation === 'createSpace') this.adopt(json)
    if (operation === 'createList') this.#addLasting('list', json)
    if (operation === 'submitInsertJob') this.#addLasting('job', json, 'job_id')
  }

  /** Adds a space with its lists, so that they are reported, and records that this run leaves in them are searched for. */
  adopt(space: unknown): void {
    this.#addLasting('space', space)
    for (const list of asList(readField(space, 'lists'))) this.#addLasting('list', list)
  }

  #forgetRemoved(operation: OperationId, params: Params): void {
    this.#made.delete(toMadeKey(operation, params))
    for (const [key, made] of this.#made) {
      const container = containers[made.remove]
      const id = container && listPathParameters(operations[container].path).at(-1)
      if (container === operation && id !== undefined && made.params[id] === params[id])
        this.#made.delete(key)
    }
  }

  /**
   * Notes where a request may have stored records without returning ids.
   * @param isLost whether its response was a 5xx or unreadable
   */
  suspect(operation: OperationId, { tableId, listId = '' }: Params, isLost = true): void {
    if (operation === 'createTask' && isLost) this.unsearched.lists.add(listId)
    if (isLost && (operation === 'createSpace' || operation === 'createList')) this.hasLostSpace = true
    if (tableId === undefined || tableId === unknownId || !rowMakers.includes(operation)) return
    this.sweptTables.add(tableId)
    if (isLost && operation === 'submitInsertJob') this.unsearched.hasLostJob = true
    if (isLost || operation !== 'createRow') this.unsearched.tables.add(tableId)
  }

  #addLasting(what: UndeletableRecord['what'], json: unknown, idName = 'id'): void {
    const id = asText(readField(json, idName))
    if (id !== undefined) this.lasting.set(id, { what, id, name: asText(readField(json, 'name')) ?? '' })
    else if (what !== 'job') this.hasLostSpace = true
  }

  forget({ remove, params }: CreatedRecord): void {
    this.#made.delete(toMadeKey(remove, params))
  }
}
