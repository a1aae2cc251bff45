// What requests changed: each record of a request field by field, and the history of a record request by request.
import type { Column } from '../../../../contract/datatables.ts'
import { isUnset } from '../../../../contract/data/objects.ts'
import type { DetailedChange, FieldChange } from '../../../../mock/journal/changes.ts'
import type { JournalEntry } from '../../../../mock/journal/entry.ts'
import { formatQuantity, formatPreciseMoment, wordsOf } from '../../format.ts'
import { Failure, Mark, RequestChips, StatusCode } from '../../parts/blocks.tsx'
import { type Directory, useConsole, useDirectory, useLoaded } from '../../parts/context.ts'
import { Button } from '../../parts/controls.tsx'
import { scopeStateOf } from '../../parts/scope.tsx'
import { Cell } from '../state/cell.tsx'

type Params = JournalEntry['params']

function viewStateOf({ resource, id }: DetailedChange, params: Params) {
  if (resource === 'row') return { part: 'tables', table: params.tableId, row: id }
  if (resource === 'tasks') return { part: 'tasks', list: undefined, task: id }
  if (['comments', 'timeEntries', 'attachments'].includes(resource))
    return { part: 'tasks', list: undefined, task: params.taskId }
  return resource === 'lists' ? { part: 'tasks', list: id, task: undefined } : undefined
}

const tones = { created: 'good', deleted: 'bad', changed: 'plain' } as const

const moments = /^(?:.*_at|date_start|date_end|due_date|repeat_since)$/

function columnOf(directory: Directory, { tableId }: Params, field: string): Column {
  const { tables, lists } = directory
  const columns = tables.find(({ id }) => id === tableId)?.columns
  const base = { id: field, name: field.replace('custom_data.', ''), readonly: false } as const
  const own = columns?.find(({ id }) => `data.${id}` === field)
  if (own) return own
  if (field === 'assignees') return { ...base, type: 'people' }
  if (field !== 'status_id') return { ...base, type: moments.test(field) ? 'updated_at' : 'longtext' }
  const statuses = lists.flatMap((list) => list.statuses)
  const options = statuses.map(({ name, ...status }) => ({ ...status, label: name }))
  return { ...base, type: 'dropdown', options }
}

const isNothing = (value: unknown) =>
  isUnset(value) || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)

/** A change, and the parameters of its request. */
type ChangeProps = Readonly<{ change: DetailedChange; params: Params }>

function FieldChanges({ change: { change, resource, fields }, params }: ChangeProps) {
  const directory = useDirectory()
  if (!fields) return null
  // A created or deleted record has only one side.
  const only = change === 'created' ? 'after' : change === 'deleted' ? 'before' : undefined
  // The values of a row come before its other fields.
  const isValue = ({ field }: FieldChange) => Number(resource === 'row' && field.startsWith('data.'))
  const listed = fields
    .filter(({ before, after }) => !only || !isNothing(before ?? after))
    .sort((a, b) => isValue(b) - isValue(a))
  if (listed.length === 0) return <p class="faint">{only ? 'All fields are empty.' : 'No field changed.'}</p>
  const sides = only ? ([only] as const) : (['before', 'after'] as const)
  return (
    <dl class={`diff ${only ? 'is-whole' : ''}`}>
      {listed.map(({ field, ...values }) => {
        const column = columnOf(directory, params, field)
        return (
          <div key={field}>
            <dt title={field}>{column.name}</dt>
            {sides.map((side) => (
              <dd key={side} class={side === 'before' ? 'was bad' : 'is good'} dir="auto">
                <span class="visually-hidden">{side}: </span>
                {isNothing(values[side]) ? (
                  <span class="faint">empty</span>
                ) : (
                  <Cell column={column} value={values[side]} />
                )}
              </dd>
            ))}
          </div>
        )
      })}
    </dl>
  )
}

const openRecords = 3
const shownRecords = 25

export function RequestChanges({ entry }: { entry: JournalEntry }) {
  const { show, sandbox } = useConsole()
  const workspace = useDirectory().id || undefined
  const { changes, moreChanges = 0, params } = entry
  const more = changes.length - shownRecords + moreChanges
  return (
    <div class="changes">
      {changes.slice(0, shownRecords).map((change, index) => {
        const { resource, id, fields, change: kind } = change
        const viewState = kind === 'deleted' ? undefined : viewStateOf(change, params)
        const open = () => show('state', { ...viewState, workspace, ...scopeStateOf(sandbox) })
        return (
          <div key={index}>
            <Mark tone={tones[kind]}>
              {kind} {wordsOf(resource === 'timeEntries' ? 'timeEntry' : resource.replace(/s$/, ''))}{' '}
              {viewState ? <Button class="link" onClick={open} text={id} /> : id}
            </Mark>
            {fields && (
              <details open={index < openRecords}>
                <summary>{formatQuantity(fields.length, 'field')}</summary>
                <FieldChanges change={change} params={params} />
              </details>
            )}
          </div>
        )
      })}
      {more > 0 && <p class="faint">and {formatQuantity(more, 'more record')}, not shown</p>}
    </div>
  )
}

const shownRequests = 10

export function RecordHistory({ id }: { id: string }) {
  const { controls, sandbox, requests } = useConsole()
  const isOwn = (change: { readonly id: string }) => change.id === id
  const touching = requests.filter(({ changes }) => changes.some(isOwn)).length
  const read = () => controls.requests({ record: id, limit: shownRequests })
  const { value, failure } = useLoaded(read, [touching])
  if (!value) return <Failure message={failure} />
  if (value.length === 0) return <p class="faint">No request in the journal changed it.</p>
  const earlier = touching - value.length
  return (
    <ol class="history">
      {value.toReversed().map(({ id: at, status, method, operation, atMs, changes, params, ...entry }) => (
        <li key={at}>
          <p class="row">
            <StatusCode status={status} />
            <RequestChips requests={[{ id: at, sandbox }]} />
            {entry.console && <Mark>console</Mark>}
            <span class="aside">{`${method} ${operation ?? ''}, ${formatPreciseMoment(atMs)}`}</span>
          </p>
          {changes.filter(isOwn).map((change, index) => (
            <div key={index}>
              {change.change !== 'changed' && <p>{change.change}</p>}
              <FieldChanges change={change} params={params} />
            </div>
          ))}
        </li>
      ))}
      {earlier > 0 && <li class="faint">and {formatQuantity(earlier, 'earlier request')}</li>}
    </ol>
  )
}
