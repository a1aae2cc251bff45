// What requests changed: of a request each record field by field, of a record its history by request.
import { type ComponentChildren, Fragment } from 'preact'
import type { Column } from '../../../../contract/datatables.ts'
import type { DetailedChange, FieldChange } from '../../../../core/journal/changes.ts'
import type { JournalEntry } from '../../../../core/journal/entry.ts'
import { countText, momentText, preciseMomentText, wordsOf } from '../../format.ts'
import { type Directory, memberName, useConsole, useDirectory, useLoaded } from '../../parts/context.ts'
import { Button } from '../../parts/button.tsx'
import { scopeState, useScope } from '../../parts/scope.tsx'
import { Failure, Mark, StatusCode } from '../../parts/blocks.tsx'
import { Cell, plainText } from '../state/cell.tsx'

type Params = JournalEntry['params']

/** The view state that shows a record; undefined if there is none. */
function viewStateOf({ resource, id }: DetailedChange, params: Params) {
  if (resource === 'row') return { part: 'tables', table: params.tableId, row: id }
  if (resource === 'tasks') return { part: 'tasks', task: id }
  if (['comments', 'timeEntries', 'attachments'].includes(resource))
    return { part: 'tasks', task: params.taskId }
  if (resource === 'lists') return { part: 'tasks', list: id, task: undefined }
  return resource === 'jobs' ? { part: 'jobs' } : undefined
}

/** A resource in words. */
const nameOf = (resource: string) =>
  wordsOf(resource === 'timeEntries' ? 'timeEntry' : resource.replace(/s$/, ''))

/** `params` are those of the request that made the change. */
interface ChangeProps {
  readonly change: DetailedChange
  readonly params: Params
}

function RecordName({ change, params }: ChangeProps) {
  const { show, sandbox } = useConsole()
  const { id: workspace } = useDirectory()
  const viewState = viewStateOf(change, params)
  const isGone = change.change === 'deleted'
  const name = `${change.change} ${nameOf(change.resource)}`
  const open = () =>
    show('state', { ...viewState, workspace: workspace || undefined, ...scopeState(sandbox) })
  return (
    <Mark tone={isGone ? 'bad' : change.change === 'created' ? 'good' : 'plain'}>
      {name}{' '}
      {viewState && !isGone ? (
        <Button class="link" onClick={open}>
          {change.id}
        </Button>
      ) : (
        change.id
      )}
    </Mark>
  )
}

const moments = /^(?:.*_at|date_start|date_end|due_date|repeat_since)$/
const shownCharacters = 600

function columnOf({ tables }: Directory, { tableId }: Params, field: string): Column | undefined {
  if (!field.startsWith('data.')) return undefined
  return tables.find(({ id }) => id === tableId)?.columns.find(({ id }) => `data.${id}` === field)
}

function shown(value: unknown, field: string, directory: Directory): string {
  if (typeof value === 'number' && moments.test(field)) return momentText(value * 1000)
  if (field === 'assignees' && Array.isArray(value))
    return value.map((id) => memberName(directory, id)).join(', ')
  const statuses = field === 'status_id' ? directory.lists.flatMap((list) => list.statuses) : []
  const text = statuses.find(({ id }) => id === value)?.name ?? plainText(value)
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)} …` : text
}

const isNothing = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

function FieldChanges({ change: { change, resource, fields }, params }: ChangeProps) {
  const directory = useDirectory()
  if (!fields) return null
  const isWhole = change !== 'changed'
  // The values of a row come before its other fields.
  const isValue = ({ field }: FieldChange) => Number(resource === 'row' && field.startsWith('data.'))
  const listed = fields
    .filter(({ before, after }) => !isWhole || !isNothing(before ?? after))
    .sort((a, b) => isValue(b) - isValue(a))
  if (listed.length === 0)
    return <p class="faint">{isWhole ? 'All fields are empty.' : 'No field changed.'}</p>
  const side = (value: unknown, { field }: FieldChange): ComponentChildren => {
    if (isNothing(value)) return <span class="faint">empty</span>
    const column = columnOf(directory, params, field)
    return column ? <Cell column={column} value={value} /> : shown(value, field, directory)
  }
  return (
    <dl class={`diff ${isWhole ? 'is-whole' : ''}`}>
      {listed.map((each) => (
        <div key={each.field}>
          <dt title={each.field}>
            {columnOf(directory, params, each.field)?.name ?? each.field.replace('custom_data.', '')}
          </dt>
          {change !== 'created' && (
            <dd class="was bad">
              <span class="visually-hidden">before: </span>
              {side(each.before, each)}
            </dd>
          )}
          {change !== 'deleted' && (
            <dd class="is good">
              <span class="visually-hidden">after: </span>
              {side(each.after, each)}
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

/** The number of records whose fields are open at first. */
const openRecords = 3
const shownRecords = 25

export function RequestChanges({ entry }: { readonly entry: JournalEntry }) {
  const { changes, moreChanges = 0, params } = entry
  const more = changes.length - shownRecords + moreChanges
  return (
    <div class="changes">
      {changes.slice(0, shownRecords).map((change, index) => {
        const key = `${String(index)} ${change.id}`
        return (
          <div key={key}>
            <RecordName change={change} params={params} />
            {index < openRecords ? (
              <FieldChanges change={change} params={params} />
            ) : (
              change.fields && (
                <details>
                  <summary>{countText(change.fields.length, 'field')}</summary>
                  <FieldChanges change={change} params={params} />
                </details>
              )
            )}
          </div>
        )
      })}
      {more > 0 && <p class="faint">and {countText(more, 'more record')}, not shown</p>}
    </div>
  )
}

const shownRequests = 10

/** The requests that changed a record, newest first. */
export function RecordHistory({ id }: { readonly id: string }) {
  const { controls, sandbox, openEntry } = useConsole()
  const touching = useScope().requests.filter(({ changes }) =>
    changes.some((change) => change.id === id),
  ).length
  const { value, failure } = useLoaded(
    () => controls.requests({ record: id, limit: shownRequests }),
    [touching],
  )
  if (!value) return <Failure message={failure} />
  if (value.length === 0)
    return (
      <p class="faint">
        No request in the journal changed it: it comes from the fixture, a job or the console.
      </p>
    )
  return (
    <ol class="history">
      {value.toReversed().map((entry) => (
        <li key={entry.id}>
          <p class="row">
            <StatusCode status={entry.status} />
            <Button class="link" onClick={() => openEntry({ id: entry.id, sandbox })}>
              Request {entry.id}
            </Button>
            <span class="aside">
              {entry.method} {entry.operation}, {preciseMomentText(entry.atMs)}
            </span>
          </p>
          {entry.changes
            .filter((change) => change.id === id)
            .map((change, index) => (
              <Fragment key={index}>
                {change.change !== 'changed' && <p>{change.change}</p>}
                <FieldChanges change={change} params={entry.params} />
              </Fragment>
            ))}
        </li>
      ))}
      {touching > value.length && (
        <li class="faint">and {countText(touching - value.length, 'earlier request')}</li>
      )}
    </ol>
  )
}
