// Sends a request of the journal again: as it was, after a remedy, or edited; and compares the responses.
import type { JournalBody, JournalEntry } from '../../../../core/journal/entry.ts'
import type { WorkspaceOverview } from '../../../../controls/inspect/inspect.ts'
import { Button } from '../../parts/button.tsx'
import { type Console, useConsole, useDraft, useLoaded } from '../../parts/context.ts'
import { Action } from '../../parts/controls.tsx'
import { Field, Form, Input, Select } from '../../parts/fields.tsx'
import { Block, Pairs, StatusCode } from '../../parts/blocks.tsx'
import type { SandboxControls } from '../../source.ts'
import { plainText } from '../state/cell.tsx'
import { textOfBody } from './body.tsx'
import type { Remedy } from './explanations.ts'
import { queryText } from './row-text.ts'

/** A request as it can be edited. */
interface Draft {
  /** Path and query, relative to the base address. */
  readonly address: string
  /** The value of the key; '' for none. */
  readonly key: string
  /** A header a line. */
  readonly headers: string
  readonly body: string
}

function draftOf(entry: JournalEntry, key: string | undefined): Draft {
  const body = textOfBody(entry.requestBody) ?? ''
  const type = entry.requestBody === null ? '' : 'content-type: application/json'
  const label = entry.label === undefined ? '' : `x-mock-label: ${entry.label}`
  return {
    address: entry.path + queryText(entry),
    key: key ?? '',
    headers: [type, label].filter(Boolean).join('\n'),
    body,
  }
}

/** @throws {TypeError} for an invalid header or address */
function requestOf(method: string, draft: Draft, baseUrl: string, sandbox: string | null): Request {
  const lines = draft.headers.split('\n').filter((line) => line.trim() !== '')
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    }),
  )
  if (draft.key !== '') headers.set('authorization', `Bearer ${draft.key}`)
  if (sandbox !== null) headers.set('x-mock-sandbox', sandbox)
  const hasBody = method !== 'GET' && method !== 'HEAD' && draft.body !== ''
  return new Request(baseUrl + draft.address, { method, headers, body: hasBody ? draft.body : null })
}

/** How many of the latest requests are searched for the one that was sent. */
const latestRequests = 20

/** Sends a request and opens it next to the one it repeats. */
async function send(
  { source, sandbox, openEntry }: Console,
  entry: JournalEntry,
  draft: Draft,
): Promise<void> {
  // A fault can break the connection, which is a result too.
  await source.send(requestOf(entry.method, draft, source.baseUrl, sandbox)).catch(() => undefined)
  const rows = await source.controls(sandbox).requestSummaries({ limit: latestRequests })
  const sent = rows.findLast((row) => row.console === true) ?? rows.at(-1)
  if (sent) openEntry({ id: sent.id, sandbox }, { compare: String(entry.id) })
}

interface SendProps {
  readonly entry: JournalEntry
  readonly ownKey: string | undefined
}

/** Buttons that apply a remedy and send the request again, if the journal holds its whole body. */
export function SendAgain({ entry, ownKey, remedies }: SendProps & { readonly remedies: readonly Remedy[] }) {
  const shared = useConsole()
  const isWhole = textOfBody(entry.requestBody) !== undefined
  const sendAgain = (remedy?: Remedy) => async (controls: SandboxControls) => {
    await remedy?.run(controls)
    if (isWhole) await send(shared, entry, draftOf(entry, remedy?.key ?? ownKey))
  }
  return (
    <fieldset class="contents" disabled={shared.live.status === 'lost'}>
      {remedies.map((remedy) => (
        <Action key={remedy.label} kind="primary" run={sendAgain(remedy)}>
          {remedy.label}
          {isWhole && ' and send again'}
        </Action>
      ))}
      {isWhole && <Action run={sendAgain()}>Send again</Action>}
    </fieldset>
  )
}

