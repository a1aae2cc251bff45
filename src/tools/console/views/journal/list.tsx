// The list of requests. Only the visible rows are rendered.
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { formatDuration, formatOwnTime } from '../../format.ts'
import { type PendingRow, type RequestRow, rowKeyOf } from '../../live-state.ts'
import { Mark } from '../../parts/blocks.tsx'
import { useConsole, useParam, useTick } from '../../parts/context.ts'
import { Button } from '../../parts/controls.tsx'
import { nameOfSandbox } from '../../parts/scope.tsx'
import { findTelling, layOut, type Layout } from './columns.tsx'

/** Rows rendered beyond the visible ones, so that quick scrolling shows no gap. */
const spareRows = 10

const keyOf = ({ id, sandbox }: RequestRow) => `request-${String(id)}-${sandbox ?? ''}`

const keySteps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 15,
  PageUp: -15,
  Home: -Infinity,
  End: Infinity,
}

type LineProps = Readonly<{
  layout: Layout
  cellOf: (column: Layout['columns'][number]) => ComponentChildren
  titleOf?: (column: Layout['columns'][number]) => string | undefined
}>

/** Titles explain the heads, and give the full text of cells that may be cut off. */
function Line({ layout, cellOf, titleOf }: LineProps) {
  return layout.columns.map((column) => (
    <span key={column.name} class={column.name} title={titleOf?.(column)} dir="auto">
      {cellOf(column)}
    </span>
  ))
}

/** A column head that sorts: largest first, then smallest first, then by arrival. */
function Sorter({ name, head }: { name: string; head: string }) {
  const { value, set } = useParam('sort')
  const [by, direction = 'desc'] = value.split(':')
  const isOn = by === name
  const next = !isOn ? name : direction === 'desc' ? `${name}:asc` : ''
  const order = direction === 'desc' ? 'descending' : 'ascending'
  return (
    <Button
      class="sorter"
      aria-pressed={isOn}
      label={`Sort by ${head}${isOn ? `, ${order}` : ''}`}
      onClick={() => set(next)}
    >
      {head}
      {isOn && <span aria-hidden="true">{direction === 'desc' ? ' ↓' : ' ↑'}</span>}
    </Button>
  )
}

function PendingItem({ row, layout }: { row: PendingRow; layout: Layout }) {
  const { viewState, show } = useConsole()
  useTick(200)
  const { id, sandbox, method, path, arrivedMs, fault, delayMs = 0 } = row
  const isOpen = viewState.arrival === String(id) && (viewState.from ?? null) === sandbox
  const delay = delayMs > 0 ? ` delays it ${formatDuration(delayMs)}` : ''
  const cells: Readonly<Partial<Record<string, ComponentChildren>>> = {
    code: <Mark tone="accent">…</Mark>,
    arrived: formatOwnTime(arrivedMs),
    took: formatDuration(Math.max(0, Date.now() - arrivedMs)),
    ...{ method, path },
    why: <Mark tone="accent">{fault === undefined ? 'no response yet' : fault + delay}</Mark>,
    'of-sandbox': nameOfSandbox(sandbox),
  }
  const open = () =>
    show('journal', {
      ...{ arrival: isOpen ? undefined : String(id), from: sandbox ?? undefined },
      ...{ request: undefined, compare: undefined, gone: undefined },
    })
  return (
    <li>
      <button
        type="button"
        class="entry"
        aria-pressed={isOpen}
        aria-label={`${method} ${path}, no response yet`}
        onClick={open}
      >
        <Line layout={layout} cellOf={({ name }) => cells[name]} />
      </button>
    </li>
  )
}

/** Keeps the visible rows in place while requests are added above them, and scrolls to the active one. */
function useScroll(
  pane: RefObject<HTMLElement | null>,
  rows: readonly RequestRow[],
  active: number,
  rowHeight: number,
  height: number,
) {
  const [top, setTop] = useState(0)
  const first = useRef<RequestRow | undefined>(undefined)
  const key = rows[active] && rowKeyOf(rows[active])
  useLayoutEffect(() => {
    const added = first.current ? rows.indexOf(first.current) : 0
    if (added > 0 && pane.current && pane.current.scrollTop > 0) pane.current.scrollTop += added * rowHeight
    first.current = rows[0]
  }, [rows])
  useLayoutEffect(() => {
    const list = pane.current
    const box = list?.querySelector('[role=listbox]')
    if (!list || !box || key === undefined || height === 0) return
    const top = box.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop
    const position = top + active * rowHeight
    const headHeight = list.querySelector('.head')?.clientHeight ?? 0
    const lowest = position + rowHeight - list.clientHeight
    list.scrollTop = Math.min(position - headHeight, Math.max(lowest, list.scrollTop))
    // A list that was hidden scrolls without an event.
    setTop(list.scrollTop)
    // Runs again when the row height changes, or when the list is shown again.
  }, [key, rowHeight, height])
  return {
    top,
    onScroll: (event: Event & { readonly currentTarget: HTMLElement }) =>
      setTop(event.currentTarget.scrollTop),
  }
}

