// One request of the journal: why it was refused, what was sent, what was returned, what it changed.
import { useEffect, useRef } from 'preact/hooks'
import type { WholeBody, WholeRequest } from '../../../../adapters/control-api/console-controls.ts'
import type { Reason } from '../../../../mock/explain/reasons.ts'
import type { JournalBody, JournalEntry } from '../../../../mock/journal/entry.ts'
import type { BodyPart } from '../../../../mock/requests/multipart.ts'
import type { Finding } from '../../../../mock/sandboxes/client-report.ts'
import {
  formatOwnTime,
  formatQuantity,
  formatDuration,
  formatPreciseMoment,
  formatSize,
} from '../../format.ts'
import type { RequestRow } from '../../live-state.ts'
import { Block, Failure, JsonText, Mark, Pairs, Pane } from '../../parts/blocks.tsx'
import { StatusCode, toneOfSeverity } from '../../parts/blocks.tsx'
import { DirectoryContext, noDirectory, useConsole, useLoaded } from '../../parts/context.ts'
import { Button, CopyButton } from '../../parts/controls.tsx'
import { scopeStateOf } from '../../parts/scope.tsx'
import { Table, type TableColumn } from '../../parts/table.tsx'
import type { WorkspaceOverview } from '../../../../adapters/control-api/inspect.ts'
import { isCarriedOut } from '../faults/fault-text.ts'
import { FailNext } from '../faults/index.tsx'
import { RequestChanges } from './changes.tsx'
import { describeFailure } from './request-text.ts'
import { Comparison, textOf } from './compare.tsx'
import { Remedies, SendAgain } from './send.tsx'

interface EntryState {
  readonly workspaces: readonly WorkspaceOverview[]
  readonly findings: readonly Finding[]
  readonly reason: Reason | null
}

/** A request, and its row in the list if it is listed. */
type EntryProps = Readonly<{ entry: JournalEntry; whole: WholeRequest; row: RequestRow | undefined }>

const pageForms = ['fetch', 'vitest', 'fault'] as const
const remoteForms = ['curl', ...pageForms] as const

const partColumns: readonly TableColumn<BodyPart>[] = [
  {
    ...{ head: 'Part', isName: true, attributes: () => ({ dir: 'auto' }) },
    cell: ({ name, filename }) => [name, ' ', <span class="aside">{filename}</span>],
  },
  { head: 'Type', cell: ({ contentType }) => contentType },
  { head: 'Size', class: 'number', cell: ({ sizeBytes }) => formatSize(sizeBytes) },
]

function Body({ body, kept, label }: { body: JournalBody; kept: WholeBody; label: string }) {
  if (body === null) return <p class="faint">No body</p>
  const text = 'sizeBytes' in body && !body.truncated ? undefined : textOf(kept)
  if (text !== undefined) return <JsonText text={text} label={label} />
  if (!('sizeBytes' in body)) return <JsonText text={JSON.stringify(body)} label={label} />
  const { sizeBytes, contentType, truncated, parts } = body
  return (
    <>
      <p class="faint">
        {formatSize(sizeBytes)} of {contentType}
        {truncated && !parts ? ', not kept' : ''}
      </p>
      {parts && <Table class="compact" columns={partColumns} items={parts} />}
    </>
  )
}

function Contents({ entry, whole, row }: EntryProps) {
  const query = Object.entries(entry.query)
  const headers = Object.entries(whole.headers ?? row?.headers ?? {})
  const sent = entry.requestBody
  return (
    <>
      <Block title="Changes" count={entry.changes.length}>
        <RequestChanges entry={entry} />
      </Block>
      <Block title="Query" count={query.length}>
        <Pairs entries={query} />
      </Block>
      <Block title="Request">
        {headers.length > 0 ? (
          <details>
            <summary>{formatQuantity(headers.length, 'header')}</summary>
            <Pairs entries={headers} />
          </details>
        ) : (
          <p class="faint">The headers of this request are not kept.</p>
        )}
        {(sent !== null || entry.method !== 'GET') && (
          <Body body={sent} kept={whole.requestBody} label="Request body" />
        )}
      </Block>
      <Block title="Response">
        <Pairs entries={Object.entries(entry.responseHeaders)} />
        <Body body={entry.responseBody} kept={whole.responseBody} label="Response body" />
      </Block>
    </>
  )
}

