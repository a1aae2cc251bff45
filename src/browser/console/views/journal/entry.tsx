// One request of the journal: why it was refused, what was sent, what was returned, what it changed.
import type { RenderableProps } from 'preact'
import type { JournalBody, JournalEntry } from '../../../../core/journal/entry.ts'
import type { Finding } from '../../../../core/report.ts'
import { preciseMomentText, sizeText } from '../../format.ts'
import { DirectoryContext, noDirectory, useConsole, useLines, useLoaded } from '../../parts/context.ts'
import { Action, Button, CopyButton } from '../../parts/controls.tsx'
import { JsonText } from '../../parts/json.tsx'
import { Block, Failure, Mark, Pairs, Pane, StatusCode, toneOfSeverity } from '../../parts/blocks.tsx'
import type { SandboxControls } from '../../source.ts'
import { FailNext } from '../faults/fault-presets.tsx'
import { RequestChanges } from './changes.tsx'
import type { Remedy, SandboxState } from './explanations.ts'
import { queryText } from './list.tsx'
import { type Reason, reasonOf } from './reasons.ts'

function Body({ body, label }: { readonly body: JournalBody; readonly label: string }) {
  if (body === null) return <p class="faint">No body</p>
  if ('json' in body) return <JsonText value={body.json} label={label} />
  if ('text' in body)
    return (
      <pre class="json" tabIndex={0} aria-label={label}>
        {body.text}
      </pre>
    )
  return (
    <p class="faint">
      {sizeText(body.sizeBytes)} of {body.contentType}
      {body.truncated ? ', too large for the journal' : ''}
    </p>
  )
}

/** The state of the sandbox of the request. */
type EntryState = SandboxState & { readonly findings: readonly Finding[] }

function EntryFindings({ findings }: { readonly findings: readonly Finding[] }) {
  const { show, sandbox } = useConsole()
  if (findings.length === 0) return null
  return (
    <div class="notes">
      {findings.map((finding) => (
        <p key={`${finding.rule} ${finding.message}`}>
          <Mark tone={toneOfSeverity[finding.severity]}>{finding.rule}</Mark> {finding.message}{' '}
          <Button class="link" onClick={() => show('report', { sandbox: sandbox ?? undefined })}>
            See the report
          </Button>
        </p>
      ))}
    </div>
  )
}

function EntryFacts({ entry }: { readonly entry: JournalEntry }) {
  const { sandbox } = useConsole()
  const facts = {
    Operation: entry.operation ?? 'not an operation of this API',
    Key: entry.key ?? 'unknown, or refused before it was read',
    ...(sandbox !== null && { Sandbox: sandbox }),
    ...(entry.label !== undefined && { Label: entry.label }),
    Time: preciseMomentText(entry.atMs),
    ...entry.params,
  }
  return <Pairs entries={Object.entries(facts)} />
}

/** The same request again, with a key of its workspace. */
function requestAgain(entry: JournalEntry, baseUrl: string, sandbox: string | null, key: string | undefined) {
  const { method, path, requestBody: body, label } = entry
  const headers = new Headers(body ? { 'content-type': 'application/json' } : {})
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
  if (sandbox !== null) headers.set('x-mock-sandbox', sandbox)
  if (label !== undefined) headers.set('x-mock-label', label)
  return new Request(`${baseUrl}${path}${queryText(entry)}`, {
    method,
    headers,
    body: body && 'text' in body ? body.text : body && 'json' in body ? JSON.stringify(body.json) : null,
  })
}

interface SendAgainProps {
  readonly entry: JournalEntry
  readonly ownKey: string | undefined
  readonly remedies: readonly Remedy[]
}

/** Buttons that apply a remedy and send the request again, if the journal holds its whole body. */
function SendAgain({ entry, ownKey, remedies }: SendAgainProps) {
  const { source, sandbox, openEntry, live } = useConsole()
  const isWhole = !(entry.requestBody && 'sizeBytes' in entry.requestBody)
  const send = (remedy?: Remedy) => async (controls: SandboxControls) => {
    await remedy?.run(controls)
    if (!isWhole) return
    // A fault can break the connection, which is a result too.
    await source
      .send(requestAgain(entry, source.baseUrl, sandbox, remedy?.key ?? ownKey))
      .catch(() => undefined)
    const [latest] = await controls.requestSummaries({ limit: 1 })
    if (latest) openEntry({ id: latest.id, sandbox })
  }
  return (
    <fieldset class="contents" disabled={live.status === 'lost'}>
      {remedies.map((remedy) => (
        <Action key={remedy.label} kind="primary" run={send(remedy)}>
          {remedy.label}
          {isWhole && ' and send again'}
        </Action>
      ))}
      {isWhole && <Action run={send()}>Send again</Action>}
    </fieldset>
  )
}