type ListProps = Readonly<{
  rows: readonly RequestRow[]
  /** All requests before filtering, so that the columns stay the same while a filter is typed. */
  all: readonly RequestRow[]
  pending: readonly PendingRow[]
  /** Shown below the last row. */
  end: string
  /** The key of the open request, or else of the last one that was open: keys start from its row. */
  last: string | undefined
}>

/** Renders the visible rows and a few around them. One tab stop: arrow keys select. */
export function RequestList({ rows, all, pending, end, last }: ListProps) {
  const { viewState, openEntry } = useConsole()
  const pane = useRef<HTMLDivElement>(null)
  const [{ height, width }, setSize] = useState({ height: 900, width: 900 })
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setSize(entry.contentRect))
    if (pane.current) observer.observe(pane.current)
    return () => observer.disconnect()
  }, [])
  const telling = useMemo(() => findTelling(all), [all])
  const hasPending = pending.length > 0
  const shown = hasPending ? new Map([...telling, ['took', 0], ['why', telling.get('why') ?? 0]]) : telling
  const layout = useMemo(() => layOut(width, shown), [width, telling, hasPending])
  const { isNarrow, rowHeight, template } = layout
  const { request, from: place = null } = viewState
  const isOpen = (row: RequestRow) => request === String(row.id) && place === row.sandbox
  const active = last === undefined ? -1 : rows.findIndex((row) => rowKeyOf(row) === last)
  const { top, onScroll } = useScroll(pane, rows, active, rowHeight, height)
  const move = (event: KeyboardEvent) => {
    const step = keySteps[event.key]
    const row = rows[active]
    if (event.key === 'Escape') openEntry(null)
    if (event.key === 'Enter' && request !== undefined)
      (pane.current?.nextElementSibling as HTMLElement | null)?.focus()
    else if (event.key === 'Enter' && row) openEntry(row)
    if (step === undefined || rows.length === 0) return
    event.preventDefault()
    openEntry(rows[Math.min(rows.length - 1, Math.max(0, active + step))] ?? null)
  }
  const from = Math.max(0, Math.floor(top / rowHeight) - spareRows)
  const to = Math.ceil((top + height) / rowHeight) + spareRows
  const activeRow = active >= from && active < to ? rows[active] : undefined
  return (
    <div
      class={`sheet list ${isNarrow ? 'is-narrow' : ''}`}
      ref={pane}
      style={{ '--columns': template }}
      onScroll={onScroll}
    >
      {hasPending && (
        <ul class="pending" aria-label="Requests without a response">
          {pending.map((row) => (
            <PendingItem key={rowKeyOf(row)} row={row} layout={layout} />
          ))}
        </ul>
      )}
      <div
        role="listbox"
        aria-label="Requests"
        tabIndex={0}
        aria-activedescendant={activeRow && keyOf(activeRow)}
        style={{ height: `${String(rows.length * rowHeight)}px` }}
        onKeyDown={move}
      >
        {rows.slice(from, to).map((row, index) => (
          <div
            {...{ key: keyOf(row), role: 'option', id: keyOf(row), 'aria-selected': isOpen(row) }}
            {...{ 'aria-setsize': rows.length, 'aria-posinset': from + index + 1 }}
            class={`entry ${row.console ? 'by-console' : ''} ${row === activeRow ? 'is-active' : ''}`}
            style={{ top: `${String((from + index) * rowHeight)}px`, height: `${String(rowHeight)}px` }}
            onClick={() => openEntry(isOpen(row) ? null : row)}
          >
            <Line
              layout={layout}
              cellOf={({ cell, text }) => (cell ? cell(row) : text(row))}
              titleOf={({ share, text }) => (share === undefined ? undefined : text(row))}
            />
          </div>
        ))}
      </div>
      {end !== '' && <p class="aside end">{end}</p>}
      {/* After the rows in the document, so that Tab reaches the rows first. */}
      <div class="entry head" role="group" aria-label="Order of the requests">
        <Line layout={layout} cellOf={(column) => <Sorter {...column} />} titleOf={({ title }) => title} />
      </div>
    </div>
  )
}
