// The rows of a page as a table, whose heads sort.
import type { TargetedKeyboardEvent, TdHTMLAttributes } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Column } from '../../../../contract/datatables.ts'
import type { TableOverview } from '../../../control-api/inspect.ts'
import type { InspectedRows } from '../../../control-api/rows.ts'
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

/** Above its cell, so that rows and columns keep their size. */
function CellEditor({ column, value, save, close }: EditorProps) {
  const [draft, setDraft] = useState(value)
  const editor = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const cell = editor.current?.closest('td')
    editor.current?.showPopover()
    const field = editor.current?.querySelector<HTMLElement>('input, select, textarea')
    field?.focus()
    if (field instanceof HTMLInputElement) field.select()
    return () => cell?.focus()
  }, [])
  const send = async () => {
    await save(valueOf(column, draft))
    close()
  }
  const press = (event: TargetedKeyboardEvent<HTMLFormElement>) => {
    const { key, shiftKey, isComposing, target, currentTarget } = event
    event.stopPropagation()
    if (isComposing || target instanceof HTMLButtonElement) return
    if (key === 'Enter' && !shiftKey) currentTarget.requestSubmit()
    else if (key === 'Escape') close()
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={editor}
      popover="manual"
      class="sheet popover cell-editor"
      style={{ 'position-anchor': anchor }}
    >
      <Form run={send} done="Saved." canUndo onKeyDown={press}>
        <ValueEditor field={column} value={draft} set={setDraft} />
        <div class="row">
          <Button kind="primary" text="Save" />
          <Button onClick={close} text="Cancel" />
        </div>
      </Form>
    </div>
  )
}

const anchor = '--edited-cell'

const directions: Readonly<Record<string, readonly [rows: number, cells: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** Arrows lead from cell to cell, beginning at the id of a row. */
function moveFocus(event: TargetedKeyboardEvent<HTMLTableCellElement>): void {
  const { currentTarget: cell, key } = event
  const direction = directions[key]
  const row = cell.closest('tr')
  if (!direction || !row) return
  const rows = row.closest('tbody')?.rows
  const next = rows?.[row.sectionRowIndex + direction[0]]?.cells[cell.cellIndex + direction[1]]
  const target = next?.matches('th') === true ? next.querySelector('button') : next
  if (!target?.matches('td[tabindex], th *')) return
  target.focus()
  event.preventDefault()
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
    const edit = (row: ShownRow) => () => setEdited(keyOf(row))
    const press = (row: ShownRow) => (event: TargetedKeyboardEvent<HTMLTableCellElement>) => {
      if (isFixed || event.key !== 'Enter' || event.target !== event.currentTarget) moveFocus(event)
      else {
        // The key would submit the form that it opens.
        event.preventDefault()
        edit(row)()
      }
    }
    const attributesOf = (row: ShownRow): TdHTMLAttributes => ({
      ...{ dir: 'auto', tabIndex: -1, onKeyDown: press(row) },
      ...(!isFixed && { onDblClick: edit(row) }),
      ...(edited === keyOf(row) && { style: { 'anchor-name': anchor } }),
    })
    return {
      ...{ head: column.name, id: column.id, ...headOf(column) },
      class: isNumberColumn(column) ? 'number' : column.type === 'datatable' ? 'linking' : '',
      attributes: attributesOf,
      cell: (row) => {
        const value = row.data[column.id]
        const shown = <Cell column={column} value={value} links={links} />
        if (edited !== keyOf(row)) return shown
        const version = row.version + 1
        const save = (next: unknown) => change(row.id, { data: { [column.id]: next }, version })
        return [shown, <CellEditor key={keyOf(row)} {...{ column, value, save, close }} />]
      },
    }
  }
  const own: TableColumn<ShownRow>[] = [
    { ...{ head: 'id', id: '', isName: true, cell: link }, attributes: () => ({ onKeyDown: moveFocus }) },
    {
      ...{ head: 'version', id: ':version', class: 'number', cell: ({ version }) => version },
      attributes: () => ({ tabIndex: -1, onKeyDown: moveFocus }),
    },
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
