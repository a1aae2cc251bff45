// Records as a table: rows of a datatable or tasks of a list. Column heads sort it; cells are edited in place.
import type { ComponentChildren, TargetedKeyboardEvent, TdHTMLAttributes } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isMomentType, isNumberType } from '../../../../contract/column-types.ts'
import type { Column } from '../../../../contract/datatables.ts'
import { useConsole, useParam } from '../../parts/context.ts'
import { Button } from '../../parts/controls.tsx'
import { Form } from '../../parts/fields.tsx'
import { isWritable, ValueEditor, valueOf } from '../../parts/value-editor.tsx'
import { type ApiRequest, useEdit } from '../../parts/edits.tsx'
import { ScrollBox, type Selection, Table, type TableColumn } from '../../parts/table.tsx'
import { Cell, type RowLinks } from './cell.tsx'

/** For each sort direction: the value of aria-sort, the arrow, and the direction after a click. */
const sortings = {
  '': { ariaSort: 'none', arrow: '', next: 'asc' },
  asc: { ariaSort: 'ascending', arrow: ' ↑', next: 'desc' },
  desc: { ariaSort: 'descending', arrow: ' ↓', next: undefined },
} as const

interface EditorProps {
  readonly column: Column
  readonly value: unknown
  readonly request: (value: unknown) => ApiRequest
  readonly close: () => void
}

/** Laid over its cell, so that rows and columns keep their size. */
function CellEditor({ column, value, request, close }: EditorProps) {
  const edit = useEdit()
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
  const toRequests = () => [request(valueOf(column, draft))]
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
      <Form {...edit('Saved.', toRequests, close)} onKeyDown={press}>
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

/** Arrow keys move from cell to cell, including the button with a row's id. */
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

/** What a grid shows, and how its records are written. */
export interface GridSource<Item extends { readonly id: string }> {
  /** The part of the view state that holds the id of the open record. */
  readonly kind: 'row' | 'task'
  /** The accessible name of the grid. */
  readonly label: string
  readonly columns: readonly Column[]
  /** Columns that cannot be edited, after the others. */
  readonly own: readonly TableColumn<Item>[]
  readonly valueOf: (item: Item, column: Column) => unknown
  /** The request that writes a value. */
  readonly toRequest: (item: Item, column: Column, value: unknown) => ApiRequest
  /** A class for a value that needs attention. */
  readonly toneOf?: (item: Item, column: Column) => string
}

interface GridProps<Item extends { readonly id: string }> extends GridSource<Item> {
  readonly items: readonly Item[]
  readonly links: RowLinks | undefined
  readonly selection: Selection
  /** Shown if there are no records. */
  readonly nothing: ComponentChildren
}

export function Grid<Item extends { readonly id: string }>(props: GridProps<Item>) {
  const {
    kind,
    label,
    columns,
    own,
    valueOf: read,
    toRequest,
    toneOf,
    items,
    links,
    selection,
    nothing,
  } = props
  const { viewState, go } = useConsole()
  const [sortedBy, direction = ''] = viewState.sort?.split(':') ?? []
  const open = useParam(kind)
  const [edited, setEdited] = useState('')
  const link = ({ id }: Item) => {
    const isOpen = id === open.value
    return <Button class="link" aria-expanded={isOpen} onClick={() => open.set(isOpen ? '' : id)} text={id} />
  }
  const columnOf = (column: Column): TableColumn<Item> => {
    const { id, name, type, readonly } = column
    const { ariaSort, arrow, next } = sortings[sortedBy === id ? (direction as keyof typeof sortings) : '']
    const keyOf = (item: Item) => `${item.id} ${id}`
    const isFixed = !isWritable(column)
    const edit = (item: Item) => () => setEdited(keyOf(item))
    const press = (item: Item) => (event: TargetedKeyboardEvent<HTMLTableCellElement>) => {
      if (isFixed || event.key !== 'Enter' || event.target !== event.currentTarget) moveFocus(event)
      else {
        // The same key press would submit the form that it opens.
        event.preventDefault()
        edit(item)()
      }
    }
    const attributesOf = (item: Item): TdHTMLAttributes => ({
      ...{ dir: 'auto', tabIndex: -1, onKeyDown: press(item) },
      ...(!isFixed && { onDblClick: edit(item) }),
      ...(edited === keyOf(item) && { style: { 'anchor-name': anchor } }),
    })
    return {
      ...{ head: name, id, headAttributes: { title: id, 'aria-sort': ariaSort } },
      headCell: (
        <>
          <Button class="sorter" onClick={() => go({ sort: next && `${id}:${next}`, offset: undefined })}>
            {name}
            <span aria-hidden="true">{arrow}</span>
          </Button>
          <span class="aside type">{`${type}${readonly ? ', read-only' : ''}`}</span>
        </>
      ),
      class: isNumberType(type) || isMomentType(type) ? 'number' : type === 'datatable' ? 'linking' : '',
      attributes: attributesOf,
      cell: (item) => {
        const value = read(item, column)
        const cell = <Cell column={column} value={value} links={links} />
        const tone = toneOf?.(item, column)
        const shown = tone ? <span class={tone}>{cell}</span> : cell
        if (edited !== keyOf(item)) return shown
        const close = () => setEdited('')
        const request = (next: unknown) => toRequest(item, column, next)
        return [shown, <CellEditor key={keyOf(item)} {...{ column, value, close, request }} />]
      },
    }
  }
  const fixed = own.map((column): TableColumn<Item> => {
    return { ...column, attributes: () => ({ tabIndex: -1, onKeyDown: moveFocus }) }
  })
  const id: TableColumn<Item> = {
    ...{ head: 'id', id: '', isName: true, cell: link },
    attributes: () => ({ onKeyDown: moveFocus }),
  }
  return (
    <ScrollBox label={label}>
      <Table
        {...{ class: 'data', items, selection, open: open.value }}
        keyOf={(item: Item) => item.id}
        columns={[id, ...columns.map(columnOf), ...fixed]}
      />
      {items.length === 0 && nothing}
    </ScrollBox>
  )
}
