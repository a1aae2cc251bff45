// What a run that learns finds in a deployment: tables, rows, lists, tasks and forms, each requested once.
import type { Column, DataTableSummary } from '../../contract/datatables.ts'
import type { Form } from '../../contract/forms.ts'
import type { OperationId, SuccessFor } from '../../contract/index.ts'
import type { Identity } from '../../contract/identity.ts'
import type { List } from '../../contract/lists.ts'
import type { Task } from '../../contract/tasks.ts'
import type { TimeEntry } from '../../contract/time-entries.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import type { Ask, Client } from './client.ts'
import { countTypes, toKnownRow, type KnownRow } from './shapes.ts'
import { requireValue, Drift } from './drift.ts'

/** Most tables, lists and tasks that are read to find what a rule needs. */
const mostTables = 20
const mostLists = 20
const mostTasksOfList = 12
/** Tables up to this size are read whole, to know what a filter must find. */
const wholeRows = 500

export interface DiscoveredTable {
  readonly table: DataTableSummary
  readonly columns: readonly Column[]
}

/** A table with all its rows. */
export interface WholeTable extends DiscoveredTable {
  readonly rows: readonly KnownRow[]
}

/** Values by name, each found or made once; again where a response was not as expected. */
export function memo() {
  const known = new Map<string, Promise<unknown>>()
  return <T>(name: string, make: () => Promise<T>) =>
    getOrInsert(known, name, () => {
      const made = make()
      made.catch((error: unknown) => {
        if (error instanceof Drift) known.delete(name)
      })
      return made
    }) as Promise<T>
}

export class Discovery {
  readonly once = memo()
  readonly #api: Client

  constructor(api: Client) {
    this.#api = api
  }

  /** The response to a read, which is sent once. */
  #read<Id extends OperationId>(operation: Id, ask: Ask = {}): Promise<SuccessFor<Id>> {
    return this.once(JSON.stringify([operation, ask]), () => this.#api.succeed(operation, ask))
  }

  identity(): Promise<Identity> {
    return this.#read('getIdentity')
  }

  async plan(): Promise<Identity['workspace']['plan']> {
    return (await this.identity()).workspace.plan
  }

  /** The first tables with their columns. */
  tablesWithColumns(): Promise<DiscoveredTable[]> {
    return this.once('seen tables', async () => {
      const seen: DiscoveredTable[] = []
      const { datatables } = await this.#read('listDatatables')
      for (const table of datatables.slice(0, mostTables)) {
        const { columns } = await this.#read('getDatatableSchema', { params: { tableId: table.id } })
        seen.push({ table, columns })
      }
      return seen
    })
  }

  /** Tables with rows that were read whole, those with the most types of columns first. */
  wholeTables(): Promise<WholeTable[]> {
    return this.once('whole tables', async () => {
      const small = (await this.tablesWithColumns()).filter(
        ({ table }) => table.row_count > 0 && table.row_count <= wholeRows,
      )
      const whole: WholeTable[] = []
      for (const seen of small.sort((a, b) => countTypes(b) - countTypes(a)).slice(0, 5)) {
        const ask = { params: { tableId: seen.table.id }, query: { limit: wholeRows } }
        const { rows } = await this.#read('listRows', ask)
        whole.push({ ...seen, rows: rows.map(toKnownRow) })
      }
      return whole.filter(({ rows }) => rows.length > 0)
    })
  }

  /** The whole table with the most types of columns. @throws {Unreachable} */
  async richTable(): Promise<WholeTable> {
    const [first] = await this.wholeTables()
    return requireValue(first, `no table has 1 to ${String(wholeRows)} rows`)
  }

  /** The table with the most rows, one at least. @throws {Unreachable} */
  async largestTable(): Promise<DiscoveredTable> {
    const [first] = [...(await this.tablesWithColumns())].sort(
      (a, b) => b.table.row_count - a.table.row_count,
    )
    return requireValue(first && first.table.row_count > 0 ? first : undefined, 'no table has rows')
  }

  /** The id of the first thing for a parameter of a path. @throws {Unreachable} */
  async idOf(name: string): Promise<string> {
    const first: Readonly<Record<string, () => Promise<string>>> = {
      tableId: async () =>
        requireValue((await this.tablesWithColumns())[0], 'the workspace has no table').table.id,
      listId: async () =>
        requireValue((await this.lists())[0], 'the workspace has no list that is not private').id,
      taskId: async () => (await this.someTask()).id,
      formId: async () => requireValue((await this.forms())[0], 'the workspace has no form').id,
    }
    return (await first[name]?.()) ?? ''
  }

  async lists(): Promise<List[]> {
    return (await this.#read('listLists')).lists
  }

  listSchema(listId: string): Promise<SuccessFor<'getListSchema'>> {
    return this.#read('getListSchema', { params: { listId } })
  }

  /** The tasks of a list, up to the most a page has. */
  async tasks(listId: string): Promise<Task[]> {
    return (await this.#read('listTasks', { params: { listId }, query: { limit: 200 } })).tasks
  }

  /** The first lists that have tasks, the fullest first. */
  fullLists(): Promise<List[]> {
    return this.once('full lists', async () => {
      const sized: (readonly [size: number, list: List])[] = []
      for (const list of (await this.lists()).slice(0, mostLists))
        sized.push([(await this.tasks(list.id)).length, list])
      const full = sized.filter(([size]) => size > 0).sort(([a], [b]) => b - a)
      return full.map(([, list]) => list)
    })
  }

  /** The list with the most tasks. @throws {Unreachable} */
  async fullestList(): Promise<List> {
    return requireValue((await this.fullLists())[0], 'no list that is not private has tasks')
  }

  /** @throws {Unreachable} */
  async someTask(): Promise<Task> {
    return requireValue((await this.tasks((await this.fullestList()).id))[0], 'no list has tasks')
  }

  /** The entries of the first task of some of every list that has any. */
  timed(): Promise<readonly TimeEntry[]> {
    return this.once('timed', async () => {
      for (const { id } of await this.fullLists())
        for (const { id: taskId } of (await this.tasks(id)).slice(0, mostTasksOfList)) {
          const { entries } = await this.#api.succeed('listTimeEntries', { params: { taskId } })
          if (entries.length > 0) return entries
        }
      return []
    })
  }

  async forms(): Promise<Form[]> {
    return (await this.#read('listForms')).forms
  }
}
