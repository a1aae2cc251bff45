// Scenarios for row listings on existing rows: pages, order, projection, equality filters.
import type { Column } from '../../../contract/datatables.ts'
import type { SuccessFor } from '../../../contract/index.ts'
import { idsOf } from '../../../contract/data/maps.ts'
import { requireValue } from '../../deployment/stop.ts'
import { cellsOf } from '../../deployment/shapes.ts'
import { reading, type ScenarioContext, type Scenario } from '../twin/player.ts'
import {
  findFilledTables,
  takeShard,
  listRows,
  findRichTable,
  findSomeTables,
  shards,
  findValues,
} from './own.ts'

/** Reports what a pull drops, such as values without an option or column, or accepts unchecked, such as autonumbers. */
function reportOddValues(
  ctx: ScenarioContext,
  columns: readonly Column[],
  page: Partial<SuccessFor<'listRows'>>,
): void {
  const rows = (page.rows ?? []).map(cellsOf)
  for (const { id, type, options = [], format } of columns) {
    const texts = rows.flatMap((cells) => [cells[id]].flat()).filter((value) => typeof value === 'string')
    const isOfOptions = type === 'dropdown' || type === 'tags'
    const unknown = texts.find((value) => !options.some((option) => option.id === value))
    if (isOfOptions && unknown !== undefined)
      ctx.differ('getDatatableSchema', 'columns[].options', unknown, options, 'records')
    if (type !== 'autonumber' || typeof format !== 'string') continue
    const [, prefix = '', placeholder = '', suffix = ''] = /^([^{]*)\{([^}]*)\}(.*)$/s.exec(format) ?? []
    const hasFormat = (number: string) => {
      const digits = number.slice(prefix.length, number.length - suffix.length)
      const isFramed = number.startsWith(prefix) && number.endsWith(suffix)
      return isFramed && /^\d+$/.test(digits) && digits.length >= placeholder.length
    }
    // Old numbers may still have an earlier format, so one match is enough.
    if (texts.length > 1 && placeholder !== '' && !texts.some(hasFormat))
      ctx.differ('listRows', `rows[].data.${id}`, `numbers such as ${format}`, texts[0])
  }
  // A field the deployment adds to every object is not a value.
  const added = new Set([page, ...columns].flatMap((one) => Object.keys(one)))
  const unknown = rows.flatMap(Object.keys).find((key) => !added.has(key) && !idsOf(columns).includes(key))
  if (unknown !== undefined) ctx.differ('getDatatableSchema', 'columns', unknown, idsOf(columns), 'records')
}

const byShard = shards.flatMap((shard) => [
  ...reading('contract, Datatables', {
    [`listRows/sort-${String(shard + 1)}: sort orders by a column, ascending unless desc`]: async (ctx) => {
      const table = findRichTable(ctx)
      for (const { name } of takeShard(table.columns, shard).slice(0, 8))
        await listRows(ctx, table, { sort: name, limit: 500 }, { sort: `${name}:desc`, limit: 500 })
    },
  }),
  ...reading('assumption filterValues', {
    [`listRows/filter-${String(shard + 1)}: a parameter named after a column finds the rows with this value in that column`]:
      async (ctx) => {
        const table = findRichTable(ctx)
        for (const column of takeShard(table.columns, shard).slice(0, 8)) {
          const [value, other] = findValues(table, column)
          const member = column.type === 'people' ? ctx.known.members[0]?.name : undefined
          const label = column.options?.[0]?.label ?? member
          const spelled =
            column.type === 'checkbox'
              ? 'false'
              : column.type === 'number'
                ? `${String(findValues(table, column).find((one): one is number => Number.isInteger(one)) ?? 0)}.0`
                : column.type === 'date'
                  ? new Date(Number(value) * 1000).toISOString().slice(0, 10)
                  : undefined
          for (const one of [value, other, label, value === undefined ? undefined : spelled])
            if (one !== undefined)
              await listRows(ctx, table, {
                [column.name]: typeof one === 'string' ? one : JSON.stringify(one),
              })
        }
      },
  }),
])

