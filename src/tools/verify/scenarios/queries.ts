// Scenarios for structured queries: every operator on existing rows, and on the run's rows with ties and empty values.
import { isEmpty } from '../../../contract/data/objects.ts'
import type { Column } from '../../../contract/datatables.ts'
import { operators } from '../../../contract/rows.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import type { KnownTable } from '../twin/mirror.ts'
import { reading, writing, type ScenarioContext, type Scenario } from '../twin/player.ts'
import { isTextType } from '../../../contract/column-types.ts'
import { requireValue } from '../../deployment/stop.ts'
import {
  makeMarkedRow,
  getOwnTable,
  findWritableColumns,
  findRichTable,
  findSomeTables,
  findValues,
  listRows,
  takeShard,
  shards,
} from './own.ts'
import { bodiesOf } from './records.ts'
import { farDay, valuesOfColumn } from './values.ts'

const queryRows = (ctx: ScenarioContext, { id: tableId }: KnownTable, ...bodies: readonly unknown[]) =>
  ctx.sendEach('queryRows', { tableId }, ...bodies)

const swapCase = (text: string) =>
  text.replaceAll(/\p{L}/gu, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  )

/** Operands for an operator: existing values, parts of them, ranges, and texts in swapped case. */
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
  const texts = values.filter((value) => typeof value === 'string')
  const mixed = texts.find((text) => /\p{Ll}/u.test(text) && /\p{Lu}/u.test(text)) ?? a
  if (!operator.includes('_with') && !operator.includes('contains')) return [a, b, swapCase(mixed)]
  return [swapCase(mixed.slice(1, 4)), a.slice(0, 3), a.slice(-3), a]
}

/** Rotates the operands of each column differently, so that a few queries cover them all. */
const rotateItems = <T>(items: readonly T[], by: number): T[] => {
  const from = by % Math.max(items.length, 1)
  return [...items.slice(from), ...items.slice(0, from)]
}

const filtersOf = (operator: string, { name, id }: Column, values: readonly unknown[]): JsonObject[] =>
  operator.startsWith('is_')
    ? [{ column: id, operator }]
    : operandsOf(operator, values).map((value) => ({ column: name, operator, value }))

/** Takes the first item of every list, then the second item of each, and so on. */
const takeInTurn = <T>(lists: readonly (readonly T[])[], most: number): T[] =>
  Array.from({ length: most }, (_, index) => lists.flatMap((all) => all.slice(index, index + 1))).flat()

const sayOf = (operator: string) => `operator ${operator} finds exactly the matching rows`

/**
 * Sends one query per filter, combined with `others`. Attributes differences to the filter's operator, not to the
 * scenario.
 */
async function queryByOperator(
  ctx: ScenarioContext,
  table: KnownTable,
  filters: readonly JsonObject[],
  ...others: readonly JsonObject[]
) {
  for (const filter of filters) {
    const operator = String(filter.operator)
    ctx.says(sayOf(operator), 'assumption queryBody', operator)
    await queryRows(ctx, table, { filters: [...others, filter], limit: 50 })
  }
}

const tryOperator = (operator: string): Scenario[] =>
  reading('assumption queryBody', {
    [`queryRows/${operator}: ${sayOf(operator)}`]: async (ctx) => {
      const table = findRichTable(ctx)
      // For checkbox operators, checkbox columns come first, because only the first columns are queried.
      const isMeant = ({ type }: Column) => Number(type === 'checkbox' && /_(?:true|false)$/.test(operator))
      const columns = table.columns.toSorted((a, b) => isMeant(b) - isMeant(a))
      const byColumn = columns.map((column, index) =>
        rotateItems(filtersOf(operator, column, findValues(table, column)), index),
      )
      // Emptiness is queried for every column.
      const filters = takeInTurn(byColumn, 4).slice(0, operator === 'is_empty' ? 20 : 8)
      await queryRows(ctx, table, ...filters.map((filter) => ({ filters: [filter], limit: 500 })))
    },
  })

