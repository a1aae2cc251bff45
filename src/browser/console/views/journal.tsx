// Owns the journal: requests as they come in, newest first, filtered, one of them open.
import { useState } from 'preact/hooks'
import type { JournalEntry } from '../../../core/journal.ts'
import { entriesShown } from '../live.ts'
import { useConsole } from '../parts/context.ts'
import { Button, CopyButton, Segmented, Switch, typed } from '../parts/controls.tsx'
import { countText, preciseTimeText } from '../format.ts'
import { Empty, Status } from '../parts/marks.tsx'
import { EntryDetail } from './journal-entry.tsx'

const statusChoices = [
  { value: 'all', label: 'All' },
  { value: '2', label: '2xx' },
  { value: '4', label: '4xx' },
  { value: '5', label: '5xx' },
] as const
type StatusChoice = (typeof statusChoices)[number]['value']

interface Filter {
  readonly text: string
  readonly operation: string
  readonly status: StatusChoice
}

const everything: Filter = { text: '', operation: '', status: 'all' }

/** A broken connection counts as the server's failure. */
const hundreds = ({ status }: JournalEntry) => (status === 0 ? '5' : String(Math.floor(status / 100)))

function matches(entry: JournalEntry, { text, operation, status }: Filter): boolean {
  if (operation !== '' && entry.operation !== operation) return false
  if (status !== 'all' && hundreds(entry) !== status) return false
  const words = text.toLowerCase().split(/\s+/)
  const query = new URLSearchParams(entry.query).toString()
  const all = `${entry.method} ${entry.path}?${query} ${entry.operation ?? ''} ${entry.key ?? ''} ${String(entry.status)} ${JSON.stringify(entry.requestBody)}`
  return words.every((word) => all.toLowerCase().includes(word))
}

function Toolbar({
  filter,
  onFilter,
  isPaused,
  onPause,
}: {
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
  readonly isPaused: boolean
  readonly onPause: (isPaused: boolean) => void
}) {
  const { live, world, act } = useConsole()
  const operations = [...new Set(live.entries.map(({ operation }) => operation))].filter((id) => id !== null)
  const save = () =>
    void act(async () => {
      download('workspace-api-mock.har', JSON.stringify(await world.har(), null, 2))
    })
  return (
    <div class="toolbar">
      <input
        type="search"
        class="grow"
        placeholder="Filter by path, operation, key, body …"
        aria-label="Filter the journal"
        value={filter.text}
        onInput={(event) => onFilter({ ...filter, text: typed(event) })}
      />
      <select
        aria-label="Operation"
        value={filter.operation}
        onChange={(event) => onFilter({ ...filter, operation: typed(event) })}
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
        value={filter.status}
        onChange={(status) => onFilter({ ...filter, status })}
      />
      <span class="spacer" />
      <Switch label="Live" isOn={!isPaused} onChange={(isLive) => onPause(!isLive)} />
      <Button kind="quiet" onClick={save}>
        Save as HAR
      </Button>
      <Button kind="quiet" onClick={() => void act(() => world.clearRequests(), 'Journal cleared.')}>
        Clear
      </Button>
    </div>
  )
}

function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

function EntryRow({ entry }: { readonly entry: JournalEntry }) {
  const { openRequest, openEntry } = useConsole()
  const query = new URLSearchParams(entry.query).toString()
  return (
    <li>
      <button
        type="button"
        class="entry"
        aria-expanded={entry.id === openRequest}
        onClick={() => openEntry(entry.id === openRequest ? null : entry.id)}
      >
        <Status status={entry.status} />
        <span class="time">{preciseTimeText(entry.atMs)}</span>
        <span class="method">{entry.method}</span>
        <span class="path" title={`${entry.path}${query === '' ? '' : `?${query}`}`}>
          {entry.path}
          {query !== '' && <span class="query">?{query}</span>}
        </span>
        <span class="operation">{entry.operation ?? 'no operation'}</span>
        <span class="key">{entry.key ?? '–'}</span>
      </button>
    </li>
  )
}

/** Up and down go from one request to the next. */
function moveFocus(event: KeyboardEvent): void {
  const step =
    event.key === 'ArrowDown'
      ? 'nextElementSibling'
      : event.key === 'ArrowUp'
        ? 'previousElementSibling'
        : null
  const row = (event.target as HTMLElement).closest('li')
  if (!step || !row) return
  event.preventDefault()
  row[step]?.querySelector('button')?.focus()
}

function EmptyJournal() {
  const { source, live } = useConsole()
  const key = live.overview?.workspaces[0]?.keys[0]
  return (
    <Empty title="No request yet">
      <p>Whatever your client sends to the mock shows here at once, with both bodies and what it changed.</p>
      <pre
        tabIndex={0}
      >{`curl ${source.baseUrl}/me \\\n  -H 'Authorization: Bearer ${key?.id ?? 'KEY'}'`}</pre>
    </Empty>
  )
}

/** Oldest first. */
const idsOf = (newestFirst: readonly JournalEntry[]) =>
  newestFirst
    .map(({ id }) => id)
    .reverse()
    .join()

export function Journal() {
  const { live, world, openRequest } = useConsole()
  const [filter, setFilter] = useState(everything)
  const [paused, setPaused] = useState<readonly JournalEntry[] | null>(null)
  const entries = paused ?? live.entries
  const shown = entries.filter((entry) => matches(entry, filter)).reverse()
  const open = entries.find(({ id }) => id === openRequest)
  return (
    <div class="journal">
      <Toolbar
        filter={filter}
        onFilter={setFilter}
        isPaused={paused !== null}
        onPause={(isPaused) => setPaused(isPaused ? live.entries : null)}
      />
      <div class={`split ${open ? 'is-open' : ''}`}>
        <div class="sheet list">
          {entries.length === 0 ? (
            <EmptyJournal />
          ) : shown.length === 0 ? (
            <Empty title="Nothing matches">
              <p>{countText(entries.length, 'request')} in the journal, none of them like this.</p>
              <Button onClick={() => setFilter(everything)}>Show all</Button>
            </Empty>
          ) : (
            <>
              <div class="entry head" aria-hidden="true">
                <span>Status</span>
                <span class="time">Time</span>
                <span>Method</span>
                <span>Path</span>
                <span class="operation">Operation</span>
                <span class="key">Key</span>
              </div>
              <ul onKeyDown={moveFocus}>
                {shown.map((entry) => (
                  <EntryRow key={entry.id} entry={entry} />
                ))}
              </ul>
              <p class="foot">
                <CopyButton kind="quiet" text={() => world.copyAs('vitest', idsOf(shown))}>
                  Copy these as a test
                </CopyButton>
              </p>
              {entries.length >= entriesShown && <p class="foot">The latest {entriesShown} requests.</p>}
            </>
          )}
        </div>
        {open && <EntryDetail key={open.id} entry={open} />}
      </div>
    </div>
  )
}
