// The journal: requests of the sandboxes that are shown as they arrive, newest first, with filters, one of them open.
import { useState } from 'preact/hooks'
import { countText, numberText } from '../../format.ts'
import type { RequestRow } from '../../live-state.ts'
import { Button } from '../../parts/button.tsx'
import { useConsole, useViewState } from '../../parts/context.ts'
import { Action, CopyButton, Switch, useCopy } from '../../parts/controls.tsx'
import { OperationSelect, Search, Select } from '../../parts/fields.tsx'
import { download } from '../../parts/files.tsx'
import { EmptyState } from '../../parts/blocks.tsx'
import { InSandbox, useScope } from '../../parts/scope.tsx'
import { EntryPane } from './entry.tsx'
import { copyTests, joinHars } from './exports.ts'
import { useMatchingRequests } from './filter.ts'
import { RequestList } from './list.tsx'

/** The number of keys that an empty journal offers. */
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
  const { source, live, clearRequests, act } = useConsole()
  const { requests, each } = useScope()
  const [errors, setErrors] = useViewState('errors')
  const [sort, setSort] = useViewState('sort')
  const copy = useCopy()
  const saveHar = () =>
    act(async () => {
      const hars = await each((controls) => controls.har())
      download('workspace-api-mock.har', joinHars(hars.map(([, har]) => har)))
    })
  return (
    <div class="toolbar">
      <Search label="Filter the journal" placeholder="Text, record id, status:4xx, -method:GET …" />
      <OperationSelect items={requests} />
      <Switch label="Errors" isOn={errors !== ''} onChange={(isOn) => setErrors(isOn ? 'only' : undefined)} />
      <Count shown={shown} paused={paused} />
      <span class="spacer" />
      <Select label="Order" empty="By arrival" choices={orders} value={sort} set={(id) => setSort(id)} />
      <Switch label="Live" isOn={paused === null} onChange={(isLive) => onPause(!isLive)} />
      <fieldset class="actions" disabled={live.status !== 'live'}>
        <Button
          kind="quiet"
          disabled={shown.length === 0}
          onClick={() => copy(() => copyTests(shown, source))}
        >
          Copy as a test
        </Button>
        <Button kind="quiet" onClick={saveHar}>
          Save as HAR
        </Button>
        <Action
          kind="quiet"
          confirm="Clear the journal?"
          run={(_, sandbox) => clearRequests(sandbox)}
          done="Journal cleared."
        >
          Clear
        </Action>
      </fieldset>
    </div>
  )
}

/** The empty journal: a first request to send or copy as curl, the keys, and the OpenAPI document. */
function FirstRequest() {
  const { source, live, sandbox, act } = useConsole()
  const keys = live.overview.workspaces.flatMap((workspace) => workspace.keys)
  const headers = {
    Authorization: `Bearer ${keys[0]?.id ?? ''}`,
    ...(sandbox !== null && { 'X-Mock-Sandbox': sandbox }),
  }
  const curl = [
    `curl ${source.baseUrl}/me`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
  ].join(' \\\n  ')
  const send = () => act(() => source.send(new Request(`${source.baseUrl}/me`, { headers })))
  return (
    <EmptyState
      title="No request yet"
      action={
        <>
          <div class="row">
            <Button kind="primary" onClick={send}>
              Send a first request
            </Button>
            <CopyButton text={() => curl}>Copy as curl</CopyButton>
            <Button onClick={() => act(async () => download('openapi.json', await source.openApi()))}>
              Save the OpenAPI document
            </Button>
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
    const showAll = () => go({ q: undefined, operation: undefined, errors: undefined })
    return (
      <EmptyState title="Nothing matches" action={<Button onClick={showAll}>Show all</Button>}>
        {countText(total, 'request')} in the journal, but none matches.
      </EmptyState>
    )
  }
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
          <InSandbox key={`${request} ${from ?? ''}`} sandbox={from ?? null}>
            <EntryPane id={Number(request)} />
          </InSandbox>
        )}
      </div>
    </div>
  )
}
