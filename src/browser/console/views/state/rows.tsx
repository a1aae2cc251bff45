// The rows of a table, by page: searched, filtered and sorted by the mock; one can be open.
import { useEffect, useState } from 'preact/hooks'
import type { Column } from '../../../../contract/datatables.ts'
import type { TableOverview } from '../../../../controls/inspect/inspect.ts'
import { countText, numberText } from '../../format.ts'
import { useConsole, useLoaded, useViewState } from '../../parts/context.ts'
import { Button } from '../../parts/button.tsx'
import { Action, Switch } from '../../parts/controls.tsx'
import { Input } from '../../parts/fields.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Failure } from '../../parts/blocks.tsx'
import { Checkboxes } from '../../parts/record-form.tsx'
import type { SandboxControls } from '../../source.ts'
import { newRecord } from './record.tsx'
import { RowPane } from './row-detail.tsx'
import { FilterChips, FilterMenu, useFilters } from './row-filters.tsx'
import { RowGrid } from './row-grid.tsx'

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

/** The columns that are shown, and how to change which. */
function useShownColumns(columns: readonly Column[]) {
  const [hide, setHide] = useViewState('hide')
  const hidden = hide.split(',')
  const shown = columns.filter(({ id }) => !hidden.includes(id))
  const show = (ids: readonly string[]) =>
    setHide(
      columns
        .map(({ id }) => id)
        .filter((id) => !ids.includes(id))
        .join(),
      false,
    )
  return [shown, show] as const
}

function ColumnMenu({ columns }: { readonly columns: readonly Column[] }) {
  const [shown, show] = useShownColumns(columns)
  const choices = columns.map(({ id, name }) => ({ id, label: name }))
  const hidden = columns.length - shown.length
  return (
    <Menu title={hidden === 0 ? 'Columns' : `Columns, ${numberText(hidden)} hidden`} label="Columns">
      {() => (
        <>
          <Checkboxes legend="Shown columns" choices={choices} ids={shown.map(({ id }) => id)} set={show} />
          {hidden > 0 && <Button onClick={() => show(columns.map(({ id }) => id))}>Show all</Button>}
        </>
      )}
    </Menu>
  )
}

function RowsHead({ table, total }: { readonly table: TableOverview; readonly total: number | undefined }) {
  const { controls, act } = useConsole()
  const [, setOpen] = useViewState('row')
  const all = countText(table.row_count, 'row')
  return (
    <div class="toolbar">
      <h3>{table.name}</h3>
      <code class="aside">{table.id}</code>
      <span class="aside" aria-live="polite">
        {total === undefined ? all : `${numberText(total)} of ${all}`}
      </span>
      <span class="spacer" />
      <Switch
        label="Locked"
        isOn={table.locked}
        onChange={(locked) => act(() => controls.lockTable(table.id, locked))}
      />
      <Button onClick={() => setOpen(newRecord)}>Add a row</Button>
    </div>
  )
}

export function Rows({ table }: { readonly table: TableOverview }) {
  const { controls, live, viewState } = useConsole()
  const { row: open = '', search, sort } = viewState
  const [filters] = useFilters()
  const [columns] = useShownColumns(table.columns)
  const offset = Number(viewState.offset) < table.row_count ? Number(viewState.offset) : 0
  const asked = { offset, limit: pageRows, search, sort, filters: JSON.stringify(filters) }
  const { value: page, failure } = useLoaded(
    () => controls.inspect.rows(table.id, asked),
    [JSON.stringify(asked), live.overview],
  )
  const isFiltered = search !== undefined || filters.length > 0
  const [selected, select] = useState<readonly string[]>([])
  const remove = async (mock: SandboxControls) => {
    for (const id of selected) await mock.db.remove('rows', id, { table: table.id })
    select([])
  }
  return (
    <div class="rows">
      <RowsHead table={table} total={isFiltered ? page?.total : undefined} />
      <div class="toolbar">
        <RowSearch />
        <FilterMenu columns={table.columns} />
        <ColumnMenu columns={table.columns} />
        <FilterChips columns={table.columns} />
        <span class="spacer" />
        {selected.length > 0 && (
          <Action
            kind="danger"
            confirm={`Remove ${countText(selected.length, 'row')}?`}
            canUndo
            run={remove}
            done={`Removed ${countText(selected.length, 'row')}.`}
          >
            {`Remove ${countText(selected.length, 'row')}`}
          </Action>
        )}
        <Pages offset={offset} total={page?.total ?? table.row_count} />
      </div>
      <Failure message={failure} />
      <div class={`split ${open === '' ? '' : 'is-open'}`}>
        {page && <RowGrid {...{ page, table, columns, selected, select }} />}
        {open !== '' && <RowPane key={open} id={open} table={table} />}
      </div>
    </div>
  )
}
