// The rows of a page as a table, whose heads sort.
import { useState } from 'preact/hooks'
import type { Column } from '../../../../contract/datatables.ts'
import type { InspectedRows } from '../../../../controls/inspect/rows.ts'
import type { TableOverview } from '../../../../controls/inspect/inspect.ts'
import { countText } from '../../format.ts'
import { useConsole, useViewState } from '../../parts/context.ts'
import { Button } from '../../parts/controls.tsx'
import { EmptyState } from '../../parts/blocks.tsx'
import { Cell, decimalsOf, clearedQuery, isNumberColumn } from './cell.tsx'
import type { ShownRow } from './row-detail.tsx'

/** A column, and how the values of a page are shown in it. */
interface GridColumn {
  readonly column: Column
  readonly isNumber: boolean
  /** Digits after the point. */
  readonly decimals: number
}

function gridColumnOf(column: Column, rows: readonly ShownRow[]): GridColumn {
  const values = rows.map(({ data }) => data[column.id])
  const isComputedNumber = column.type === 'formula' && values.some((value) => typeof value === 'number')
  return { column, isNumber: isNumberColumn(column) || isComputedNumber, decimals: decimalsOf(values) }
}

/** Of a sorted column: what screen readers say, its arrow, and the order after a click. */
const orders = {
  '': { ariaSort: undefined, arrow: '', next: 'asc' },
  asc: { ariaSort: 'ascending', arrow: ' ↑', next: 'desc' },
  desc: { ariaSort: 'descending', arrow: ' ↓', next: undefined },
} as const

/** The head of a column, which sorts: ascending, descending, in insertion order. */
function ColumnHead({ column, isNumber }: GridColumn) {
  const { viewState, go } = useConsole()
  const { id, name, type } = column
  const order = viewState.sort === `${id}:asc` ? 'asc' : viewState.sort === `${id}:desc` ? 'desc' : ''
  const { ariaSort, arrow, next } = orders[order]
  return (
    <th scope="col" class={isNumber ? 'number' : ''} title={id} aria-sort={ariaSort}>
      <Button class="sorter" onClick={() => go({ sort: next && `${id}:${next}`, offset: undefined })}>
        {name}
        <span aria-hidden="true">{arrow}</span>
      </Button>
      <span class="aside type">
        {type}
        {column.readonly ? ', read-only' : ''}
      </span>
    </th>
  )
}

interface GridRowProps {
  readonly row: ShownRow
  readonly columns: readonly GridColumn[]
  readonly links: InspectedRows['links']
}

function GridRow({ row, columns, links }: GridRowProps) {
  const [open, setOpen] = useViewState('row')
  const isOpen = row.id === open
  return (
    <tr class={isOpen ? 'is-open' : ''}>
      <th scope="row">
        <Button class="link" aria-expanded={isOpen} onClick={() => setOpen(isOpen ? undefined : row.id)}>
          {row.id}
        </Button>
      </th>
      <td class="number">{row.version}</td>
      {columns.map(({ column, isNumber, decimals }) => (
        <td key={column.id} class={isNumber ? 'number' : column.type === 'datatable' ? 'linking' : ''}>
          <Cell column={column} value={row.data[column.id]} decimals={decimals} links={links} />
        </td>
      ))}
    </tr>
  )
}

function NoRows({ table }: { readonly table: TableOverview }) {
  const { go } = useConsole()
  if (table.row_count === 0)
    return (
      <EmptyState title="No row yet">
        <code>POST /datatables/{table.id}/rows</code> adds one.
      </EmptyState>
    )
  return (
    <EmptyState title="Nothing matches" action={<Button onClick={() => go(clearedQuery)}>Show all</Button>}>
      {countText(table.row_count, 'row')} in the table, but none matches.
    </EmptyState>
  )
}

interface RowGridProps {
  readonly page: InspectedRows
  readonly table: TableOverview
  readonly columns: readonly Column[]
}

export function RowGrid({ page, table, columns }: RowGridProps) {
  const [isScrolled, setScrolled] = useState(false)
  const rows = page.rows as readonly ShownRow[]
  const gridColumns = columns.map((column) => gridColumnOf(column, rows))
  return (
    <div
      class={`sheet scroll ${isScrolled ? 'is-scrolled' : ''}`}
      tabIndex={0}
      role="region"
      aria-label={`Rows of ${table.name}`}
      onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollLeft > 0)}
    >
      <table class="grid data">
        <thead>
          <tr>
            <th scope="col">id</th>
            <th scope="col" class="number">
              version
            </th>
            {gridColumns.map((each) => (
              <ColumnHead key={each.column.id} {...each} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <GridRow key={row.id} row={row} columns={gridColumns} links={page.links} />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <NoRows table={table} />}
    </div>
  )
}
