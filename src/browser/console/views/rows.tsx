// The rows of a table: searched, filtered and sorted by the mock, page by page, one of them open.
import { useEffect, useState } from 'preact/hooks'
import type { Column } from '../../../contract/datatables.ts'
import type { RowPage } from '../../../controls/inspect-rows.ts'
import type { TableOverview, WorkspaceOverview } from '../../../controls/inspect.ts'
import { countText, numberText } from '../format.ts'
import { useConsole, usePlace } from '../parts/context.ts'
import { Button, Switch, typed } from '../parts/controls.tsx'
import { useLoaded } from '../parts/loaded.ts'
import { Menu } from '../parts/menu.tsx'
import { Empty, Failure } from '../parts/marks.tsx'
import { FilterChips, FilterMenu, useFilters } from './row-filters.tsx'
import { newRow, RowDetail } from './row-detail.tsx'
import { Cell, decimalsOf, elsewhere, isNumberColumn } from './state-cell.tsx'

const pageRows = 50

export interface ShownRow {
  readonly id: string
  readonly version: number
  readonly data: Readonly<Record<string, unknown>>
}

interface TableProps {
  readonly table: TableOverview
  readonly workspace: WorkspaceOverview
}

function Pages({ offset, total }: { readonly offset: number; readonly total: number }) {
  const [, set] = usePlace('offset')
  if (total <= pageRows) return null
  const go = (next: number) => set(next === 0 ? undefined : String(next))
  const last = Math.floor((total - 1) / pageRows) * pageRows
  const end = Math.min(offset + pageRows, total)
  return (
    <nav class="pages" aria-label="Pages">
      <Button label="First page" disabled={offset === 0} onClick={() => go(0)}>
        «
      </Button>
      <Button label="Previous page" disabled={offset === 0} onClick={() => go(offset - pageRows)}>
        ‹
      </Button>
      <span class="where" aria-live="polite">
        {numberText(offset + 1)} to {numberText(end)} of {numberText(total)}
      </span>
      <Button label="Next page" disabled={end === total} onClick={() => go(offset + pageRows)}>
        ›
      </Button>
      <Button label="Last page" disabled={end === total} onClick={() => go(last)}>
        »
      </Button>
    </nav>
  )
}

/** While one types the mock is not asked at every letter. */
const typingMs = 200

