// The list of requests. Only the visible rows are rendered.
import type { ComponentChildren, HTMLAttributes, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { formatOwnTime, formatDuration, formatPreciseTime } from '../../format.ts'
import { type PendingRow, type RequestRow, rowKeyOf, type SandboxName } from '../../live-state.ts'
import { Mark, StatusCode } from '../../parts/blocks.tsx'
import { type ViewState, useConsole, useTick } from '../../parts/context.ts'
import { nameOfSandbox } from '../../parts/scope.tsx'
import { formatQuery, describeReason } from './reasons.ts'

/** The layouts below a width in pixels; in the narrow one the reason is below the path. */
const layouts = [
  { below: 528, name: 'is-narrow', rowHeight: 56 },
  { below: 760, name: 'is-medium is-slim', rowHeight: 34 },
  { below: 1090, name: 'is-medium', rowHeight: 34 },
  { below: Infinity, name: '', rowHeight: 34 },
] as const
/** Rows rendered beyond the visible ones, so that quick scrolling shows no gap. */
const spareRows = 10

const keyOf = ({ id, sandbox }: RequestRow) => `request-${String(id)}-${sandbox ?? ''}`

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

const isShown = ({ id, sandbox }: RequestRow, { request, from }: ViewState) =>
  request === String(id) && (from ?? null) === sandbox

const columns = [
  ['code', 'Status'],
  ['time', 'Time', "On the mock's clock, UTC"],
  ['arrived', 'Arrived', 'On the clock of this console'],
  ['took', 'Took', 'As this console saw it'],
  ['method', 'Method'],
  ['path', 'Path'],
  ['why', 'Reason'],
  ['operation', 'Operation'],
  ['key', 'Key'],
  ['of-sandbox', 'Sandbox'],
] as const

type ByColumn<T> = Readonly<Partial<Record<(typeof columns)[number][0], T>>>
type Cells = ByColumn<ComponentChildren>

/** `titles` are explanations, and whole texts of cells that can be cut off. */
function Line({ cells, titles }: { cells: Cells; titles: ByColumn<string | undefined> }) {
  const { live } = useConsole()
  return columns.slice(0, live.runs.length > 1 ? undefined : -1).map(([name]) => (
    <span key={name} class={name} title={titles[name]} dir={name === 'of-sandbox' ? 'auto' : undefined}>
      {cells[name]}
    </span>
  ))
}

const showSandbox = (sandbox: SandboxName, label?: string) => [
  `${nameOfSandbox(sandbox)} `,
  <span class="aside">{label}</span>,
]

/** `place` is where it is in the list, for screen readers and on the screen. */
function RequestItem({ row, ...place }: { row: RequestRow } & HTMLAttributes<HTMLDivElement>) {
  const { viewState, openEntry } = useConsole()
  const isOpen = isShown(row, viewState)
  const reason = describeReason(row)
  const { arrivedMs, tookMs, partial, fault, label, sandbox } = row
  const [path, query] = [row.outside ?? row.path, formatQuery(row)]
  const cells = {
    code: <StatusCode status={row.status} isPartial={partial !== undefined} />,
    time: formatPreciseTime(row.atMs),
    arrived: arrivedMs === undefined ? '' : formatOwnTime(arrivedMs),
    took: tookMs === undefined ? '' : formatDuration(tookMs),
    method: row.method,
    path: [path, <span class="faint">{query}</span>],
    why: [
      row.console && <Mark>console</Mark>,
      ' ',
      reason !== '' && <Mark tone={partial ? 'warn' : fault === null ? 'plain' : 'accent'}>{reason}</Mark>,
    ],
    operation: row.operation ?? 'no operation',
    key: row.key ?? '–',
    'of-sandbox': showSandbox(sandbox, label),
  }
  return (
    <div
      role="option"
      id={keyOf(row)}
      class={`entry ${row.console ? 'by-console' : ''}`}
      aria-selected={isOpen}
      onClick={() => openEntry(isOpen ? null : row)}
      {...place}
    >
      <Line cells={cells} titles={{ path: path + query, 'of-sandbox': label }} />
    </div>
  )
}

function PendingItem({ sandbox, method, path, arrivedMs, fault, delayMs = 0 }: PendingRow) {
  useTick(200)
  const delay = delayMs > 0 ? ` delays it ${formatDuration(delayMs)}` : ''
  const cells = {
    code: <Mark tone="accent">…</Mark>,
    arrived: formatOwnTime(arrivedMs),
    took: formatDuration(Math.max(0, Date.now() - arrivedMs)),
    ...{ method, path },
    why: <Mark tone="accent">{fault === undefined ? 'no response yet' : fault + delay}</Mark>,
    'of-sandbox': showSandbox(sandbox),
  }
  return (
    <li class="entry">
      <Line cells={cells} titles={{ path }} />
    </li>
  )
}

function useSize(element: RefObject<HTMLElement | null>) {
  const [size, setSize] = useState({ height: 900, width: 900 })
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setSize(entry.contentRect))
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return size
}