/** The request in a form, to send it with changes. */
export function EditAndSend({
  entry,
  ownKey,
  workspaces,
}: SendProps & { readonly workspaces: readonly WorkspaceOverview[] }) {
  const shared = useConsole()
  const [draft, setDraft] = useDraft(`request ${String(entry.id)}`, draftOf(entry, ownKey))
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const keys = workspaces.flatMap((workspace) => workspace.keys)
  if (textOfBody(entry.requestBody) === undefined) return null
  const area = (label: string, name: 'headers' | 'body', rows: number) => (
    <Field label={label}>
      <textarea
        rows={rows}
        spellcheck={false}
        dir="auto"
        value={draft[name]}
        onInput={(event) => set({ [name]: event.currentTarget.value })}
      />
    </Field>
  )
  return (
    <details class="block">
      <summary>Edit and send</summary>
      <Form class="fields" onSubmit={() => send(shared, entry, draft)}>
        <Field label={`${entry.method}, path and query`}>
          <Input value={draft.address} set={(address) => set({ address })} />
        </Field>
        <Field label="Key">
          <Select
            empty="No key"
            choices={keys.map(({ id, name }) => ({ id, label: `${name} (${id})` }))}
            value={draft.key}
            set={(key) => set({ key })}
          />
        </Field>
        {area('Headers, one a line', 'headers', 2)}
        {entry.method !== 'GET' && area('Body', 'body', 8)}
        <div class="row">
          <Button kind="primary">Send</Button>
          <Button kind="quiet" onClick={() => setDraft(draftOf(entry, ownKey))}>
            Discard changes
          </Button>
          <span class="aside">Counts in no report, coverage or fault.</span>
        </div>
      </Form>
    </details>
  )
}

/** The values of a body by path: `data[0].title`. */
function flatten(value: unknown, path = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path, plainText(value)]]
  const entries = Object.entries(value)
  if (entries.length === 0) return [[path, JSON.stringify(value)]]
  return entries.flatMap(([name, each]) =>
    flatten(each, Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`),
  )
}

function valuesOf(body: JournalBody): ReadonlyMap<string, string> {
  if (body && 'json' in body) return new Map(flatten(body.json))
  return new Map(flatten(body && 'text' in body ? body.text : body, 'body'))
}

const shownDifferences = 100

/** How a response differs from that of another request. */
export function Comparison({ entry, id }: { readonly entry: JournalEntry; readonly id: number }) {
  const { controls, sandbox, openEntry } = useConsole()
  const { value: other } = useLoaded(() => controls.request(id), [id])
  if (!other) return null
  const [before, after] = [valuesOf(other.responseBody), valuesOf(entry.responseBody)]
  const paths = [...new Set([...before.keys(), ...after.keys()])]
  const changed = paths.filter((path) => before.get(path) !== after.get(path))
  return (
    <Block title={`Compared with request ${String(id)}`}>
      <Pairs
        entries={[
          [
            'Status',
            <>
              <StatusCode status={other.status} /> → <StatusCode status={entry.status} />{' '}
              <Button class="link" onClick={() => openEntry({ id, sandbox })}>
                Open request {id}
              </Button>
            </>,
          ],
        ]}
      />
      {changed.length === 0 ? (
        <p class="faint">Both bodies are the same.</p>
      ) : (
        <dl class="diff">
          {changed.slice(0, shownDifferences).map((path) => (
            <div key={path}>
              <dt>{path}</dt>
              <dd class="was bad" dir="auto">
                <span class="visually-hidden">before: </span>
                {before.get(path) ?? <span class="faint">absent</span>}
              </dd>
              <dd class="is good" dir="auto">
                <span class="visually-hidden">after: </span>
                {after.get(path) ?? <span class="faint">absent</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {changed.length > shownDifferences && (
        <p class="faint">and {changed.length - shownDifferences} more differences</p>
      )}
    </Block>
  )
}
