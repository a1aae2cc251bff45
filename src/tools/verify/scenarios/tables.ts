// What scenarios of listings and queries work on: pulled tables, their values, and filters of every operator.
import { isEmpty } from '../../../contract/data/objects.ts'
import type { Column } from '../../../contract/datatables.ts'
import type { Query } from '../engine/client.ts'
import { Stop } from '../engine/stop.ts'
import { countTypes } from '../engine/shapes.ts'
import type { KnownTable } from '../twin/reference.ts'
import type { ScenarioContext } from '../twin/scenario.ts'

type Filter = Readonly<Record<string, unknown>>

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

export const queryRows = (ctx: ScenarioContext, { id: tableId }: KnownTable, ...bodies: readonly unknown[]) =>
  ctx.sendEach('queryRows', { tableId }, ...bodies)

export const shards = [0, 1, 2] as const
export const takeShard = <T>(items: readonly T[], shard: number): T[] =>
  items.filter((_, index) => index % 3 === shard)

/** Operands for an operator: values that exist, their parts, and neighbours. */
function operandsOf(operator: string, values: readonly unknown[]): unknown[] {
  const [a, b = a] = values
  if (a === undefined) return []
  const sorted = [...values]
    .slice(0, 9)
    .sort((x, y) => Number(x) - Number(y) || (String(x) < String(y) ? -1 : 1))
  if (operator === 'between')
    return [
      [sorted[0], sorted.at(-1)],
      [sorted[1] ?? a, sorted[1] ?? a],
      [sorted.at(-1), sorted[0]],
    ]
  if (operator === 'in' || operator === 'not_in') return [[a, b], [a], []]
  if (typeof a !== 'string') return [a, b]
  if (!operator.includes('_with') && !operator.includes('contains')) return [a, b, a.toUpperCase()]
  return [a.slice(1, 4).toUpperCase(), a.slice(0, 3), a.slice(-3), a]
}

/** Each column begins with another operand, so that few queries try them all. */
export const rotateItems = <T>(items: readonly T[], by: number): T[] => {
  const from = by % Math.max(items.length, 1)
  return [...items.slice(from), ...items.slice(0, from)]
}

export const filtersOf = (operator: string, { name, id }: Column, values: readonly unknown[]): Filter[] =>
  operator.startsWith('is_')
    ? [{ column: id, operator }]
    : operandsOf(operator, values).map((value) => ({ column: name, operator, value }))
