// One task: its fields to edit, what belongs to it, how it repeats, and its history.
import type { ComponentChildren } from 'preact'
import { priorities } from '../../../contract/tasks.ts'
import type { TaskDetail } from '../../../controls/inspect-task.ts'
import type { WorkspaceOverview } from '../../../controls/inspect.ts'
import type { Column } from '../../../contract/datatables.ts'
import { dateText, durationText, momentText, sizeText } from '../format.ts'
import { useConsole, usePlace } from '../parts/context.ts'
import { Json } from '../parts/json.tsx'
import { Failure, Mark } from '../parts/marks.tsx'
import { RecordForm, RecordPane } from '../parts/record-form.tsx'
import type { Editable } from '../parts/value-editor.tsx'
import { History } from './changes.tsx'
import { Cell } from './state-cell.tsx'

/** In the place of a task's id: a task to be added. */
export const newTask = 'new'

/** A field of a task or one of its list. */
type TaskField = Editable & Partial<Pick<Column, 'currency_code'>>

/** Ahead of the ids of custom fields, which can be those of other fields. */
const customPrefix = 'custom_data.'

const labelled = (ids: readonly string[]) => ids.map((id) => ({ id, label: id }))

const ownFields = (list: TaskDetail['list']): readonly TaskField[] => [
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

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** `weekly on Monday at 08:00, until 2026-03-01`. */
function repeatText(repeat: NonNullable<TaskDetail['task']['repeat_config']>): string {
  if (repeat.trigger === 'on_complete') return 'whenever it is done'
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

function Part({
  title,
  count,
  children,
}: {
  readonly title: string
  readonly count?: number
  readonly children: ComponentChildren
}) {
  if (count === 0) return null
  return (
    <section class="block">
      <h4>
        {title} <span class="aside">{count}</span>
      </h4>
      {children}
    </section>
  )
}

interface DetailProps {
  readonly detail: TaskDetail
  readonly workspace: WorkspaceOverview
}

function TaskLink({ id, title }: { readonly id: string; readonly title: string }) {
  const [, setOpen] = usePlace('task')
  return (
    <button type="button" class="link" onClick={() => setOpen(id)}>
      {title}
    </button>
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
  <p class="said">{typeof content === 'string' ? content : documentText(content).trimEnd()}</p>
)

function Belongings({ detail, workspace }: DetailProps) {
  const { comments, timeEntries, attachments, subtasks, task, parent, repeatsMs } = detail
  const nameOf = (id: string) => workspace.members.find((member) => member.id === id)?.name ?? id
  return (
    <>
      {task.description !== null && <Part title="Description">{textOf(task.description)}</Part>}
      {parent && (
        <Part title="Part of">
          <TaskLink {...parent} />
        </Part>
      )}
      <Part title="Subtasks" count={subtasks.length}>
        <ul>
          {subtasks.map((subtask) => (
            <li key={subtask.id}>
              <TaskLink {...subtask} />
            </li>
          ))}
        </ul>
      </Part>
      {task.repeat_config && (
        <Part title="Repeats">
          <p>
            {repeatText(task.repeat_config)}
            {repeatsMs !== null && <span class="aside"> next on {momentText(repeatsMs)} UTC</span>}
          </p>
        </Part>
      )}
      <Part title="Comments" count={comments.length}>
        <ul class="comments">
          {comments.map(({ id, author_id, content, created_at, updated_at }) => (
            <li key={id}>
              <p class="aside">
                <b>{nameOf(author_id)}</b> {momentText(created_at * 1000)}
                {updated_at !== null && ', edited'} <code>{id}</code>
              </p>
              {textOf(content)}
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Time entries" count={timeEntries.length}>
        <table class="grid compact">
          <thead>
            <tr>
              <th scope="col">Who</th>
              <th scope="col">Start</th>
              <th scope="col" class="number">
                Time
              </th>
            </tr>
          </thead>
          <tbody>
            {timeEntries.map(({ id, user_id, date_start, duration, is_running, billable, note }) => (
              <tr key={id} title={id}>
                <td>
                  {nameOf(user_id)}
                  {note !== '' && <p class="aside">{note}</p>}
                </td>
                <td>{momentText(date_start * 1000).slice(0, -3)}</td>
                <td class="number">
                  {is_running ? <Mark tone="accent">running</Mark> : durationText(duration * 1000)}
                  {billable ? <p class="aside">billable</p> : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Part>
      <Part title="Attachments" count={attachments.length}>
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
      </Part>
    </>
  )
}

/** A task that is open; `detail` of a new one has its list alone. */
export function TaskPane({
  list,
  detail,
  failure,
  workspace,
}: {
  readonly list: TaskDetail['list'] | undefined
  readonly detail: TaskDetail | null
  readonly failure: string | null
  readonly workspace: WorkspaceOverview
}) {
  const { controls, live, act } = useConsole()
  const [id, setOpen] = usePlace('task')
  const task = detail?.task
  const custom = Object.entries(detail?.customData ?? {}).map(
    ([name, value]) => [customPrefix + name, value] as const,
  )
  const values = { ...task, ...Object.fromEntries(custom) }
  const save = async (changed: Readonly<Record<string, unknown>>) => {
    const entries = Object.entries(changed)
    const isCustom = ([name]: readonly [string, unknown]) => name.startsWith(customPrefix)
    const customData = entries
      .filter(isCustom)
      .map(([name, value]) => [name.slice(customPrefix.length), value])
    const given = {
      ...Object.fromEntries(entries.filter((entry) => !isCustom(entry))),
      ...(customData.length > 0 && { custom_data: Object.fromEntries(customData) as object }),
    }
    if (!task)
      return act(async () => {
        const created = await controls.db.create('tasks', { values: { list_id: list?.id, ...given } })
        setOpen((created as { readonly id: string }).id)
      }, 'Task added.')
    // As a member does it in the product.
    const record = { ...given, updated_at: live.overview?.clock.now }
    return act(() => controls.db.change('tasks', id, { values: record }), 'Saved.')
  }
  const remove = () =>
    void act(async () => {
      await controls.db.remove('tasks', id, {})
      setOpen(undefined, false)
    }, 'Task removed.')
  return (
    <RecordPane
      title={task ? task.title : id === newTask ? `New task of ${list?.name ?? ''}` : id}
      aside={task && <code>{task.id}</code>}
      close={() => setOpen(undefined)}
      {...(task && { remove })}
    >
      {failure !== null && <Failure>{failure}</Failure>}
      {task?.deleted_at != null && <p class="notes">Deleted; it can be restored below the board.</p>}
      {list && (
        <RecordForm
          fields={[
            ...ownFields(list),
            ...list.fields.map((field) => ({ ...field, id: customPrefix + field.id })),
          ]}
          values={values}
          workspace={workspace}
          save={save}
          show={(field, shown) => (
            <Cell column={field as Column} value={shown} workspace={workspace} links={detail?.links} />
          )}
        />
      )}
      {detail && (
        <>
          <Belongings detail={detail} workspace={workspace} />
          <Part title="History">
            <History id={detail.task.id} workspace={workspace} />
          </Part>
          <details class="block">
            <summary>As it is stored</summary>
            <Json value={detail.task} label={`Task ${detail.task.id}`} />
          </details>
        </>
      )}
    </RecordPane>
  )
}
