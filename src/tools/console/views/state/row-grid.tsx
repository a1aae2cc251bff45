// The rows of a page as a table, whose heads sort.
import { useState } from 'preact/hooks'
import type { Column } from '../../../../contract/datatables.ts'
import type { TableOverview } from '../../../../mock/controls/inspect/inspect.ts'
import type { InspectedRows } from '../../../../mock/controls/inspect/rows.ts'
import { formatQuantity } from '../../format.ts'
import { EmptyState, NothingMatches } from '../../parts/blocks.tsx'
import { useConsole, useParam } from '../../parts/context.ts'
import { Button } from '../../parts/controls.tsx'
import { Form } from '../../parts/fields.tsx'
import { isComputedType, ValueEditor, valueOf } from '../../parts/record-form.tsx'
import { ScrollBox, type Selection, Table, type TableColumn } from '../../parts/table.tsx'
import { Cell, noQuery, isNumberColumn, type RowLinks } from './cell.tsx'
import { type ShownRow, useChange } from './record.tsx'

/** Of a sorted column: what screen readers say, its arrow, and the order after a click. */
const orders = {
  '': { ariaSort: 'none', arrow: '', next: 'asc' },
  asc: { ariaSort: 'ascending', arrow: ' ↑', next: 'desc' },
  desc: { ariaSort: 'descending', arrow: ' ↓', next: undefined },
} as const

function useColumnHead() {
  const { viewState, go } = useConsole()
  return ({ id, name, type, readonly }: Column) => {
    const [by, direction = ''] = viewState.sort?.split(':') ?? []
    const { ariaSort, arrow, next } = orders[by === id ? (direction as keyof typeof orders) : '']
    const sort = () => go({ sort: next && `${id}:${next}`, offset: undefined })
    const headCell = (
      <>
        <Button class="sorter" onClick={sort}>
          {name}
          <span aria-hidden="true">{arrow}</span>
        </Button>
        <span class="aside type">{`${type}${readonly ? ', read-only' : ''}`}</span>
      </>
    )
    return { headCell, headAttributes: { title: id, 'aria-sort': ariaSort } }
  }
}

interface EditorProps {
  readonly column: Column
  readonly value: unknown
  readonly save: (value: unknown) => Promise<unknown>
  readonly close: () => void
}

function CellEditor({ column, value, save, close }: EditorProps) {
  const [draft, setDraft] = useState(value)
  const send = async () => {
    await save(valueOf(column, draft))
    close()
  }
  return (
    <Form class="row" run={send} done="Saved." canUndo onKeyDown={({ key }) => key === 'Escape' && close()}>
      <ValueEditor field={column} value={draft} set={setDraft} />
      <Button kind="primary" text="Save" />
      <Button onClick={close} text="Cancel" />
    </Form>
  )
}

function useColumns(table: TableOverview, shown: readonly Column[], links: RowLinks | undefined) {
  const headOf = useColumnHead()
  const open = useParam('row')
  const [edited, setEdited] = useState('')
  const close = () => setEdited('')
  const change = useChange('rows', table.id)
  const link = ({ id }: ShownRow) => {
    const isOpen = id === open.value
    return <Button class="link" aria-expanded={isOpen} onClick={() => open.set(isOpen ? '' : id)} text={id} />
  }
  const columnOf = (column: Column): TableColumn<ShownRow> => {
    const keyOf = (row: ShownRow) => `${row.id} ${column.id}`
    const isFixed = isComputedType(column.type)
    const edit = (row: ShownRow) => (isFixed ? {} : { onDblClick: () => setEdited(keyOf(row)) })
    return {
      ...{ head: column.name, id: column.id, ...headOf(column) },
      class: isNumberColumn(column) ? 'number' : column.type === 'datatable' ? 'linking' : '',
      attributes: (row) => ({ dir: 'auto', ...edit(row) }),
      cell: (row) => {
        const value = row.data[column.id]
        if (edited !== keyOf(row)) return <Cell column={column} value={value} links={links} />
        const version = row.version + 1
        const save = (next: unknown) => change(row.id, { data: { [column.id]: next }, version })
        return <CellEditor {...{ column, value, save, close }} />
      },
    }
  }
  const own: TableColumn<ShownRow>[] = [
    { head: 'id', id: '', isName: true, cell: link },
    { head: 'version', id: ':version', class: 'number', cell: ({ version }) => version },
  ]
  return [...own, ...shown.map(columnOf)]
}

interface RowGridProps {
  readonly page: InspectedRows
  readonly table: TableOverview
  readonly columns: readonly Column[]
  readonly selection: Selection
}

export function RowGrid({ page, table, columns, selection }: RowGridProps) {
  const { go, viewState } = useConsole()
  const shown = useColumns(table, columns, page.links)
  const given = { items: page.rows as readonly ShownRow[], selection, open: viewState.row }
  const nothing =
    table.row_count > 0 ? (
      <NothingMatches what={formatQuantity(table.row_count, 'row')} showAll={() => go(noQuery)} />
    ) : (
      <EmptyState title="No row yet">
        <code>POST /datatables/{table.id}/rows</code> adds one.
      </EmptyState>
    )
  return (
    <ScrollBox label={`Rows of ${table.name}`}>
      <Table class="data" columns={shown} {...given} keyOf={({ id }) => id} />
      {page.rows.length === 0 && nothing}
    </ScrollBox>
  )
}
