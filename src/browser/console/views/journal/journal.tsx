// The journal: requests of the sandboxes that are shown as they arrive, newest first, with filters, one of them open.
import { useState } from 'preact/hooks'
import { curlCommand } from '../../../../contract/text/curl.ts'
import { countText, numberText } from '../../format.ts'
import type { RequestRow } from '../../live-state.ts'
import { EmptyState } from '../../parts/blocks.tsx'
import { useConsole } from '../../parts/context.ts'
import { Action, Button, CopyButton, Switch, SwitchFilter } from '../../parts/controls.tsx'
import { OperationSelect, Search, SelectFilter } from '../../parts/fields.tsx'
import { download } from '../../parts/files.tsx'
import { InSandboxes, useScope } from '../../parts/scope.tsx'
import { EntryPane } from './entry.tsx'
import { ExportButtons } from './exports.tsx'
import { useMatchingRequests } from './filter.ts'
import { RequestList } from './list.tsx'

const keysShown = 4

const orders = [
  { id: 'time', label: "By the mock's time" },
  { id: 'took', label: 'By duration' },
]

interface ToolbarProps {
  readonly shown: readonly RequestRow[]
  /** What is shown while the list is paused. */
  readonly paused: readonly RequestRow[] | null
  readonly onPause: (isPaused: boolean) => void
}

function Count({ shown, paused }: Pick<ToolbarProps, 'shown' | 'paused'>) {
  const { status } = useConsole().live
  const { requests } = useScope()
  const total = (paused ?? requests).length
  const counted =
    shown.length === total
      ? countText(total, 'request')
      : `${numberText(shown.length)} of ${numberText(total)}`
  const fresh = paused === null ? 0 : requests.length - paused.length
  return (
    <span class="aside" aria-live="polite">
      {status === 'loading' ? 'Reading …' : counted}
      {fresh > 0 && `, ${numberText(fresh)} new`}
    </span>
  )
}

function Toolbar({ shown, paused, onPause }: ToolbarProps) {
  const { live, clearRequests } = useConsole()
  const { requests } = useScope()
  return (
    <div class="toolbar">
      <Search label="Filter the journal" placeholder="Text, record id, status:4xx, -method:GET …" />
      <OperationSelect items={requests} />
      <SwitchFilter name="errors" label="Errors" />
      <Count shown={shown} paused={paused} />
      <span class="spacer" />
      <SelectFilter name="sort" label="Order" empty="By arrival" choices={orders} />
      <Switch label="Live" isOn={paused === null} onChange={(isLive) => onPause(!isLive)} />
      <fieldset class="actions" disabled={live.status !== 'live'}>
        <ExportButtons rows={shown} />
        <Action
          {...{ kind: 'quiet', confirm: 'Clear the journal?', done: 'Journal cleared.' }}
          run={(_, sandbox) => clearRequests(sandbox)}
          text="Clear"
        />
      </fieldset>
    </div>
  )
}

/** The empty journal: a first request to send or copy as curl, the keys, and the OpenAPI document. */
function FirstRequest() {
  const { source, live, sandbox, act } = useConsole()
  const keys = live.overview.workspaces.flatMap((workspace) => workspace.keys)
  const headers: [string, string][] = [['Authorization', `Bearer ${keys[0]?.id ?? ''}`]]
  if (sandbox !== null) headers.push(['X-Mock-Sandbox', sandbox])
  const url = `${source.baseUrl}/me`
  const curl = curlCommand({ method: 'GET', url, headers, body: undefined }, { separator: ' \\\n  ' })
  const send = () => act(() => source.send(new Request(url, { headers })))
  const action = (
    <>
      <div class="row">
        <Button kind="primary" onClick={send} text="Send a first request" />
        <CopyButton kind="plain" copied={() => curl} text="Copy as curl" />
        <Button
          onClick={() => act(async () => download('openapi.json', await source.openApi()))}
          text="Save the OpenAPI document"
        />
      </div>
      <pre tabIndex={0}>{curl}</pre>
      <div class="row">
        {keys.slice(0, keysShown).map(({ id, name, kind }) => (
          <CopyButton key={id} copied={() => id} label={`Copy key ${id}`}>
            <code>{id}</code> <span class="aside">{name === kind ? kind : `${name}, ${kind}`}</span>
          </CopyButton>
        ))}
      </div>
    </>
  )
  return (
    <EmptyState title="No request yet" action={action}>
      Requests to {source.baseUrl} appear here at once, with both bodies and what they changed.
    </EmptyState>
  )
}

function EmptyJournal({ total }: { total: number }) {
  const { live, go } = useConsole()
  const showAll = () => go({ q: undefined, operation: undefined, errors: undefined })
  if (total > 0)
    return (
      <EmptyState title="Nothing matches" action={<Button onClick={showAll} text="Show all" />}>
        {countText(total, 'request')} in the journal, but none matches.
      </EmptyState>
    )
  if (live.status === 'lost' || live.status === 'forbidden')
    return <EmptyState title="No connection">Requests appear here as soon as there is one.</EmptyState>
  if (live.status === 'loading' || live.readAtMs === 0) return <EmptyState title="Reading the journal …" />
  return <FirstRequest />
}

export function JournalView() {
  const { live, viewState } = useConsole()
  const { requests, names } = useScope()
  const [paused, setPaused] = useState<readonly RequestRow[] | null>(null)
  const rows = paused ?? requests
  const shown = useMatchingRequests(rows)
  const pending = live.pending.filter(({ sandbox }) => names.includes(sandbox))
  const { request, from } = viewState
  return (
    <div class="journal">
      <Toolbar shown={shown} paused={paused} onPause={(isPaused) => setPaused(isPaused ? requests : null)} />
      <div class={`split ${request === undefined ? '' : 'is-open'}`}>
        {shown.length > 0 || pending.length > 0 ? (
          <RequestList rows={shown} pending={pending} />
        ) : (
          <EmptyJournal total={rows.length} />
        )}
        {request !== undefined && (
          <InSandboxes key={`${request} ${from ?? ''}`} names={[from ?? null]}>
            <EntryPane id={Number(request)} />
          </InSandboxes>
        )}
      </div>
    </div>
  )
}
