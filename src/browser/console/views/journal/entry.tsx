// One request of the journal: why it was refused, what was sent, what was returned, what it changed.
import type { ComponentChildren } from 'preact'
import type { JournalBody, JournalEntry } from '../../../../core/journal/entry.ts'
import { preciseMomentText, sizeText } from '../../format.ts'
import { DirectoryContext, noDirectory, useConsole } from '../../parts/context.ts'
import { Button, CopyButton } from '../../parts/controls.tsx'
import { Json } from '../../parts/json.tsx'
import { useLoaded } from '../../parts/loaded.ts'
import { Mark, Status, toneOfSeverity } from '../../parts/marks.tsx'
import { Block, Failure, Pairs, Pane } from '../../parts/pane.tsx'
import type { ConsoleSource } from '../../source.ts'
import { FailNext } from '../faults/fail-next.tsx'
import { Changes } from './changes.tsx'
import { reasonOf, type Reason, type Remedy, type Surroundings } from './reasons.ts'

function Body({ body, label }: { readonly body: JournalBody; readonly label: string }) {
  if (body === null) return <p class="none">No body</p>
  if ('json' in body) return <Json value={body.json} label={label} />
  if ('text' in body)
    return (
      <pre class="json" tabIndex={0} aria-label={label}>
        {body.text}
      </pre>
    )
  return (
    <p class="none">
      {sizeText(body.sizeBytes)} of {body.contentType}
      {body.truncated ? ', more than the journal keeps' : ''}
    </p>
  )
}

interface EntryProps {
  readonly entry: JournalEntry
  readonly sandbox: string | null
}

function Findings({ entry }: { readonly entry: JournalEntry }) {
  const { live, show } = useConsole()
  const findings = live.findings.filter(({ requests }) => requests.includes(entry.id))
  if (findings.length === 0) return null
  return (
    <div class="notes">
      {findings.map((finding) => (
        <p key={`${finding.rule} ${finding.message}`}>
          <Mark tone={toneOfSeverity[finding.severity]}>{finding.rule}</Mark> {finding.message}{' '}
          <Button look="link" onClick={() => show('report')}>
            See the report
          </Button>
        </p>
      ))}
    </div>
  )
}

function Facts({ entry, sandbox }: EntryProps) {
  const facts = {
    Operation: entry.operation ?? 'not an operation of this API',
    Key: entry.key ?? 'unknown, or refused before it was read',
    ...(sandbox !== null && { Sandbox: sandbox }),
    ...(entry.label !== undefined && { Label: entry.label }),
    At: preciseMomentText(entry.atMs),
    ...entry.params,
  }
  return <Pairs of={Object.entries(facts)} />
}

/** The same request once more; undefined where the journal does not hold all of it. */
function requestAgain(
  entry: JournalEntry,
  { baseUrl }: ConsoleSource,
  sandbox: string | null,
  key: string | undefined,
): Request | undefined {
  const body = entry.requestBody
  if (body && 'sizeBytes' in body) return undefined
  const query = new URLSearchParams(entry.query).toString()
  const headers = new Headers(body ? { 'content-type': 'application/json' } : {})
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
  if (sandbox !== null) headers.set('x-mock-sandbox', sandbox)
  if (entry.label !== undefined) headers.set('x-mock-label', entry.label)
  return new Request(`${baseUrl}${entry.path}${query === '' ? '' : `?${query}`}`, {
    method: entry.method,
    headers,
    body: body === null ? null : 'json' in body ? JSON.stringify(body.json) : body.text,
  })
}

interface AgainProps extends EntryProps {
  readonly ownKey: string | undefined
  readonly remedies: readonly Remedy[]
}

