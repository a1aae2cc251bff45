// An open task: its fields, related records, and how it repeats.
import type { ComponentChildren } from 'preact'
import { priorities } from '../../../../contract/limits.ts'
import type { Column } from '../../../../contract/datatables.ts'
import type { TaskRecord } from '../../../../contract/tasks.ts'
import type { TaskDetail } from '../../../../adapters/control-api/inspect.ts'
import { formatDate, formatDuration, formatInZone, formatMoment, formatSize, weekdays } from '../../format.ts'
import { Block } from '../../parts/blocks.tsx'
import {
  nameOfMember,
  useConsole,
  useDirectory,
  useLoaded,
  useParam,
  useWorkspace,
} from '../../parts/context.ts'
import { Button } from '../../parts/controls.tsx'
import { toChoices } from '../../parts/fields.tsx'
import { newRecord, RecordPane, taskRequests } from './record.tsx'

type TaskList = Pick<TaskDetail['list'], 'name' | 'id' | 'statuses' | 'fields'>

/** Prefix for the ids of custom fields, which may equal the names of other fields. */
const customPrefix = 'custom_data.'

/** The fields of a task that a member edits, as columns. */
export const fieldsOf = ({ statuses, fields }: TaskList): readonly Column[] =>
  [
    { id: 'title', name: 'Title', type: 'text' },
    {
      id: 'status_id',
      name: 'Status',
      type: 'dropdown',
      options: statuses.map(({ name, ...status }) => ({ ...status, label: name })),
    },
    { id: 'priority', name: 'Priority', type: 'dropdown', options: toChoices(priorities) },
    { id: 'due_date', name: 'Due', type: 'date' },
    { id: 'date_start', name: 'Start', type: 'date' },
    { id: 'time_estimate', name: 'Estimate in minutes', type: 'number' },
    { id: 'assignees', name: 'Assignees', type: 'people' },
    ...fields.map((field) => ({ ...field, id: customPrefix + field.id })),
  ] as readonly Column[]

export const valueOfTask = (task: TaskRecord, { id }: Column): unknown =>
  id.startsWith(customPrefix) ? task.custom_data[id.slice(customPrefix.length)] : Reflect.get(task, id)

/** `weekly on Monday at 08:00, until 2026-03-01`. */
function describeRepeat(repeat: NonNullable<TaskDetail['task']['repeat_config']>): string {
  if (repeat.trigger === 'on_complete') return 'when it is completed'
  const { frequency, day_of_week: weekday, day_of_month: day, time, end_date: end } = repeat
  const parts = [
    frequency,
    weekday !== undefined && `on ${weekdays[weekday] ?? String(weekday)}`,
    day !== undefined && `on day ${String(day)}`,
    time !== undefined && `at ${time}`,
    end !== undefined && `until ${formatDate(end * 1000)}`,
  ]
  return parts.filter(Boolean).join(' ')
}

type DocumentNode = Readonly<{ type?: string; text?: string; content?: readonly DocumentNode[] }>

const blocks: ReadonlySet<string | undefined> = new Set(['paragraph', 'heading', 'listItem', 'blockquote'])

/** The text of a document, one line per paragraph. */
function textOfDocument({ type, text, content }: DocumentNode): string {
  const inner = text ?? (Array.isArray(content) ? content.map(textOfDocument).join('') : '')
  return blocks.has(type) && !inner.endsWith('\n') ? `${inner}\n` : inner
}

const toPlainText = (text: string | object) =>
  typeof text === 'string' ? text : textOfDocument(text).trimEnd()

/** A related record: its id, what it is, facts about it, and its text. */
type RelatedItem = readonly [id: string, what: ComponentChildren, facts: readonly unknown[], text?: string]

const formatMinute = (seconds: number) => formatMoment(seconds * 1000).slice(0, -3)

