// An open row or task, or a new one: its fields, the request that edits it, related records, history and JSON.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Column } from '../../../../contract/datatables.ts'
import type { Row } from '../../../../contract/rows.ts'
import type { TableOverview } from '../../../../adapters/control-api/inspect.ts'
import type { JournalEntry } from '../../../../mock/journal/entry.ts'
import { Block, Failure, JsonText, Pairs, Pane } from '../../parts/blocks.tsx'
import { useConsole, useLoaded } from '../../parts/context.ts'
import { Action, Button } from '../../parts/controls.tsx'
import { type ApiRequest, useEdit } from '../../parts/edits.tsx'
import { Form, parseJson, TextArea } from '../../parts/fields.tsx'
import { isWritable } from '../../parts/value-editor.tsx'
import { RecordHistory } from '../journal/changes.tsx'
import { Cell, type RowLinks } from './cell.tsx'

export const newRecord = 'new'

type RecordValues = Readonly<Record<string, unknown>>

/** The requests that write rows of a table, or tasks. */
export interface RecordRequests {
  create(body: unknown): ApiRequest
  update(id: string, body: unknown): ApiRequest
  delete(id: string): ApiRequest
}

/** @param into the path for creating records, if it differs from the path for changing them */
const requestsAt = (path: string, into = path): RecordRequests => ({
  create: (body) => ({ method: 'POST', path: into, body }),
  update: (id, body) => ({ method: 'PATCH', path: `${path}/${encodeURIComponent(id)}`, body }),
  delete: (id) => ({ method: 'DELETE', path: `${path}/${encodeURIComponent(id)}` }),
})

export const rowRequests = (table: string) => requestsAt(`/datatables/${encodeURIComponent(table)}/rows`)

export const taskRequests = (list: string) => requestsAt('/tasks', `/lists/${encodeURIComponent(list)}/tasks`)

interface RequestFormProps {
  readonly request: (body: unknown) => ApiRequest
  readonly body: unknown
  readonly done: string
  readonly onSent: (entry: JournalEntry | null) => void
  readonly close: () => void
}

/** A form to edit and send the body of the request that creates or changes a record. */
function RequestForm({ request, body, done, onSent, close }: RequestFormProps) {
  const edit = useEdit()
  const [text, setText] = useState(() => JSON.stringify(body, null, 2))
  const { method, path } = request(null)
  const toRequests = async () => [request(await parseJson(text, 'Invalid JSON.'))]
  return (
    <Form class="fields" {...edit(done, toRequests, onSent)}>
      <code>{`${method} ${path}`}</code>
      <TextArea
        label="Body"
        rows={Math.min(16, text.split('\n').length)}
        spellcheck={false}
        value={text}
        set={setText}
      />
      <div class="row">
        <Button kind="primary" text="Send" />
        <Button onClick={close} text="Cancel" />
      </div>
    </Form>
  )
}

interface RecordPaneProps {
  /** Also the name of the view-state parameter that holds its id. */
  readonly kind: 'row' | 'task'
  readonly id: string
  readonly title: string
  readonly aside: ComponentChildren
  readonly failure: string | null
  readonly note?: string | undefined
  readonly fields: readonly Column[]
  readonly values: RecordValues
  /** The record as JSON; absent until it is loaded, and for a new one. */
  readonly json: object | undefined
  readonly links: RowLinks | undefined
  readonly requests: RecordRequests
  /** The body that writes these values. */
  readonly toBody: (values: RecordValues) => object
  readonly children?: ComponentChildren
}

export function RecordPane(props: RecordPaneProps) {
  const { kind, id, title, failure, note, fields, values, json, links, requests, toBody } = props
  const { go } = useConsole()
  const edit = useEdit()
  const isNew = id === newRecord
  const [isEditing, setEditing] = useState(isNew)
  const name = kind === 'row' ? 'Row' : 'Task'
  const leave = (isStep = true) => go({ [kind]: undefined }, isStep)
  const onSent = (entry: JournalEntry | null) => {
    if (isNew) go({ [kind]: entry?.changes.find(({ change }) => change === 'created')?.id })
    else setEditing(false)
  }
  const removal = edit(
    `${name} removed.`,
    () => [requests.delete(id)],
    () => leave(false),
  )
  const heading = (
    <h3>
      {title} <span class="aside">{props.aside}</span>
    </h3>
  )
  const actions = json && (
    <>
      <Button kind="quiet" aria-expanded={isEditing} onClick={() => setEditing(!isEditing)} text="Edit" />
      <Action kind="quiet" text="Remove" confirm={`Remove ${id}?`} {...removal} />
    </>
  )
  const writable = fields.filter(isWritable)
  const body = toBody(Object.fromEntries(writable.map((field) => [field.id, values[field.id] ?? null])))
  const shown = fields.map((field) => {
    return [field.name, <Cell column={field} value={values[field.id]} links={links} />] as const
  })
  return (
    <Pane label={title} title={heading} actions={actions} close={leave}>
      <Failure message={failure} />
      {note !== undefined && <p class="notes">{note}</p>}
      {isEditing && (json ?? isNew) && (
        <RequestForm
          {...{ body, onSent }}
          done={isNew ? `${name} added.` : 'Saved.'}
          request={isNew ? requests.create : (given) => requests.update(id, given)}
          close={() => (isNew ? leave() : setEditing(false))}
        />
      )}
      {json && <Pairs entries={shown} />}
      {props.children}
      {json && (
        <>
          <Block title="History">
            <RecordHistory id={id} />
          </Block>
          <details class="block">
            <summary>JSON</summary>
            <JsonText text={JSON.stringify(json, null, 2)} label={`${name} ${id}`} />
          </details>
        </>
      )}
    </Pane>
  )
}

export type ShownRow = Row & { readonly data: RecordValues }

export function RowPane({ id, table }: { id: string; table: TableOverview }) {
  const { controls, live } = useConsole()
  const isNew = id === newRecord
  const read = async () => (isNew ? null : controls.inspect.row(table.id, id))
  const { value, failure } = useLoaded(read, [live.overview])
  const row = value?.rows[0] as ShownRow | undefined
  return (
    <RecordPane
      {...{ kind: 'row', id, failure, json: row, links: value?.links }}
      title={isNew ? `New row of ${table.name}` : id}
      aside={row && `version ${String(row.version)}`}
      fields={table.columns}
      values={row?.data ?? {}}
      requests={rowRequests(table.id)}
      toBody={(data) => ({ data })}
    />
  )
}
