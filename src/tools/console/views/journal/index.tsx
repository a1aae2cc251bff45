// The journal: requests of the shown sandboxes as they arrive, newest first, with filters. One request can be open.
import type { TargetedKeyboardEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { quoteForShell, toShellWord } from '../../../../contract/text/curl.ts'
import { formatDuration, formatOwnTime, formatQuantity, numberText } from '../../format.ts'
import { rowKeyOf, type RequestRow } from '../../live-state.ts'
import { Block, EmptyState, Failure, Mark, NothingMatches, Pairs, Pane } from '../../parts/blocks.tsx'
import { useConsole, useTick } from '../../parts/context.ts'
import { Action, Button, CopyButton, Switch, SwitchFilter } from '../../parts/controls.tsx'
import { download, downloadJson, OperationSelect, Search } from '../../parts/fields.tsx'
import { InSandboxes, nameOfSandbox } from '../../parts/scope.tsx'
import { EntryPane } from './entry.tsx'
import { useMatchingRequests } from './filter.ts'
import { RequestList } from './list.tsx'

export function ExportButtons({ rows }: { rows: readonly RequestRow[] }) {
  const { source, perform, each, names, isAll, sandbox } = useConsole()
  const { readRunPage } = source
  const saveRun = readRunPage && (async () => download('run.html', await readRunPage(isAll ? null : sandbox)))
  const saveHar = async () => {
    const hars = await each((one) => one.har())
    const entries = hars.flatMap(({ log }) => log.entries)
    const ordered = entries.toSorted((a, b) => a.startedDateTime.localeCompare(b.startedDateTime))
    downloadJson('workspace-api-mock.har', { ...hars[0], log: { ...hars[0]?.log, entries: ordered } })
  }
  /** Writes one file with a test for each sandbox. The lines before the first test are the same for all. */
  const copyTests = async () => {
    const files: string[] = []
    for (const [sandbox, own] of Map.groupBy(rows, (row) => row.sandbox)) {
      const ids = own.map(({ id }) => id).sort((a, b) => a - b)
      files.push(await source.controls(sandbox).copyAs('vitest', ids.join()))
    }
    const startOf = (file: string) => file.indexOf('\ntest(') + 1
    const head = files[0]?.slice(0, startOf(files[0])) ?? ''
    return head + files.map((file) => file.slice(startOf(file))).join('\n')
  }
  return (
    <>
      <CopyButton disabled={rows.length === 0} copied={copyTests} text="Copy as a test" />
      <Button
        kind="quiet"
        disabled={names.length === 0}
        onClick={() => perform(saveHar)}
        text="Save as HAR"
      />
      {saveRun && (
        <Button
          {...{ kind: 'quiet', text: 'Save this run', onClick: () => perform(saveRun) }}
          title="One HTML page with this console and a copy of the mock, which opens offline"
        />
      )}
    </>
  )
}

/** Replaces an empty list: says why it is empty and how to send a first request. */
function EmptyJournal({ total, isSearching }: { total: number; isSearching: boolean }) {
  const { source, live, sandbox, perform, go } = useConsole()
  const showAll = () => go({ q: undefined, operation: undefined, errors: undefined })
  if (isSearching) return <EmptyState title="Searching …" />
  if (total > 0) return <NothingMatches what={formatQuantity(total, 'request')} showAll={showAll} />
  if (live.status === 'lost' || live.status === 'forbidden')
    return <EmptyState title="No connection">Requests appear here as soon as there is one.</EmptyState>
  if (live.status === 'loading' || live.readAtMs === 0) return <EmptyState title="Reading the journal …" />
  const keys = live.overview.workspaces.flatMap((workspace) => workspace.keys)
  const headers: [string, string][] = [['Authorization', `Bearer ${keys[0]?.id ?? ''}`]]
  if (sandbox !== null) headers.push(['X-Mock-Sandbox', sandbox])
  const url = `${source.baseUrl}/me`
  // A mock in a page responds only to that page's requests.
  const options = headers.map((header) => ` \\\n  -H ${quoteForShell(header.join(': '))}`)
  const command = source.isRemote
    ? `curl ${toShellWord(url)}${options.join('')}`
    : `await (await fetch('${url}', { headers: ${JSON.stringify(Object.fromEntries(headers))} })).json()`
  const send = () => perform(() => source.send(new Request(url, { headers })))
  const save = () => perform(async () => downloadJson('openapi.json', await source.openApi()))
  const action = (
    <>
      <div class="row">
        <Button kind="primary" onClick={send} text="Send a first request" />
        <CopyButton
          {...{ kind: 'plain', text: `Copy as ${source.isRemote ? 'curl' : 'fetch'}` }}
          copied={() => command}
        />
        <Button onClick={save} text="Save the OpenAPI document" />
      </div>
      <pre tabIndex={0}>{command}</pre>
      <div class="row">
        {keys.slice(0, 4).map(({ id, name, kind }) => (
          <CopyButton key={id} copied={() => id} label={`Copy key ${id}`}>
            <code>{id}</code> <span class="aside">{name === kind ? kind : `${name}, ${kind}`}</span>
          </CopyButton>
        ))}
      </div>
    </>
  )
  return (
    <EmptyState title="No request yet" action={action}>
      Requests to {source.baseUrl} appear here at once, with request and response bodies and what they
      changed.
    </EmptyState>
  )
}

/** What has arrived of a pending request, and the fault that delays it. Its response opens the request's pane. */
function PendingPane({ arrival }: { arrival: number }) {
  const { live, sandbox, requests, go, openEntry } = useConsole()
  useTick(200)
  const answered = requests.find((row) => row.arrival === arrival)
  useEffect(() => {
    if (answered) go({ request: String(answered.id), arrival: undefined }, false)
  }, [answered])
  const row = live.pending.find(({ id, sandbox: of }) => id === arrival && of === sandbox)
  if (answered) return null
  const headers = Object.entries(row?.headers ?? {})
  const facts = row && {
    Sandbox: nameOfSandbox(sandbox),
    Arrived: `${formatOwnTime(row.arrivedMs)}, ${formatDuration(Math.max(0, Date.now() - row.arrivedMs))} ago`,
    Fault: row.fault,
    Delay: row.delayMs === undefined || row.delayMs === 0 ? undefined : formatDuration(row.delayMs),
  }
  const title = (
    <>
      <Mark tone="accent">…</Mark>
      <h3 dir="auto">
        <span class="faint">{row?.method}</span> {row?.path ?? 'Request without a response'}
      </h3>
    </>
  )
  return (
    <Pane label="Request without a response" title={title} close={() => openEntry(null)} shown={arrival}>
      {facts ? (
        <>
          <p class="soft">No response yet.</p>
          <Pairs entries={Object.entries(facts)} />
          <Block title={formatQuantity(headers.length, 'header')}>
            <Pairs entries={headers} />
          </Block>
        </>
      ) : (
        <Failure message="It got no response: its client hung up, or the mock was reset or restarted meanwhile." />
      )}
    </Pane>
  )
}

export function JournalView() {
  const { live, viewState, requests, names, openEntry, clearRequests } = useConsole()
  const [paused, pause] = useState<readonly RequestRow[] | null>(null)
  const rows = paused ?? requests
  const { rows: shown, isSearching } = useMatchingRequests(rows)
  const pending = live.pending.filter(({ sandbox }) => names.includes(sandbox))
  const fresh = requests.length - rows.length
  const all = formatQuantity(rows.length, 'request')
  const dropped = live.runs
    .filter(({ name }) => names.includes(name))
    .reduce((sum, run) => sum + run.dropped, 0)
  const end =
    dropped === 0
      ? ''
      : `${numberText(dropped)} earlier ${dropped === 1 ? 'one was' : 'ones were'} dropped (limit: journalSize)`
  const counted =
    shown.length === rows.length ? all : `${numberText(shown.length)} of ${numberText(rows.length)}`
  /** Arrow down in the filter moves the focus to the list. */
  const enterList = (event: TargetedKeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ArrowDown') return
    const list = event.currentTarget.closest('.journal')?.querySelector<HTMLElement>('[role=listbox]')
    if (!list) return
    event.preventDefault()
    list.focus({ preventScroll: true })
    if (!list.hasAttribute('aria-activedescendant'))
      list.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', cancelable: true }))
  }
  const { request, arrival, gone, from } = viewState
  const opened = request ?? arrival ?? gone
  // Kept here, since a request can be closed before the list has loaded; forgotten when numbers begin again.
  const last = useRef<{ readonly key: string; readonly lives: typeof live.lives } | undefined>(undefined)
  if (request !== undefined)
    last.current = { key: rowKeyOf({ id: Number(request), sandbox: from ?? null }), lives: live.lives }
  if (gone !== undefined || last.current?.lives !== live.lives) last.current = undefined
  return (
    <div class="journal">
      <div class="toolbar filter">
        <Search
          {...{ label: 'Filter the journal', onKeyDown: enterList }}
          placeholder={'Text, "two words", -word, #5, status:4xx …'}
        />
      </div>
      <div class={`split ${opened === undefined ? '' : 'is-open'}`}>
        {shown.length > 0 || pending.length > 0 ? (
          <RequestList {...{ rows: shown, all: rows, pending, end, last: last.current?.key }} />
        ) : (
          <EmptyJournal total={rows.length} isSearching={isSearching} />
        )}
        {opened !== undefined && (
          <InSandboxes key={`${opened} ${from ?? ''}`} names={[from ?? null]}>
            {request !== undefined && <EntryPane id={Number(request)} />}
            {request === undefined && arrival !== undefined && <PendingPane arrival={Number(arrival)} />}
            {request === undefined && arrival === undefined && (
              // It was open when the journal was reset: its number now belongs to another request.
              <Pane label={`Request ${opened}`} title={<h3>#{opened}</h3>} close={() => openEntry(null)}>
                <Failure
                  message={`Request ${opened} is gone: the mock restarted or was reset. A later request may have its number.`}
                />
              </Pane>
            )}
          </InSandboxes>
        )}
      </div>
      {/* After the list in the document, so that Tab reaches the list first; shown next to the filter. */}
      <div class="toolbar tools">
        <OperationSelect items={requests} />
        <SwitchFilter name="errors" label="Errors" />
        <span class="aside" aria-live="polite">
          {live.status === 'loading' ? 'Reading …' : counted}
          {fresh > 0 && `, ${numberText(fresh)} new`}
          {isSearching && ' · Searching …'}
        </span>
        <span class="spacer" />
        <Switch label="Live" isOn={paused === null} set={(isLive) => pause(isLive ? null : requests)} />
        <fieldset class="actions" disabled={live.status !== 'live'}>
          <ExportButtons rows={shown} />
          <Action
            {...{ kind: 'quiet', text: 'Clear', confirm: 'Clear the journal?', done: 'Journal cleared.' }}
            run={(_, sandbox) => clearRequests(sandbox)}
          />
        </fieldset>
      </div>
    </div>
  )
}
