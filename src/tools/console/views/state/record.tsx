// An open row or task, or a new one: its fields to edit, related records, history and JSON.
import type { ComponentChildren } from 'preact'
import type { Column } from '../../../../contract/datatables.ts'
import type { Row } from '../../../../contract/rows.ts'
import type { TableOverview } from '../../../../adapters/control-api/inspect.ts'
import { Block, Failure, JsonText, Pane } from '../../parts/blocks.tsx'
import { useConsole, useLoaded } from '../../parts/context.ts'
import { Action } from '../../parts/controls.tsx'
import { type Editable, RecordForm } from '../../parts/record-form.tsx'
import { RecordHistory } from '../journal/changes.tsx'
import { Cell, type RowLinks } from './cell.tsx'

export const newRecord = 'new'

type Values = Readonly<Record<string, unknown>>

/** Changes fields of a record, as when a member edits it in the product. */
export function useChange(collection: string, table?: string) {
  const { controls, live } = useConsole()
  const updated_at = live.overview.clock.now
  const of = table === undefined ? {} : { table }
  return (id: string, changed: Values) =>
    controls.db.change(collection, id, { ...of, values: { ...changed, updated_at } })
}

interface RecordPaneProps {
  /** Also the name of the part of the view state that has its id. */
  readonly kind: 'row' | 'task'
  readonly id: string
  readonly table?: string
  readonly title: string
  readonly aside: ComponentChildren
  readonly failure: string | null
  readonly note?: string | undefined
  readonly fields: readonly Editable[] | undefined
  readonly values: Values
  /** The record as JSON; absent until it is loaded, and for a new one. */
  readonly json: object | undefined
  readonly links: RowLinks | undefined
  /** The fields to write for what was entered. */
  readonly written: (entered: Values) => Values
  readonly children?: ComponentChildren
}

export function RecordPane(props: RecordPaneProps) {
  const { kind, id, table, title, failure, note, fields, values, json, links, written } = props
  const { controls, go } = useConsole()
  const collection = `${kind}s`
  const change = useChange(collection, table)
  const of = table === undefined ? {} : { table }
  const save = async (entered: Values) => {
    if (json) await change(id, written(entered))
    else go({ [kind]: (await controls.db.create(collection, { ...of, values: written(entered) })).id })
  }
  const remove = async () => {
    await controls.db.remove(collection, id, of)
    go({ [kind]: undefined }, false)
  }
  const name = kind === 'row' ? 'Row' : 'Task'
  const heading = (
    <h3>
      {title} <span class="aside">{props.aside}</span>
    </h3>
  )
  const removal = { text: 'Remove', confirm: 'Remove permanently?', done: `${name} removed.` }
  const actions = json && <Action kind="quiet" canUndo {...removal} run={remove} />
  return (
    <Pane label={title} title={heading} actions={actions} close={() => go({ [kind]: undefined })}>
      <Failure message={failure} />
      {note !== undefined && <p class="notes">{note}</p>}
      {fields && (
        <RecordForm
          {...{ fields, values, save, name: `${kind} ${table ?? ''} ${id}` }}
          done={json ? 'Saved.' : `${name} added.`}
          show={(field, value) => <Cell column={field as Column} value={value} links={links} />}
        />
      )}
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

export type ShownRow = Row & { readonly data: Values }

export function RowPane({ id, table }: { id: string; table: TableOverview }) {
  const { controls, live } = useConsole()
  const isNew = id === newRecord
  const read = async () => (isNew ? null : controls.inspect.row(table.id, id))
  const { value, failure } = useLoaded(read, [live.overview])
  const row = value?.rows[0] as ShownRow | undefined
  return (
    <RecordPane
      {...{ kind: 'row', id, table: table.id, failure, json: row, links: value?.links }}
      title={isNew ? `New row of ${table.name}` : id}
      aside={row && `version ${String(row.version)}`}
      fields={(row ?? isNew) ? table.columns : undefined}
      values={row?.data ?? {}}
      written={(data) => (row ? { data, version: row.version + 1 } : { data })}
    />
  )
}