/** Keeps the visible rows in place while requests are added above them, and scrolls to the one that is opened. */
function useScroll(
  pane: RefObject<HTMLElement | null>,
  rows: readonly RequestRow[],
  open: number,
  rowHeight: number,
): void {
  const { request, from } = useConsole().viewState
  const first = useRef<RequestRow | undefined>(undefined)
  useLayoutEffect(() => {
    const added = first.current ? rows.indexOf(first.current) : 0
    if (added > 0 && pane.current && pane.current.scrollTop > 0) pane.current.scrollTop += added * rowHeight
    first.current = rows[0]
  }, [rows])
  useLayoutEffect(() => {
    const list = pane.current
    if (!list || open < 0) return
    const position = open * rowHeight
    // The head of the list covers a row.
    const lowest = position + 2 * rowHeight - list.clientHeight
    list.scrollTop = Math.min(position, Math.max(lowest, list.scrollTop))
    // Also when the rows get another height.
  }, [request, from, rowHeight, open < 0])
}

const heads: Cells = Object.fromEntries(columns.map(([name, head]) => [name, head]))
const headTitles = Object.fromEntries(columns.map(([name, , title]) => [name, title]))

type ListProps = Readonly<{ rows: readonly RequestRow[]; pending: readonly PendingRow[] }>

/** Renders the visible rows and a few around them. One tab stop: arrow keys select. */
export function RequestList({ rows, pending }: ListProps) {
  const { viewState, openEntry, live } = useConsole()
  const pane = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const { height, width } = useSize(pane)
  const { name, rowHeight } = layouts.find(({ below }) => width < below) ?? layouts[3]
  const selected = rows.findIndex((row) => isShown(row, viewState))
  useScroll(pane, rows, selected, rowHeight)
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (event.key === 'Escape') openEntry(null)
    if (event.key === 'Enter') (pane.current?.nextElementSibling as HTMLElement | null)?.focus()
    if (step === undefined || rows.length === 0) return
    event.preventDefault()
    openEntry(rows[Math.min(rows.length - 1, Math.max(0, selected + step))] ?? null)
  }
  const active = rows[selected]
  const from = Math.max(0, Math.floor(top / rowHeight) - spareRows)
  const to = Math.ceil((top + height) / rowHeight) + spareRows
  return (
    <div
      class={`sheet list ${name} ${live.runs.length > 1 ? 'has-sandboxes' : ''}`}
      ref={pane}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div class="entry head" aria-hidden="true">
        <Line cells={heads} titles={headTitles} />
      </div>
      {pending.length > 0 && (
        <ul class="pending" aria-label="Requests without a response">
          {pending.map((row) => (
            <PendingItem key={rowKeyOf(row)} {...row} />
          ))}
        </ul>
      )}
      <div
        role="listbox"
        aria-label="Requests"
        tabIndex={0}
        aria-activedescendant={active && selected >= from && selected < to ? keyOf(active) : undefined}
        style={{ height: `${String(rows.length * rowHeight)}px` }}
        onKeyDown={move}
      >
        {rows.slice(from, to).map((row, index) => (
          <RequestItem
            {...{ key: keyOf(row), row, 'aria-setsize': rows.length, 'aria-posinset': from + index + 1 }}
            style={{ top: `${String((from + index) * rowHeight)}px`, height: `${String(rowHeight)}px` }}
          />
        ))}
      </div>
    </div>
  )
}