/** Makes rows with ties, empty values, mixed case and umlauts. */
async function makeGroup(ctx: ScenarioContext) {
  const table = getOwnTable(ctx)
  const group = ctx.text()
  const texts = ['Banana', 'apple', 'banana', 'Äpfel', '', null, '10', 'apple']
  const numbers = [10, 9, 2, 100, null, null, -1, 9]
  const columns = findWritableColumns(ctx)
  const valueAt = (column: Column, index: number): unknown => {
    const { good } = valuesOfColumn(ctx, column)
    if (['text', 'longtext', 'email', 'phone', 'link'].includes(column.type)) return texts[index]
    const number = numbers[index] ?? null
    if (column.type === 'date') return number === null ? null : farDay + number
    if (['number', 'currency', 'slider'].includes(column.type)) return number
    return index === 4 || index === 5 ? null : good[index % good.length]
  }
  const rows = texts.map((_, index) => ({
    ...makeMarkedRow(ctx),
    [table.text.id]: group,
    ...Object.fromEntries(columns.map((column) => [column.id, valueAt(column, index)])),
  }))
  await ctx.make('bulkInsertRows', { params: { tableId: table.id }, json: { rows } })
  const operandsOf = (column: Column) =>
    [...new Set(texts.flatMap((_, index) => valueAt(column, index)))].filter((value) => !isEmpty(value))
  const mineToo = { column: table.text.name, operator: 'eq', value: group }
  return { table, columns, operandsOf, mine: { [table.text.name]: group }, mineToo }
}

/** Similar operators, and the column types on which they differ. */
const operatorGroups: Readonly<Record<string, readonly [operators: string, types: string]>> = {
  equal: ['eq neq in not_in', 'longtext number dropdown tags people checkbox'],
  text: ['contains not_contains starts_with ends_with', 'longtext email dropdown'],
  order: ['gt gte lt lte between', 'longtext number date dropdown'],
  empty: ['is_empty is_not_empty is_true is_false', 'longtext number dropdown tags people checkbox'],
}

const tryOwnOperators = ([name, [group, types]]: readonly [string, readonly [string, string]]) =>
  writing('assumption queryBody', {
    [`queryRows bulkInsertRows/own-${name}: operators on empty values, upper and lower case, and umlauts`]:
      async (ctx) => {
        const { table, columns, operandsOf, mineToo } = await makeGroup(ctx)
        const byType = types
          .split(' ')
          .flatMap((type) => columns.filter((column) => column.type === type).slice(0, 1))
        const filters = group
          .split(' ')
          .flatMap((operator) =>
            byType.map((column, index) =>
              rotateItems(filtersOf(operator, column, operandsOf(column)), index),
            ),
          )
        // A scenario may send 30 requests, including the ones that make and remove its rows.
        const chosen = takeInTurn(filters, 2).slice(0, 13)
        await queryByOperator(ctx, table, chosen, mineToo)
        ctx.says('all six filters apply', 'assumption queryBody', 'match')
        // Only the last filter makes a difference.
        await queryRows(ctx, table, {
          filters: [...Array<JsonObject>(5).fill(mineToo), ...chosen.slice(0, 1)],
        })
      },
  })

const tryOwnSort = (shard: number) =>
  writing('assumption emptyValues', {
    [`listRows bulkInsertRows queryRows/own-sort-${String(shard + 1)}: rows with equal and empty values are in the right order`]:
      async (ctx) => {
        const { table, mine, mineToo } = await makeGroup(ctx)
        // Excludes times: which rows are made within the same second is random.
        const sortable = table.columns.filter(({ type }) => type !== 'created_at' && type !== 'updated_at')
        for (const { name } of takeShard(sortable, shard).slice(0, 4)) {
          const descending = { ...mine, sort: `${name}:desc`, limit: 4, page: 2 }
          await listRows(ctx, table, { ...mine, sort: name }, descending)
          const sort = [{ column: name, direction: 'desc' }]
          await queryRows(ctx, table, { filters: [mineToo], sort, limit: 6 })
        }
      },
  })

