// The tables of a workspace and the rows of one of them, page by page.
import { Fragment } from 'preact'
import type { Column } from '../../../contract/datatables.ts'
import type { TableOverview, WorkspaceOverview } from '../../../controls/inspect.ts'
import { countText, numberText } from '../format.ts'
import { useConsole, usePlace } from '../parts/context.ts'
import { Button, Switch } from '../parts/controls.tsx'
import { Json } from '../parts/json.tsx'
import { useLoaded } from '../parts/loaded.ts'
import { Empty, Failure, Mark } from '../parts/marks.tsx'
import { History } from './changes.tsx'
import { Cell, isNumberColumn } from './state-cell.tsx'

const pageRows = 50

/** Changes whenever the state may have. */
export function useStateMark(): number {
  const { live } = useConsole()
  return live.revision
}

interface ShownRow {
  readonly id: string
  readonly version: number
  readonly data: Readonly<Record<string, unknown>>
}

function RowLine({
  row,
  columns,
  workspace,
}: {
  readonly row: ShownRow
  readonly columns: readonly Column[]
  readonly workspace: WorkspaceOverview
}) {
  const [open, setOpen] = usePlace('row')
  const isOpen = open === row.id
  return (
    <Fragment>
      <tr>
        <th scope="row">
          <button
            type="button"
            class="link"
            aria-expanded={isOpen}
            onClick={() => setOpen(isOpen ? undefined : row.id)}
          >
            {row.id}
          </button>
        </th>
        <td class="number">{row.version}</td>
        {columns.map((column) => (
          <td key={column.id} class={isNumberColumn(column) ? 'number' : ''}>
            <Cell column={column} value={row.data[column.id]} workspace={workspace} />
          </td>
        ))}
      </tr>
      {isOpen && (
        <tr class="whole">
          <td colSpan={columns.length + 2}>
            <Json value={row} label={`Row ${row.id}`} />
            <h4>History</h4>
            <History id={row.id} workspace={workspace} />
          </td>
        </tr>
      )}
    </Fragment>
  )
}

function Pages({
  offset,
  total,
  go,
}: {
  readonly offset: number
  readonly total: number
  readonly go: (offset: number) => void
}) {
  if (total <= pageRows) return null
  const last = Math.floor((total - 1) / pageRows) * pageRows
  const end = Math.min(offset + pageRows, total)
  return (
    <nav class="pages" aria-label="Pages">
      <Button label="First page" disabled={offset === 0} onClick={() => go(0)}>
        «
      </Button>
      <Button label="Page before" disabled={offset === 0} onClick={() => go(offset - pageRows)}>
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

function Rows({
  table,
  workspace,
}: {
  readonly table: TableOverview
  readonly workspace: WorkspaceOverview
}) {
  const { world, act } = useConsole()
  const mark = useStateMark()
  const [wanted, setWanted] = usePlace('offset')
  const offset = Number(wanted) < table.row_count ? Number(wanted) : 0
  const setOffset = (next: number) => setWanted(next === 0 ? undefined : String(next))
  const { value, failure } = useLoaded(
    () => world.inspect.rows(table.id, { offset, limit: pageRows }),
    [world, table.id, offset, mark, table.row_count],
  )
  return (
    <div class="rows">
      <div class="toolbar">
        <h3>{table.name}</h3>
        <code class="aside">{table.id}</code>
        <span class="spacer" />
        <Switch
          label="Locked"
          isOn={table.locked}
          onChange={(locked) => void act(() => world.lockTable(table.id, locked))}
        />
        <Pages offset={offset} total={table.row_count} go={setOffset} />
      </div>
      {failure !== null && <Failure>{failure}</Failure>}
      <div class="sheet scroll" tabIndex={0} role="region" aria-label={`Rows of ${table.name}`}>
        <table class="grid data">
          <thead>
            <tr>
              <th scope="col">id</th>
              <th scope="col" class="number">
                version
              </th>
              {table.columns.map((column) => (
                <th
                  scope="col"
                  key={column.id}
                  class={isNumberColumn(column) ? 'number' : ''}
                  title={column.id}
                >
                  {column.name}
                  <span class="type">
                    {column.type}
                    {column.readonly ? ', read-only' : ''}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {value?.rows.map((row) => (
              <RowLine key={row.id} row={row as ShownRow} columns={table.columns} workspace={workspace} />
            ))}
          </tbody>
        </table>
        {table.row_count === 0 && (
          <Empty title="No row yet">
            <p>
              <code>POST /datatables/{table.id}/rows</code> adds one.
            </p>
          </Empty>
        )}
      </div>
    </div>
  )
}

export function Tables({ workspace }: { readonly workspace: WorkspaceOverview }) {
  const [wanted] = usePlace('table')
  const { go } = useConsole()
  const { tables } = workspace
  const table = tables.find(({ id }) => id === wanted) ?? tables[0]
  if (!table)
    return (
      <div class="sheet">
        <Empty title="This workspace has no table">
          <p>Tables come with the fixture: the API cannot create them.</p>
        </Empty>
      </div>
    )
  return (
    <div class="beside">
      <ul class="picks" aria-label="Tables">
        {tables.map(({ id, name, row_count, locked }) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={id === table.id}
              onClick={() => go({ table: id, offset: undefined, row: undefined })}
            >
              <span class="name">{name}</span>
              <span class="aside">{countText(row_count, 'row')}</span>
              {locked && <Mark tone="warn">locked</Mark>}
            </button>
          </li>
        ))}
      </ul>
      <Rows key={table.id} table={table} workspace={workspace} />
    </div>
  )
}
