// The tasks of a list as records, with their status as a column. Search covers all lists; deleted tasks can be restored.
import { useEffect } from 'preact/hooks'
import { recoverySeconds } from '../../../../contract/limits.ts'
import type { Column } from '../../../../contract/datatables.ts'
import { isUnset } from '../../../../contract/data/objects.ts'
import type { TaskRecord } from '../../../../contract/tasks.ts'
import { compareText } from '../../../../contract/text/format.ts'
import type { ListOverview } from '../../../../adapters/control-api/inspect.ts'
import { formatQuantity, formatDuration, hasText } from '../../format.ts'
import { EmptyState, Mark } from '../../parts/blocks.tsx'
import { noQuery, useConsole, useLoaded, useWorkspace } from '../../parts/context.ts'
import { Action, Button } from '../../parts/controls.tsx'
import { Select } from '../../parts/fields.tsx'
import type { TableColumn } from '../../parts/table.tsx'
import { toText } from './cell.tsx'
import { newRecord, taskRequests } from './record.tsx'
import { offsetOf, pageRows, Records, typingMs } from './records.tsx'
import { fieldsOf, TaskPane, toTaskBody, valueOfTask } from './task-detail.tsx'

/**
 * Sorts by a column: options in their order, numbers by value, texts ignoring case, empty values last. Without a column,
 * sorts by creation, deleted tasks last.
 */
function sortTasks(tasks: readonly TaskRecord[], columns: readonly Column[], sort = ''): TaskRecord[] {
  const [by, direction] = sort.split(':')
  const column = columns.find(({ id }) => id === by)
  const keyOf = (task: TaskRecord) => {
    if (!column) return Number(task.deleted_at !== null)
    const value = valueOfTask(task, column)
    if (isUnset(value)) return '\uffff'
    const index = column.options?.findIndex(({ id }) => id === value) ?? -1
    return index >= 0 ? index : typeof value === 'number' ? value : toText(value).toLowerCase()
  }
  const sorted = tasks.toSorted((a, b) => compareText(keyOf(a), keyOf(b)))
  return direction === 'desc' ? sorted.reverse() : sorted
}

/** The tasks of a list, or those of all lists that contain the searched text. */
function TaskRecords({ list, lists }: { list: ListOverview; lists: readonly ListOverview[] }) {
  const { controls, live, viewState } = useConsole()
  const { search: text = '', sort, task: open } = viewState
  const { now, nowMs } = live.overview.clock
  const read = async () => {
    const found: TaskRecord[] = []
    const others = text === '' ? [] : lists.filter((other) => other !== list)
    for (const { id } of [list, ...others]) found.push(...(await controls.inspect.tasks(id)))
    return found.filter(({ id, title }) => hasText(`${id} ${title}`, text))
  }
  const { value, failure } = useLoaded(read, [list.id, text, live.overview], text === '' ? 0 : typingMs)
  const requests = taskRequests(list.id)
  const columns = fieldsOf(list)
  const found = value ?? []
  const count = text === '' ? found.length : lists.reduce((sum, one) => sum + one.task_count, 0)
  const offset = offsetOf(viewState, found.length)
  const items = value && sortTasks(found, columns, sort).slice(offset, offset + pageRows)
  const ofList: TableColumn<TaskRecord> = {
    head: 'List',
    cell: ({ list_id }) => lists.find(({ id }) => id === list_id)?.name,
  }
  const deleted: TableColumn<TaskRecord> = {
    head: 'Deleted',
    cell: ({ id, deleted_at }) => {
      if (deleted_at === null) return null
      const leftMs = Math.max(0, (deleted_at + recoverySeconds) * 1000 - nowMs)
      const restoring = { text: 'Restore', target: id, done: 'Restored.' }
      return (
        <>
          <span class="aside">purged in {formatDuration(leftMs)}</span>{' '}
          <Action class="link" {...restoring} run={(mock) => mock.restoreTask(id)} />
        </>
      )
    },
  }
  const own = [
    ...(found.some(({ list_id }) => list_id !== list.id) ? [ofList] : []),
    ...(found.some(({ deleted_at }) => deleted_at !== null) ? [deleted] : []),
  ]
  const isOpen = ({ status_id }: TaskRecord) =>
    list.statuses.find(({ id }) => id === status_id)?.type === 'active'
  const toneOf = (task: TaskRecord, { id }: Column) =>
    id === 'due_date' && isOpen(task) && (task.due_date ?? Infinity) < now ? 'error-text' : ''
  return (
    <Records
      {...{ kind: 'task', label: `Tasks of ${list.name}`, columns, own, toneOf, links: undefined }}
      {...{ items: items ?? undefined, found: found.length, count, failure }}
      valueOf={valueOfTask}
      toRequest={({ id }, column, next) => requests.update(id, toTaskBody({ [column.id]: next }))}
      toDeletion={requests.delete}
      search={{ label: 'Search the tasks', placeholder: 'Title or id, in all lists …' }}
      nothing={
        <EmptyState title="No task yet">
          <code>POST /lists/{list.id}/tasks</code> adds one.
        </EmptyState>
      }
      pane={open !== undefined && <TaskPane key={open} id={open} list={list} />}
    />
  )
}

export function Tasks() {
  const { controls, viewState, go } = useConsole()
  const workspace = useWorkspace()
  const { lists = [] } = workspace ?? {}
  const { task: open, list: chosen } = viewState
  const isNew = open === newRecord
  const { value, failure } = useLoaded(
    async () => (open === undefined || isNew ? null : controls.inspect.task(open)),
    [open],
  )
  const found = value?.task.id === open ? value : null
  const wanted = found?.list.id
  const owner = found?.task.workspace_id
  useEffect(() => {
    if (owner !== undefined && owner !== workspace?.id) go({ workspace: owner, list: wanted }, false)
  }, [owner])
  const [largest] = lists.toSorted((a, b) => b.task_count - a.task_count)
  const list = lists.find(({ id }) => id === (wanted ?? chosen)) ?? largest
  // The task's workspace is not known yet.
  if (open !== undefined && !isNew && value === null && failure === null) return null
  if (!list)
    return (
      <EmptyState title="This workspace has no list">
        <code>POST /spaces</code> makes a space with a list named Tasks.
      </EmptyState>
    )
  const choices = lists.map(({ id, name, task_count, is_private, space_name }) => {
    const label = `${name}, ${formatQuantity(task_count, 'task')}${is_private ? ', private' : ''}`
    return { id, label, group: space_name }
  })
  const show = (id: string) => go({ list: id, task: undefined, ...noQuery })
  return (
    <div class="rows">
      <div class="toolbar">
        <Select label="List" empty={null} choices={choices} value={list.id} set={show} />
        <code class="aside">{list.id}</code>
        {list.is_private && <Mark tone="warn">private: the API responds with 404</Mark>}
        <span class="spacer" />
        <Button onClick={() => go({ list: list.id, task: newRecord })} text="Add a task" />
      </div>
      <TaskRecords key={list.id} list={list} lists={lists} />
    </div>
  )
}
