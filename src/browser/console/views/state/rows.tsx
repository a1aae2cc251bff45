// The tables of a workspace, and the rows of one by page: searched, filtered and sorted by the mock; one can be open.
import { useEffect, useState } from 'preact/hooks'
import type { Column } from '../../../../contract/datatables.ts'
import { idsOf } from '../../../../contract/data/maps.ts'
import type { TableOverview } from '../../../../controls/inspect/inspect.ts'
import { countText, numberText } from '../../format.ts'
import { EmptyState, Failure, Mark } from '../../parts/blocks.tsx'
import { useConsole, useLoaded, useParam, useWorkspace, type ViewState } from '../../parts/context.ts'
import { Action, Button, Menu, Picks, Switch } from '../../parts/controls.tsx'
import { Input, namedChoices } from '../../parts/fields.tsx'
import { Checkboxes } from '../../parts/record-form.tsx'
import type { SandboxControls } from '../../source.ts'
import { clearedQuery } from './cell.tsx'
import { newRecord, RowPane } from './record.tsx'
import { FilterChips, FilterMenu, useFilters } from './row-filters.tsx'
import { RowGrid } from './row-grid.tsx'

const pageRows = 50

function Pages({ offset, total }: { offset: number; total: number }) {
  const { set } = useParam('offset')
  if (total <= pageRows) return null
  const turn = (label: string, sign: string, to: number) => {
    const isOut = to < 0 || to >= total || to === offset
    return (
      <Button label={label} disabled={isOut} onClick={() => set(to === 0 ? '' : String(to))} text={sign} />
    )
  }
  const last = Math.floor((total - 1) / pageRows) * pageRows
  const end = Math.min(offset + pageRows, total)
  return (
    <nav class="pages" aria-label="Pages">
      {turn('First page', '«', 0)}
      {turn('Previous page', '‹', offset - pageRows)}
      <span class="where" aria-live="polite">
        {`${numberText(offset + 1)} to ${numberText(end)} of ${numberText(total)}`}
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
  const [text, set] = useState(search)
  useEffect(() => set(search), [search])
  useEffect(() => {
    if (text === search) return undefined
    const timer = setTimeout(() => go({ search: text || undefined, offset: undefined }, false), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  const texts = { placeholder: 'Search all columns …', label: 'Search the rows' }
  return <Input type="search" class="grow" {...texts} value={text} set={set} />
}

function useShownColumns(columns: readonly Column[]) {
  const hide = useParam('hide', false)
  const hidden = hide.value.split(',')
  const shown = columns.filter(({ id }) => !hidden.includes(id))
  const show = (ids: readonly string[]) => {
    const others = idsOf(columns).filter((id) => !ids.includes(id))
    hide.set(others.join())
  }
  return [shown, show] as const
}

function ColumnMenu({ columns }: { columns: readonly Column[] }) {
  const [shown, show] = useShownColumns(columns)
  const hidden = columns.length - shown.length
  return (
    <Menu title={hidden === 0 ? 'Columns' : `Columns, ${numberText(hidden)} hidden`} label="Columns">
      {() => (
        <>
          <Checkboxes legend="Shown columns" choices={namedChoices(columns)} ids={idsOf(shown)} set={show} />
          {hidden > 0 && <Button onClick={() => show(idsOf(columns))} text="Show all" />}
        </>
      )}
    </Menu>
  )
}

function RowsHead({ table, total }: { table: TableOverview; total: number | undefined }) {
  const { act } = useConsole()
  const { set: setOpen } = useParam('row')
  const all = countText(table.row_count, 'row')
  const lock = (locked: boolean) => act((controls) => controls.lockTable(table.id, locked))
  return (
    <div class="toolbar">
      <h3>{table.name}</h3>
      <code class="aside">{table.id}</code>
      <span class="aside" aria-live="polite">
        {total === undefined ? all : `${numberText(total)} of ${all}`}
      </span>
      <span class="spacer" />
      <Switch label="Locked" isOn={table.locked} set={lock} />
      <Button onClick={() => setOpen(newRecord)} text="Add a row" />
    </div>
  )
}

function Rows({ table }: { table: TableOverview }) {
  const { controls, live, viewState } = useConsole()
  const { row: open = '', search, sort } = viewState
  const [filters] = useFilters()
  const [columns] = useShownColumns(table.columns)
  const offset = Number(viewState.offset) < table.row_count ? Number(viewState.offset) : 0
  const asked = { offset, limit: pageRows, search, sort, filters: JSON.stringify(filters) }
  const read = () => controls.inspect.rows(table.id, asked)
  const { value: page, failure } = useLoaded(read, [JSON.stringify(asked), live.overview])
  const isFiltered = search !== undefined || filters.length > 0
  const [keys, set] = useState<readonly string[]>([])
  const removal = `Remove ${countText(keys.length, 'row')}`
  const remove = async (mock: SandboxControls) => {
    for (const id of keys) await mock.db.remove('rows', id, { table: table.id })
    set([])
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
        {keys.length > 0 && (
          <Action
            kind="danger"
            canUndo
            confirm={`${removal}?`}
            run={remove}
            done={`Removed ${countText(keys.length, 'row')}.`}
            text={removal}
          />
        )}
        <Pages offset={offset} total={page?.total ?? table.row_count} />
      </div>
      <Failure message={failure} />
      <div class={`split ${open === '' ? '' : 'is-open'}`}>
        {page && (
          <RowGrid
            {...{ page, table, columns }}
            selection={{ keys, set, label: 'Select all on this page' }}
          />
        )}
        {open !== '' && <RowPane key={open} id={open} table={table} />}
      </div>
    </div>
  )
}

/** The table of the view state, by default the first. */
export const openTable = (tables: readonly TableOverview[], viewState: ViewState) =>
  tables.find(({ id }) => id === viewState.table) ?? tables[0]

export function Tables() {
  const { go, viewState } = useConsole()
  const { tables = [] } = useWorkspace() ?? {}
  const table = openTable(tables, viewState)
  if (!table)
    return (
      <EmptyState title="This workspace has no table">
        Tables come with the fixture: the API cannot create them.
      </EmptyState>
    )
  const details = ({ row_count, locked }: TableOverview) => (
    <>
      <span class="aside">{countText(row_count, 'row')}</span>
      {locked && <Mark tone="warn">locked</Mark>}
    </>
  )
  const open = (id: string) => go({ table: id, row: undefined, ...clearedQuery })
  return (
    <div class="with-list">
      <Picks label="Tables" items={tables} current={table.id} onChange={open} details={details} />
      <Rows key={table.id} table={table} />
    </div>
  )
}