export const queryScenarios: readonly Scenario[] = [
  ...operators.flatMap(tryOperator),
  ...reading('assumption queryBody', {
    'queryRows/match: match decides whether all filters must hold, or any': async (ctx) => {
      for (const table of findSomeTables(ctx)) {
        const filters = table.columns
          .flatMap((column) => filtersOf('eq', column, findValues(table, column)).slice(0, 1))
          .slice(0, 3)
        const matches = bodiesOf({ match: ['all', 'any', 'verify'] }, { filters, limit: 50 })
        await queryRows(ctx, table, ...matches, { filters, limit: 50 })
        const sort = [{ column: table.columns[0]?.name, direction: 'desc' }]
        await queryRows(ctx, table, { filters, match: 'any', sort, limit: 2, page: 2 })
      }
    },
    'queryRows/wildcards: %, _ and blanks stand for themselves in texts': async (ctx) => {
      const table = findRichTable(ctx)
      const column = table.columns.find(({ type }) => isTextType(type))
      const { name } = requireValue(column, 'the table has no text column')
      const [value = ''] = column ? findValues(table, column) : []
      const text = String(value)
      const operands = [
        '%',
        '_',
        `${text.slice(0, 1)}_${text.slice(2, 4)}`,
        `${text.slice(0, 1)}%`,
        ` ${text.slice(0, 3)} `,
      ]
      const filters = [
        ...operands.map((value) => ({ column: name, operator: 'contains', value })),
        ...['starts_with', 'eq'].map((operator) => ({ column: name, operator, value: ` ${text} ` })),
      ]
      await queryByOperator(ctx, table, filters)
    },
    'queryRows/views: a query takes sort, select, page and limit as a listing does': async (ctx) => {
      const table = findRichTable(ctx)
      for (const { name, id } of table.columns.slice(0, 6)) {
        await queryRows(ctx, table, { sort: [{ column: name, direction: 'desc' }], limit: 20 })
        await queryRows(ctx, table, { sort: [{ column: id }], limit: 3, page: 2, select: [name] })
      }
      const keys = table.columns
        .filter((column) => findValues(table, column).length < table.rows.length)
        .slice(0, 5)
      for (const [index, { id: column }] of keys.entries()) {
        const second = { column: keys.at(index - 1)?.id, direction: 'desc' }
        await queryRows(ctx, table, { sort: [{ column }, second] })
      }
      const large = findSomeTables(ctx).at(-1) ?? table
      await queryRows(
        ctx,
        large,
        {},
        { page: 2 },
        { limit: 500, page: 3 },
        { limit: 101 },
        { page: 2, limit: 2 },
      )
    },
    'queryRows/bodies: an invalid query is refused': async (ctx) => {
      const table = findRichTable(ctx)
      const column = table.columns[0]?.name
      const unknown = { column: 'verify none such' }
      const filters = [
        { ...unknown, operator: 'eq', value: 1 },
        { column, operator: 'near', value: 1 },
      ]
      const wrong = {
        filters: [[], 'x', ...filters.map((one) => [one])],
        sort: [[unknown], [{ column, direction: 'up' }]],
        select: [['verify none such']],
        ...{ limit: [501, 'x'], page: [0], verify_no_such_field: [1] },
      }
      await queryRows(ctx, table, ...bodiesOf(wrong), [], 'x')
    },
  }),
  ...writing('assumption queryBody', {
    'queryRows bulkInsertRows/own-empty-text: is_empty finds rows without text': async (ctx) => {
      const table = getOwnTable(ctx)
      const other = findWritableColumns(ctx).find(({ type }) => isTextType(type))
      const { id, name } = requireValue(other, 'the table has only one text column')
      const group = ctx.text()
      const rows = [{ [id]: group }, { [id]: group, [table.text.id]: ctx.text() }]
      await ctx.make('bulkInsertRows', { params: { tableId: table.id }, json: { rows } })
      const mine = { column: name, operator: 'eq', value: group }
      const filters = ['is_empty', 'is_not_empty'].map((operator) => ({ column: table.text.id, operator }))
      await queryByOperator(ctx, table, filters, mine)
    },
  }),
  ...shards.flatMap(tryOwnSort),
  ...Object.entries(operatorGroups).flatMap(tryOwnOperators),
]
