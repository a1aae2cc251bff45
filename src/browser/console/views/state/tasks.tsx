// The tasks of a list: a column for each status, and those that are deleted but not purged.
import { useState } from 'preact/hooks'
import { recoverySeconds } from '../../../../contract/limits.ts'
import type { Status } from '../../../../contract/lists.ts'
import type { TaskRecord } from '../../../../contract/tasks.ts'
import type { ListOverview } from '../../../../controls/inspect/inspect.ts'
import { countText, dateText, durationText } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import {
  memberName,
  useConsole,
  useDirectory,
  useLoaded,
  useViewState,
  useWorkspace,
} from '../../parts/context.ts'
import { Action } from '../../parts/controls.tsx'
import { Search, Select } from '../../parts/fields.tsx'
import { Dot, EmptyState, Failure, Mark } from '../../parts/blocks.tsx'
import { newRecord } from './record.tsx'
import { TaskLink, TaskPane } from './task-detail.tsx'

const cardsShown = 25

/** `isOpen`: whether the task is still to be done. */
function TaskCard({ task, isOpen }: { readonly task: TaskRecord; readonly isOpen: boolean }) {
  const { live } = useConsole()
  const directory = useDirectory()
  const [open, setOpen] = useViewState('task')
  const { nowMs } = live.overview.clock
  const names = task.assignees.map((id) => memberName(directory, id))
  const isLate = isOpen && task.due_date !== null && task.due_date * 1000 < nowMs
  return (
    <li class={`card ${open === task.id ? 'is-open' : ''}`}>
      <Button class="title" dir="auto" aria-expanded={open === task.id} onClick={() => setOpen(task.id)}>
        {task.title}
      </Button>
      <p class="facts">
        <code>{task.id}</code>
        {task.priority !== null && (
          <Mark tone={task.priority === 'urgent' ? 'bad' : task.priority === 'high' ? 'warn' : 'plain'}>
            {task.priority}
          </Mark>
        )}
        {task.due_date !== null && (
          <span class={isLate ? 'error-text' : ''} title={String(task.due_date)}>
            due {dateText(task.due_date * 1000)}
          </span>
        )}
        {task.repeat_config && <Mark>repeats {task.repeat_config.frequency ?? 'when done'}</Mark>}
        {names.length > 0 && <span>{names.join(', ')}</span>}
      </p>
    </li>
  )
}

function StatusColumn({ status, tasks }: { readonly status: Status; readonly tasks: readonly TaskRecord[] }) {
  const [shown, setShown] = useState(cardsShown)
  return (
    <section class="column" aria-label={status.name}>
      <h3>
        <Dot color={status.color} />
        {status.name} <span class="aside">{tasks.length}</span>
        <span class="aside type">{status.type}</span>
      </h3>
      <ul>
        {tasks.slice(0, shown).map((task) => (
          <TaskCard key={task.id} task={task} isOpen={status.type === 'active'} />
        ))}
      </ul>
      {tasks.length > shown && (
        <Button kind="quiet" onClick={() => setShown(shown + cardsShown)}>
          {Math.min(cardsShown, tasks.length - shown)} more of {tasks.length}
        </Button>
      )}
    </section>
  )
}

function DeletedTasks({ tasks }: { readonly tasks: readonly TaskRecord[] }) {
  const { live } = useConsole()
  if (tasks.length === 0) return null
  const { nowMs } = live.overview.clock
  return (
    <>
      <h3 class="section">Deleted; can be restored for 30 days</h3>
      <ul class="sheet item-list">
        {tasks.map((task) => (
          <li key={task.id}>
            <span class="what">
              <TaskLink {...task} /> <code class="aside">{task.id}</code>
            </span>
            <span class="aside">
              purged in{' '}
              {durationText(Math.max(0, (task.deleted_at ?? 0) * 1000 + recoverySeconds * 1000 - nowMs))}
            </span>
            <Action target={task.id} run={(controls) => controls.restoreTask(task.id)} done="Restored.">
              Restore
            </Action>
          </li>
        ))}
      </ul>
    </>
  )
}

const hasText = ({ id, title }: TaskRecord, text: string) =>
  `${id} ${title}`.toLowerCase().includes(text.trim().toLowerCase())

function Board({ list }: { readonly list: ListOverview }) {
  const { controls, live } = useConsole()
  const [text] = useViewState('q')
  const { value, failure } = useLoaded(() => controls.inspect.tasks(list.id), [live.overview])
  if (failure !== null) return <Failure message={failure} />
  if (!value) return <div class="boards" />
  const found = value.filter((task) => hasText(task, text))
  const { listed = [], deleted = [] } = Object.groupBy(found, ({ deleted_at }) =>
    deleted_at === null ? 'listed' : 'deleted',
  )
  return (
    <div class="boards">
      <div class="board" tabIndex={0} role="region" aria-label={`Tasks of ${list.name}`}>
        {list.statuses.map((status) => (
          <StatusColumn
            key={status.id}
            status={status}
            tasks={listed.filter(({ status_id }) => status_id === status.id)}
          />
        ))}
      </div>
      <DeletedTasks tasks={deleted} />
    </div>
  )
}

interface ListToolbarProps {
  readonly lists: readonly ListOverview[]
  readonly list: ListOverview
}

function ListToolbar({ lists, list }: ListToolbarProps) {
  const { go } = useConsole()
  return (
    <div class="toolbar">
      <Select
        label="List"
        empty={null}
        choices={lists.map(({ id, name, task_count, is_private, space_name }) => ({
          id,
          label: `${name}, ${countText(task_count, 'task')}${is_private ? ', private' : ''}`,
          group: space_name,
        }))}
        value={list.id}
        set={(id) => go({ list: id, task: undefined })}
      />
      <code class="aside">{list.id}</code>
      {list.is_private && <Mark tone="warn">private: the API responds with 404</Mark>}
      <Search label="Search the tasks" placeholder="Title or id …" />
      <span class="spacer" />
      <Button onClick={() => go({ list: list.id, task: newRecord })}>Add a task</Button>
    </div>
  )
}

export function Tasks() {
  const { controls, live, viewState } = useConsole()
  const { lists = [] } = useWorkspace() ?? {}
  const { task: open } = viewState
  const { value, failure } = useLoaded(
    async () => (open === undefined || open === newRecord ? null : controls.inspect.task(open)),
    [open, live.overview],
  )
  const detail = value?.task.id === open ? value : null
  const wanted = detail?.list.id ?? viewState.list
  const list =
    lists.find(({ id }) => id === wanted) ?? lists.toSorted((a, b) => b.task_count - a.task_count)[0]
  if (!list)
    return (
      <EmptyState title="This workspace has no list">
        <code>POST /spaces</code> makes a space with a list named Tasks.
      </EmptyState>
    )
  return (
    <div class="tasks">
      <ListToolbar lists={lists} list={list} />
      <div class={`split ${open === undefined ? '' : 'is-open'}`}>
        <Board key={list.id} list={list} />
        {open !== undefined && (
          <TaskPane
            key={open}
            id={open}
            list={open === newRecord ? { ...list, fields: [] } : detail?.list}
            detail={detail}
            failure={failure}
          />
        )}
      </div>
    </div>
  )
}