function ReasonNote({ reason, children }: RenderableProps<{ readonly reason: Reason }>) {
  return (
    <div class="notes reason" role="note" aria-label="Reason">
      <h4>{reason.title}</h4>
      {reason.rule !== '' && <p class="soft">{reason.rule}</p>}
      {reason.facts.map((fact) => (
        <p key={fact}>{fact}</p>
      ))}
      <div class="row">{children}</div>
    </div>
  )
}

const copies = [
  ['curl', 'Copy as curl'],
  ['fetch', 'Copy as fetch'],
  ['vitest', 'Copy as test'],
  ['fault', 'Copy as fault'],
] as const

function EntryActions({ entry, children }: RenderableProps<{ readonly entry: JournalEntry }>) {
  const { live } = useConsole()
  return (
    <fieldset class="actions" disabled={live.status === 'lost'}>
      {copies.map(([form, label]) => (
        <CopyButton key={form} kind="quiet" text={(controls) => controls.copyAs(form, entry.id)}>
          {label}
        </CopyButton>
      ))}
      <CopyButton kind="quiet" text={() => JSON.stringify(entry, null, 2)}>
        Copy as JSON
      </CopyButton>
      {children}
      <FailNext entry={entry} />
    </fieldset>
  )
}

function Entry({ entry, state }: { readonly entry: JournalEntry; readonly state: EntryState | null }) {
  const isOurs = ({ name }: { readonly name: string }) => name === entry.key
  const workspace = state?.workspaces.find(({ keys }) => keys.some(isOurs))
  const key = workspace?.keys.find(isOurs)?.id
  const reason = state === null ? undefined : reasonOf(entry, state)
  return (
    <DirectoryContext.Provider value={workspace ?? noDirectory}>
      {reason && (
        <ReasonNote reason={reason}>
          <SendAgain entry={entry} ownKey={key} remedies={reason.remedies} />
        </ReasonNote>
      )}
      <EntryActions entry={entry}>
        {!reason && <SendAgain entry={entry} ownKey={key} remedies={[]} />}
      </EntryActions>
      <EntryFindings findings={state?.findings.filter(({ requests }) => requests.includes(entry.id)) ?? []} />
      <EntryFacts entry={entry} />
      {entry.changes.length > 0 && (
        <Block title="Changes">
          <RequestChanges entry={entry} />
        </Block>
      )}
      {Object.keys(entry.query).length > 0 && (
        <Block title="Query">
          <Pairs entries={Object.entries(entry.query)} />
        </Block>
      )}
      {(entry.requestBody !== null || entry.method !== 'GET') && (
        <Block title="Request">
          <Body body={entry.requestBody} label="Request body" />
        </Block>
      )}
      <Block title="Response">
        <Body body={entry.responseBody} label="Response body" />
        <details>
          <summary>Headers</summary>
          <Pairs entries={Object.entries(entry.responseHeaders)} />
        </details>
      </Block>
    </DirectoryContext.Provider>
  )
}

export function EntryPane({ id }: { readonly id: number }) {
  const { controls, live, openEntry } = useConsole()
  const lines = useLines()
  const { value: entry, failure } = useLoaded(() => controls.request(id), [])
  const { value: state } = useLoaded(
    async (): Promise<EntryState> => ({
      lines,
      workspaces: (await controls.inspect.overview()).workspaces,
      faults: await controls.faults(),
      usedFaults: await controls.usedFaults(),
      findings: await controls.report({ assumptions: false }),
    }),
    [live.overview],
  )
  const name = `Request ${String(id)}`
  return (
    <Pane
      label={name}
      title={
        <>
          {entry && <StatusCode status={entry.status} />}
          <h3>
            {entry && <span class="faint">{entry.method}</span>} {entry?.path ?? name}
          </h3>
        </>
      }
      close={() => openEntry(null)}
      shown={entry}
    >
      <Failure message={failure} />
      {entry && <Entry entry={entry} state={state} />}
    </Pane>
  )
}
