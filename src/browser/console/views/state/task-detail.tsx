// An open task: its fields, related records, and how it repeats.
import { priorities } from '../../../../contract/limits.ts'
import type { TaskDetail } from '../../../../controls/inspect/task.ts'
import { dateText, durationText, momentText, sizeText, weekdays } from '../../format.ts'
import { memberName, useDirectory, useViewState } from '../../parts/context.ts'
import { Button } from '../../parts/button.tsx'
import { labelled } from '../../parts/fields.tsx'
import { Block, Mark, Table } from '../../parts/blocks.tsx'
import type { Editable } from '../../parts/record-form.tsx'
import { newRecord, RecordPane } from './record.tsx'

/** Precedes the ids of custom fields, which could equal the names of other fields. */
const customPrefix = 'custom_data.'

const ownFields = (list: TaskDetail['list']): readonly Editable[] => [
  { id: 'title', name: 'Title', type: 'text' },
  {
    id: 'status_id',
    name: 'Status',
    type: 'dropdown',
    options: list.statuses.map(({ id, name }) => ({ id, label: name })),
  },
  { id: 'priority', name: 'Priority', type: 'dropdown', options: labelled(priorities) },
  { id: 'due_date', name: 'Due', type: 'date' },
  { id: 'date_start', name: 'Start', type: 'date' },
  { id: 'time_estimate', name: 'Estimate in minutes', type: 'number' },
  { id: 'assignees', name: 'Assignees', type: 'people' },
]

/** `weekly on Monday at 08:00, until 2026-03-01`. */
function repeatText(repeat: NonNullable<TaskDetail['task']['repeat_config']>): string {
  if (repeat.trigger === 'on_complete') return 'when it is completed'
  const { frequency = '', day_of_week: weekday, day_of_month: day, time, end_date: end } = repeat
  return [
    frequency,
    weekday !== undefined && `on ${weekdays[weekday] ?? String(weekday)}`,
    day !== undefined && `on day ${String(day)}`,
    time !== undefined && `at ${time}`,
    end !== undefined && `until ${dateText(end * 1000)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

export function TaskLink({ id, title }: { readonly id: string; readonly title: string }) {
  const [, setOpen] = useViewState('task')
  return (
    <Button class="link" onClick={() => setOpen(id)}>
      {title}
    </Button>
  )
}

/** A part of a text document. */
interface DocumentNode {
  readonly type?: string
  readonly text?: string
  readonly content?: readonly DocumentNode[]
}

const blocks: ReadonlySet<string | undefined> = new Set(['paragraph', 'heading', 'listItem', 'blockquote'])

/** The text of a document, a paragraph a line. */
function documentText({ type, text, content }: DocumentNode): string {
  const inner = text ?? (Array.isArray(content) ? content.map(documentText).join('') : '')
  return blocks.has(type) && !inner.endsWith('\n') ? `${inner}\n` : inner
}

const textOf = (content: string | object) => (
  <p class="prose">{typeof content === 'string' ? content : documentText(content).trimEnd()}</p>
)

function Comments({ comments }: Pick<TaskDetail, 'comments'>) {
  const directory = useDirectory()
  return (
    <Block title="Comments" count={comments.length}>
      <ul class="comments">
        {comments.map(({ id, author_id, content, created_at, updated_at }) => (
          <li key={id}>
            <p class="aside">
              <b>{memberName(directory, author_id)}</b> {momentText(created_at * 1000)}
              {updated_at !== null && ', edited'} <code>{id}</code>
            </p>
            {textOf(content)}
          </li>
        ))}
      </ul>
    </Block>
  )
}

function TimeEntries({ timeEntries }: Pick<TaskDetail, 'timeEntries'>) {
  const directory = useDirectory()
  return (
    <Block title="Time entries" count={timeEntries.length}>
      <Table class="compact" heads={['Who', 'Start', 'Time']}>
        {timeEntries.map(({ id, user_id, date_start, duration, is_running, billable, note }) => (
          <tr key={id} title={id}>
            <td>
              {memberName(directory, user_id)}
              {note !== '' && <p class="aside">{note}</p>}
            </td>
            <td>{momentText(date_start * 1000).slice(0, -3)}</td>
            <td class="number">
              {is_running ? <Mark tone="accent">running</Mark> : durationText(duration * 1000)}
              {billable ? <p class="aside">billable</p> : null}
            </td>
          </tr>
        ))}
      </Table>
    </Block>
  )
}

function RelatedRecords({ detail }: { readonly detail: TaskDetail }) {
  const { comments, timeEntries, attachments, subtasks, task, parent, repeatsMs } = detail
  return (
    <>
      {task.description !== null && <Block title="Description">{textOf(task.description)}</Block>}
      {parent && (
        <Block title="Parent task">
          <TaskLink {...parent} />
        </Block>
      )}
      <Block title="Subtasks" count={subtasks.length}>
        <ul>
          {subtasks.map((subtask) => (
            <li key={subtask.id}>
              <TaskLink {...subtask} />
            </li>
          ))}
        </ul>
      </Block>
      {task.repeat_config && (
        <Block title="Repeats">
          <p>
            {repeatText(task.repeat_config)}
            {repeatsMs !== null && <span class="aside"> next on {momentText(repeatsMs)} UTC</span>}
          </p>
        </Block>
      )}
      <Comments comments={comments} />
      <TimeEntries timeEntries={timeEntries} />
      <Block title="Attachments" count={attachments.length}>
        <ul>
          {attachments.map(({ id, filename, mime_type, size_bytes }) => (
            <li key={id} title={id}>
              {filename}{' '}
              <span class="aside">
                {mime_type}, {sizeText(size_bytes)}
              </span>
            </li>
          ))}
        </ul>
      </Block>
    </>
  )
}

/** What was entered, with the custom fields in their own object. */
function taskValues(entered: Readonly<Record<string, unknown>>) {
  const { own = [], custom = [] } = Object.groupBy(Object.entries(entered), ([name]) =>
    name.startsWith(customPrefix) ? 'custom' : 'own',
  )
  const customData = custom.map(([name, value]) => [name.slice(customPrefix.length), value] as const)
  return {
    ...Object.fromEntries(own),
    ...(custom.length > 0 && { custom_data: Object.fromEntries(customData) }),
  }
}

interface TaskPaneProps {
  readonly id: string
  readonly list: TaskDetail['list'] | undefined
  /** Null for a task to be added, and until it is known. */
  readonly detail: TaskDetail | null
  readonly failure: string | null
}

export function TaskPane({ id, list, detail, failure }: TaskPaneProps) {
  const task = detail?.task
  const custom = Object.entries(detail?.customData ?? {})
  const fields: readonly Editable[] | undefined = list && [
    ...ownFields(list),
    ...list.fields.map((field) => ({ ...field, id: customPrefix + field.id })),
  ]
  return (
    <RecordPane
      kind="task"
      id={id}
      title={task ? task.title : id === newRecord ? `New task of ${list?.name ?? ''}` : id}
      aside={task && <code>{id}</code>}
      failure={failure}
      note={task?.deleted_at == null ? undefined : 'Deleted; it can be restored below the board.'}
      fields={fields}
      values={{ ...task, ...Object.fromEntries(custom.map(([name, value]) => [customPrefix + name, value])) }}
      json={task}
      links={detail?.links}
      written={(entered) => ({ ...taskValues(entered), ...(!task && { list_id: list?.id }) })}
    >
      {detail && <RelatedRecords detail={detail} />}
    </RecordPane>
  )
}
