// What scenarios read (pulled tables and lists) and where they write (the run's table and list).
import type { Column } from '../../../contract/datatables.ts'
import type { Status } from '../../../contract/lists.ts'
import { isEmpty } from '../../../contract/data/objects.ts'
import type { Query } from '../../deployment/client.ts'
import { isNameOfRun, spaceNameOf } from '../../deployment/start.ts'
import { requireValue } from '../../deployment/stop.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { countTypes, findMarkableTables, type KnownTable, type MarkableTable } from '../twin/mirror.ts'
import type { ScenarioContext } from '../twin/player.ts'
import type { Tolerance } from '../compare/replies.ts'

export function getOwnTable({ twin, known }: ScenarioContext): MarkableTable {
  const table = findMarkableTables(known.tables).find(({ id }) => id === twin.own.tableId)
  const isRefused = twin.own.lockedTables.length > 0
  return requireValue(table, 'no table with a text column accepts rows', isRefused ? 'permission' : 'absent')
}

/** Writable columns except attachments and the one that marks the run's rows. */
export function findWritableColumns(ctx: ScenarioContext): Column[] {
  const { columns, text } = getOwnTable(ctx)
  return columns.filter(({ id, type, readonly }) => !readonly && type !== 'attachment' && id !== text.id)
}

export const makeMarkedRow = (ctx: ScenarioContext, cells: JsonObject = {}): JsonObject => ({
  [getOwnTable(ctx).text.id]: ctx.text(),
  ...cells,
})

/** A cell for a column that does not exist. */
export const unknownKey = { verify_no_such_column: 1 }

/** An invalid row with the marker, so that it can be found if it is inserted anyway. */
export const makeBadRow = (ctx: ScenarioContext): JsonObject => ({
  [getOwnTable(ctx).text.id]: [ctx.marker],
})

export const makeBadRows = (ctx: ScenarioContext, count: number): JsonObject[] =>
  Array<JsonObject>(count).fill(makeBadRow(ctx))

export const listOwnRows = (ctx: ScenarioContext, tolerance: Tolerance = {}) =>
  ctx.call('listRows', { params: { tableId: getOwnTable(ctx).id }, query: { limit: 500 } }, tolerance)

/** Makes the run's space, or reuses an earlier run's, because no operation deletes spaces. */
export async function makeOrAdoptSpace(ctx: ScenarioContext): Promise<{ spaceId: string; listId: string }> {
  const json = { name: spaceNameOf(ctx.marker), color: '#336699', icon: 'flask' }
  const { own } = ctx.twin
  // A second round makes another space, unless the first round reused one.
  const isOfEarlierRun = ({ id, name }: { readonly id: string; readonly name: string }) =>
    id === own.adoptedSpace || (isNameOfRun(name) && !name.includes(ctx.marker))
  const old = ctx.mock.db.spaces.findMany().find(isOfEarlierRun)
  if (!old) {
    const { id, default_list_id } = await ctx.make('createSpace', { json })
    return { spaceId: id, listId: default_list_id }
  }
  const { id: spaceId, default_list_id: listId } = old
  own.adoptedSpace = spaceId
  const lists = ctx.mock.db.lists.findMany((q) => q.where({ space_id: spaceId }))
  ctx.api.ledger.adopt({ id: spaceId, name: json.name, lists: lists.map(({ id, name }) => ({ id, name })) })
  await ctx.make('updateSpace', { params: { spaceId }, json })
  return { spaceId, listId }
}

export const getOwnSpace = ({ twin }: ScenarioContext): string =>
  requireValue(twin.own.space?.spaceId, 'the run could not make a space', 'permission')

export const getOwnList = ({ twin }: ScenarioContext): string =>
  requireValue(twin.own.space?.listId, 'the run could not make a space with a list', 'permission')

export const getOwnStatuses = (ctx: ScenarioContext): readonly Status[] =>
  ctx.mock.db.lists.findFirst((q) => q.where({ id: getOwnList(ctx) }))?.statuses ?? []

/** Finds members without a running timer, as far as the pull shows. */
export function findIdleMembers({ twin, known }: ScenarioContext) {
  const entries = twin.mirror.mock.db.timeEntries.findMany()
  const busy = new Set(entries.flatMap(({ is_running, user_id }) => (is_running ? [user_id] : [])))
  return known.members.filter(({ id }) => !busy.has(id))
}

/** Lists that have tasks, largest first. */
export const findFilledLists = ({ known }: ScenarioContext) =>
  [...known.lists].filter(({ tasks }) => tasks.length > 0).sort((a, b) => b.tasks.length - a.tasks.length)

export const findFilledTables = ({ known }: ScenarioContext) =>
  known.tables.filter(({ row_count }) => row_count > 0)

/** Finds the table with the most column types. @throws {Stop} if no table has rows */
export function findRichTable(ctx: ScenarioContext): KnownTable {
  const [rich] = findFilledTables(ctx).sort((a, b) => countTypes(b) - countTypes(a))
  return requireValue(rich, 'no table has rows')
}

export function findSomeTables(ctx: ScenarioContext): KnownTable[] {
  const [largest] = findFilledTables(ctx).sort((a, b) => b.row_count - a.row_count)
  return [...new Set([findRichTable(ctx), ...(largest ? [largest] : [])])]
}

/** Values of a column to filter by; members and options by id. */
export const findValues = ({ rows }: KnownTable, { id }: Column): unknown[] =>
  [...new Set(rows.flatMap(({ cells }) => [cells[id]].flat()))].filter(
    (value) => !isEmpty(value) && typeof value !== 'object',
  )

export const listRows = (ctx: ScenarioContext, { id: tableId }: KnownTable, ...queries: readonly Query[]) =>
  ctx.get('listRows', { tableId }, ...queries)

export const shards = [0, 1, 2] as const
export const takeShard = <T>(items: readonly T[], shard: number): T[] =>
  items.filter((_, index) => index % 3 === shard)
