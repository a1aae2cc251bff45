// What a run finds in a deployment before it judges: tables, rows, lists, tasks and forms, each requested once.
import type { Column, DataTableSummary } from '../../contract/datatables.ts'
import type { Form, FormSubmission } from '../../contract/forms.ts'
import type { OperationId, SuccessFor } from '../../contract/index.ts'
import type { Identity } from '../../contract/identity.ts'
import type { ServedCustomField, List, Status } from '../../contract/lists.ts'
import type { Task } from '../../contract/tasks.ts'
import type { Ask, Client } from './client.ts'
import { cellsOf, type Cells } from '../rules/rows/shapes.ts'
import { Memo } from './memo.ts'
import { needed } from './expect.ts'
import { Forbidden, Unreachable } from './rule.ts'

/** Most tables, lists and tasks that are read to find what a rule needs. */
const mostTables = 20
const mostLists = 20
const mostTasksOfList = 12
/** Tables up to this size are read whole, to know what a filter must find. */
const wholeRows = 500

export interface SeenRow {
  readonly id: string
  readonly version: number
  readonly cells: Cells
}

export interface SeenTable {
  readonly table: DataTableSummary
  readonly columns: readonly Column[]
}

/** A table with all its rows. */
export interface WholeTable extends SeenTable {
  readonly rows: readonly SeenRow[]
}

export interface ListSchema {
  readonly statuses: readonly Status[]
  readonly fields: readonly ServedCustomField[]
}

export interface SeenTask {
  readonly list: List
  readonly task: Task
}

/** How many types of columns a table has. */
export const typesOf = ({ columns }: SeenTable) => new Set(columns.map(({ type }) => type)).size

export class Discovery extends Memo {
  readonly #api: Client

  constructor(api: Client) {
    super()
    this.#api = api
  }

  /** The response to a read, which is sent once. */
  #read<Id extends OperationId>(operation: Id, ask: Ask = {}): Promise<SuccessFor<Id>> {
    return this.once(JSON.stringify([operation, ask]), () => this.#api.succeed(operation, ask))
  }

  identity(): Promise<Identity> {
    return this.#read('getIdentity')
  }