export const listingScenarios: readonly Scenario[] = [
  ...reading('contract, Limits', {
    'listRows/pages: pages have 50 rows unless limit says otherwise, 500 at most': async (ctx) => {
      for (const table of findSomeTables(ctx)) {
        const last = String(Math.ceil(table.row_count / 3))
        const small = `? ?limit=1 ?limit=2&page=2 ?pageSize=3 ?limit=3&page=${last} ?limit=2&page=9999 ?page=2`
        await listRows(ctx, table, small, '?limit=500 ?limit=101 ?limit=500&page=3')
      }
    },
  }),
  ...reading('assumption limitAboveMax', {
    'listRows/odd-pages: page sizes above the maximum, and numbers out of range': (ctx) => {
      const odd = '?limit=501 ?limit=4&pageSize=2 ?limit=0 ?page=0 ?page=x ?limit=2.5 ?limit=-1'
      return listRows(ctx, findRichTable(ctx), odd)
    },
  }),
  ...reading('contract, Endpoints', {
    'getRow/other-table!: a row is found only in its own table': async (ctx) => {
      const [one, other] = findFilledTables(ctx)
      if (!one || !other) return
      await ctx.get('getRow', { tableId: one.id, rowId: other.rows[0]?.id ?? '' })
      await ctx.get('getRow', { tableId: other.id, rowId: one.rows[0]?.id ?? '' })
    },
  }),
  ...byShard,
  ...reading('contract, Datatables', {
    'listRows getRow/rows: a row is the same whether read alone or listed': async (ctx) => {
      for (const { id: tableId, rows } of findFilledTables(ctx))
        for (const { id: rowId } of rows.slice(0, 3)) await ctx.get('getRow', { tableId, rowId })
    },
    'listDatatables getDatatableSchema listRows/tables: tables have their columns and rows': async (ctx) => {
      await ctx.get('listDatatables')
      for (const table of ctx.known.tables.slice(0, 10)) {
        const { columns = [] } = await ctx.readTheirs('getDatatableSchema', { tableId: table.id })
        const page = await ctx.readTheirs('listRows', { tableId: table.id }, '?limit=500')
        reportOddValues(ctx, columns, page)
      }
    },
    'listRows/sort-two: sort orders by one column, then by another': async (ctx) => {
      for (const table of findSomeTables(ctx)) {
        const columns = table.columns.filter(({ type }) => type !== 'autonumber')
        const [a = '', b = a, c = b] = columns.map(({ name }) => name)
        for (const sort of [`${b}:desc,${a}`, `${c},${b}:desc`, `${a}:asc`])
          await listRows(ctx, table, { sort, limit: 60 }, { sort, limit: 5, page: 2 })
      }
    },
    'listRows/select: select shows only the named columns': async (ctx) => {
      const table = findRichTable(ctx)
      for (const { name } of table.columns.slice(0, 12))
        await listRows(ctx, table, { select: name, limit: 3 })
      const [a = '', b = a, c = b] = table.columns.map(({ name }) => name)
      for (const select of [`${a},${b}`, `${c},${a},${a}`])
        await listRows(ctx, table, { select, limit: 5, sort: `${b}:desc` })
    },
    'listRows/filters: filters combine with each other, with order and with pages; equality is exact': async (
      ctx,
    ) => {
      for (const table of findSomeTables(ctx)) {
        const row = table.rows[1] ?? table.rows[0]
        const [a, b = a] = table.columns.filter(({ id }) => typeof row?.cells[id] === 'string')
        if (!row || !a || !b) continue
        const [one, two] = [String(row.cells[a.id]), String(row.cells[b.id])]
        const together = [two, 'verify none such'].map((other) => ({ [a.name]: one, [b.name]: other }))
        const alone = [one.toUpperCase(), one.slice(0, 3), ''].map((text) => ({ [a.name]: text }))
        const paged = { [b.name]: two, sort: `${a.name}:desc`, limit: 2, page: 2 }
        await listRows(ctx, table, ...together, ...alone, paged)
      }
      ctx.says('a parameter that is not a column name has no effect', 'assumption unknownFilter')
      await listRows(ctx, findRichTable(ctx), { 'verify no such column': 'x', limit: 2 })
    },
  }),
  ...reading('assumption unknownSortColumn', {
    'listRows/odd-sort: sort and select with unknown column names': async (ctx) => {
      const table = findRichTable(ctx)
      const { name, id } = requireValue(table.columns[0], 'the table has no columns')
      for (const sort of ['verify no such column', `${name}:up`, ''])
        await listRows(ctx, table, { sort, limit: 5 })
      await listRows(ctx, table, { select: 'verify no such column' }, { select: '' })
      ctx.says('sort, select and filters take names, not ids', 'assumption columnNames')
      await listRows(ctx, table, { sort: `${id}:desc`, limit: 5 }, { select: id, limit: 5 })
    },
  }),
]
