// The journal: requests of all sandboxes as they come in, newest first, filtered, one of them open.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Line } from '../live.ts'
import { useConsole, usePlace } from '../parts/context.ts'
import { Button, ConfirmButton, CopyButton, Segmented, Switch, typed } from '../parts/controls.tsx'
import { download } from '../parts/files.tsx'
import { countText, numberText, preciseTimeText, wordsOf } from '../format.ts'
import { Empty, Mark, Status } from '../parts/marks.tsx'
import { sandboxText } from '../parts/sandboxes.tsx'
import { FirstContact } from './first-contact.tsx'
import { EntryDetail } from './journal-entry.tsx'

const statusChoices = [
  { value: '', label: 'All' },
  { value: '2', label: '2xx' },
  { value: '4', label: '4xx' },
  { value: '5', label: '5xx' },
] as const

/** A broken connection counts as the server's failure. */
const hundreds = ({ status }: Line) => (status === 0 ? '5' : String(Math.floor(status / 100)))

const queryText = ({ query }: Line) => {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

/** Why a request was not answered as it should be: its fault, what it was refused for. */
function whyText({ fault, refusal, status }: Line): string {
  const kind = refusal === null ? (status === 0 ? 'connection broken' : '') : wordsOf(refusal)
  return fault === null ? kind : `${fault}: ${kind === '' ? 'slow' : kind}`
}

const searchTexts = new WeakMap<Line, string>()

function searchText(line: Line): string {
  let text = searchTexts.get(line)
  if (text === undefined) {
    const { method, path, operation, key, status, refusal, label, sandbox } = line
    const parts = [method, path + queryText(line), operation, key, status, refusal, whyText(line), label]
    text = [...parts, sandboxText(sandbox)].join(' ').toLowerCase()
    searchTexts.set(line, text)
  }
  return text
}

/** The lines that sandbox, text, operation and status of the place let through, newest first. */
function useShown(lines: readonly Line[]): readonly Line[] {
  const { place } = useConsole()
  const { q = '', operation, status, sandbox } = place
  return useMemo(() => {
    const words = q.toLowerCase().split(/\s+/)
    return lines
      .filter(
        (line) =>
          (sandbox === undefined || (line.sandbox ?? '') === sandbox) &&
          (!operation || line.operation === operation) &&
          (!status || hundreds(line) === status) &&
          words.every((word) => searchText(line).includes(word)),
      )
      .reverse()
  }, [lines, q, operation, status, sandbox])
}

/** Those of one sandbox, oldest first. */
const idsOf = (newestFirst: readonly Line[], of: string | null) =>
  newestFirst
    .filter(({ sandbox }) => sandbox === of)
    .map(({ id }) => id)
    .reverse()
    .join()

function Toolbar({
  shown,
  paused,
  onPause,
}: {
  readonly shown: readonly Line[]
  /** What is shown while the list stands still. */
  readonly paused: readonly Line[] | null
  readonly onPause: (isPaused: boolean) => void
}) {
  const { live, controls, sandbox: shownSandbox, act, place, clearRequests } = useConsole()
  const [text, setText] = usePlace('q')
  const [operation, setOperation] = usePlace('operation')
  const [status, setStatus] = usePlace('status')
  const operations = [...new Set(live.lines.map((line) => line.operation))].filter((id) => id !== null)
  const total = (paused ?? live.lines).length
  const fresh = paused === null ? 0 : live.lines.length - paused.length
  const save = () =>
    void act(async () => {
      download('workspace-api-mock.har', await controls.har())
    })
  const clear = () =>
    void act(async () => {
      const all = [null, ...live.sandboxes.map(({ name }) => name)]
      for (const sandbox of place.sandbox === undefined ? all : [shownSandbox]) await clearRequests(sandbox)
    }, 'Journal cleared.')
  return (
    <div class="toolbar">
      <input
        type="search"
        class="grow"
        placeholder="Path, operation, reason, key, label …"
        aria-label="Filter the journal"
        value={text}
        onInput={(event) => setText(typed(event) || undefined, false)}
      />
      <select
        aria-label="Operation"
        value={operation}
        onChange={(event) => setOperation(typed(event) || undefined)}
      >
        <option value="">All operations</option>
        {operations.sort().map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
      <Segmented
        legend="Status"
        choices={statusChoices}
        value={status as (typeof statusChoices)[number]['value']}
        onChange={(value) => setStatus(value || undefined)}
      />
      <span class="aside" aria-live="polite">
        {shown.length === total
          ? countText(total, 'request')
          : `${numberText(shown.length)} of ${numberText(total)}`}
        {fresh > 0 && `, ${numberText(fresh)} new`}
      </span>
      <span class="spacer" />
      <Switch label="Live" isOn={paused === null} onChange={(isLive) => onPause(!isLive)} />
      <fieldset class="whole" disabled={live.status === 'lost'}>
        <CopyButton kind="quiet" text={() => controls.copyAs('vitest', idsOf(shown, shownSandbox))}>
          Copy these as a test
        </CopyButton>
        <Button kind="quiet" onClick={save}>
          Save as HAR
        </Button>
        <ConfirmButton kind="quiet" confirm="Clear the journal?" onClick={clear}>
          Clear
        </ConfirmButton>
      </fieldset>
    </div>
  )
}

const rowPixels = 34
/** Where there is no room for why next to the path, it stands below it. */
const narrowRowPixels = 56
const narrowWidth = 528
/** Rows beyond the edges of what is seen, so that a quick scroll shows no gap. */
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

function Row({
  line,
  index,
  count,
  rowHeight,
}: {
  readonly line: Line
  readonly index: number
  readonly count: number
  /** Pixels. */
  readonly rowHeight: number
}) {
  const { place, openEntry, live } = useConsole()
  const isOpen = place.request === String(line.id) && (place.from ?? null) === line.sandbox
  const why = whyText(line)
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
      <Status status={line.status} />
      <span class="time">{preciseTimeText(line.atMs)}</span>
      <span class="method">{line.method}</span>
      <span class="path" title={line.path + query}>
        {line.path}
        <span class="query">{query}</span>
      </span>
      <span class="why">
        {why !== '' && <Mark tone={line.fault === null ? 'plain' : 'accent'}>{why}</Mark>}
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

/** The rows that are seen, and a few around them. One tab stop: arrows select. */
function Rows({ lines }: { readonly lines: readonly Line[] }) {
  const { place, openEntry, live } = useConsole()
  const pane = useRef<HTMLDivElement>(null)
  const first = useRef<Line | undefined>(undefined)
  const [top, setTop] = useState(0)
  const [{ height, width }, setSize] = useState({ height: 900, width: 900 })
  const rowHeight = width < narrowWidth ? narrowRowPixels : rowPixels
  useEffect(() => {
    if (!pane.current) return undefined
    const observer = new ResizeObserver(([entry]) => entry && setSize(entry.contentRect))
    observer.observe(pane.current)
    return () => observer.disconnect()
  }, [])
  // What is read stays where it is while requests come in above it.
  useLayoutEffect(() => {
    const added = first.current ? lines.indexOf(first.current) : 0
    if (added > 0 && pane.current && pane.current.scrollTop > 0) pane.current.scrollTop += added * rowHeight
    first.current = lines[0]
  }, [lines])
  const selected = lines.findIndex(
    ({ id, sandbox }) => String(id) === place.request && sandbox === (place.from ?? null),
  )
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (event.key === 'Escape') openEntry(null)
    if (event.key === 'Enter') (pane.current?.nextElementSibling as HTMLElement | null)?.focus()
    if (step === undefined || lines.length === 0) return
    event.preventDefault()
    const next = Math.min(lines.length - 1, Math.max(0, selected + step))
    openEntry(lines[next] ?? null)
    const list = pane.current
    if (!list) return
    const position = next * rowHeight
    if (position < list.scrollTop) list.scrollTop = position
    else if (position + 2 * rowHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = position + 2 * rowHeight - list.clientHeight
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
      <div class="entry head" aria-hidden="true">
        <span>Status</span>
        <span class="time">Time</span>
        <span>Method</span>
        <span>Path</span>
        <span class="why">Why</span>
        <span class="operation">Operation</span>
        <span class="key">Key</span>
        {live.sandboxes.length > 0 && <span class="of-sandbox">Sandbox</span>}
      </div>
      <div
        role="listbox"
        aria-label="Requests"
        tabIndex={0}
        aria-activedescendant={active && selected >= from && selected < to ? keyOf(active) : undefined}
        style={{ height: `${String(lines.length * rowHeight)}px` }}
        onKeyDown={move}
      >
        {lines.slice(from, to).map((line, index) => (
          <Row
            key={keyOf(line)}
            line={line}
            index={from + index}
            count={lines.length}
            rowHeight={rowHeight}
          />
        ))}
      </div>
    </div>
  )
}

function Nothing({ total }: { readonly total: number }) {
  const { live, go } = useConsole()
  return (
    <div class="sheet list">
      {live.status === 'loading' && total === 0 ? (
        <Empty title="Reading the journal …" />
      ) : live.status === 'lost' && total === 0 ? (
        <Empty title="The mock does not answer">
          <p>Requests appear here as soon as it is back.</p>
        </Empty>
      ) : total === 0 ? (
        <FirstContact />
      ) : (
        <Empty title="Nothing matches">
          <p>{countText(total, 'request')} in the journal, none of them matches.</p>
          <Button
            onClick={() => go({ q: undefined, operation: undefined, status: undefined, sandbox: undefined })}
          >
            Show all
          </Button>
        </Empty>
      )}
    </div>
  )
}

export function Journal() {
  const { live, place } = useConsole()
  const [paused, setPaused] = useState<readonly Line[] | null>(null)
  const lines = paused ?? live.lines
  const shown = useShown(lines)
  const { request, from } = place
  return (
    <div class="journal">
      <Toolbar
        shown={shown}
        paused={paused}
        onPause={(isPaused) => setPaused(isPaused ? live.lines : null)}
      />
      <div class={`split ${request === undefined ? '' : 'is-open'}`}>
        {shown.length > 0 ? <Rows lines={shown} /> : <Nothing total={lines.length} />}
        {request !== undefined && (
          <EntryDetail key={`${request} ${from ?? ''}`} id={Number(request)} sandbox={from ?? null} />
        )}
      </div>
    </div>
  )
}
