// The tables of a workspace, and the rows of one: searched, sorted and paged by the mock.
import type { Column } from '../../../../contract/datatables.ts'
import type { TableOverview } from '../../../../adapters/control-api/inspect.ts'
import { formatQuantity, numberText } from '../../format.ts'
import { EmptyState, Mark } from '../../parts/blocks.tsx'
import { noQuery, useConsole, useLoaded, useParam, useWorkspace } from '../../parts/context.ts'
import { Button, ChoiceList, Switch } from '../../parts/controls.tsx'
import { newRecord, RowPane, type ShownRow, useChange } from './record.tsx'
import { offsetOf, pageRows, Records, typingMs } from './records.tsx'

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
      <span class="spacer" />
      <Switch label="Locked" isOn={locked} set={lock} />
      <Button onClick={() => go({ row: newRecord })} text="Add a row" />
    </div>
  )
}

const version = {
  ...{ head: 'version', id: ':version', class: 'number' },
  cell: (row: ShownRow) => row.version,
}

function Rows({ table }: { table: TableOverview }) {
  const { controls, live, viewState } = useConsole()
  const { row: open = '', search, sort } = viewState
  const { id, name, row_count: count, columns } = table
  const query = { offset: offsetOf(viewState, count), limit: pageRows, sort, search }
  const read = () => controls.inspect.rows(id, query)
  const keys = [JSON.stringify(query), live.overview]
  const { value: page, failure } = useLoaded(read, keys, search === undefined ? 0 : typingMs)
  const change = useChange('rows', id)
  const save = (row: ShownRow, column: Column, value: unknown) =>
    change(row.id, { data: { [column.id]: value }, version: row.version + 1 })
  const nothing = (
    <EmptyState title="No row yet">
      <code>POST /datatables/{id}/rows</code> adds one.
    </EmptyState>
  )
  return (
    <div class="rows">
      <RowsHead table={table} total={search === undefined ? undefined : page?.total} />
      <Records
        {...{ kind: 'row', table: id, label: `Rows of ${name}`, columns, own: [version], save }}
        {...{ count, found: page?.total ?? count, links: page?.links, failure, nothing }}
        items={page?.rows as readonly ShownRow[] | undefined}
        valueOf={({ data }, column) => data[column.id]}
        search={{ label: 'Search the rows', placeholder: 'Search all columns …' }}
        pane={open !== '' && <RowPane key={open} id={open} table={table} />}
      />
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
