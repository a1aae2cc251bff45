// A recording of requests, from which bodies are read as far as its responses show the workspace at their end.
import { operations, type OperationId } from '../../../contract/index.ts'
import { toBase64 } from '../../../contract/data/base64.ts'
import { getOrInsert } from '../../../contract/data/maps.ts'
import { isObject } from '../../../contract/data/objects.ts'
import { listPathParameters } from '../../../contract/operation.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { compareText } from '../../../contract/text/format.ts'
import { readHar, type RecordedCall } from './har.ts'
import { contentFieldOf } from './lenient.ts'
import { toPlainNote, toNote, type Note } from './notes.ts'

/** Stand for the space of a list and the list of a task that the recording does not show. */
const recordedSpace = 'space_recorded'
const recordedList = 'list_recorded'

/** Operations that return an id alone. */
const idsAlone: ReadonlySet<OperationId> = new Set(['createTask', 'createComment'])

/** The listing of the record that an operation shows, such as listTasks for getTask. */
function listingOf(operation: OperationId): OperationId | undefined {
  if (operation === 'uploadRowAttachment') return 'listRows'
  const [, noun] = /^(?:get|create|update|upload)(\w+)$/.exec(operation) ?? []
  const listing = `list${noun?.replace(/y$/, 'ie') ?? ''}s`
  return listing in operations ? (listing as OperationId) : undefined
}

/** Parameters that do not filter or sort. */
const pagingNames: ReadonlySet<string> = new Set(['page', 'limit', 'pageSize', 'offset', 'select'])

const listObjects = (list: unknown): JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : [])
const hasId = (value: unknown): value is JsonObject => isObject(value) && typeof value.id === 'string'

export class Recording {
  readonly baseUrl: string
  /** The last body of each operation and owner. */
  readonly #bodies = new Map<string, JsonObject>()
  /** The records by operation and owner of the listing. */
  readonly #records = new Map<string, Map<string, JsonObject>>()
  /** Listings of which the last page was seen. */
  readonly #whole = new Set<string>()
  /** Indexes in listings, as far as pages without filters show them. */
  readonly #positions = new Map<string, number>()
  readonly #files = new Map<string, string>()
  /** Writes whose result no response shows. */
  readonly #unseenWrites = new Map<string, OperationId>()
  readonly #workspaces = new Set<unknown>()
  /** Numbers of reads that the recording cannot answer. */
  readonly #missing = new Map<OperationId, number>()
  readonly #notes: readonly Note[]

  /** @throws {CannotRun} */
  constructor(har: unknown, baseUrl?: string) {
    const { base, calls, notes } = readHar(har, baseUrl)
    this.baseUrl = base
    this.#notes = notes
    for (const call of calls) this.#readCall(call)
    this.#completeParents()
  }

  get notes(): Note[] {
    const writes = [...this.#unseenWrites]
    const missing = [...this.#missing].map(([id, count]) => `${id} (${String(count)} times)`)
    return [
      ...(missing.length > 0 ? [toNote`Not recorded: ${toPlainNote(missing.join(', '))}.`] : []),
      ...this.#notes,
      ...(this.#workspaces.size > 1
        ? [toNote`The recording shows ${this.#workspaces.size} workspaces, taken for one.`]
        : []),
      ...writes.map(
        ([id, operation]) => toNote`What ${toPlainNote(operation)} made of ${id} is not recorded.`,
      ),
    ]
  }

  #listingOf(operation: OperationId, owner = ''): Map<string, JsonObject> {
    return getOrInsert(this.#records, `${operation} ${owner}`, () => new Map<string, JsonObject>())
  }

  #put(operation: OperationId, owner: string, record: JsonObject): void {
    if (!hasId(record)) return
    const id = String(record.id)
    this.#unseenWrites.delete(id)
    const records = this.#listingOf(operation, owner)
    const { data, ...known } = records.get(id) ?? {}
    const merged = isObject(data) && isObject(record.data) ? { data: { ...data, ...record.data } } : {}
    records.set(id, { ...(data !== undefined && { data }), ...known, ...record, ...merged })
  }

  #readCall({ operation, ids, query, bytes, body }: RecordedCall): void {
    const [owner = ''] = ids
    const id = ids.at(-1) ?? ''
    if (operation === 'downloadTaskAttachment') this.#files.set(id, toBase64(bytes))
    if (!isObject(body)) return
    const listing = listingOf(operation)
    if (operations[operation].method === 'DELETE') {
      this.#unseenWrites.delete(id)
      for (const records of this.#records.values()) records.delete(id)
    } else if (idsAlone.has(operation)) {
      if (typeof body.id === 'string') this.#unseenWrites.set(body.id, operation)
      for (const file of listObjects(body.attachments))
        this.#put('listTaskAttachments', String(body.id), file)
    } else if (listing) {
      const record = [body, ...Object.values(body)].find(hasId)
      if (record) this.#put(listing, this.#ownerOf(listing, owner, record), record)
      else if (operation.startsWith('update')) this.#unseenWrites.set(id, operation)
    } else this.#readListing(operation === 'queryRows' ? 'listRows' : operation, owner, query, body)
  }

  /** Not every response names the list of its task. */
  #ownerOf(listing: OperationId, owner: string, { id, list_id }: JsonObject): string {
    if (listing !== 'listTasks') return listPathParameters(operations[listing].path).length > 0 ? owner : ''
    const known = [...this.#records].find(
      ([key, tasks]) => key.startsWith('listTasks ') && tasks.has(String(id)),
    )
    if (known) return known[0].slice('listTasks '.length)
    return typeof list_id === 'string' ? list_id : recordedList
  }

