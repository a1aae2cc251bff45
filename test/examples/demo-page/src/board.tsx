// The task board: one column per status; each task has a select that changes its status.
import { useState } from 'preact/hooks'
import type { Client, Status, Task } from './client.ts'
import { Dot, Failure, dateText, typed, useLoaded } from './parts.tsx'

const priorities = ['', 'Low', 'Normal', 'High', 'Urgent']

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .join('')

function Card({
  task,
  statuses,
  onMove,
}: {
  readonly task: Task
  readonly statuses: readonly Status[]
  readonly onMove: (status: string) => void
}) {
  return (
    <li class="card task">
      <p class="title">{task.title}</p>
      <p class="facts">
        {task.priority > 2 && (
          <span class={`priority p${String(task.priority)}`}>{priorities[task.priority]}</span>
        )}
        {task.due_date !== null && <span>{dateText(task.due_date)}</span>}
        <span class="people">
          {task.assignees.map(({ id, name }) => (
            <abbr key={id} title={name}>
              {initials(name)}
            </abbr>
          ))}
        </span>
      </p>
      <label class="move">
        <span class="unseen">Status of {task.title}</span>
        <select value={task.status_id} onChange={(event) => onMove(typed(event))}>
          {statuses.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </li>
  )
}

function Columns({ client, list }: { readonly client: Client; readonly list: string }) {
  const [changes, setChanges] = useState(0)
  const [failure, setFailure] = useState<string | null>(null)
  const { value, failure: loading } = useLoaded(async () => {
    const statuses = await client.statuses(list)
    const shown = statuses.filter(({ type }) => type !== 'archived')
    const tasks = await Promise.all(shown.map(({ id }) => client.tasks(list, id)))
    return { statuses, columns: shown.map((status, index) => ({ status, tasks: tasks[index] ?? [] })) }
  }, [list, changes])
  const move = (task: Task) => (status: string) => {
    setFailure(null)
    client.moveTask(task.id, status).then(
      () => setChanges((count) => count + 1),
      (error: unknown) => {
        setFailure(error instanceof Error ? error.message : String(error))
        setChanges((count) => count + 1)
      },
    )
  }
  if (loading !== null) return <Failure>{loading}</Failure>
  return (
    <>
      {failure !== null && <Failure>{failure}</Failure>}
      <div class="board" tabIndex={0} role="region" aria-label="Tasks by status">
        {value?.columns.map(({ status, tasks }) => (
          <section key={status.id} aria-label={status.name}>
            <h2>
              <Dot color={status.color} /> {status.name} <span>{tasks.length}</span>
            </h2>
            <ul>
              {tasks.map((task) => (
                <Card key={task.id} task={task} statuses={value.statuses} onMove={move(task)} />
              ))}
            </ul>
            {tasks.length === 0 && <p class="empty">Nothing here.</p>}
          </section>
        ))}
      </div>
    </>
  )
}

export function Board({ client }: { readonly client: Client }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const { value: lists, failure } = useLoaded(() => client.lists(), [])
  if (failure !== null) return <Failure>{failure}</Failure>
  const list = lists?.find(({ id }) => id === chosen) ?? lists?.[0]
  if (!lists || !list) return null
  return (
    <>
      <div class="head">
        <h1>{list.name}</h1>
        <label class="pick">
          <span>List</span>
          <select value={list.id} onChange={(event) => setChosen(typed(event))}>
            {lists.map(({ id, name, space_name }) => (
              <option key={id} value={id}>
                {space_name}: {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Columns key={list.id} client={client} list={list.id} />
    </>
  )
}
