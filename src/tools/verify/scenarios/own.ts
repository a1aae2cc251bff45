// Where scenarios write: the table and the list of the run.
import type { Column } from '../../../contract/datatables.ts'
import type { Status, StatusType } from '../../../contract/lists.ts'
import { idsOf } from '../../../contract/data/maps.ts'
import { requireValue } from '../engine/drift.ts'
import { findMarkableTables, type MarkableTable } from '../engine/shapes.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import type { KnownTable } from '../twin/oracle.ts'
import type { Play } from '../twin/play.ts'
import type { Tolerance } from '../twin/twin.ts'
import { valuesOf } from './values.ts'

export function getOwnTable({ twin, known }: Play): MarkableTable<KnownTable> {
  const table = findMarkableTables(known.tables).find(({ id }) => id === twin.tableId)
  const isRefused = twin.lockedTables.length > 0
  return requireValue(table, 'no table with a text column takes rows', isRefused ? 'permission' : 'absent')
}

/** The writable columns without the one that marks the rows of the run. */
export function findWritableColumns(play: Play): Column[] {
  const { columns, text } = getOwnTable(play)
  return columns.filter(({ id, type, readonly }) => !readonly && type !== 'attachment' && id !== text.id)
}

export const valuesOfColumn = (play: Play, column: Column) => valuesOf(column, play.known.members)

export const makeMarkedRow = (play: Play, cells: JsonObject = {}): JsonObject => ({
  [getOwnTable(play).text.id]: play.text(),
  ...cells,
})

export const fillCells = (play: Play): JsonObject =>
  Object.fromEntries(
    findWritableColumns(play).map((column) => [column.id, valuesOfColumn(play, column).good[0]]),
  )

/** An invalid row, which is found by its marker if it goes in all the same. */
export const makeBadRow = (play: Play): JsonObject => ({
  [getOwnTable(play).text.id]: [play.twin.context.marker],
})

export const makeBadRows = (play: Play, count: number): JsonObject[] =>
  Array<JsonObject>(count).fill(makeBadRow(play))

export const listOwnRows = (play: Play, tolerance: Tolerance = {}) =>
  play.call('listRows', { params: { tableId: getOwnTable(play).id }, query: { limit: 500 } }, tolerance)

/** After a job: each side made its rows at a time of its own. */
export const listRowsOfJob = (play: Play) => {
  const isMoment = ({ type }: Column) => type === 'created_at' || type === 'updated_at'
  return listOwnRows(play, { loose: idsOf(getOwnTable(play).columns.filter(isMoment)) })
}

export const getOwnSpace = ({ twin }: Play): string =>
  requireValue(twin.space?.spaceId, 'the run could not make a space', 'permission')

export const getOwnList = ({ twin }: Play): string =>
  requireValue(twin.space?.listId, 'the run could not make a space with a list', 'permission')

export const listOwnTasks = (play: Play) => play.get('listTasks', { listId: getOwnList(play) }, '?limit=200')

export const getOwnStatuses = (play: Play): readonly Status[] =>
  play.twin.oracle.mock.db.lists.findFirst((q) => q.where({ id: getOwnList(play) }))?.statuses ?? []

export function statusOf(play: Play, type: StatusType): string {
  const found = getOwnStatuses(play).find((status) => status.type === type)
  return requireValue(found, `the list of the run has no status of type ${type}`).id
}