  #readListing(listing: OperationId, owner: string, query: URLSearchParams, body: JsonObject): void {
    const name = contentFieldOf(listing)
    if (name === undefined) return
    const key = `${listing} ${owner}`
    this.#bodies.set(key, { ...this.#bodies.get(key), ...body })
    if (listing === 'getIdentity')
      this.#workspaces.add(isObject(body.workspace) ? body.workspace.id : undefined)
    if (listing.startsWith('get')) return
    const records = listObjects(body[name])
    this.#listingOf(listing, owner)
    for (const record of records) {
      this.#put(listing, owner, record)
      for (const list of listObjects(record.lists)) this.#put('listLists', '', list)
    }
    if ([...query.keys()].some((parameter) => !pagingNames.has(parameter))) return
    const limit = Number(body.limit ?? body.pageSize ?? Infinity)
    const start = Number(body.offset ?? 0) || (Number(body.page ?? 1) - 1) * limit || 0
    for (const [index, { id }] of records.entries())
      this.#positions.set(`${key} ${String(id)}`, start + index)
    if (!(records.length >= limit)) this.#whole.add(key)
  }

  /** Adds tables, lists and spaces of which only parts are shown. */
  #completeParents(): void {
    const ensure = (listing: OperationId, id: string, more: JsonObject = {}) =>
      getOrInsert(this.#listingOf(listing), id, () => ({ id, name: id, ...more }))
    for (const key of [...this.#records.keys(), ...this.#bodies.keys()]) {
      const [operation = '', owner = ''] = key.split(/ (.*)/s)
      if (['listRows', 'getDatatableSchema'].includes(operation)) ensure('listDatatables', owner)
      if (['listTasks', 'getListSchema'].includes(operation))
        ensure('listLists', owner, { space_id: recordedSpace, folder_id: null })
    }
    for (const { fields } of this.#bodies.values())
      for (const { table_id } of listObjects(fields))
        if (typeof table_id === 'string') ensure('listDatatables', table_id)
    for (const list of this.#listingOf('listLists').values()) {
      const { space_id = recordedSpace, space_name: name = space_id, id: default_list_id } = list
      const space = ensure('listSpaces', String(space_id), { name, default_list_id })
      space.lists = [...listObjects(space.lists).filter(({ id }) => id !== list.id), list]
    }
  }

  /** The body of a read; of a file its content in base64. @param ids of its path */
  bodyOf(operation: OperationId, ids: readonly string[], query: Readonly<Record<string, number>>): unknown {
    const body = this.#find(operation, ids, query)
    if (body === undefined) this.#missing.set(operation, (this.#missing.get(operation) ?? 0) + 1)
    return body
  }

  #find(operation: OperationId, ids: readonly string[], { offset = 0, page = 1 }: Record<string, number>) {
    const [owner = ''] = ids
    const id = ids.at(-1) ?? ''
    if (operation === 'downloadTaskAttachment') return this.#files.get(id)
    const key = `${operation} ${owner}`
    const listing = listingOf(operation)
    if (listing) {
      const listings = [...this.#records].filter(([name]) => name.startsWith(`${listing} `))
      const record = listings.map(([, records]) => records.get(id)).find(isObject)
      return record && operation === 'getForm' ? { form: record } : record
    }
    const records = this.#records.get(key)
    const body = this.#bodies.get(key)
    if (offset > 0 || page > 1 || !(records?.size || body)) return undefined
    const positionOf = (record: JsonObject) => this.#positions.get(`${key} ${String(record.id)}`) ?? Infinity
    const all = [...(records?.values() ?? [])].sort((a, b) => compareText(positionOf(a), positionOf(b)))
    const limit = this.#whole.has(key) ? all.length + 1 : Math.max(all.length, 1)
    const content = records && { [contentFieldOf(operation) ?? '']: all }
    return { ...body, ...content, limit, ...(operation === 'listRows' && { pageSize: limit }) }
  }
}
