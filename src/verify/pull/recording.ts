// A recording of requests (HAR) as something to read a workspace from, as far as its responses show one.
import type { OperationId } from '../../contract/index.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { compareText } from '../../contract/text/format.ts'
import type { Params } from '../engine/ledger.ts'
import { KeyRedaction } from '../engine/redact.ts'
import { Reply } from '../engine/reply.ts'
import { recordedExchanges, type Exchange } from './har.ts'
import { fixed, note, type Note } from './losses.ts'
import type { Query, Source } from './source.ts'
import { contentFields } from './shown.ts'

/** Of lists that no space shows, and tasks that no list shows. */
const recordedSpace = 'space_recorded'
const recordedList = 'list_recorded'

/** Operations that show one record, and the listing that has it; the record is under the name, or is the body. */
const singles: Readonly<Partial<Record<OperationId, readonly [listing: OperationId, name?: string]>>> = {
  ...{ getRow: ['listRows'], createRow: ['listRows'], updateRow: ['listRows'] },
  ...{ uploadRowAttachment: ['listRows', 'row'], createSpace: ['listSpaces'], updateSpace: ['listSpaces'] },
  ...{ createList: ['listLists'], getList: ['listLists'], updateList: ['listLists'] },
  ...{ getTask: ['listTasks'], updateTask: ['listTasks'], updateComment: ['listComments'] },
  ...{ createTimeEntry: ['listTimeEntries'], updateTimeEntry: ['listTimeEntries'] },
  uploadTaskAttachment: ['listTaskAttachments', 'attachment'],
  getForm: ['listForms', 'form'],
}

const deletions: Readonly<Partial<Record<OperationId, OperationId>>> = {
  ...{ deleteRow: 'listRows', deleteTask: 'listTasks', deleteComment: 'listComments' },
  ...{ deleteTimeEntry: 'listTimeEntries', deleteTaskAttachment: 'listTaskAttachments' },
}

type Records = Map<string, JsonObject>

/** Parameters that leave the order and the number of records as they are. */
const pagingNames: ReadonlySet<string> = new Set(['page', 'limit', 'pageSize', 'offset', 'select'])

const recordsOf = (list: unknown): JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : [])

export class Recording implements Source {
  readonly isRecorded = true
  /** Bodies that show one thing, and the last body of each listing without its records. */
  readonly #bodies = new Map<string, JsonObject>()
  /** By listing and the id of what owns it. */
  readonly #records = new Map<string, Records>()
  /** Listings of which the last page was seen. */
  readonly #whole = new Set<string>()
  /** Where records are in their listings, as far as pages without filters show it. */
  readonly #positions = new Map<string, number>()
  readonly #files = new Map<string, Uint8Array>()
  readonly #redaction: KeyRedaction
  /** Writes whose result no response shows. */
  readonly #unseenWrites = new Map<string, OperationId>()
  readonly #workspaces = new Set<unknown>()
  readonly #notes: Note[]

  /** @param baseUrl of the API; by default the one to which most of the requests went */
  constructor(har: unknown, baseUrl?: string) {
    const { exchanges, key, notes } = recordedExchanges(har, baseUrl)
    this.#redaction = new KeyRedaction(key)
    this.#notes = notes
    for (const exchange of exchanges) this.#see(exchange)
    this.#completeParents()
  }

  get notes(): Note[] {
    const writes = [...this.#unseenWrites]
    return [
      ...this.#notes,
      ...(this.#workspaces.size > 1
        ? [note`The recording shows ${this.#workspaces.size} workspaces, taken for one.`]
        : []),
      ...writes.map(([id, operation]) => note`What ${fixed(operation)} made of ${id} is not recorded.`),
    ]
  }

  #listing(operation: OperationId, owner = ''): Records {
    return getOrInsert(this.#records, `${operation} ${owner}`, () => new Map<string, JsonObject>())
  }

  #put(operation: OperationId, owner: string | undefined, record: JsonObject): void {
    const { id } = record
    if (typeof id !== 'string') return
    this.#unseenWrites.delete(id)
    const records = this.#listing(operation, owner)
    const { data, ...known } = records.get(id) ?? {}
    const merged = isObject(data) && isObject(record.data) ? { data: { ...data, ...record.data } } : {}
    records.set(id, { ...(data !== undefined && { data }), ...known, ...record, ...merged })
  }

