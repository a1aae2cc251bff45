// Where scenarios write: the table and the list of the run.
import type { Column } from '../../contract/datatables.ts'
import type { Status, StatusType } from '../../contract/lists.ts'
import { idsOf } from '../../contract/data/maps.ts'
import { requireValue } from '../engine/drift.ts'
import { findMarkableTables, type MarkableTable } from '../engine/shapes.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import type { KnownTable } from '../twin/oracle.ts'
import type { Play } from '../twin/play.ts'
import type { Tolerance } from '../twin/twin.ts'
import { valuesOf } from './values.ts'

export function ownTable({ twin, known }: Play): MarkableTable<KnownTable> {
  const table = findMarkableTables(known.tables).find(({ id }) => id === twin.tableId)
  const isRefused = twin.lockedTables.length > 0
  return requireValue(table, 'no table with a text column takes rows', isRefused ? 'permission' : 'absent')
}

/** Without the column that marks the rows of the run. */
export function writableColumns(play: Play): Column[] {
  const { columns, text } = ownTable(play)
  return columns.filter(({ id, type, readonly }) => !readonly && type !== 'attachment' && id !== text.id)
}

export const columnValues = (play: Play, column: Column) => valuesOf(column, play.known.members)

export const markedRow = (play: Play, cells: JsonObject = {}): JsonObject => ({
  [ownTable(play).text.id]: play.text(),
  ...cells,
})

export const fullCells = (play: Play): JsonObject =>
  Object.fromEntries(writableColumns(play).map((column) => [column.id, columnValues(play, column).good[0]]))

/** An invalid row, which is found by its marker if it goes in all the same. */
export const badRow = (play: Play): JsonObject => ({
  [ownTable(play).text.id]: [play.twin.context.marker],
})

export const badRows = (play: Play, count: number): JsonObject[] =>
  Array.from({ length: count }, () => badRow(play))

export const listOwnRows = (play: Play, tolerance: Tolerance = {}) =>
  play.call('listRows', { params: { tableId: ownTable(play).id }, query: { limit: 500 } }, tolerance)

/** After a job: each side made its rows at a time of its own. */
export const listRowsOfJob = (play: Play) => {
  const isMoment = ({ type }: Column) => type === 'created_at' || type === 'updated_at'
  return listOwnRows(play, { loose: idsOf(ownTable(play).columns.filter(isMoment)) })
}

export const ownSpace = ({ twin }: Play): string =>
  requireValue(twin.space?.spaceId, 'the run could not make a space', 'permission')

export const ownList = ({ twin }: Play): string =>
  requireValue(twin.space?.listId, 'the run could not make a space with a list', 'permission')

export const listOwnTasks = (play: Play) => play.get('listTasks', { listId: ownList(play) }, '?limit=200')

export const ownStatuses = (play: Play): readonly Status[] =>
  play.twin.oracle.mock.db.lists.findFirst((q) => q.where({ id: ownList(play) }))?.statuses ?? []

export function statusOf(play: Play, type: StatusType): string {
  const found = ownStatuses(play).find((status) => status.type === type)
  return requireValue(found, `the list of the run has no status of type ${type}`).id
}