function EntryDetails({ entry, whole, row, state }: EntryProps & { state: EntryState | null }) {
  const { show, sandbox, live, viewState, source } = useConsole()
  const { compare } = viewState
  const isOwn = ({ name }: { readonly name: string }) => name === entry.key
  const workspace = state?.workspaces.find(({ keys }) => keys.some(isOwn))
  const ownKey = workspace?.keys.find(isOwn)?.id
  const reason = state?.reason
  const findings = state?.findings.filter(({ requests }) => requests.includes(entry.id)) ?? []
  const openReport = () => show('report', scopeStateOf(sandbox))
  const sent = { entry, whole, ownKey }
  const { arrivedMs, tookMs } = { ...row, ...whole }
  const { fault, delayMs } = entry
  const took = tookMs === undefined ? '' : `, took ${formatDuration(tookMs)}`
  const delay = delayMs === undefined ? '' : `, delayed it by ${formatDuration(delayMs)}`
  const facts = {
    Operation: entry.operation ?? 'not an operation of this API',
    Key: entry.key ?? 'unknown, or refused before it was read',
    Sandbox: sandbox ?? undefined,
    Label: entry.label,
    Address: entry.outside,
    "Time on the mock's clock": `${formatPreciseMoment(entry.atMs)} UTC`,
    Arrived: arrivedMs === undefined ? undefined : formatOwnTime(arrivedMs) + took,
    Fault: fault === null ? undefined : fault + delay,
    ...entry.params,
  }
  return (
    <DirectoryContext.Provider value={workspace ?? noDirectory}>
      <SendAgain {...sent} workspaces={state?.workspaces} />
      {compare !== undefined && <Comparison entry={entry} whole={whole} id={Number(compare)} />}
      {reason && (
        <div class="notes reason" role="note" aria-label="Reason">
          <h4>{describeFailure(entry) + (fault === null ? '' : `, by ${fault}`)}</h4>
          {reason.rule !== '' && <p class="soft">{reason.rule}</p>}
          {reason.facts.map((text) => (
            <p key={text} dir="auto">
              {text}
            </p>
          ))}
          {row && isCarriedOut(row) && (
            <p>It was carried out nevertheless: see the changes below. A retry would do it again.</p>
          )}
          <fieldset class="row" disabled={live.status === 'lost'}>
            <Remedies {...sent} remedies={reason.remedies} />
          </fieldset>
        </div>
      )}
      <fieldset class="actions" disabled={live.status === 'lost'}>
        {(source.isRemote ? remoteForms : pageForms).map((form) => {
          const text = `Copy as ${form === 'vitest' ? 'test' : form}`
          return <CopyButton key={form} copied={(controls) => controls.copyAs(form, entry.id)} text={text} />
        })}
        <CopyButton copied={() => JSON.stringify(entry, null, 2)} text="Copy as JSON" />
        <FailNext entry={entry} />
      </fieldset>
      {findings.length > 0 && (
        <div class="notes">
          {findings.map(({ rule, message, severity }) => (
            <p key={`${rule} ${message}`}>
              <Mark tone={toneOfSeverity[severity]}>{rule}</Mark> {message}{' '}
              <Button class="link" onClick={openReport} text="See the report" />
            </p>
          ))}
        </div>
      )}
      <Pairs entries={Object.entries(facts)} />
      <Contents {...{ entry, whole, row }} />
    </DirectoryContext.Provider>
  )
}

/** Whether the journal was reset since the pane was opened; if so, the request is closed and said to be gone. */
function useIsGone(id: number, entry: JournalEntry | null): boolean {
  const { live, sandbox, go } = useConsole()
  const life = live.lives.get(sandbox) ?? 0
  const first = useRef(life)
  const former = useRef<JournalEntry | null>(null)
  if (entry) former.current ??= entry
  // A request with the same number but other values means that the journal was reset since the first was read.
  const isOther = (['atMs', 'method', 'path', 'key'] as const).some(
    (name) => entry?.[name] !== former.current?.[name],
  )
  const isGone = life !== first.current || (entry !== null && isOther)
  useEffect(() => {
    if (isGone) go({ request: undefined, compare: undefined, gone: String(id) }, false)
  }, [isGone])
  return isGone
}

export function EntryPane({ id }: { id: number }) {
  const { controls, sandbox, live, openEntry, requests } = useConsole()
  const row = requests.find((each) => each.id === id)
  const readEntry = async () => {
    const of = sandbox ?? ''
    const reads = Promise.all([controls.request(id), controls.console.whole(id, { of })])
    const [entry = null, whole] = (await reads.catch(() => undefined)) ?? []
    if (entry && whole) return { entry, whole }
    // The journal dropped it for later requests, or was reset.
    const { length } = await controls.requestSummaries({ after: id })
    const gone =
      length === 0
        ? `The journal has no request ${String(id)}: it was cleared or reset, or the mock restarted.`
        : `Request ${String(id)} was dropped to make room for later ones: the journal keeps ${formatQuantity(length, 'request')}. serve --journal-size N keeps more.`
    return { entry, gone }
  }
  const { value: read, failure } = useLoaded(readEntry, [id, row?.status])
  const { entry = null, whole, gone = null } = read ?? {}
  const isGone = useIsGone(id, entry)
  const readState = async (): Promise<EntryState> => ({
    workspaces: (await controls.inspect.overview()).workspaces,
    findings: await controls.report({ assumptions: false }),
    reason: await controls.reason(id),
  })
  const { value: state } = useLoaded(readState, [live.overview])
  const name = `Request ${String(id)}`
  const { status, partial, method, outside, path = name } = entry ?? row ?? {}
  const title = (
    <>
      <span class="faint number">#{id}</span>
      {status !== undefined && <StatusCode status={status} isPartial={partial !== undefined} />}
      <h3 dir="auto">
        <span class="faint">{method}</span> {outside ?? path}
      </h3>
    </>
  )
  if (isGone) return null
  return (
    <Pane label={name} title={title} close={() => openEntry(null)} shown={entry}>
      <Failure message={failure ?? gone} />
      {entry && whole && <EntryDetails {...{ entry, whole, row, state }} />}
    </Pane>
  )
}