function Search() {
  const { place, go } = useConsole()
  const { search = '' } = place
  const [text, setText] = useState(search)
  useEffect(() => setText(search), [search])
  useEffect(() => {
    if (text === search) return undefined
    const timer = setTimeout(() => go({ search: text || undefined, offset: undefined }, false), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <input
      type="search"
      class="grow"
      placeholder="Search all columns …"
      aria-label="Search the rows"
      value={text}
      onInput={(event) => setText(typed(event))}
    />
  )
}

/** Ids of the columns that are not shown. */
function useHidden(): readonly [ReadonlySet<string>, (ids: ReadonlySet<string>) => void] {
  const [text, set] = usePlace('hide')
  const ids = new Set(text.split(',').filter((id) => id !== ''))
  return [ids, (next) => set([...next].join() || undefined, false)]
}

function ColumnMenu({ columns }: { readonly columns: readonly Column[] }) {
  const [hidden, setHidden] = useHidden()
  const toggle = (id: string) => {
    const next = new Set(hidden)
    if (!next.delete(id)) next.add(id)
    setHidden(next)
  }
  return (
    <Menu title={hidden.size === 0 ? 'Columns' : `Columns, ${countText(hidden.size, 'hidden', 'hidden')}`}>
      <fieldset class="choices">
        <legend class="unseen">Columns</legend>
        {columns.map(({ id, name }) => (
          <label key={id}>
            <input type="checkbox" checked={!hidden.has(id)} onChange={() => toggle(id)} />
            {name}
          </label>
        ))}
      </fieldset>
      {hidden.size > 0 && <Button onClick={() => setHidden(new Set())}>Show all</Button>}
    </Menu>
  )
}

const orders = { asc: 'ascending', desc: 'descending' } as const

/** A column's head, which sorts: ascending, descending, as inserted. */
function Head({ column, isNumber }: { readonly column: Column; readonly isNumber: boolean }) {
  const { place, go } = useConsole()
  const { sort = '' } = place
  const direction = sort === `${column.id}:desc` ? 'desc' : sort === `${column.id}:asc` ? 'asc' : undefined
  const next = direction === undefined ? 'asc' : direction === 'asc' ? 'desc' : undefined
  return (
    <th
      scope="col"
      class={isNumber ? 'number' : ''}
      title={column.id}
      aria-sort={direction === undefined ? undefined : orders[direction]}
    >
      <button
        type="button"
        class="sorter"
        onClick={() => go({ sort: next && `${column.id}:${next}`, offset: undefined })}
      >
        {column.name}
        <span aria-hidden="true">{direction === 'asc' ? ' ↑' : direction === 'desc' ? ' ↓' : ''}</span>
      </button>
      <span class="type">
        {column.type}
        {column.readonly ? ', read-only' : ''}
      </span>
    </th>
  )
}

function Grid({ page, table, workspace }: TableProps & { readonly page: RowPage }) {
  const [open, setOpen] = usePlace('row')
  const [hidden] = useHidden()
  const [isScrolled, setScrolled] = useState(false)
  const rows = page.rows as readonly ShownRow[]
  const columns = table.columns
    .filter(({ id }) => !hidden.has(id))
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
              <Head key={column.id} column={column} isNumber={isNumber} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} class={row.id === open ? 'is-open' : ''}>
              <th scope="row">
                <button
                  type="button"
                  class="link"
                  aria-expanded={row.id === open}
                  onClick={() => setOpen(row.id === open ? undefined : row.id)}
                >
                  {row.id}
                </button>
              </th>
              <td class="number">{row.version}</td>
              {columns.map(({ column, isNumber, decimals }) => (
                <td
                  key={column.id}
                  class={isNumber ? 'number' : column.type === 'datatable' ? 'linking' : ''}
                >
                  <Cell
                    column={column}
                    value={row.data[column.id]}
                    workspace={workspace}
                    decimals={decimals}
                    links={page.links}
                  />
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
      <Empty title="No row yet">
        <p>
          <code>POST /datatables/{table.id}/rows</code> adds one.
        </p>
      </Empty>
    )
  return (
    <Empty title="Nothing matches">
      <p>{countText(table.row_count, 'row')} in the table, none of them like this.</p>
      <Button onClick={() => go({ ...elsewhere })}>Show all</Button>
    </Empty>
  )
}

export function Rows({ table, workspace }: TableProps) {
  const { controls, act, live, place } = useConsole()
  const [open, setOpen] = usePlace('row')
  const [filters] = useFilters()
  const { search, sort } = place
  const offset = Number(place.offset) < table.row_count ? Number(place.offset) : 0
  const asked = { offset, limit: pageRows, search, sort, filters: JSON.stringify(filters) }
  const { value: page, failure } = useLoaded(
    () => controls.inspect.rows(table.id, asked),
    [controls, table.id, JSON.stringify(asked), live.revision],
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
          onChange={(locked) => void act(() => controls.lockTable(table.id, locked))}
        />
        <Button onClick={() => setOpen(newRow)}>Add a row</Button>
      </div>
      <div class="toolbar">
        <Search />
        <FilterMenu columns={table.columns} workspace={workspace} />
        <ColumnMenu columns={table.columns} />
        <FilterChips columns={table.columns} workspace={workspace} />
        <span class="spacer" />
        <Pages offset={offset} total={page?.total ?? table.row_count} />
      </div>
      {failure !== null && <Failure>{failure}</Failure>}
      <div class={`opening ${open === '' ? '' : 'is-open'}`}>
        {page && <Grid page={page} table={table} workspace={workspace} />}
        {open !== '' && <RowDetail key={open} id={open} table={table} workspace={workspace} />}
      </div>
    </div>
  )
}