/** The remedies of a refusal, each of which sends the request again. */
function Again({ entry, sandbox, ownKey, remedies }: AgainProps) {
  const { source, act, openEntry, live } = useConsole()
  const controls = source.controls(sandbox)
  const send = (remedy: Remedy | undefined) =>
    act(async () => {
      await remedy?.run(controls)
      const request = requestAgain(entry, source, sandbox, remedy?.key ?? ownKey)
      if (!request) return
      // A connection that a fault breaks is an outcome too.
      await source.send(request).catch(() => undefined)
      const [latest] = await controls.requestSummaries({ limit: 1 })
      if (latest) openEntry({ id: latest.id, sandbox })
    })
  const isWhole = requestAgain(entry, source, sandbox, undefined) !== undefined
  return (
    <fieldset class="whole" disabled={live.status === 'lost'}>
      {remedies.map((remedy) => (
        <Button key={remedy.label} kind="primary" onClick={() => send(remedy)}>
          {remedy.label}
          {isWhole && ' and send again'}
        </Button>
      ))}
      {isWhole && <Button onClick={() => send(undefined)}>Send again</Button>}
    </fieldset>
  )
}

interface WhyProps {
  readonly reason: Reason
  readonly children: ComponentChildren
}

function Why({ reason, children }: WhyProps) {
  return (
    <div class="notes reason" role="note" aria-label="Why">
      <h4>{reason.title}</h4>
      {reason.rule !== '' && <p class="rule">{reason.rule}</p>}
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

function Entry({ entry, sandbox, around }: EntryProps & { readonly around: Surroundings | null }) {
  const { source, live } = useConsole()
  const controls = source.controls(sandbox)
  const isOurs = ({ name }: { readonly name: string }) => name === entry.key
  const workspace = around?.workspaces.find(({ keys }) => keys.some(isOurs))
  const key = workspace?.keys.find(isOurs)?.id
  const reason = around === null ? undefined : reasonOf(entry, around)
  return (
    <DirectoryContext.Provider value={workspace ?? noDirectory}>
      {reason && (
        <Why reason={reason}>
          <Again entry={entry} sandbox={sandbox} ownKey={key} remedies={reason.remedies} />
        </Why>
      )}
      <fieldset class="actions" disabled={live.status === 'lost'}>
        {copies.map(([form, label]) => (
          <CopyButton key={form} kind="quiet" text={() => controls.copyAs(form, entry.id)}>
            {label}
          </CopyButton>
        ))}
        <CopyButton kind="quiet" text={() => JSON.stringify(entry, null, 2)}>
          Copy as JSON
        </CopyButton>
        {!reason && <Again entry={entry} sandbox={sandbox} ownKey={key} remedies={[]} />}
        <FailNext entry={entry} sandbox={sandbox} />
      </fieldset>
      <Findings entry={entry} />
      <Facts entry={entry} sandbox={sandbox} />
      {entry.changes.length > 0 && (
        <Block title="Changed">
          <Changes entry={entry} sandbox={sandbox} />
        </Block>
      )}
      {Object.keys(entry.query).length > 0 && (
        <Block title="Query">
          <Pairs of={Object.entries(entry.query)} />
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
          <Pairs of={Object.entries(entry.responseHeaders)} />
        </details>
      </Block>
    </DirectoryContext.Provider>
  )
}

interface EntryDetailProps {
  readonly id: number
  readonly sandbox: string | null
}

export function EntryDetail({ id, sandbox }: EntryDetailProps) {
  const { source, live, openEntry } = useConsole()
  const controls = source.controls(sandbox)
  const { value: entry, failure } = useLoaded(() => controls.request(id), [])
  const { value: around } = useLoaded(async (): Promise<Surroundings> => {
    const lines = live.lines.filter((line) => line.sandbox === sandbox)
    const { workspaces } = await controls.inspect.overview()
    return { workspaces, lines, faults: await controls.faults(), usedFaults: await controls.usedFaults() }
  }, [live.revision, live.lines.length])
  const name = `Request ${String(id)}`
  const close = (root: ParentNode) => {
    openEntry(null)
    root.querySelector<HTMLElement>('[role=listbox]')?.focus()
  }
  return (
    <Pane
      label={name}
      title={
        <>
          {entry && <Status status={entry.status} />}
          <h3>
            {entry && <span class="method">{entry.method}</span>} {entry?.path ?? name}
          </h3>
        </>
      }
      close={close}
      shown={entry}
    >
      <Failure of={failure} />
      {entry && <Entry entry={entry} sandbox={sandbox} around={around} />}
    </Pane>
  )
}
