// The list of requests. Only the visible rows are rendered.
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { preciseTimeText } from '../../format.ts'
import type { Line } from '../../live.ts'
import { type ViewState, useConsole } from '../../parts/context.ts'
import { Mark, StatusCode } from '../../parts/blocks.tsx'
import { sandboxText } from '../../parts/sandboxes.tsx'
import { failureText } from './reasons.ts'

export const queryText = ({ query }: Pick<Line, 'query'>) => {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

/** Why a request did not get its usual response: its fault and what went wrong. */
export const reasonText = (line: Line) =>
  line.fault === null ? failureText(line) : `${line.fault}: ${failureText(line)}`

const rowPixels = 34
/** In a narrow list the reason is below the path. */
const narrowRowPixels = 56
const narrowWidth = 528
/** Rows rendered beyond the visible ones, so that quick scrolling shows no gap. */
const spareRows = 10

const keyOf = ({ id, sandbox }: Line) => `line-${String(id)}-${sandbox ?? ''}`

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 15,
  PageUp: -15,
  Home: -Infinity,
  End: Infinity,
}

const isShown = ({ id, sandbox }: Line, { request, from }: ViewState) =>
  request === String(id) && (from ?? null) === sandbox

interface RowProps {
  readonly line: Line
  readonly index: number
  readonly count: number
  /** Pixels. */
  readonly rowHeight: number
}

function RequestRow({ line, index, count, rowHeight }: RowProps) {
  const { viewState, openEntry, live } = useConsole()
  const isOpen = isShown(line, viewState)
  const reason = reasonText(line)
  const query = queryText(line)
  return (
    <div
      role="option"
      id={keyOf(line)}
      class="entry"
      aria-selected={isOpen}
      aria-setsize={count}
      aria-posinset={index + 1}
      style={{ top: `${String(index * rowHeight)}px`, height: `${String(rowHeight)}px` }}
      onClick={() => openEntry(isOpen ? null : line)}
    >
      <StatusCode status={line.status} />
      <span class="time">{preciseTimeText(line.atMs)}</span>
      <span class="method">{line.method}</span>
      <span class="path" title={line.path + query}>
        {line.path}
        <span class="faint">{query}</span>
      </span>
      <span class="why">
        {reason !== '' && <Mark tone={line.fault === null ? 'plain' : 'accent'}>{reason}</Mark>}
      </span>
      <span class="operation">{line.operation ?? 'no operation'}</span>
      <span class="key">{line.key ?? '–'}</span>
      {live.sandboxes.length > 0 && (
        <span class="of-sandbox" title={line.label}>
          {sandboxText(line.sandbox)} {line.label !== undefined && <span class="aside">{line.label}</span>}
        </span>
      )}
    </div>
  )
}

/** The size of what an element contains; both 900 until it is measured. */
function useSize(element: RefObject<HTMLElement | null>): Pick<DOMRectReadOnly, 'height' | 'width'> {
  const [size, setSize] = useState<Pick<DOMRectReadOnly, 'height' | 'width'>>({ height: 900, width: 900 })
  useEffect(() => {
    if (!element.current) return undefined
    const observer = new ResizeObserver(([entry]) => entry && setSize(entry.contentRect))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return size
}

/** Keeps the visible rows in place while new requests are added above them. */
function useSteadyRows(pane: RefObject<HTMLElement | null>, lines: readonly Line[], rowHeight: number): void {
  const first = useRef<Line | undefined>(undefined)
  useLayoutEffect(() => {
    const added = first.current ? lines.indexOf(first.current) : 0
    if (added > 0 && pane.current && pane.current.scrollTop > 0) pane.current.scrollTop += added * rowHeight
    first.current = lines[0]
  }, [lines])
}

/** Scrolls to the open request, also when the rows get another height. */
function useOpenRow(pane: RefObject<HTMLElement | null>, index: number, rowHeight: number): void {
  const { request, from } = useConsole().viewState
  useLayoutEffect(() => {
    const list = pane.current
    if (!list || index < 0) return
    const position = index * rowHeight
    // The head of the list covers a row.
    const lowest = position + 2 * rowHeight - list.clientHeight
    list.scrollTop = Math.min(position, Math.max(lowest, list.scrollTop))
  }, [request, from, rowHeight, index < 0])
}

function ListHead() {
  const { live } = useConsole()
  return (
    <div class="entry head" aria-hidden="true">
      <span>Status</span>
      <span class="time">Time</span>
      <span>Method</span>
      <span>Path</span>
      <span class="why">Reason</span>
      <span class="operation">Operation</span>
      <span class="key">Key</span>
      {live.sandboxes.length > 0 && <span class="of-sandbox">Sandbox</span>}
    </div>
  )
}

/** Renders the visible rows and a few around them. One tab stop: arrow keys select. */
export function RequestList({ lines }: { readonly lines: readonly Line[] }) {
  const { viewState, openEntry, live } = useConsole()
  const pane = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const { height, width } = useSize(pane)
  const rowHeight = width < narrowWidth ? narrowRowPixels : rowPixels
  const selected = lines.findIndex((line) => isShown(line, viewState))
  useSteadyRows(pane, lines, rowHeight)
  useOpenRow(pane, selected, rowHeight)
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (event.key === 'Escape') openEntry(null)
    if (event.key === 'Enter') (pane.current?.nextElementSibling as HTMLElement | null)?.focus()
    if (step === undefined || lines.length === 0) return
    event.preventDefault()
    openEntry(lines[Math.min(lines.length - 1, Math.max(0, selected + step))] ?? null)
  }
  const active = lines[selected]
  const from = Math.max(0, Math.floor(top / rowHeight) - spareRows)
  const to = Math.ceil((top + height) / rowHeight) + spareRows
  return (
    <div
      class={`sheet list ${live.sandboxes.length > 0 ? 'has-sandboxes' : ''}`}
      ref={pane}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <ListHead />
      <div
        role="listbox"
        aria-label="Requests"
        tabIndex={0}
        aria-activedescendant={active && selected >= from && selected < to ? keyOf(active) : undefined}
        style={{ height: `${String(lines.length * rowHeight)}px` }}
        onKeyDown={move}
      >
        {lines.slice(from, to).map((line, index) => (
          <RequestRow key={keyOf(line)} {...{ line, rowHeight }} index={from + index} count={lines.length} />
        ))}
      </div>
    </div>
  )
}
