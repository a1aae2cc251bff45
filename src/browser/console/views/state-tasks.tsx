// The tasks of a list: a column for each status, and those that are deleted but not gone.
import { recoverySeconds } from '../../../contract/limits.ts'
import { useState } from 'preact/hooks'
import type { Status } from '../../../contract/lists.ts'
import type { ListOverview, WorkspaceOverview } from '../../../controls/inspect.ts'
import type { TaskRecord } from '../../../contract/tasks.ts'
import { countText, dateText, durationText } from '../format.ts'
import { useConsole, usePlace } from '../parts/context.ts'
import { Button, typed } from '../parts/controls.tsx'
import { useLoaded } from '../parts/loaded.ts'
import { Empty, Failure, Mark } from '../parts/marks.tsx'
import { useStateMark } from './state-tables.tsx'
import { newTask, TaskPane } from './task-detail.tsx'

const cardsShown = 25

function Card({
  task,
  isOpen,
  workspace,
  nowMs,
}: {
  readonly task: TaskRecord
  /** Whether it is still to be done. */
  readonly isOpen: boolean
  readonly workspace: WorkspaceOverview
  readonly nowMs: number
}) {
  const [open, setOpen] = usePlace('task')
  const names = task.assignees.map((id) => workspace.members.find((member) => member.id === id)?.name ?? id)
  const isLate = isOpen && task.due_date !== null && task.due_date * 1000 < nowMs
  return (
    <li class={`card ${open === task.id ? 'is-open' : ''}`}>
      <button type="button" class="title" aria-expanded={open === task.id} onClick={() => setOpen(task.id)}>
        {task.title}
      </button>
      <p class="facts">
        <code>{task.id}</code>
        {task.priority !== null && (
          <Mark tone={task.priority === 'urgent' ? 'bad' : task.priority === 'high' ? 'warn' : 'plain'}>
            {task.priority}
          </Mark>
        )}
        {task.due_date !== null && (
          <span class={isLate ? 'late' : ''} title={String(task.due_date)}>
            due {dateText(task.due_date * 1000)}
          </span>
        )}
        {task.repeat_config && <Mark>repeats {task.repeat_config.frequency ?? 'when done'}</Mark>}
        {names.length > 0 && <span>{names.join(', ')}</span>}
      </p>
    </li>
  )
}

function StatusColumn({
  status,
  tasks,
  workspace,
}: {
  readonly status: Status
  readonly tasks: readonly TaskRecord[]
  readonly workspace: WorkspaceOverview
}) {
  const { live } = useConsole()
  const [shown, setShown] = useState(cardsShown)
  return (
    <section class="column" aria-label={status.name}>
      <h3>
        <svg viewBox="0 0 8 8" aria-hidden="true">
          <circle cx="4" cy="4" r="4" fill={status.color} />
        </svg>
        {status.name} <span class="aside">{tasks.length}</span>
        <span class="aside type">{status.type}</span>
      </h3>
      <ul>
        {tasks.slice(0, shown).map((task) => (
          <Card
            key={task.id}
            task={task}
            isOpen={status.type === 'active'}
            workspace={workspace}
            nowMs={live.overview?.clock.nowMs ?? 0}
          />
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

function Deleted({ tasks }: { readonly tasks: readonly TaskRecord[] }) {
  const { live, controls, act } = useConsole()
  const [, setOpen] = usePlace('task')
  if (tasks.length === 0) return null
  const nowMs = live.overview?.clock.nowMs ?? 0
  return (
    <>
      <h3 class="section">Deleted, and to be recovered for 30 days</h3>
      <ul class="sheet fault-list">
        {tasks.map((task) => (
          <li key={task.id}>
            <span class="what">
              <button type="button" class="link" onClick={() => setOpen(task.id)}>
                {task.title}
              </button>{' '}
              <code class="aside">{task.id}</code>
            </span>
            <span class="aside">
              gone in{' '}
              {durationText(Math.max(0, (task.deleted_at ?? 0) * 1000 + recoverySeconds * 1000 - nowMs))}
            </span>
            <Button
              label={`Restore ${task.id}`}
              onClick={() => void act(() => controls.restoreTask(task.id), 'Restored.')}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

function Board({ list, workspace }: { readonly list: ListOverview; readonly workspace: WorkspaceOverview }) {
  const { controls } = useConsole()
  const mark = useStateMark()
  const { value, failure } = useLoaded(() => controls.inspect.tasks(list.id), [controls, list.id, mark])
  if (failure !== null) return <Failure>{failure}</Failure>
  if (!value) return <div class="boards" />
  const live = value.filter(({ deleted_at }) => deleted_at === null)
  const inStatus = ({ id }: Status) => live.filter(({ status_id }) => status_id === id)
  return (
    <div class="boards">
      <div class="board" tabIndex={0} role="region" aria-label={`Tasks of ${list.name}`}>
        {list.statuses.map((status) => (
          <StatusColumn key={status.id} status={status} tasks={inStatus(status)} workspace={workspace} />
        ))}
      </div>
      <Deleted tasks={value.filter(({ deleted_at }) => deleted_at !== null)} />
    </div>
  )
}

/** The task in the place, once it is there. */
function useOpenTask() {
  const { controls, live, place } = useConsole()
  const { task: id } = place
  const { value, failure } = useLoaded(
    () => (id === undefined || id === newTask ? Promise.resolve(null) : controls.inspect.task(id)),
    [controls, id, live.revision],
  )
  return { detail: value?.task.id === id ? value : null, failure }
}

export function Tasks({ workspace }: { readonly workspace: WorkspaceOverview }) {
  const { place, go } = useConsole()
  const { lists } = workspace
  const { detail, failure } = useOpenTask()
  const wanted = detail?.list.id ?? place.list
  const list =
    lists.find(({ id }) => id === wanted) ?? lists.toSorted((a, b) => b.task_count - a.task_count)[0]
  if (!list)
    return (
      <div class="sheet">
        <Empty title="This workspace has no list">
          <p>
            <code>POST /spaces</code> makes a space with a list named Tasks.
          </p>
        </Empty>
      </div>
    )
  const { task: open } = place
  const spaces = [...new Set(lists.map(({ space_name }) => space_name))]
  return (
    <div class="tasks">
      <div class="toolbar">
        <select
          aria-label="List"
          value={list.id}
          onChange={(event) => go({ list: typed(event), task: undefined })}
        >
          {spaces.map((space) => (
            <optgroup key={space} label={space}>
              {lists
                .filter(({ space_name }) => space_name === space)
                .map(({ id, name, task_count, is_private }) => (
                  <option key={id} value={id}>
                    {name}, {countText(task_count, 'task')}
                    {is_private ? ', private' : ''}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
        <code class="aside">{list.id}</code>
        {list.is_private && <Mark tone="warn">private: the API answers 404</Mark>}
        <span class="spacer" />
        <Button onClick={() => go({ list: list.id, task: newTask })}>Add a task</Button>
      </div>
      <div class={`opening ${open === undefined ? '' : 'is-open'}`}>
        <Board key={list.id} list={list} workspace={workspace} />
        {open !== undefined && (
          <TaskPane
            key={open}
            list={open === newTask ? { ...list, fields: [] } : detail?.list}
            detail={detail}
            failure={failure}
            workspace={workspace}
          />
        )}
      </div>
    </div>
  )
}
