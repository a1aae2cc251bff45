// Sends a request of the journal again: as it was, after a remedy, or edited; and compares the responses.
import type { WorkspaceOverview } from '../../../../mock/controls/inspect/inspect.ts'
import type { JournalBody, JournalEntry } from '../../../../mock/journal/entry.ts'
import { Block, Pairs, StatusCode } from '../../parts/blocks.tsx'
import { type Console, useConsole, useDraft, useLoaded } from '../../parts/context.ts'
import { Action, Button } from '../../parts/controls.tsx'
import { Form, Input, Select, TextArea } from '../../parts/fields.tsx'
import type { SandboxControls } from '../../source.ts'
import { toText } from '../state/cell.tsx'
import { Diff } from './changes.tsx'
import { formatQuery, type Remedy } from './reasons.ts'

/** The text of a body, to edit it; undefined if the journal does not have the whole of it. */
export function textOfBody(body: JournalBody): string | undefined {
  if (body === null) return ''
  if ('json' in body) return JSON.stringify(body.json, null, 2)
  return 'text' in body ? body.text : undefined
}

type Draft = ReturnType<typeof draftOf>

/** `key` is its value; '' for none. */
const draftOf = (entry: JournalEntry, key = '') => ({
  address: entry.path + formatQuery(entry),
  key,
  headers: [
    ...(entry.requestBody === null ? [] : ['content-type: application/json']),
    ...(entry.label === undefined ? [] : [`x-mock-label: ${entry.label}`]),
  ].join('\n'),
  body: textOfBody(entry.requestBody) ?? '',
})

/** @throws {TypeError} for an invalid header or address */
function requestOf(method: string, draft: Draft, baseUrl: string, sandbox: string | null): Request {
  const lines = draft.headers.split('\n').filter((line) => line.trim() !== '')
  const parts = lines.map((line) => line.split(/:(.*)/s, 2).map((part) => part.trim()))
  const headers = new Headers(parts as [string, string][])
  if (draft.key !== '') headers.set('authorization', `Bearer ${draft.key}`)
  if (sandbox !== null) headers.set('x-mock-sandbox', sandbox)
  const hasBody = method !== 'GET' && method !== 'HEAD' && draft.body !== ''
  return new Request(baseUrl + draft.address, { method, headers, body: hasBody ? draft.body : null })
}

async function send(shared: Console, entry: JournalEntry, draft: Draft): Promise<void> {
  const { source, sandbox, controls, openEntry } = shared
  // A fault can break the connection, which is a result too.
  await source.send(requestOf(entry.method, draft, source.baseUrl, sandbox)).catch(() => undefined)
  const rows = await controls.requestSummaries({ limit: 20 })
  const sent = rows.findLast((row) => row.console === true) ?? rows.at(-1)
  if (sent) openEntry({ id: sent.id, sandbox }, { compare: String(entry.id) })
}

type SendProps = Readonly<{ entry: JournalEntry; ownKey: string | undefined }>

/** Buttons that apply a remedy and send the request again, if the journal holds its whole body. */
export function SendAgain({ entry, ownKey, remedies }: SendProps & { remedies: readonly Remedy[] }) {
  const shared = useConsole()
  const isWhole = textOfBody(entry.requestBody) !== undefined
  const sendAgain = (remedy?: Remedy) => async (controls: SandboxControls) => {
    await remedy?.run(controls)
    if (isWhole) await send(shared, entry, draftOf(entry, remedy?.key ?? ownKey))
  }
  return (
    <fieldset class="contents" disabled={shared.live.status === 'lost'}>
      {remedies.map((remedy) => (
        <Action
          key={remedy.label}
          kind="primary"
          run={sendAgain(remedy)}
          text={`${remedy.label}${isWhole ? ' and send again' : ''}`}
        />
      ))}
      {isWhole && <Action run={sendAgain()} text="Send again" />}
    </fieldset>
  )
}

type EditProps = SendProps & { workspaces: readonly WorkspaceOverview[] }

export function EditAndSend({ entry, ownKey, workspaces }: EditProps) {
  const shared = useConsole()
  const initial = draftOf(entry, ownKey)
  const [draft, setDraft] = useDraft(`request ${String(entry.id)}`, initial)
  const bind = (name: keyof Draft) => {
    return { value: draft[name], set: (text: string) => setDraft({ ...draft, [name]: text }) }
  }
  const keys = workspaces.flatMap((workspace) => workspace.keys)
  const choices = keys.map(({ id, name }) => ({ id, label: `${name} (${id})` }))
  if (textOfBody(entry.requestBody) === undefined) return null
  return (
    <details class="block">
      <summary>Edit and send</summary>
      <Form class="fields" run={() => send(shared, entry, draft)}>
        <Input field={`${entry.method}, path and query`} {...bind('address')} />
        <Select field="Key" empty="No key" choices={choices} {...bind('key')} />
        <TextArea field="Headers, one a line" rows={2} spellcheck={false} {...bind('headers')} />
        {entry.method !== 'GET' && <TextArea field="Body" rows={8} spellcheck={false} {...bind('body')} />}
        <div class="row">
          <Button kind="primary" text="Send" />
          <Button kind="quiet" onClick={() => setDraft(initial)} text="Discard changes" />
          <span class="aside">Counts in no report, coverage or fault.</span>
        </div>
      </Form>
    </details>
  )
}

/** The values of a body by path: `data[0].title`. */
function flatten(value: unknown, path = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path, toText(value)]]
  const entries = Object.entries(value)
  if (entries.length === 0) return [[path, JSON.stringify(value)]]
  return entries.flatMap(([name, each]) =>
    flatten(each, Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`),
  )
}

const valuesOf = (body: JournalBody): ReadonlyMap<string, string> =>
  new Map(body && 'json' in body ? flatten(body.json) : flatten(textOfBody(body) ?? body, 'body'))

const mostShown = 100

export function Comparison({ entry, id }: { entry: JournalEntry; id: number }) {
  const { controls, sandbox, openEntry } = useConsole()
  const { value: other } = useLoaded(() => controls.request(id), [id])
  if (!other) return null
  const [before, after] = [valuesOf(other.responseBody), valuesOf(entry.responseBody)]
  const changed = [...new Set([...before.keys(), ...after.keys()])]
    .map((field) => ({ field, before: before.get(field), after: after.get(field) }))
    .filter((each) => each.before !== each.after)
  const status = (
    <>
      <StatusCode status={other.status} /> → <StatusCode status={entry.status} />{' '}
      <Button class="link" onClick={() => openEntry({ id, sandbox })} text={`Open request ${String(id)}`} />
    </>
  )
  return (
    <Block title={`Compared with request ${String(id)}`}>
      <Pairs entries={[['Status', status]]} />
      {changed.length === 0 && <p class="faint">Both bodies are the same.</p>}
      <Diff entries={changed.slice(0, mostShown)} show={String} />
      {changed.length > mostShown && <p class="faint">and {changed.length - mostShown} more differences</p>}
    </Block>
  )
}