  async tables(): Promise<DataTableSummary[]> {
    return (await this.#read('listDatatables')).datatables
  }

  /** The first tables with their columns. */
  seenTables(): Promise<SeenTable[]> {
    return this.once('seen tables', async () => {
      const seen: SeenTable[] = []
      for (const table of (await this.tables()).slice(0, mostTables)) {
        const { columns } = await this.#read('getDatatableSchema', { params: { tableId: table.id } })
        seen.push({ table, columns })
      }
      return seen
    })
  }

  /** The rows of a table, up to the most a page has. */
  rows(tableId: string): Promise<SeenRow[]> {
    return this.once(`rows ${tableId}`, async () => {
      const ask = { params: { tableId }, query: { limit: wholeRows } }
      const { rows } = await this.#api.succeed('listRows', ask)
      return rows.map((row) => ({ id: row.id, version: row.version, cells: cellsOf(row) }))
    })
  }

  /** Tables with rows that were read whole, those with the most types of columns first. */
  wholeTables(): Promise<WholeTable[]> {
    return this.once('whole tables', async () => {
      const small = (await this.seenTables()).filter(
        ({ table }) => table.row_count > 0 && table.row_count <= wholeRows,
      )
      const whole: WholeTable[] = []
      for (const seen of small.sort((a, b) => typesOf(b) - typesOf(a)).slice(0, 5))
        whole.push({ ...seen, rows: await this.rows(seen.table.id) })
      return whole.filter(({ rows }) => rows.length > 0)
    })
  }

  /** The whole table with the most types of columns. @throws {Unreachable} */
  async richTable(): Promise<WholeTable> {
    const [first] = await this.wholeTables()
    return needed(first, `no table has 1 to ${String(wholeRows)} rows`)
  }

  /** The table with the most rows, one at least. @throws {Unreachable} */
  async largestTable(): Promise<SeenTable> {
    const [first] = [...(await this.seenTables())].sort((a, b) => b.table.row_count - a.table.row_count)
    return needed(first && first.table.row_count > 0 ? first : undefined, 'no table has rows')
  }

  /** Whether the workspace has nothing that most rules could read. */
  async isEmpty(): Promise<boolean> {
    const none = async (find: () => Promise<unknown>) =>
      find().then(
        () => false,
        (error: unknown) => error instanceof Unreachable && !(error instanceof Forbidden),
      )
    return (
      (await none(() => this.largestTable())) &&
      (await none(() => this.fullestList())) &&
      (await none(() => this.someForm()))
    )
  }

  /** The id of the first thing for a parameter of a path. @throws {Unreachable} */
  async idOf(name: string): Promise<string> {
    const first: Readonly<Record<string, () => Promise<string>>> = {
      tableId: async () => needed((await this.tables())[0], 'the workspace has no table').id,
      listId: async () => (await this.someList()).id,
      taskId: async () => (await this.someTask()).task.id,
      formId: async () => (await this.someForm()).id,
    }
    return (await first[name]?.()) ?? ''
  }

  async spaces(): Promise<SuccessFor<'listSpaces'>['spaces']> {
    return (await this.#read('listSpaces')).spaces
  }

  async lists(): Promise<List[]> {
    return (await this.#read('listLists')).lists
  }

  async someList(): Promise<List> {
    return needed((await this.lists())[0], 'the workspace has no list that is not private')
  }

  listSchema(listId: string): Promise<ListSchema> {
    return this.#read('getListSchema', { params: { listId } })
  }

  /** The tasks of a list, up to the most a page has. */
  async tasks(listId: string): Promise<Task[]> {
    return (await this.#read('listTasks', { params: { listId }, query: { limit: 200 } })).tasks
  }

  /** The first lists that have tasks, the fullest first. */
  fullLists(): Promise<List[]> {
    return this.once('full lists', async () => {
      const sized: { list: List; size: number }[] = []
      for (const list of (await this.lists()).slice(0, mostLists))
        sized.push({ list, size: (await this.tasks(list.id)).length })
      return sized
        .filter(({ size }) => size > 0)
        .sort((a, b) => b.size - a.size)
        .map(({ list }) => list)
    })
  }

  /** The list with the most tasks. @throws {Unreachable} */
  async fullestList(): Promise<List> {
    return needed((await this.fullLists())[0], 'no list that is not private has tasks')
  }

  /** @throws {Unreachable} */
  async someTask(): Promise<SeenTask> {
    const list = await this.fullestList()
    const [task] = await this.tasks(list.id)
    return { list, task: needed(task, 'no list has tasks') }
  }

  /** Some tasks of every list. */
  async #sampleTasks(): Promise<Task[]> {
    const sample: Task[] = []
    for (const { id } of await this.fullLists())
      sample.push(...(await this.tasks(id)).slice(0, mostTasksOfList))
    return sample
  }

  /** The first of some tasks of every list for which a search finds something. */
  #findAtTask<T>(name: string, search: (taskId: string) => Promise<T | undefined>): Promise<T | undefined> {
    return this.once(name, async () => {
      for (const { id } of await this.#sampleTasks()) {
        const found = await search(id)
        if (found !== undefined) return found
      }
      return undefined
    })
  }

  /** A task with comments, and these. */
  commented() {
    return this.#findAtTask('commented', async (taskId) => {
      const { comments } = await this.#api.succeed('listComments', { params: { taskId } })
      return comments.length > 0 ? { taskId, comments } : undefined
    })
  }

  /** A task with time entries, and their listing. */
  timed() {
    return this.#findAtTask('timed', async (taskId) => {
      const listing = await this.#api.succeed('listTimeEntries', { params: { taskId } })
      return listing.entries.length > 0 ? { taskId, ...listing } : undefined
    })
  }

  /** A task with attachments, and these. */
  attached() {
    return this.#findAtTask('attached', async (taskId) => {
      const { attachments } = await this.#api.succeed('listTaskAttachments', { params: { taskId } })
      return attachments.length > 0 ? { taskId, attachments } : undefined
    })
  }

  async forms(): Promise<Form[]> {
    return (await this.#read('listForms')).forms
  }

  async someForm(): Promise<Form> {
    return needed((await this.forms())[0], 'the workspace has no form')
  }

  /** The form with the most submissions. @throws {Unreachable} */
  async busiestForm(): Promise<Form> {
    const [first] = [...(await this.forms())].sort((a, b) => b.submission_count - a.submission_count)
    return needed(first && first.submission_count > 0 ? first : undefined, 'no form has submissions')
  }

  async submissions(formId: string): Promise<FormSubmission[]> {
    return (await this.#read('listFormSubmissions', { params: { formId }, query: { limit: 200 } }))
      .submissions
  }
}
