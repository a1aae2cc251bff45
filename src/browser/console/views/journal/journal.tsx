// The journal: requests of all sandboxes as they arrive, newest first, with filters, one of them open.
import { useMemo, useState } from 'preact/hooks'
import { getOrInsert } from '../../../../contract/data/maps.ts'
import { countText, numberText } from '../../format.ts'
import type { Line } from '../../live.ts'
import { useConsole } from '../../parts/context.ts'
import { Action, Button, CopyButton, SegmentedFilter, Switch } from '../../parts/controls.tsx'
import { OperationSelect, Search } from '../../parts/fields.tsx'
import { download } from '../../parts/files.tsx'
import { EmptyState } from '../../parts/blocks.tsx'
import { InSandbox, sandboxText } from '../../parts/sandboxes.tsx'
import { EntryPane } from './entry.tsx'
import { RequestList, queryText, reasonText } from './list.tsx'

/** The number of keys that an empty journal offers. */
const keysShown = 4

const statuses = { 2: '2xx', 4: '4xx', 5: '5xx' }

const searchTexts = new WeakMap<Line, string>()

const searchText = (line: Line) =>
  getOrInsert(searchTexts, line, () => {
    const { method, path, operation, key, status, refusal, label, sandbox } = line
    const parts = [method, path + queryText(line), operation, key, status, refusal, reasonText(line), label]
    return [...parts, sandboxText(sandbox)].join(' ').toLowerCase()
  })

/** The lines that match the sandbox, text, operation and status of the view state, newest first. */
function useMatchingLines(lines: readonly Line[]): readonly Line[] {
  const { viewState } = useConsole()
  const { q = '', operation, status, sandbox } = viewState
  return useMemo(() => {
    const words = q.toLowerCase().split(/\s+/)
    return lines
      .filter(
        (line) =>
          (sandbox === undefined || (line.sandbox ?? '') === sandbox) &&
          (!operation || line.operation === operation) &&
          // A broken connection counts as the server's failure.
          (!status || String(line.status || 500).startsWith(status)) &&
          words.every((word) => searchText(line).includes(word)),
      )
      .reverse()
  }, [lines, q, operation, status, sandbox])
}

/** The ids of one sandbox, oldest first. */
const idsOf = (newestFirst: readonly Line[], of: string | null) =>
  newestFirst
    .filter(({ sandbox }) => sandbox === of)
    .map(({ id }) => id)
    .reverse()
    .join()

interface ToolbarProps {
  readonly shown: readonly Line[]
  /** What is shown while the list is paused. */
  readonly paused: readonly Line[] | null
  readonly onPause: (isPaused: boolean) => void
}

function Toolbar({ shown, paused, onPause }: ToolbarProps) {
  const { live, sandbox: shownSandbox, viewState, clearRequests } = useConsole()
  const total = (paused ?? live.lines).length
  const counted =
    shown.length === total
      ? countText(total, 'request')
      : `${numberText(shown.length)} of ${numberText(total)}`
  const count = live.status === 'loading' ? 'Reading …' : counted
  const fresh = paused === null ? 0 : live.lines.length - paused.length
  const clear = async () => {
    const all = [null, ...live.sandboxes.map(({ name }) => name)]
    for (const sandbox of viewState.sandbox === undefined ? all : [shownSandbox]) await clearRequests(sandbox)
  }
  return (
    <div class="toolbar">
      <Search label="Filter the journal" placeholder="Path, operation, reason, key, label …" />
      <OperationSelect items={live.lines} />
      <SegmentedFilter name="status" legend="Status" empty="All" choices={statuses} />
      <span class="aside" aria-live="polite">
        {count}
        {fresh > 0 && `, ${numberText(fresh)} new`}
      </span>
      <span class="spacer" />
      <Switch label="Live" isOn={paused === null} onChange={(isLive) => onPause(!isLive)} />
      <fieldset class="actions" disabled={live.status === 'lost'}>
        <CopyButton kind="quiet" text={(mock) => mock.copyAs('vitest', idsOf(shown, shownSandbox))}>
          Copy these as a test
        </CopyButton>
        <Action kind="quiet" run={async (mock) => download('workspace-api-mock.har', await mock.har())}>
          Save as HAR
        </Action>
        <Action kind="quiet" confirm="Clear the journal?" run={clear} done="Journal cleared.">
          Clear
        </Action>
      </fieldset>
    </div>
  )
}

/** The empty journal: a first request to send or copy as curl, the keys, and the OpenAPI document. */
function FirstRequest() {
  const { source, live, sandbox } = useConsole()
  const keys = live.overview.workspaces.flatMap((workspace) => workspace.keys)
  const headers = {
    Authorization: `Bearer ${keys[0]?.id ?? ''}`,
    ...(sandbox !== null && { 'X-Mock-Sandbox': sandbox }),
  }
  const curl = [
    `curl ${source.baseUrl}/me`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
  ].join(' \\\n  ')
  return (
    <EmptyState
      title="No request yet"
      action={
        <>
          <div class="row">
            <Action kind="primary" run={() => source.send(new Request(`${source.baseUrl}/me`, { headers }))}>
              Send a first request
            </Action>
            <CopyButton text={() => curl}>Copy as curl</CopyButton>
            <Action run={async () => download('openapi.json', await source.openApi())}>
              Save the OpenAPI document
            </Action>
          </div>
          <pre tabIndex={0}>{curl}</pre>
          <div class="row">
            {keys.slice(0, keysShown).map(({ id, name, kind }) => (
              <CopyButton key={id} kind="quiet" text={() => id} label={`Copy key ${id}`}>
                <code>{id}</code> <span class="aside">{name === kind ? kind : `${name}, ${kind}`}</span>
              </CopyButton>
            ))}
          </div>
        </>
      }
    >
      Requests to {source.baseUrl} appear here at once, with both bodies and what they changed.
    </EmptyState>
  )
}

function EmptyJournal({ total }: { readonly total: number }) {
  const { live, go } = useConsole()
  if (total > 0) {
    const showAll = () => go({ q: undefined, operation: undefined, status: undefined, sandbox: undefined })
    return (
      <EmptyState title="Nothing matches" action={<Button onClick={showAll}>Show all</Button>}>
        {countText(total, 'request')} in the journal, but none matches.
      </EmptyState>
    )
  }
  if (live.status === 'lost')
    return (
      <EmptyState title="The mock does not respond">Requests appear here as soon as it is back.</EmptyState>
    )
  if (live.status === 'loading' || live.readAtMs === 0) return <EmptyState title="Reading the journal …" />
  return <FirstRequest />
}

export function JournalView() {
  const { live, viewState } = useConsole()
  const [paused, setPaused] = useState<readonly Line[] | null>(null)
  const lines = paused ?? live.lines
  const shown = useMatchingLines(lines)
  const { request, from } = viewState
  return (
    <div class="journal">
      <Toolbar
        shown={shown}
        paused={paused}
        onPause={(isPaused) => setPaused(isPaused ? live.lines : null)}
      />
      <div class={`split ${request === undefined ? '' : 'is-open'}`}>
        {shown.length > 0 ? <RequestList lines={shown} /> : <EmptyJournal total={lines.length} />}
        {request !== undefined && (
          <InSandbox key={`${request} ${from ?? ''}`} sandbox={from ?? null}>
            <EntryPane id={Number(request)} />
          </InSandbox>
        )}
      </div>
    </div>
  )
}