function RelatedRecords({ detail }: { detail: TaskDetail }) {
  const { task, repeatsMs, comments, timeEntries, attachments, subtasks, parent } = detail
  const { description, repeat_config: repeat } = task
  const { set: open } = useParam('task')
  const directory = useDirectory()
  const { timezone = 'UTC' } = useWorkspace() ?? {}
  const toLink = ({ id, title }: TaskDetail['subtasks'][number]) =>
    [id, <Button class="link" onClick={() => open(id)} text={title} />, []] as const
  const related: Record<string, readonly RelatedItem[]> = {
    'Parent task': parent ? [toLink(parent)] : [],
    Subtasks: subtasks.map(toLink),
    Comments: comments.map(({ id, author_id, content, created_at, updated_at }) => {
      const facts = [formatMinute(created_at), updated_at !== null && 'edited', id]
      return [id, nameOfMember(directory, author_id), facts, toPlainText(content)]
    }),
    'Time entries': timeEntries.map(({ id, user_id, date_start, duration, is_running, billable, note }) => {
      const length = is_running ? 'running' : formatDuration(duration * 1000)
      const facts = [formatMinute(date_start), length, billable && 'billable']
      return [id, nameOfMember(directory, user_id), facts, note]
    }),
    Attachments: attachments.map(({ id, filename, mime_type, size_bytes }) => {
      return [id, filename, [mime_type, formatSize(size_bytes)]]
    }),
  }
  return (
    <>
      {description !== null && (
        <Block title="Description">
          <p class="prose">{toPlainText(description)}</p>
        </Block>
      )}
      {repeat && (
        <Block title="Repeats">
          <p>
            {describeRepeat(repeat)}
            {repeatsMs !== null && (
              <span class="aside">
                {' next on '}
                {timezone !== 'UTC' && `${formatInZone(repeatsMs, timezone)}, `}
                {formatMoment(repeatsMs)} UTC
              </span>
            )}
          </p>
        </Block>
      )}
      {Object.entries(related).map(([title, items]) => (
        <Block key={title} title={title} count={items.length}>
          <ul class="comments">
            {items.map(([id, what, facts, text = '']) => (
              <li key={id} title={id}>
                <b>{what}</b> <span class="aside">{facts.filter(Boolean).join(', ')}</span>
                {text !== '' && <p class="prose">{text}</p>}
              </li>
            ))}
          </ul>
        </Block>
      ))}
    </>
  )
}

/** The body that writes values, with the custom fields in their own object. */
export function toTaskBody(entered: Readonly<Record<string, unknown>>) {
  const { own = [], custom = [] } = Object.groupBy(Object.entries(entered), ([name]) =>
    name.startsWith(customPrefix) ? 'custom' : 'own',
  )
  const customData = custom.map(([name, value]) => [name.slice(customPrefix.length), value] as const)
  const custom_data = Object.fromEntries(customData)
  return { ...Object.fromEntries(own), ...(custom.length > 0 && { custom_data }) }
}

/** @param list the shown list, to which a new task is added */
export function TaskPane({ id, list }: { id: string; list: TaskList }) {
  const { controls, live } = useConsole()
  const isNew = id === newRecord
  const read = async () => (isNew ? null : controls.inspect.task(id))
  const { value: detail, failure } = useLoaded(read, [live.overview])
  const task = detail?.task
  const initial = { title: '', status_id: list.statuses[0]?.id, assignees: [] }
  const customData = Object.entries(detail?.customData ?? {})
  const custom = customData.map(([name, value]) => [customPrefix + name, value] as const)
  return (
    <RecordPane
      {...{ kind: 'task', id, failure, json: task, links: detail?.links }}
      title={task ? task.title : isNew ? `New task of ${list.name}` : id}
      aside={task && <code>{id}</code>}
      note={task?.deleted_at == null ? undefined : 'Deleted; use Restore in its row to bring it back.'}
      fields={fieldsOf(detail?.list ?? list)}
      values={isNew ? initial : { ...task, ...Object.fromEntries(custom) }}
      requests={taskRequests(list.id)}
      toBody={toTaskBody}
    >
      {detail && <RelatedRecords detail={detail} />}
    </RecordPane>
  )
}
