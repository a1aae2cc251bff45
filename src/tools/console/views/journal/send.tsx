// Sends a request of the journal again: unchanged, after a remedy, or edited.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Remedy } from '../../../../mock/explain/reasons.ts'
import type { WholeRequest } from '../../../../adapters/control-api/console-controls.ts'
import type { WorkspaceOverview } from '../../../../adapters/control-api/inspect.ts'
import { callNamed } from '../../../../adapters/control-api/wire.ts'
import { fromBase64 } from '../../../../contract/data/base64.ts'
import type { JournalEntry } from '../../../../mock/journal/entry.ts'
import { formatSize } from '../../format.ts'
import { type Console, useConsole, useDraft } from '../../parts/context.ts'
import { Action, Button } from '../../parts/controls.tsx'
import { sendToApi } from '../../parts/edits.tsx'
import { Form, Input, Select, TextArea, toChoices } from '../../parts/fields.tsx'
import type { SandboxControls } from '../../source.ts'
import { textOf } from './compare.tsx'
import { formatQuery } from './request-text.ts'

/** What is known about a request to send again. */
interface SendProps {
  readonly entry: JournalEntry
  readonly whole: WholeRequest
  /** The secret of the API key that the request was sent with. */
  readonly ownKey: string | undefined
}

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

type Draft = ReturnType<typeof draftOf>

/** `body` is undefined if it is sent unchanged because it is not text. */
const draftOf = ({ entry, whole, ownKey }: SendProps, key = ownKey) => ({
  method: entry.method,
  address: entry.path + formatQuery(entry),
  /** The secret of the API key; '' for none. */
  key: key ?? '',
  headers: [
    ...(whole.contentType === null ? [] : [`content-type: ${whole.contentType}`]),
    ...(entry.label === undefined ? [] : [`x-mock-label: ${entry.label}`]),
  ].join('\n'),
  body: textOf(whole.requestBody),
})

/** The body as it was sent, as bytes, so that `fetch` adds no content type. */
function bytesOf({ requestBody }: WholeRequest): Uint8Array<ArrayBuffer> | null {
  if (!requestBody || 'sizeBytes' in requestBody) return null
  if ('text' in requestBody) return new TextEncoder().encode(requestBody.text)
  return fromBase64(requestBody.base64)
}

/** @throws {TypeError} for an invalid header or address */
async function send(shared: Console, { entry, whole }: SendProps, draft: Draft): Promise<void> {
  const { sandbox, openEntry } = shared
  const { method, address, key, body } = draft
  const lines = draft.headers.split('\n').filter((line) => line.trim() !== '')
  const parts = lines.map((line) => line.split(/:(.*)/s, 2).map((part) => part.trim()))
  const headers = new Headers(parts as [string, string][])
  if (key !== '') headers.set('authorization', `Bearer ${key}`)
  const hasBody = method !== 'GET' && body !== ''
  if (hasBody && body !== undefined && !headers.has('content-type'))
    headers.set('content-type', 'application/json')
  const sent = hasBody ? (body ?? bytesOf(whole)) : null
  const { id } = await sendToApi(shared, address, { method, headers, body: sent }, shared.source.sendAsClient)
  if (id !== undefined) openEntry({ id, sandbox }, { compare: String(entry.id) })
}

/** The request as it was, with the same body byte for byte. */
const unchanged = (props: SendProps, key?: string): Draft => ({ ...draftOf(props, key), body: undefined })

const isKept = ({ requestBody }: WholeRequest) => requestBody === null || !('sizeBytes' in requestBody)

/** Buttons that apply a remedy and send the request again, if its body is kept. */
export function Remedies({ remedies, ...props }: SendProps & { remedies: readonly Remedy[] }) {
  const shared = useConsole()
  const isWhole = isKept(props.whole)
  const apply =
    ({ control, args, key }: Remedy) =>
    async (controls: SandboxControls) => {
      if (control !== undefined) await callNamed(controls, control.split('.'), args)
      if (isWhole) await send(shared, props, unchanged(props, key))
    }
  return remedies.map((remedy) => (
    <Action
      key={remedy.label}
      {...{ kind: 'primary', run: apply(remedy) }}
      text={`${remedy.label}${isWhole ? ' and send again' : ''}`}
    />
  ))
}

/** @param props the workspaces are undefined until they are read */
export function SendAgain(props: SendProps & { workspaces: readonly WorkspaceOverview[] | undefined }) {
  const shared = useConsole()
  const [isEditing, setEditing] = useState(false)
  const { workspaces, whole, ownKey } = props
  const { requestBody } = whole
  return (
    <>
      <fieldset class="row sends" disabled={shared.live.status === 'lost'}>
        {isKept(whole) && <Action run={() => send(shared, props, unchanged(props))} text="Send again" />}
        <Button aria-expanded={isEditing} onClick={() => setEditing(!isEditing)} text="Edit and send" />
        {requestBody && 'sizeBytes' in requestBody && (
          <span class="aside">Its body of {formatSize(requestBody.sizeBytes)} is not kept.</span>
        )}
      </fieldset>
      {isEditing && workspaces && <EditForm key={ownKey} {...props} workspaces={workspaces} />}
    </>
  )
}

type EditProps = SendProps & { readonly workspaces: readonly WorkspaceOverview[] }

function EditForm({ workspaces, ...props }: EditProps) {
  const { entry, whole } = props
  const shared = useConsole()
  const initial = draftOf(props)
  const [draft, setDraft] = useDraft(`request ${String(entry.id)}`, initial)
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const bind = (name: keyof Draft) => {
    return { value: draft[name] ?? '', set: (text: string) => setDraft({ ...draft, [name]: text }) }
  }
  const keys = workspaces.flatMap((workspace) => workspace.keys)
  const choices = keys.map(({ id, name }) => ({ id, label: `${name} (${id})` }))
  const hasBody = draft.method !== 'GET'
  return (
    <div ref={form}>
      <Form class="fields sending" run={() => send(shared, props, draft)}>
        <div class="address-line">
          <Select field="Method" empty={null} choices={toChoices(methods)} {...bind('method')} />
          <Input field={`${draft.method}, path and query`} {...bind('address')} />
        </div>
        <Select field="Key" empty="No key" choices={choices} {...bind('key')} />
        <TextArea field="Headers, one per line" rows={2} spellcheck={false} {...bind('headers')} />
        {hasBody && draft.body !== undefined && (
          <TextArea field="Body" rows={8} spellcheck={false} {...bind('body')} />
        )}
        {hasBody && draft.body === undefined && isKept(whole) && (
          <p class="aside">Its body is sent as it was.</p>
        )}
        <div class="row">
          <Button kind="primary" text="Send" />
          <Button kind="quiet" onClick={() => setDraft(initial)} text="Discard changes" />
          <span class="aside">
            {shared.source.sendAsClient
              ? "Triggers the run's faults, but no report counts it."
              : 'Reports, coverage and faults ignore it.'}
          </span>
        </div>
      </Form>
    </div>
  )
}