  #see({ operation, params, query, method, body, bytes }: Exchange): void {
    const owner = Object.values(params).at(0)
    if (operation === 'downloadTaskAttachment') this.#files.set(params.attachmentId ?? '', bytes)
    if (!isObject(body)) return
    const removed = deletions[operation]
    if (removed !== undefined) this.#remove(removed, Object.values(params).at(-1) ?? '')
    const listing = operation === 'queryRows' ? 'listRows' : operation
    const name = contentFields[listing]
    const [single, under] = singles[operation] ?? []
    if (single === 'listTasks') this.#putTask(body)
    else if (single !== undefined) {
      const record = under === undefined ? body : body[under]
      const isTop = ['listSpaces', 'listLists', 'listForms'].includes(single)
      if (isObject(record)) this.#put(single, isTop ? '' : owner, record)
    } else if (name !== undefined) this.#seeListing(listing, name, owner, query, body)
    if (method !== 'GET' && single !== undefined && typeof body.id !== 'string')
      this.#doubt(operation, params)
    if (operation === 'createTask' && typeof body.id === 'string') {
      this.#unseenWrites.set(body.id, operation)
      for (const file of recordsOf(body.attachments)) this.#put('listTaskAttachments', body.id, file)
    }
  }

  #doubt(operation: OperationId, params: Params): void {
    if (operation.startsWith('update')) this.#unseenWrites.set(Object.values(params).at(-1) ?? '', operation)
  }

  #seeListing(
    listing: OperationId,
    name: string,
    owner: string | undefined,
    query: URLSearchParams,
    body: JsonObject,
  ): void {
    const key = `${listing} ${owner ?? ''}`
    this.#bodies.set(key, { ...this.#bodies.get(key), ...body })
    if (listing === 'getIdentity')
      this.#workspaces.add(isObject(body.workspace) ? body.workspace.id : undefined)
    if (listing.startsWith('get')) return
    const records = recordsOf(body[name])
    this.#listing(listing, owner)
    for (const record of records) {
      this.#put(listing, owner, record)
      for (const list of recordsOf(record.lists)) this.#put('listLists', '', list)
    }
    if ([...query.keys()].some((parameter) => !pagingNames.has(parameter))) return
    const limit = Number(body.limit ?? body.pageSize ?? Infinity)
    const start = Number(body.offset ?? 0) || (Number(body.page ?? 1) - 1) * limit || 0
    for (const [index, { id }] of records.entries())
      this.#positions.set(`${key} ${String(id)}`, start + index)
    if (!(records.length >= limit)) this.#whole.add(key)
  }

  #putTask(task: JsonObject): void {
    const listings = [...this.#records].filter(([key]) => key.startsWith('listTasks '))
    const [known] = listings.find(([, records]) => records.has(String(task.id))) ?? []
    const shown = typeof task.list_id === 'string' ? task.list_id : recordedList
    this.#put('listTasks', known?.slice('listTasks '.length) ?? shown, task)
  }

  #remove(listing: OperationId, id: string): void {
    this.#unseenWrites.delete(id)
    for (const [key, records] of this.#records) if (key.startsWith(`${listing} `)) records.delete(id)
  }

  /** Tables, lists and spaces that are never shown themselves, though something in them is. */
  #completeParents(): void {
    const owners = (...listings: string[]) =>
      [...this.#records.keys(), ...this.#bodies.keys()].flatMap((key) => {
        const [listing = '', owner = ''] = key.split(/ (.*)/s)
        return listings.includes(listing) ? [owner] : []
      })
    const tables = this.#listing('listDatatables')
    for (const id of owners('listRows', 'getDatatableSchema'))
      if (!tables.has(id)) tables.set(id, { id, name: id })
    for (const body of this.#bodies.values())
      for (const { table_id: id } of recordsOf(body.fields))
        if (typeof id === 'string' && !tables.has(id)) tables.set(id, { id, name: id })
    const lists = this.#listing('listLists')
    for (const id of owners('listTasks', 'getListSchema'))
      if (!lists.has(id)) lists.set(id, { id, name: id, space_id: recordedSpace, folder_id: null })
    const spaces = this.#listing('listSpaces')
    for (const list of lists.values()) {
      const id = typeof list.space_id === 'string' ? list.space_id : recordedSpace
      if (!spaces.has(id)) spaces.set(id, { id, name: list.space_name ?? id, default_list_id: list.id })
    }
    for (const space of spaces.values())
      space.lists = [...lists.values()].filter(({ space_id = recordedSpace }) => space_id === space.id)
  }

  read(operation: OperationId, params: Params, { offset = 0, page = 1 }: Query): Promise<Reply | undefined> {
    const [owner = '', inner] = Object.values(params)
    const key = `${operation} ${owner}`
    const [single, under] = singles[operation] ?? []
    if (single !== undefined) {
      const listings = [...this.#records].filter(([name]) => name.startsWith(`${single} `))
      const record = listings.map(([, records]) => records.get(inner ?? owner)).find(isObject)
      if (!record) return Promise.resolve(undefined)
      return this.#reply(under === undefined ? record : { [under]: record })
    }
    const records = this.#records.get(key)
    const body = this.#bodies.get(key)
    if (offset > 0 || page > 1 || !(records?.size || body)) return Promise.resolve(undefined)
    const positionOf = ({ id }: JsonObject) => this.#positions.get(`${key} ${String(id)}`) ?? Infinity
    const sorted = records && [...records.values()].sort((a, b) => compareText(positionOf(a), positionOf(b)))
    const all = sorted && { [contentFields[operation] ?? '']: sorted }
    const count = records?.size ?? 0
    const limit = this.#whole.has(key) ? count + 1 : Math.max(count, 1)
    return this.#reply({ ...body, ...all, limit, ...(operation === 'listRows' && { pageSize: limit }) })
  }

  download({ attachmentId = '' }: Params): Promise<Reply | undefined> {
    const bytes = this.#files.get(attachmentId)
    return Promise.resolve(bytes && new Reply({ response: new Response(null), bytes }, this.#redaction))
  }

  #reply(body: JsonObject): Promise<Reply> {
    const bytes = new TextEncoder().encode(JSON.stringify(body))
    return Promise.resolve(new Reply({ response: new Response(null), bytes }, this.#redaction))
  }
}
