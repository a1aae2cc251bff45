// What a run makes to write in: a space of its own with its list and tasks, and rows in a table it chooses.
import type { Column } from '../../contract/datatables.ts'
import type { OperationId, SuccessFor } from '../../contract/index.ts'
import type { Status } from '../../contract/lists.ts'
import type { Row } from '../../contract/rows.ts'
import type { Space } from '../../contract/spaces.ts'
import { plausibleBody } from './bodies.ts'
import type { Client } from './client.ts'
import type { Params } from './ledger.ts'
import { memo, type Discovery, type DiscoveredTable } from './discovery.ts'
import { requireValue, Forbidden, Unreachable } from './drift.ts'
import { countTypes } from './shapes.ts'

/** A table that accepts rows, and the text column that marks the rows of the run. */
export interface OwnTable extends DiscoveredTable {
  readonly text: Column
}

/** Tables larger than this are avoided where there are others: they are searched for leftovers. */
const largeRows = 2000

export class RunResources {
  readonly once = memo()
  readonly #api: Client
  readonly #discovered: Discovery
  readonly #tableName: string | undefined
  #count = 0
  /** Prefix of every name and text that the run writes. */
  readonly marker: string

  constructor(api: Client, discovered: Discovery, marker: string, table?: string) {
    this.#api = api
    this.#discovered = discovered
    this.marker = marker
    this.#tableName = table
  }

  /** A text that is unique in this run. */
  text(): string {
    this.#count += 1
    return `${this.marker} ${String(this.#count)}`
  }

  get spaceName(): string {
    return `${this.marker}: Räume & Søn`
  }

  space(): Promise<Space> {
    return this.once('space', async () => {
      const json = { name: this.spaceName, color: '#336699', icon: 'flask' }
      const space = await this.#api.succeed('createSpace', { json })
      return { ...space, lists: Array.isArray(space.lists) ? space.lists : [] }
    })
  }

  /** Id of the list named Tasks that came with the space. */
  async listId(): Promise<string> {
    const { default_list_id: id } = await this.space()
    return requireValue(typeof id === 'string' ? id : undefined, 'the space of the run has no default list')
  }

  async statuses(): Promise<readonly Status[]> {
    return (await this.#discovered.listSchema(await this.listId())).statuses
  }

  /** The id of something of the run's own for a parameter of a path, where `known` are those before it. */
  async idOf(name: string, known: Params): Promise<string> {
    const made = <Id extends OperationId>(operation: Id) =>
      this.#api.succeed(operation, { params: known, ...plausibleBody(operation) })
    const ids: Readonly<Record<string, () => Promise<string>>> = {
      tableId: async () => (await this.table()).table.id,
      rowId: async () => (await this.row()).id,
      spaceId: async () => (await this.space()).id,
      listId: () => this.listId(),
      taskId: () => this.once('task', () => this.task()),
      commentId: async () => (await made('createComment')).id,
      entryId: async () => (await made('createTimeEntry')).id,
      attachmentId: async () => (await made('uploadTaskAttachment')).attachment.id,
    }
    return (await ids[name]?.()) ?? ''
  }

  /** Creates a task. @returns its id */
  async task(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const json = { title: this.text(), ...fields }
    const { id } = await this.#api.succeed('createTask', { params: { listId: await this.listId() }, json })
    return requireValue(typeof id === 'string' ? id : undefined, 'createTask returns no id')
  }

  readTask(taskId: string): Promise<SuccessFor<'getTask'>> {
    return this.#api.succeed('getTask', { params: { taskId } })
  }

  /** Candidate tables, the one with the most types of columns first. */
  async #candidates(): Promise<OwnTable[]> {
    const name = this.#tableName
    const found = (await this.#discovered.tablesWithColumns()).flatMap((seen): OwnTable[] => {
      const text = seen.columns.find(({ type, readonly }) => type === 'text' && !readonly)
      const isMeant = name === undefined || [seen.table.id, seen.table.name].includes(name)
      return text && isMeant ? [{ ...seen, text }] : []
    })
    const isLarge = ({ table }: OwnTable) => Number(table.row_count > largeRows)
    return found.sort((a, b) => isLarge(a) - isLarge(b) || countTypes(b) - countTypes(a))
  }

  /** The first table that accepts rows one at a time and in bulk. @throws {Unreachable} if there is none */
  table(): Promise<OwnTable> {
    return this.once('table', async () => {
      let refused: unknown
      for (const candidate of await this.#candidates()) {
        const params = { tableId: candidate.table.id }
        const rows = this.badRows(candidate, 1)
        const bulk = await this.#api.call('bulkInsertRows', { params, json: { rows } })
        if (bulk.status === 403) {
          refused ??= new Forbidden('bulkInsertRows', 'status 200', bulk.summary)
          continue
        }
        try {
          const json = { data: { [candidate.text.id]: this.text() } }
          await this.#api.succeed('createRow', { params, json })
          return candidate
        } catch (error) {
          if (!(error instanceof Unreachable)) throw error
          refused = error
        }
      }
      if (refused instanceof Forbidden) throw refused
      throw new Unreachable('no table with a text column takes rows')
    })
  }

  /**
   * Rows of which none can go in, since their text is an array: they show limits without writing. Where they do go in,
   * they are recognized by the marker.
   */
  badRows({ text }: Pick<OwnTable, 'text'>, count: number): Record<string, unknown>[] {
    return Array.from({ length: count }, () => ({ [text.id]: [this.marker] }))
  }

  /** The first column of a type that the API writes. @throws {Unreachable} */
  async column(...wanted: readonly Column['type'][]): Promise<Column> {
    const { columns } = await this.table()
    const found = columns.find(({ type }) => wanted.includes(type))
    return requireValue(found, `the table has no column of type ${wanted.join(' or ')}`)
  }

  /** Creates a row marked by its text, with further values. */
  async row(cells: Readonly<Record<string, unknown>> = {}): Promise<Row> {
    const { table, text } = await this.table()
    const json = { data: { [text.id]: this.text(), ...cells } }
    return this.#api.succeed('createRow', { params: { tableId: table.id }, json })
  }

  /**
   * A member that runs no timer as far as was seen, and is not `other`: a timer started for them may stop one of
   * theirs elsewhere.
   */
  async idleMember(other?: string): Promise<string> {
    const { members } = await this.#discovered.identity()
    const running = (await this.#discovered.timed()).filter(({ is_running }) => is_running === 1)
    const busy = new Set(running.map(({ user_id }) => user_id))
    const free = members.filter(({ id }) => id !== other)
    const found = free.find(({ id }) => !busy.has(id)) ?? free[0]
    return requireValue(found?.id, 'the workspace has no other member')
  }
}
