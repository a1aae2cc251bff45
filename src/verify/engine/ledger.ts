// What a run has made, read from the responses themselves so that nothing is missed; and its removal, however the run ended.
import { isObject } from '../../contract/values/objects.ts'
import { operations, type OperationId } from '../../contract/index.ts'
import { pathParameters } from '../../contract/operation.ts'
import { cellsOf } from '../rules/rows/shapes.ts'
import type { Client, Params } from './client.ts'
import type { LeftBehind } from './report.ts'
import { unknownId, type Context } from './rule.ts'
import type { Reply } from './reply.ts'
import { messageOf } from '../../contract/values/text.ts'
import { idsOf } from '../../contract/values/entries.ts'

const pageSize = 500
/** Most pages of a table that are searched for rows of this run. */
const mostPages = 40
/** Most rounds of removal, in case a deployment does not remove what it says it removes. */
const mostRounds = 3

/** What operations make, and what removes it. */
const makers = {
  createRow: ['row', 'deleteRow'],
  createTask: ['task', 'deleteTask'],
  createComment: ['comment', 'deleteComment'],
  createTimeEntry: ['time entry', 'deleteTimeEntry'],
  uploadTaskAttachment: ['attachment', 'deleteTaskAttachment'],
  uploadRowAttachment: ['file', 'deleteRowAttachment'],
} as const satisfies Partial<Record<OperationId, readonly [what: string, remove: OperationId]>>
type Maker = keyof typeof makers

/** Something made that an operation removes. */
interface Made {
  readonly what: string
  readonly remove: OperationId
  readonly params: Params
}

/** Something made that no operation removes. */
interface Lasting {
  readonly what: 'space' | 'list' | 'job'
  readonly id: string
  readonly name: string
}

const fieldAt = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

function textAt(value: unknown, name: string): string | undefined {
  const text = fieldAt(value, name)
  return typeof text === 'string' ? text : undefined
}

function listAt(value: unknown, name: string): unknown[] {
  const list = fieldAt(value, name)
  return Array.isArray(list) ? list : []
}

const keyOf = (remove: OperationId, params: Params) => JSON.stringify([remove, Object.values(params)])

/** What an operation made under these parameters of its path. */
function madeEntry(maker: Maker, params: Params, id: string): Made {
  const [what, remove] = makers[maker]
  const names = pathParameters(operations[remove].path)
  return {
    what: `${what} ${id}`,
    remove,
    params: Object.fromEntries(names.map((name) => [name, params[name] ?? id])),
  }
}

/** What was made according to a response. */
function madeBy(operation: OperationId, params: Params, json: unknown): Made[] {
  if (!Object.hasOwn(makers, operation)) return []
  const own = operation.startsWith('upload') ? fieldAt(json, 'attachment') : json
  const id = textAt(own, operation === 'uploadRowAttachment' ? 'key' : 'id')
  if (id === undefined) return []
  const files = operation === 'createTask' ? listAt(json, 'attachments') : []
  return [
    madeEntry(operation as Maker, params, id),
    ...files.flatMap((file) => madeBy('uploadTaskAttachment', { taskId: id }, { attachment: file })),
  ]
}

const rowMakers: readonly OperationId[] = ['bulkInsertRows', 'submitInsertJob', 'createRow']

export class Ledger {
  readonly #made = new Map<string, Made>()
  /** By id. */
  readonly lasting = new Map<string, Lasting>()
  /** Tables that got rows without their ids being returned. */
  readonly sweptTables = new Set<string>()

  /** What is left to remove, latest first. */
  get open(): Made[] {
    return [...this.#made.values()].reverse()
  }

  observe(operation: OperationId, params: Params, { status, isSuccess, json }: Reply): void {
    // A refusal stores nothing; after any other response rows may be there.
    if (status < 400 || status >= 500) this.suspect(operation, params)
    if (!isSuccess) return
    if (operation.startsWith('delete')) this.#made.delete(keyOf(operation, params))
    for (const entry of madeBy(operation, params, json))
      this.#made.set(keyOf(entry.remove, entry.params), entry)
    if (operation === 'createSpace') {
      this.#addLasting('space', json)
      for (const list of listAt(json, 'lists')) this.#addLasting('list', list)
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
    if (id !== undefined) this.lasting.set(id, { what, id, name: textAt(json, 'name') ?? '' })
  }

  forget({ remove, params }: Made): void {
    this.#made.delete(keyOf(remove, params))
  }
}

async function removeOne(api: Client, entry: Made): Promise<LeftBehind[]> {
  const { what, remove, params } = entry
  try {
    const reply = await api.call(remove, { params })
    // A missing record counts as removed.
    if (reply.isSuccess || reply.status === 404) return []
    return [{ what, why: `${remove} responds with ${reply.summary}` }]
  } catch (error) {
    return [{ what, why: messageOf(error) }]
  } finally {
    api.ledger.forget(entry)
  }
}

/** Ids of the rows of a table that hold a text of this run. */
async function markedRows(api: Client, tableId: string, marker: string): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const { rows } = await api.succeed('listRows', { params: { tableId }, query: { page, limit: pageSize } })
    // Found even if the deployment stored a text sent in the wrong type in some other form.
    ids.push(...idsOf(rows.filter((row) => JSON.stringify(Object.values(cellsOf(row))).includes(marker))))
    if (rows.length === 0) break
  }
  return ids
}

/** Removes everything that a search finds, until it finds nothing. */
async function sweep(
  api: Client,
  where: string,
  search: () => Promise<string[]>,
  madeOf: (id: string) => Made,
): Promise<LeftBehind[]> {
  const left: LeftBehind[] = []
  try {
    for (let round = 0; round < mostRounds; round += 1) {
      const ids = await search()
      if (ids.length === 0) return left
      for (const id of ids) left.push(...(await removeOne(api, madeOf(id))))
    }
    const why = 'it is still listed after its removal'
    return [...left, ...(await search()).map((id) => ({ what: madeOf(id).what, why }))]
  } catch (error) {
    return [{ what: where, why: `it was not searched: ${messageOf(error)}` }]
  }
}

/** Removes all that can be removed. @returns what is left */
export async function cleanUp({ api, own }: Context): Promise<LeftBehind[]> {
  const { ledger, transport } = api
  transport.isCleaningUp = true
  const left: LeftBehind[] = []
  for (const entry of ledger.open) left.push(...(await removeOne(api, entry)))
  for (const tableId of ledger.sweptTables) {
    const search = () => markedRows(api, tableId, own.marker)
    const rowOf = (id: string) => madeEntry('createRow', { tableId }, id)
    left.push(...(await sweep(api, `rows of table ${tableId}`, search, rowOf)))
  }
  const lasting = [...ledger.lasting.values()]
  // All tasks of a list that the run made are its own.
  for (const { id: listId } of lasting.filter(({ what }) => what === 'list')) {
    const ask = { params: { listId }, query: { limit: 200 } }
    const search = async () => idsOf((await api.succeed('listTasks', ask)).tasks)
    const taskOf = (id: string) => madeEntry('createTask', { listId }, id)
    left.push(...(await sweep(api, `tasks of list ${listId}`, search, taskOf)))
  }
  for (const { what, id, name } of lasting)
    left.push({
      what: `${what} ${id}${name === '' ? '' : ` (${name})`}`,
      why: `the API has no operation that deletes a ${what}`,
    })
  return left
}
