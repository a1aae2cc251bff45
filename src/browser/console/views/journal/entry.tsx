// One request of the journal: why it was refused, what was sent, what was returned, what it changed.
import type { RenderableProps } from 'preact'
import type { JournalEntry } from '../../../../core/journal/entry.ts'
import type { Finding } from '../../../../core/report.ts'
import { clockText, countText, durationText, preciseMomentText } from '../../format.ts'
import type { RequestRow } from '../../live-state.ts'
import { Button } from '../../parts/button.tsx'
import { DirectoryContext, noDirectory, useConsole, useLoaded } from '../../parts/context.ts'
import { CopyButton } from '../../parts/controls.tsx'
import { Block, Failure, Mark, Pairs, Pane, StatusCode, toneOfSeverity } from '../../parts/blocks.tsx'
import { scopeState, useScope } from '../../parts/scope.tsx'
import type { SandboxControls } from '../../source.ts'
import { FailNext } from '../faults/fault-presets.tsx'
import { Body } from './body.tsx'
import { RequestChanges } from './changes.tsx'
import type { SandboxState } from './explanations.ts'
import { type Reason, reasonOf } from './reasons.ts'
import { Comparison, EditAndSend, SendAgain } from './send.tsx'

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
          <Button class="link" onClick={() => show('report', scopeState(sandbox))}>
            See the report
          </Button>
        </p>
      ))}
    </div>
  )
}

interface FactsProps {
  readonly entry: JournalEntry
  /** The same request in the list, with what the console saw itself. */
  readonly row: RequestRow | undefined
}

function EntryFacts({ entry, row }: FactsProps) {
  const { sandbox } = useConsole()
  const { arrivedMs, tookMs } = row ?? {}
  const facts = {
    Operation: entry.operation ?? 'not an operation of this API',
    Key: entry.key ?? 'unknown, or refused before it was read',
    ...(sandbox !== null && { Sandbox: sandbox }),
    ...(entry.label !== undefined && { Label: entry.label }),
    ...(entry.outside !== undefined && { Address: entry.outside }),
    "Time on the mock's clock": `${preciseMomentText(entry.atMs)} UTC`,
    ...(arrivedMs !== undefined && {
      'Seen by this console': `${clockText(arrivedMs)}${tookMs === undefined ? '' : `, took ${durationText(tookMs)}`}`,
    }),
    ...(entry.fault !== null && {
      Fault: `${entry.fault}${entry.delayMs === undefined ? '' : `, delayed it by ${durationText(entry.delayMs)}`}`,
    }),
    ...entry.params,
  }
  return <Pairs entries={Object.entries(facts)} />
}

function ReasonNote({ reason, children }: RenderableProps<{ readonly reason: Reason }>) {
  return (
    <div class="notes reason" role="note" aria-label="Reason">
      <h4>{reason.title}</h4>
      {reason.rule !== '' && <p class="soft">{reason.rule}</p>}
      {reason.facts.map((fact) => (
        <p key={fact} dir="auto">
          {fact}
        </p>
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

function Contents({ entry, row }: FactsProps) {
  const { viewState } = useConsole()
  const query = Object.entries(entry.query)
  const headers = Object.entries(row?.headers ?? {})
  return (
    <>
      {viewState.compare !== undefined && <Comparison entry={entry} id={Number(viewState.compare)} />}
      {entry.changes.length > 0 && (
        <Block title="Changes">
          <RequestChanges entry={entry} />
        </Block>
      )}
      {query.length > 0 && (
        <Block title="Query">
          <Pairs entries={query} />
        </Block>
      )}
      <Block title="Request">
        {headers.length > 0 ? (
          <details>
            <summary>{countText(headers.length, 'header')}</summary>
            <Pairs entries={headers} />
          </details>
        ) : (
          <p class="faint">Headers are known of requests that arrive while the console is open.</p>
        )}
        {(entry.requestBody !== null || entry.method !== 'GET') && (
          <Body body={entry.requestBody} label="Request body" />
        )}
      </Block>
      <Block title="Response">
        <Pairs entries={Object.entries(entry.responseHeaders)} />
        <Body body={entry.responseBody} label="Response body" />
      </Block>
    </>
  )
}

function Entry({ entry, row, state }: FactsProps & { readonly state: EntryState | null }) {
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
      <EntryFacts entry={entry} row={row} />
      {state && <EditAndSend key={key} entry={entry} ownKey={key} workspaces={state.workspaces} />}
      <Contents entry={entry} row={row} />
    </DirectoryContext.Provider>
  )
}

/** Why the journal has no request of an id: it was dropped for later ones, or the journal began anew. */
async function explainAbsence(controls: SandboxControls, id: number): Promise<string> {
  const later = await controls.requestSummaries({ after: id })
  if (later.length === 0)
    return `The journal has no request ${String(id)}: it was cleared or reset, or the mock restarted.`
  return `Request ${String(id)} was dropped for later ones: the journal keeps ${countText(later.length, 'request')}. serve --journal-size N keeps more.`
}

/** A request, or why there is none. */
async function readEntry(controls: SandboxControls, id: number): Promise<JournalEntry | string> {
  try {
    return await controls.request(id)
  } catch {
    return explainAbsence(controls, id)
  }
}

/** The request of an id in the sandbox that is shown. */
export function EntryPane({ id }: { readonly id: number }) {
  const { controls, live, openEntry } = useConsole()
  const { requests } = useScope()
  const row = requests.find((each) => each.id === id)
  const { value: read, failure } = useLoaded(() => readEntry(controls, id), [id, row?.status])
  const entry = typeof read === 'string' ? null : read
  const { value: state } = useLoaded(
    async (): Promise<EntryState> => ({
      requests,
      workspaces: (await controls.inspect.overview()).workspaces,
      faults: await controls.faults(),
      usedFaults: await controls.usedFaults(),
      findings: await controls.report({ assumptions: false }),
    }),
    [live.overview],
  )
  const name = `Request ${String(id)}`
  const head = entry ?? row
  return (
    <Pane
      label={name}
      title={
        <>
          {head && <StatusCode status={head.status} isPartial={head.partial !== undefined} />}
          <h3 dir="auto">
            {head && <span class="faint">{head.method}</span>} {head ? (head.outside ?? head.path) : name}
          </h3>
        </>
      }
      close={() => openEntry(null)}
      shown={entry}
    >
      <Failure message={failure ?? (typeof read === 'string' ? read : null)} />
      {entry && <Entry entry={entry} row={row} state={state} />}
    </Pane>
  )
}
