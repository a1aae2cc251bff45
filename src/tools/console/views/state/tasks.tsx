// The tasks of a list: a column for each status, and those that are deleted but not purged. The search covers all lists.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { recoverySeconds } from '../../../../contract/limits.ts'
import type { Status } from '../../../../contract/lists.ts'
import type { TaskRecord } from '../../../../contract/tasks.ts'
import type { ListOverview } from '../../../control-api/inspect.ts'
import { formatQuantity, formatDate, formatDuration, hasText } from '../../format.ts'
import { Dot, EmptyState, Failure, Mark } from '../../parts/blocks.tsx'
import { nameOfMember, useConsole, useDirectory } from '../../parts/context.ts'
import { useLoaded, useParam, useWorkspace } from '../../parts/context.ts'
import { Action, Button } from '../../parts/controls.tsx'
import { Search, Select } from '../../parts/fields.tsx'
import { newRecord } from './record.tsx'
import { TaskLink, TaskPane } from './task-detail.tsx'

const cardsShown = 25

const priorityTones = { urgent: 'bad', high: 'warn', normal: 'plain', low: 'plain' } as const

function TaskCard({ task, isOpen }: { task: TaskRecord; isOpen: boolean }) {
  const { live } = useConsole()
  const directory = useDirectory()
  const open = useParam('task')
  const { id, title, priority, due_date: due, repeat_config: repeat, assignees } = task
  const isShown = open.value === id
  const names = assignees.map((one) => nameOfMember(directory, one)).join(', ')
  const isLate = isOpen && due !== null && due * 1000 < live.overview.clock.nowMs
  return (
    <li class={`card ${isShown ? 'is-open' : ''}`}>
      <Button class="title" dir="auto" aria-expanded={isShown} onClick={() => open.set(id)} text={title} />
      <p class="facts">
        <code>{id}</code>
        {priority !== null && <Mark tone={priorityTones[priority]}>{priority}</Mark>}
        {due !== null && <span class={isLate ? 'error-text' : ''}>due {formatDate(due * 1000)}</span>}
        {repeat && <Mark>repeats {repeat.frequency ?? 'when done'}</Mark>}
        {names !== '' && <span>{names}</span>}
      </p>
    </li>
  )
}

