// The rows of a table, by page: searched, filtered and sorted by the mock; one can be open.
import { useEffect, useState } from 'preact/hooks'
import type { Column } from '../../../../contract/datatables.ts'
import type { InspectedRows } from '../../../../controls/inspect/rows.ts'
import type { TableOverview } from '../../../../controls/inspect/inspect.ts'
import { countText, numberText } from '../../format.ts'
import { useConsole, useLoaded, useViewState } from '../../parts/context.ts'
import { Button, Switch } from '../../parts/controls.tsx'
import { Input } from '../../parts/fields.tsx'
import { Menu } from '../../parts/menu.tsx'
import { EmptyState, Failure } from '../../parts/blocks.tsx'
import { Checkboxes } from '../../parts/record-form.tsx'
import { Cell, decimalsOf, clearedQuery, isNumberColumn } from './cell.tsx'
import { newRecord } from './record.tsx'
import { RowPane, type ShownRow } from './row-detail.tsx'
import { FilterChips, FilterMenu, useFilters } from './row-filters.tsx'

const pageRows = 50

function Pages({ offset, total }: { readonly offset: number; readonly total: number }) {
  const [, set] = useViewState('offset')
  if (total <= pageRows) return null
  const turn = (label: string, sign: string, to: number) => (
    <Button
      label={label}
      disabled={to < 0 || to >= total || to === offset}
      onClick={() => set(to === 0 ? undefined : String(to))}
    >
      {sign}
    </Button>
  )
  const last = Math.floor((total - 1) / pageRows) * pageRows
  const end = Math.min(offset + pageRows, total)
  return (
    <nav class="pages" aria-label="Pages">
      {turn('First page', '«', 0)}
      {turn('Previous page', '‹', offset - pageRows)}
      <span class="where" aria-live="polite">
        {numberText(offset + 1)} to {numberText(end)} of {numberText(total)}
      </span>
      {turn('Next page', '›', offset + pageRows)}
      {turn('Last page', '»', last)}
    </nav>
  )
}

/** The delay after the last keystroke before the mock is asked. */
const typingMs = 200

function RowSearch() {
  const { viewState, go } = useConsole()
  const { search = '' } = viewState
  const [text, setText] = useState(search)
  useEffect(() => setText(search), [search])
  useEffect(() => {
    if (text === search) return undefined
    const timer = setTimeout(() => go({ search: text || undefined, offset: undefined }, false), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <Input
      type="search"
      class="grow"
      placeholder="Search all columns …"
      label="Search the rows"
      value={text}
      set={setText}
    />
  )
}

/** Ids of the columns that are not shown. */
function useHidden(): readonly [readonly string[], (ids: readonly string[]) => void] {
  const [text, set] = useViewState('hide')
  return [text.split(',').filter((id) => id !== ''), (ids) => set(ids.join(), false)]
}

function ColumnMenu({ columns }: { readonly columns: readonly Column[] }) {
  const [hidden, setHidden] = useHidden()
  const shownIds = columns.map(({ id }) => id).filter((id) => !hidden.includes(id))
  const show = (ids: readonly string[]) =>
    setHidden(columns.map(({ id }) => id).filter((id) => !ids.includes(id)))
  return (
    <Menu
      title={hidden.length === 0 ? 'Columns' : `Columns, ${numberText(hidden.length)} hidden`}
      label="Columns"
    >
      {() => (
        <>
          <Checkboxes
            legend="Shown columns"
            choices={columns.map(({ id, name }) => ({ id, label: name }))}
            ids={shownIds}
            set={show}
          />
          {hidden.length > 0 && <Button onClick={() => setHidden([])}>Show all</Button>}
        </>
      )}
    </Menu>
  )
}

/** Of a sorted column: what screen readers say, its arrow, and the order after a click. */
const orders = {
  '': { ariaSort: undefined, arrow: '', next: 'asc' },
  asc: { ariaSort: 'ascending', arrow: ' ↑', next: 'desc' },
  desc: { ariaSort: 'descending', arrow: ' ↓', next: undefined },
} as const

/** The head of a column, which sorts: ascending, descending, in insertion order. */
function ColumnHead({ column, isNumber }: { readonly column: Column; readonly isNumber: boolean }) {
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

function RowGrid({ page, table }: { readonly page: InspectedRows; readonly table: TableOverview }) {
  const [open, setOpen] = useViewState('row')
  const [hidden] = useHidden()
  const [isScrolled, setScrolled] = useState(false)
  const rows = page.rows as readonly ShownRow[]
  const columns = table.columns
    .filter(({ id }) => !hidden.includes(id))
    .map((column) => {
      const values = rows.map(({ data }) => data[column.id])
      const isComputedNumber = column.type === 'formula' && values.some((value) => typeof value === 'number')
      return {
        column,
        isNumber: isNumberColumn(column) || isComputedNumber,
        decimals: decimalsOf(values),
      }
    })
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
            {columns.map(({ column, isNumber }) => (
              <ColumnHead key={column.id} column={column} isNumber={isNumber} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} class={row.id === open ? 'is-open' : ''}>
              <th scope="row">
                <Button
                  class="link"
                  aria-expanded={row.id === open}
                  onClick={() => setOpen(row.id === open ? undefined : row.id)}
                >
                  {row.id}
                </Button>
              </th>
              <td class="number">{row.version}</td>
              {columns.map(({ column, isNumber, decimals }) => (
                <td
                  key={column.id}
                  class={isNumber ? 'number' : column.type === 'datatable' ? 'linking' : ''}
                >
                  <Cell column={column} value={row.data[column.id]} decimals={decimals} links={page.links} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <NoRows table={table} />}
    </div>
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

export function Rows({ table }: { readonly table: TableOverview }) {
  const { controls, act, live, viewState } = useConsole()
  const [open, setOpen] = useViewState('row')
  const [filters] = useFilters()
  const { search, sort } = viewState
  const offset = Number(viewState.offset) < table.row_count ? Number(viewState.offset) : 0
  const asked = { offset, limit: pageRows, search, sort, filters: JSON.stringify(filters) }
  const { value: page, failure } = useLoaded(
    () => controls.inspect.rows(table.id, asked),
    [JSON.stringify(asked), live.overview],
  )
  const isSelected = search !== undefined || filters.length > 0
  return (
    <div class="rows">
      <div class="toolbar">
        <h3>{table.name}</h3>
        <code class="aside">{table.id}</code>
        <span class="aside" aria-live="polite">
          {page && isSelected
            ? `${numberText(page.total)} of ${countText(table.row_count, 'row')}`
            : countText(table.row_count, 'row')}
        </span>
        <span class="spacer" />
        <Switch
          label="Locked"
          isOn={table.locked}
          onChange={(locked) => act(() => controls.lockTable(table.id, locked))}
        />
        <Button onClick={() => setOpen(newRecord)}>Add a row</Button>
      </div>
      <div class="toolbar">
        <RowSearch />
        <FilterMenu columns={table.columns} />
        <ColumnMenu columns={table.columns} />
        <FilterChips columns={table.columns} />
        <span class="spacer" />
        <Pages offset={offset} total={page?.total ?? table.row_count} />
      </div>
      <Failure message={failure} />
      <div class={`split ${open === '' ? '' : 'is-open'}`}>
        {page && <RowGrid page={page} table={table} />}
        {open !== '' && <RowPane key={open} id={open} table={table} />}
      </div>
    </div>
  )
}
