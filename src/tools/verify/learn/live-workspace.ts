// The workspace that a run learns from: reads of it, each sent once, and records that the run creates.
import { getOrInsert } from '../../../contract/data/maps.ts'
import type { Column, DataTableSummary } from '../../../contract/datatables.ts'
import type { Form } from '../../../contract/forms.ts'
import type { Identity } from '../../../contract/identity.ts'
import type { OperationId, SuccessFor } from '../../../contract/index.ts'
import { mostPerPage } from '../../../contract/limits.ts'
import type { List } from '../../../contract/lists.ts'
import type { Row } from '../../../contract/rows.ts'
import type { Space } from '../../../contract/spaces.ts'
import type { Task } from '../../../contract/tasks.ts'
import { makePlausibleBody } from '../engine/bodies.ts'
import type { Ask, Client } from '../engine/client.ts'
import { Unreadable, Forbidden, requireValue, Unreachable } from '../engine/drift.ts'
import type { Params } from '../engine/ledger.ts'
import { findMarkableTables, sortTables, type MarkableTable } from '../engine/shapes.ts'
import { spaceNameOf, type Context } from '../engine/start.ts'

const mostTables = 20
const mostFilledTables = 5
const mostLists = 20
/** Tasks of a list that are searched for time entries. */
const mostTimedTasks = 12

interface LiveTable extends DataTableSummary {
  readonly columns: readonly Column[]
}

/** A table with its first rows, one at least. */
export interface FilledTable extends LiveTable {
  readonly rows: readonly Row[]
}

const requireId = (id: unknown, why: string): string =>
  requireValue(typeof id === 'string' ? id : undefined, why)

export class LiveWorkspace {
  readonly context: Context
  /** Calls use existing records where they leave out ids of the path. */
  readonly reads: Client
  /** Calls use records of the run where they leave out ids of the path, if it may write. */
  readonly api: Client
  readonly #tableName: string | undefined
  readonly #known = new Map<string, Promise<unknown>>()

  /** @param tableName id or name of the table to write rows to */
  constructor(context: Context, tableName?: string) {
    this.context = context
    this.#tableName = tableName
    this.reads = context.api.at({}, (name) => this.#findExistingId(name))
    this.api = context.mayWrite
      ? context.api.at({}, (name, known) => this.#makeOwnId(name, known))
      : this.reads
  }

  /** Makes a value on the first call; again where a response was not as expected. */
  makeOnce<T>(name: string, make: () => Promise<T>): Promise<T> {
    return getOrInsert(this.#known, name, () => {
      const made = make()
      made.catch((error: unknown) => {
        if (error instanceof Unreadable) this.#known.delete(name)
      })
      return made
    }) as Promise<T>
  }

  #read<Id extends OperationId>(operation: Id, ask: Ask = {}): Promise<SuccessFor<Id>> {
    return this.makeOnce(JSON.stringify([operation, ask]), () => this.api.succeed(operation, ask))
  }

  readIdentity(): Promise<Identity> {
    return this.#read('getIdentity')
  }

  async readPlan(): Promise<Identity['workspace']['plan']> {
    return (await this.readIdentity()).workspace.plan
  }

