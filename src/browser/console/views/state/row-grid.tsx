// The rows of a page as a table, whose heads sort.
import { useState } from 'preact/hooks'
import type { Column } from '../../../../contract/datatables.ts'
import type { InspectedRows } from '../../../../controls/inspect/rows.ts'
import type { TableOverview } from '../../../../controls/inspect/inspect.ts'
import { countText } from '../../format.ts'
import { useConsole, useViewState } from '../../parts/context.ts'
import { Button } from '../../parts/button.tsx'
import { Form } from '../../parts/fields.tsx'
import { isComputedType, ValueEditor, valueOf } from '../../parts/record-form.tsx'
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

interface EditorProps {
  readonly column: Column
  readonly value: unknown
  readonly save: (value: unknown) => Promise<unknown>
  readonly close: () => void
}

/** A value that is edited in its cell: Enter saves, Escape cancels. */
function CellEditor({ column, value, save, close }: EditorProps) {
  const [draft, setDraft] = useState(value)
  const send = async () => {
    await save(valueOf(column, draft))
    close()
  }
  return (
    <td class="editing" onKeyDown={(event) => event.key === 'Escape' && close()}>
      <Form class="row" onSubmit={send}>
        <ValueEditor field={column} value={draft} set={setDraft} />
        <Button kind="primary">Save</Button>
        <Button onClick={close}>Cancel</Button>
      </Form>
    </td>
  )
}

interface GridRowProps {
  readonly row: ShownRow
  readonly columns: readonly GridColumn[]
  readonly links: InspectedRows['links']
  readonly table: TableOverview
  readonly isSelected: boolean
  readonly toggle: (id: string) => void
}

function GridRow({ row, columns, links, table, isSelected, toggle }: GridRowProps) {
  const { controls, live } = useConsole()
  const [open, setOpen] = useViewState('row')
  const [edited, setEdited] = useState('')
  const isOpen = row.id === open
  const save = (id: string) => (value: unknown) => {
    const values = { data: { [id]: value }, version: row.version + 1, updated_at: live.overview.clock.now }
    return controls.db.change('rows', row.id, { table: table.id, values })
  }
  return (
    <tr class={isOpen || isSelected ? 'is-open' : ''}>
      <td class="check">
        <input
          type="checkbox"
          aria-label={`Select ${row.id}`}
          checked={isSelected}
          onChange={() => toggle(row.id)}
        />
      </td>
      <th scope="row">
        <Button class="link" aria-expanded={isOpen} onClick={() => setOpen(isOpen ? undefined : row.id)}>
          {row.id}
        </Button>
      </th>
      <td class="number">{row.version}</td>
      {columns.map(({ column, isNumber, decimals }) => {
        const { id, type } = column
        const value = row.data[id]
        if (edited === id)
          return (
            <CellEditor key={id} column={column} value={value} save={save(id)} close={() => setEdited('')} />
          )
        return (
          <td
            key={id}
            dir="auto"
            class={isNumber ? 'number' : type === 'datatable' ? 'linking' : ''}
            onDblClick={isComputedType(type) ? undefined : () => setEdited(id)}
          >
            <Cell column={column} value={value} decimals={decimals} links={links} />
          </td>
        )
      })}
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
  readonly selected: readonly string[]
  readonly select: (ids: readonly string[]) => void
}

export function RowGrid({ page, table, columns, selected, select }: RowGridProps) {
  const [isScrolled, setScrolled] = useState(false)
  const rows = page.rows as readonly ShownRow[]
  const toggle = (id: string) =>
    select(selected.includes(id) ? selected.filter((each) => each !== id) : [...selected, id])
  const ids = rows.map(({ id }) => id)
  const isWhole = ids.length > 0 && ids.every((id) => selected.includes(id))
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
            <th scope="col" class="check">
              <input
                type="checkbox"
                aria-label="Select all on this page"
                checked={isWhole}
                onChange={() => select(isWhole ? [] : ids)}
              />
            </th>
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
            <GridRow
              key={row.id}
              {...{ row, table, toggle }}
              columns={gridColumns}
              links={page.links}
              isSelected={selected.includes(row.id)}
            />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <NoRows table={table} />}
    </div>
  )
}
