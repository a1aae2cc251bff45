// Where scenarios write: the table and the list of the run.
import type { Column } from '../../../contract/datatables.ts'
import type { Status } from '../../../contract/lists.ts'
import { requireValue } from '../engine/stop.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { findMarkableTables, type MarkableTable } from '../twin/reference.ts'
import type { ScenarioContext } from '../twin/scenario.ts'
import type { Tolerance } from '../twin/twin.ts'

export function getOwnTable({ twin, known }: ScenarioContext): MarkableTable {
  const table = findMarkableTables(known.tables).find(({ id }) => id === twin.tableId)
  const isRefused = twin.lockedTables.length > 0
  return requireValue(table, 'no table with a text column takes rows', isRefused ? 'permission' : 'absent')
}

/** The writable columns without the one that marks the rows of the run. */
export function findWritableColumns(ctx: ScenarioContext): Column[] {
  const { columns, text } = getOwnTable(ctx)
  return columns.filter(({ id, type, readonly }) => !readonly && type !== 'attachment' && id !== text.id)
}

export const makeMarkedRow = (ctx: ScenarioContext, cells: JsonObject = {}): JsonObject => ({
  [getOwnTable(ctx).text.id]: ctx.text(),
  ...cells,
})

/** A cell of no column. */
export const unknownKey = { verify_no_such_column: 1 }

/** An invalid row, which is found by its marker if it goes in all the same. */
export const makeBadRow = (ctx: ScenarioContext): JsonObject => ({
  [getOwnTable(ctx).text.id]: [ctx.marker],
})

export const makeBadRows = (ctx: ScenarioContext, count: number): JsonObject[] =>
  Array<JsonObject>(count).fill(makeBadRow(ctx))

export const listOwnRows = (ctx: ScenarioContext, tolerance: Tolerance = {}) =>
  ctx.call('listRows', { params: { tableId: getOwnTable(ctx).id }, query: { limit: 500 } }, tolerance)

export const getOwnSpace = ({ twin }: ScenarioContext): string =>
  requireValue(twin.space?.spaceId, 'the run could not make a space', 'permission')

export const getOwnList = ({ twin }: ScenarioContext): string =>
  requireValue(twin.space?.listId, 'the run could not make a space with a list', 'permission')

export const getOwnStatuses = (ctx: ScenarioContext): readonly Status[] =>
  ctx.twin.reference.mock.db.lists.findFirst((q) => q.where({ id: getOwnList(ctx) }))?.statuses ?? []

/** Members who seem to run no timer. */
export function findIdleMembers({ twin, known }: ScenarioContext) {
  const entries = twin.reference.mock.db.timeEntries.findMany()
  const busy = new Set(entries.flatMap(({ is_running, user_id }) => (is_running ? [user_id] : [])))
  return known.members.filter(({ id }) => !busy.has(id))
}

/** Lists with tasks, the fullest first. */
export const findFilledLists = ({ known }: ScenarioContext) =>
  [...known.lists].filter(({ tasks }) => tasks.length > 0).sort((a, b) => b.tasks.length - a.tasks.length)
