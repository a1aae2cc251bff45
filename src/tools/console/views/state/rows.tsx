// The tables of a workspace, and the rows of one by page: searched and sorted by the mock; one can be open.
import { useState } from 'preact/hooks'
import type { Column } from '../../../../contract/datatables.ts'
import { idsOf } from '../../../../contract/data/maps.ts'
import type { TableOverview } from '../../../control-api/inspect.ts'
import { formatQuantity, numberText } from '../../format.ts'
import { EmptyState, Failure, Mark } from '../../parts/blocks.tsx'
import { type ScopedRun, useConsole, useLoaded, useParam, useWorkspace } from '../../parts/context.ts'
import { Action, Button, Menu, ChoiceList, Switch } from '../../parts/controls.tsx'
import { Input, toNamedChoices } from '../../parts/fields.tsx'
import { Checkboxes } from '../../parts/record-form.tsx'
import { noQuery } from './cell.tsx'
import { newRecord, RowPane } from './record.tsx'
import { RowGrid } from './row-grid.tsx'

const pageRows = 50

function Pages({ offset, total }: { offset: number; total: number }) {
  const { set } = useParam('offset')
  if (total <= pageRows) return null
  const turn = (label: string, text: string, to: number) => {
    const disabled = to < 0 || to >= total || to === offset
    return <Button {...{ label, text, disabled }} onClick={() => set(to === 0 ? '' : String(to))} />
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
  const boxes = { legend: 'Shown columns', choices: toNamedChoices(columns), ids: idsOf(shown) }
  return (
    <Menu title={hidden === 0 ? 'Columns' : `Columns, ${numberText(hidden)} hidden`} label="Columns">
      {() => (
        <>
          <Checkboxes {...boxes} set={show} />
          {hidden > 0 && <Button onClick={() => show(idsOf(columns))} text="Show all" />}
        </>
      )}
    </Menu>
  )
}

function RowsHead({ table, total }: { table: TableOverview; total: number | undefined }) {
  const { act, go } = useConsole()
  const { id, name, row_count, locked } = table
  const of = total === undefined ? '' : `${numberText(total)} of `
  const lock = (isOn: boolean) => act((controls) => controls.lockTable(id, isOn))
  return (
    <div class="toolbar">
      <h3>{name}</h3>
      <code class="aside">{id}</code>
      <span class="aside" aria-live="polite">
        {of + formatQuantity(row_count, 'row')}
      </span>
      <span class="aside">To edit a cell: double-click or Enter</span>
      <span class="spacer" />
      <Switch label="Locked" isOn={locked} set={lock} />
      <Button onClick={() => go({ row: newRecord })} text="Add a row" />
    </div>
  )
}

const typingMs = 200

function Rows({ table }: { table: TableOverview }) {
  const { controls, live, viewState, go } = useConsole()
  const { row: open = '', search = '', sort } = viewState
  const [columns] = useShownColumns(table.columns)
  const offset = Number(viewState.offset) < table.row_count ? Number(viewState.offset) : 0
  const query = { offset, limit: pageRows, sort, search: search || undefined }
  const read = () => controls.inspect.rows(table.id, query)
  const keysOfPage = [JSON.stringify(query), live.overview]
  const { value: page, failure } = useLoaded(read, keysOfPage, search === '' ? 0 : typingMs)
  const [keys, set] = useState<readonly string[]>([])
  const count = formatQuantity(keys.length, 'row')
  const removal = { text: `Remove ${count}`, confirm: `Remove ${count}?`, done: `Removed ${count}.` }
  const remove: ScopedRun = async (mock) => {
    for (const id of keys) await mock.db.remove('rows', id, { table: table.id })
    set([])
  }
  const selection = { keys, set, label: 'Select all on this page' }
  const searchField = { label: 'Search the rows', placeholder: 'Search all columns …', value: search }
  const find = (text: string) => go({ search: text || undefined, offset: undefined }, false)
  return (
    <div class="rows">
      <RowsHead table={table} total={search === '' ? undefined : page?.total} />
      <div class="toolbar">
        <Input type="search" class="grow" {...searchField} set={find} />
        <ColumnMenu columns={table.columns} />
        <span class="spacer" />
        {keys.length > 0 && <Action kind="danger" canUndo {...removal} run={remove} />}
        <Pages offset={offset} total={page?.total ?? table.row_count} />
      </div>
      <Failure message={failure} />
      <div class={`split ${open === '' ? '' : 'is-open'}`}>
        {page && <RowGrid {...{ page, table, columns, selection }} />}
        {open !== '' && <RowPane key={open} id={open} table={table} />}
      </div>
    </div>
  )
}

export function useTable(): TableOverview | undefined {
  const { tables = [] } = useWorkspace() ?? {}
  const { value } = useParam('table')
  return tables.find(({ id }) => id === value) ?? tables[0]
}

export function Tables() {
  const { go } = useConsole()
  const { tables = [] } = useWorkspace() ?? {}
  const table = useTable()
  if (!table)
    return <EmptyState title="This workspace has no table">Tables come with the fixture.</EmptyState>
  const details = ({ row_count, locked }: TableOverview) => (
    <>
      <span class="aside">{formatQuantity(row_count, 'row')}</span>
      {locked && <Mark tone="warn">locked</Mark>}
    </>
  )
  const open = (id: string) => go({ table: id, row: undefined, ...noQuery })
  return (
    <div class="with-list">
      <ChoiceList label="Tables" items={tables} current={table.id} onChange={open} details={details} />
      <Rows key={table.id} table={table} />
    </div>
  )
}
