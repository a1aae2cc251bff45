// The tables of a workspace, and the rows of one: searched, sorted and paged by the mock.
import type { Column } from '../../../../contract/datatables.ts'
import type { TableOverview } from '../../../../adapters/control-api/inspect.ts'
import { formatQuantity, numberText } from '../../format.ts'
import { EmptyState, Mark } from '../../parts/blocks.tsx'
import { noQuery, useConsole, useLoaded, useParam, useWorkspace } from '../../parts/context.ts'
import { Button, Switch } from '../../parts/controls.tsx'
import { newRecord, RowPane, rowRequests, type ShownRow } from './record.tsx'
import { offsetOf, pageRows, Records, typingMs } from './records.tsx'

const version = {
  ...{ head: 'version', id: ':version', class: 'number' },
  cell: (row: ShownRow) => row.version,
}

function TableRows({ table }: { table: TableOverview }) {
  const { controls, live, viewState, act, go } = useConsole()
  const { row: open = '', search, sort } = viewState
  const { id, name, row_count: count, columns, locked } = table
  const query = { offset: offsetOf(viewState, count), limit: pageRows, sort, search }
  const read = () => controls.inspect.rows(id, query)
  const keys = [JSON.stringify(query), live.overview]
  const { value: page, failure } = useLoaded(read, keys, search === undefined ? 0 : typingMs)
  const requests = rowRequests(id)
  const toRequest = (row: ShownRow, column: Column, value: unknown) =>
    requests.update(row.id, { data: { [column.id]: value } })
  const lock = (isOn: boolean) => act((mock) => mock.lockTable(id, isOn))
  const of = search === undefined || !page ? '' : `${numberText(page.total)} of `
  const nothing = (
    <EmptyState title="No row yet">
      <code>POST /datatables/{id}/rows</code> adds one.
    </EmptyState>
  )
  return (
    <div class="rows">
      <div class="toolbar">
        <h3>{name}</h3>
        <code class="aside">{id}</code>
        <span class="aside" aria-live="polite">
          {of + formatQuantity(count, 'row')}
        </span>
        <span class="spacer" />
        <Switch label="Locked" isOn={locked} set={lock} />
        <Button onClick={() => go({ row: newRecord })} text="Add a row" />
      </div>
      <Records
        {...{ kind: 'row', label: `Rows of ${name}`, columns, own: [version], toRequest }}
        toDeletion={requests.delete}
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
  return (
    <div class="with-list">
      <ul class="picks" aria-label="Tables">
        {tables.map(({ id, name, row_count, locked }) => (
          <li key={id}>
            <Button
              class="pick"
              aria-pressed={id === table.id}
              onClick={() => go({ table: id, row: undefined, ...noQuery })}
            >
              <span class="name">{name}</span>
              <span class="aside">{formatQuantity(row_count, 'row')}</span>
              {locked && <Mark tone="warn">locked</Mark>}
            </Button>
          </li>
        ))}
      </ul>
      <TableRows key={table.id} table={table} />
    </div>
  )
}
