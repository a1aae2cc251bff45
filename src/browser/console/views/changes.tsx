// What requests changed: at a request each record field by field, at a record its history by request.
import { Fragment, type ComponentChildren } from 'preact'
import type { Column } from '../../../contract/datatables.ts'
import type { WorkspaceOverview } from '../../../controls/inspect.ts'
import type { DetailedChange, FieldChange } from '../../../core/journal/changes.ts'
import type { JournalEntry } from '../../../core/journal/entry.ts'
import { countText, momentText, preciseTimeText, wordsOf } from '../format.ts'
import { useConsole } from '../parts/context.ts'
import { useLoaded } from '../parts/loaded.ts'
import { Failure, Mark, Status } from '../parts/marks.tsx'
import { Cell } from './state-cell.tsx'

/** Where a record can be opened. */
export interface Whereabouts {
  readonly sandbox: string | null
  readonly workspace: WorkspaceOverview | undefined
  /** Of the request that changed it. */
  readonly params: JournalEntry['params']
}

const owned: ReadonlySet<string> = new Set(['comments', 'timeEntries', 'attachments'])

/** The place of the record in the state; undefined for one that is not shown there. */
function placeOf({ resource, id }: DetailedChange, params: JournalEntry['params']) {
  if (resource === 'row') return { part: 'tables', table: params.tableId, row: id }
  if (resource === 'tasks') return { part: 'tasks', task: id }
  if (owned.has(resource)) return { part: 'tasks', task: params.taskId }
  if (resource === 'lists') return { part: 'tasks', list: id, task: undefined }
  return resource === 'jobs' ? { part: 'jobs' } : undefined
}

/** As messages have it. */
const nameOf = (resource: string) =>
  wordsOf(resource === 'timeEntries' ? 'timeEntry' : resource.replace(/s$/, ''))

function RecordName({ change, at }: { readonly change: DetailedChange; readonly at: Whereabouts }) {
  const { show, go } = useConsole()
  const place = placeOf(change, at.params)
  const isGone = change.change === 'deleted'
  const name = `${change.change} ${nameOf(change.resource)}`
  const open = () => {
    show('state')
    go({ ...place, workspace: at.workspace?.id, sandbox: at.sandbox ?? undefined })
  }
  return (
    <Mark tone={isGone ? 'bad' : change.change === 'created' ? 'good' : 'plain'}>
      {name}{' '}
      {place && !isGone ? (
        <button type="button" class="link" onClick={open}>
          {change.id}
        </button>
      ) : (
        change.id
      )}
    </Mark>
  )
}

const moments = /^(?:.*_at|date_start|date_end|due_date|repeat_since)$/
const shownCharacters = 600

function columnOf({ workspace, params }: Whereabouts, resource: string, field: string): Column | undefined {
  if (resource !== 'row' || !field.startsWith('data.')) return undefined
  const columns = workspace?.tables.find(({ id }) => id === params.tableId)?.columns
  return columns?.find(({ id }) => `data.${id}` === field)
}

function shown(value: unknown, field: string, at: Whereabouts): string {
  if (typeof value === 'number' && moments.test(field)) return momentText(value * 1000)
  const names = (id: unknown) => at.workspace?.members.find((member) => member.id === id)?.name ?? String(id)
  if (field === 'assignees' && Array.isArray(value)) return value.map(names).join(', ')
  if (field === 'status_id')
    return (
      at.workspace?.lists.flatMap(({ statuses }) => statuses).find(({ id }) => id === value)?.name ??
      String(value)
    )
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)} …` : text
}

const isNothing = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

interface FieldsProps {
  readonly change: DetailedChange
  readonly at: Whereabouts
}

function Fields({ change: { change, resource, fields }, at }: FieldsProps) {
  if (!fields) return null
  const isWhole = change !== 'changed'
  // The values of a row stand ahead of what the mock keeps of it.
  const isValue = ({ field }: FieldChange) => Number(resource === 'row' && field.startsWith('data.'))
  const listed = fields
    .filter(({ before, after }) => !isWhole || !isNothing(before ?? after))
    .sort((a, b) => isValue(b) - isValue(a))
  if (listed.length === 0) return <p class="none">With the values that it had.</p>
  const side = (value: unknown, { field }: FieldChange): ComponentChildren => {
    if (isNothing(value)) return <span class="none">nothing</span>
    const column = columnOf(at, resource, field)
    return column && at.workspace ? (
      <Cell column={column} value={value} workspace={at.workspace} />
    ) : (
      shown(value, field, at)
    )
  }
  return (
    <dl class={`diff ${isWhole ? 'is-whole' : ''}`}>
      {listed.map((each) => (
        <div key={each.field}>
          <dt title={each.field}>
            {columnOf(at, resource, each.field)?.name ?? each.field.replace('custom_data.', '')}
          </dt>
          {change !== 'created' && (
            <dd class="was">
              <span class="unseen">before: </span>
              {side(each.before, each)}
            </dd>
          )}
          {change !== 'deleted' && (
            <dd class="is">
              <span class="unseen">after: </span>
              {side(each.after, each)}
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

/** Records that are shown with their fields open. */
const openRecords = 3
const shownRecords = 25

export function Changes({ entry, at }: { readonly entry: JournalEntry; readonly at: Whereabouts }) {
  const { changes, moreChanges = 0 } = entry
  const more = changes.length - shownRecords + moreChanges
  return (
    <div class="changes">
      {changes.slice(0, shownRecords).map((change, index) => {
        const key = `${String(index)} ${change.id}`
        return (
          <div key={key}>
            <RecordName change={change} at={at} />
            {index < openRecords ? (
              <Fields change={change} at={at} />
            ) : (
              change.fields && (
                <details>
                  <summary>{countText(change.fields.length, 'field')}</summary>
                  <Fields change={change} at={at} />
                </details>
              )
            )}
          </div>
        )
      })}
      {more > 0 && <p class="none">and {countText(more, 'more record')}, not shown</p>}
    </div>
  )
}

const shownRequests = 10

/** The requests that changed a record, newest first. */
export function History({ id, workspace }: { readonly id: string; readonly workspace: WorkspaceOverview }) {
  const { controls, sandbox, live, openEntry } = useConsole()
  const touching = live.lines.filter(
    (line) => line.sandbox === sandbox && line.changes.some((change) => change.id === id),
  ).length
  const { value, failure } = useLoaded(
    () => controls.requests({ record: id, limit: shownRequests }),
    [controls, id, touching],
  )
  if (failure !== null) return <Failure>{failure}</Failure>
  if (!value) return null
  if (value.length === 0)
    return (
      <p class="none">No request in the journal changed it: it is of the fixture, a job or the console.</p>
    )
  return (
    <ol class="history">
      {value.toReversed().map((entry) => (
        <li key={entry.id}>
          <p class="row">
            <Status status={entry.status} />
            <button type="button" class="link" onClick={() => openEntry({ id: entry.id, sandbox })}>
              Request {entry.id}
            </button>
            <span class="aside">
              {entry.method} {entry.operation}, {momentText(entry.atMs).slice(0, 10)}{' '}
              {preciseTimeText(entry.atMs)}
            </span>
          </p>
          {entry.changes
            .filter((change) => change.id === id)
            .map((change, index) => (
              <Fragment key={index}>
                {change.change !== 'changed' && <p>{change.change}</p>}
                <Fields change={change} at={{ sandbox, workspace, params: entry.params }} />
              </Fragment>
            ))}
        </li>
      ))}
      {touching > value.length && (
        <li class="none">and {countText(touching - value.length, 'earlier request')}</li>
      )}
    </ol>
  )
}
