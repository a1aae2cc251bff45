// What scenarios of listings and queries work on: pulled tables, and their values.
import { isEmpty } from '../../../contract/data/objects.ts'
import type { Column } from '../../../contract/datatables.ts'
import type { Query } from '../engine/client.ts'
import { Stop } from '../engine/stop.ts'
import { countTypes, type KnownTable } from '../twin/reference.ts'
import type { ScenarioContext } from '../twin/scenario.ts'

export const findFilledTables = ({ known }: ScenarioContext) =>
  known.tables.filter(({ row_count }) => row_count > 0)

/** The table with the most types of columns. @throws {Stop} if no table has rows */
export function findRichTable(ctx: ScenarioContext): KnownTable {
  const [rich] = findFilledTables(ctx).sort((a, b) => countTypes(b) - countTypes(a))
  if (!rich) throw new Stop('no table has rows')
  return rich
}

export function findSomeTables(ctx: ScenarioContext): KnownTable[] {
  const [largest] = findFilledTables(ctx).sort((a, b) => b.row_count - a.row_count)
  return [...new Set([findRichTable(ctx), ...(largest ? [largest] : [])])]
}

/** Values of a column by which rows can be found: members and options by id. */
export const findValues = ({ rows }: KnownTable, { id }: Column): unknown[] =>
  [...new Set(rows.flatMap(({ cells }) => [cells[id]].flat()))].filter(
    (value) => !isEmpty(value) && typeof value !== 'object',
  )

export const listRows = (ctx: ScenarioContext, { id: tableId }: KnownTable, ...queries: readonly Query[]) =>
  ctx.get('listRows', { tableId }, ...queries)

export const shards = [0, 1, 2] as const
export const takeShard = <T>(items: readonly T[], shard: number): T[] =>
  items.filter((_, index) => index % 3 === shard)