function StatusColumn({ status, tasks }: { status: Status; tasks: readonly TaskRecord[] }) {
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

interface TaskItemsProps {
  readonly title: string
  readonly tasks: readonly TaskRecord[]
  readonly details: (task: TaskRecord) => ComponentChildren
}

const shownTasks = 50

function TaskItems({ title: head, tasks, details }: TaskItemsProps) {
  if (tasks.length === 0) return null
  return (
    <>
      <h3 class="section">{head}</h3>
      <ul class="sheet item-list">
        {tasks.slice(0, shownTasks).map((task) => (
          <li key={task.id}>
            <span class="what">
              <TaskLink {...task} /> <code class="aside">{task.id}</code>
            </span>
            {details(task)}
          </li>
        ))}
      </ul>
      {tasks.length > shownTasks && (
        <p class="aside">and {formatQuantity(tasks.length - shownTasks, 'more task')}: search for them.</p>
      )}
    </>
  )
}

function DeletedTasks({ tasks }: { tasks: readonly TaskRecord[] }) {
  const { nowMs } = useConsole().live.overview.clock
  const details = ({ id, deleted_at }: TaskRecord) => {
    const leftMs = ((deleted_at ?? 0) + recoverySeconds) * 1000 - nowMs
    return (
      <>
        <span class="aside">purged in {formatDuration(Math.max(0, leftMs))}</span>
        <Action target={id} run={(mock) => mock.restoreTask(id)} done="Restored." text="Restore" />
      </>
    )
  }
  return <TaskItems title="Deleted; can be restored for 30 days" tasks={tasks} details={details} />
}

const findTasks = (tasks: readonly TaskRecord[], text: string) =>
  tasks.filter(({ id, title }) => hasText(`${id} ${title}`, text))

const typingMs = 200

function FoundElsewhere({ lists, text }: { lists: readonly ListOverview[]; text: string }) {
  const { controls, live } = useConsole()
  const read = async () => {
    const found: TaskRecord[] = []
    for (const list of text === '' ? [] : lists)
      found.push(...findTasks(await controls.inspect.tasks(list.id), text))
    return found
  }
  const { value } = useLoaded(read, [text, lists.length, live.overview], typingMs)
  const details = ({ list_id, deleted_at }: TaskRecord) => {
    const list = lists.find(({ id }) => id === list_id)
    return (
      <>
        {deleted_at !== null && <Mark>deleted</Mark>}
        <span class="aside">{list && `${list.space_name}, ${list.name}`}</span>
      </>
    )
  }
  return <TaskItems title="In other lists" tasks={text === '' ? [] : (value ?? [])} details={details} />
}

function Board({ list, lists }: { list: ListOverview; lists: readonly ListOverview[] }) {
  const { controls, live } = useConsole()
  const { value: text } = useParam('q')
  const { value, failure } = useLoaded(() => controls.inspect.tasks(list.id), [live.overview])
  if (failure !== null) return <Failure message={failure} />
  const found = findTasks(value ?? [], text)
  const listed = found.filter(({ deleted_at }) => deleted_at === null)
  const tasksOf = (status: Status) => listed.filter(({ status_id }) => status_id === status.id)
  return (
    <div class="boards">
      <div class="board" tabIndex={0} role="region" aria-label={`Tasks of ${list.name}`}>
        {value && list.statuses.map((one) => <StatusColumn key={one.id} status={one} tasks={tasksOf(one)} />)}
      </div>
      <DeletedTasks tasks={found.filter(({ deleted_at }) => deleted_at !== null)} />
      <FoundElsewhere lists={lists.filter(({ id }) => id !== list.id)} text={text} />
    </div>
  )
}

function ListToolbar({ lists, list }: { lists: readonly ListOverview[]; list: ListOverview }) {
  const { go } = useConsole()
  const choices = lists.map(({ id, name, task_count, is_private, space_name }) => {
    const label = `${name}, ${formatQuantity(task_count, 'task')}${is_private ? ', private' : ''}`
    return { id, label, group: space_name }
  })
  const open = (id: string) => go({ list: id, task: undefined })
  return (
    <div class="toolbar">
      <Select label="List" empty={null} choices={choices} value={list.id} set={open} />
      <code class="aside">{list.id}</code>
      {list.is_private && <Mark tone="warn">private: the API responds with 404</Mark>}
      <Search label="Search the tasks" placeholder="Title or id, in all lists …" />
      <span class="spacer" />
      <Button onClick={() => go({ list: list.id, task: newRecord })} text="Add a task" />
    </div>
  )
}

export function Tasks() {
  const { controls, live, viewState } = useConsole()
  const { lists = [] } = useWorkspace() ?? {}
  const { task: open } = viewState
  const read = async () => (open === undefined || open === newRecord ? null : controls.inspect.task(open))
  const { value, failure } = useLoaded(read, [open, live.overview])
  const detail = value?.task.id === open ? value : null
  const wanted = detail?.list.id ?? viewState.list
  const [largest] = lists.toSorted((a, b) => b.task_count - a.task_count)
  const list = lists.find(({ id }) => id === wanted) ?? largest
  if (!list)
    return (
      <EmptyState title="This workspace has no list">
        <code>POST /spaces</code> makes a space with a list named Tasks.
      </EmptyState>
    )
  const ownList = open === newRecord ? { ...list, fields: [] } : detail?.list
  return (
    <div class="tasks">
      <ListToolbar lists={lists} list={list} />
      <div class={`split ${open === undefined ? '' : 'is-open'}`}>
        <Board key={list.id} list={list} lists={lists} />
        {open !== undefined && <TaskPane key={open} id={open} list={ownList} {...{ detail, failure }} />}
      </div>
    </div>
  )
}