  readTables(): Promise<LiveTable[]> {
    return this.makeOnce('tables', async () => {
      const tables: LiveTable[] = []
      for (const table of (await this.#read('listDatatables')).datatables.slice(0, mostTables)) {
        const { columns } = await this.#read('getDatatableSchema', { params: { tableId: table.id } })
        tables.push({ ...table, columns })
      }
      return tables
    })
  }

  /** Tables that have rows, the one with the most types of columns first. */
  readFilledTables(): Promise<FilledTable[]> {
    return this.makeOnce('filled tables', async () => {
      const sorted = sortTables((await this.readTables()).filter(({ row_count }) => row_count > 0))
      const tables: FilledTable[] = []
      for (const table of sorted.slice(0, mostFilledTables)) {
        const ask = { params: { tableId: table.id }, query: { limit: mostPerPage.rows } }
        tables.push({ ...table, rows: (await this.#read('listRows', ask)).rows })
      }
      return tables.filter(({ rows }) => rows.length > 0)
    })
  }

  /** @throws {Unreachable} */
  async readRichTable(): Promise<FilledTable> {
    return requireValue((await this.readFilledTables())[0], 'no table has rows')
  }

  async readLists(): Promise<List[]> {
    return (await this.#read('listLists')).lists
  }

  readListSchema(listId: string): Promise<SuccessFor<'getListSchema'>> {
    return this.#read('getListSchema', { params: { listId } })
  }

  /** Lists with a page of tasks, the fullest first. */
  readFilledLists(): Promise<{ readonly id: string; readonly tasks: readonly Task[] }[]> {
    return this.makeOnce('filled lists', async () => {
      const lists = []
      for (const { id } of (await this.readLists()).slice(0, mostLists)) {
        const ask = { params: { listId: id }, query: { limit: mostPerPage.tasks } }
        lists.push({ id, tasks: (await this.#read('listTasks', ask)).tasks })
      }
      const filled = lists.filter(({ tasks }) => tasks.length > 0)
      return filled.sort((a, b) => b.tasks.length - a.tasks.length)
    })
  }

  async readFullestList() {
    return requireValue((await this.readFilledLists())[0], 'no list that is not private has tasks')
  }

  async readSomeTask(): Promise<Task> {
    return requireValue((await this.readFullestList()).tasks[0], 'no list has tasks')
  }

  async readForms(): Promise<Form[]> {
    return (await this.#read('listForms')).forms
  }

  async #findExistingId(name: string): Promise<string> {
    const ids: Readonly<Record<string, () => Promise<string | undefined>>> = {
      tableId: async () => (await this.readTables())[0]?.id,
      listId: async () => (await this.readLists())[0]?.id,
      taskId: async () => (await this.readSomeTask()).id,
      formId: async () => (await this.readForms())[0]?.id,
    }
    return requireValue(await ids[name]?.(), `the workspace has no ${name.replace('Id', '')}`)
  }

  /** @param known earlier ids of the path */
  async #makeOwnId(name: string, known: Params): Promise<string> {
    const make = <Id extends OperationId>(operation: Id) =>
      this.api.succeed(operation, { params: known, ...makePlausibleBody(operation) })
    const ids: Readonly<Record<string, () => Promise<string>>> = {
      tableId: async () => (await this.chooseTable()).id,
      rowId: async () => (await this.createRow()).id,
      spaceId: async () => (await this.makeSpace()).id,
      listId: () => this.getOwnListId(),
      taskId: () => this.makeOnce('task', () => this.createTask()),
      commentId: async () => (await make('createComment')).id,
      entryId: async () => (await make('createTimeEntry')).id,
      attachmentId: async () => (await make('uploadTaskAttachment')).attachment.id,
    }
    return (await ids[name]?.()) ?? ''
  }

  makeSpace(): Promise<Space> {
    const json = { name: spaceNameOf(this.context.marker), color: '#336699', icon: 'flask' }
    return this.makeOnce('space', () => this.api.succeed('createSpace', { json }))
  }

  /** Id of the list that came with the space of the run. */
  async getOwnListId(): Promise<string> {
    return requireId((await this.makeSpace()).default_list_id, 'the space of the run has no default list')
  }

  /** @returns the id of a new task */
  async createTask(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const json = { title: this.context.newText(), ...fields }
    const { id } = await this.api.succeed('createTask', {
      params: { listId: await this.getOwnListId() },
      json,
    })
    return requireId(id, 'createTask returns no id')
  }

  async createTaskClient(): Promise<Client> {
    return this.api.at({ taskId: await this.createTask() })
  }

  /** The first table that accepts rows one at a time and in bulk. @throws {Unreachable} */
  chooseTable(): Promise<MarkableTable<LiveTable>> {
    return this.makeOnce('table', async () => {
      let refused: unknown
      for (const table of findMarkableTables(await this.readTables(), this.#tableName)) {
        const params = { tableId: table.id }
        const bulk = await this.api.call('bulkInsertRows', {
          params,
          json: { rows: this.makeBadRows(table, 1) },
        })
        if (bulk.status === 403) {
          refused ??= new Forbidden('bulkInsertRows', 200, bulk)
          continue
        }
        try {
          await this.api.succeed('createRow', { params, json: { data: this.makeGoodRow(table) } })
          return table
        } catch (error) {
          if (!(error instanceof Unreachable)) throw error
          refused = error
        }
      }
      if (refused instanceof Forbidden) throw refused
      throw new Unreachable('no table with a text column takes rows')
    })
  }

  makeGoodRow({ text }: MarkableTable): Record<string, unknown> {
    return { [text.id]: this.context.newText() }
  }

  /** Texts that are arrays are refused, so limits show without writing. Where they are stored, the marker identifies them. */
  makeBadRows({ text }: MarkableTable, count: number): Record<string, unknown>[] {
    return Array.from({ length: count }, () => ({ [text.id]: [this.context.marker] }))
  }

  async createRow(): Promise<Row> {
    const data = this.makeGoodRow(await this.chooseTable())
    return this.api.succeed('createRow', { json: { data } })
  }

  /** A member who seems to have no timer running and is not `other`: a timer that is started can stop another. */
  async findIdleMember(other?: string): Promise<string> {
    const { members } = await this.readIdentity()
    const busy = await this.makeOnce('busy members', () => this.#findBusyMembers())
    const free = members.filter(({ id }) => id !== other)
    const member = free.find(({ id }) => !busy.has(id)) ?? free[0]
    return requireValue(member?.id, 'the workspace has no other member')
  }

  /** Reads the entries of tasks until there are some. */
  async #findBusyMembers(): Promise<ReadonlySet<string>> {
    for (const { tasks } of await this.readFilledLists())
      for (const { id: taskId } of tasks.slice(0, mostTimedTasks)) {
        const { entries } = await this.api.succeed('listTimeEntries', { params: { taskId } })
        const running = entries.filter(({ is_running }) => is_running === 1)
        if (entries.length > 0) return new Set(running.map(({ user_id }) => user_id))
      }
    return new Set()
  }
}
