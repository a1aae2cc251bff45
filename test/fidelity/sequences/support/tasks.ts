// The naive reference model of tasks with recurrence, comments and deletion, and the steps on mock and model.
import { consoleControlsOf } from '../../../../src/adapters/control-api/console-controls.ts'
import fc from 'fast-check'
import { expect } from 'vitest'
import { NOW } from '../../../behaviour/support/fixture.ts'
import { pick, step, type Bench, type Model, type Play } from './bench.ts'
import { members, statuses, workspaceWith } from './workspace.ts'

interface Repeat {
  trigger: 'on_schedule' | 'on_complete'
  frequency?: 'daily' | 'weekdays' | 'weekly' | 'monthly'
  day_of_week?: number
  day_of_month?: number
  time?: string
  end_date?: number
}

interface Task {
  /** Null until the mock has returned it. */
  id: string | null
  title: string
  status: string
  priority: string | null
  due: number | null
  start: number | null
  assignees: string[]
  field: number | null
  /** Index of its parent among all tasks ever created. */
  parent: number | null
  repeat: Repeat | null
  since: number | null
  created: number
  updated: number
  deleted: number | null
  isPurged: boolean
  comments: string[]
}

interface Tasks extends Model {
  /** All tasks ever created, in creation order. */
  tasks: Task[]
}

const list = '/lists/lst/tasks'
const now = ({ nowMs }: Model) => Math.floor(nowMs / 1000)
const recovery = 30 * 86_400
const isAlive = ({ deleted, isPurged }: Task) => deleted === null && !isPurged
const isDone = (status: string) => status === 'st_done'
const alive = ({ tasks }: Tasks) => tasks.filter(isAlive)
const gone = ({ tasks }: Tasks) => tasks.filter((task) => !isAlive(task))
const pathOf = (task: Task | undefined) => `/tasks/${task?.id ?? 'none'}`

const newTask = (title: string, at: number): Task => ({
  id: null,
  title,
  status: 'st_todo',
  priority: null,
  due: null,
  start: null,
  assignees: [],
  field: null,
  parent: null,
  repeat: null,
  since: null,
  created: at,
  updated: at,
  deleted: null,
  isPurged: false,
  comments: [],
})

function start(): Tasks {
  const task = { ...newTask('Given tsk_given', NOW - 100), id: 'tsk_given' }
  return { nowMs: NOW * 1000, tasks: [task] }
}

/** The next occurrence after a moment. Checks the day and time of every minute in the coming months. */
function findNextOccurrence(repeat: Repeat, after: number): number | null {
  if (repeat.trigger !== 'on_schedule') return null
  const [hours = 0, minutes = 0] = (repeat.time ?? '09:00').split(':').map(Number)
  const midnight = Math.floor(after / 86_400) * 86_400
  for (let ahead = 0; ahead < 70; ahead++) {
    const moment = midnight + ahead * 86_400 + hours * 3600 + minutes * 60
    const day = new Date(moment * 1000)
    const tomorrow = new Date((moment + 86_400) * 1000)
    const isLastOfMonth = tomorrow.getUTCDate() === 1
    const weekday = day.getUTCDay()
    const date = day.getUTCDate()
    const occurs =
      repeat.frequency === 'daily' ||
      (repeat.frequency === 'weekdays' && weekday !== 0 && weekday !== 6) ||
      (repeat.frequency === 'weekly' && weekday === repeat.day_of_week) ||
      (repeat.frequency === 'monthly' &&
        (date === repeat.day_of_month || (isLastOfMonth && date < (repeat.day_of_month ?? 0))))
    if (!occurs || moment <= after) continue
    return repeat.end_date !== undefined && moment > repeat.end_date ? null : moment
  }
  return null
}

function cloneForward(model: Tasks, task: Task, at: number): void {
  const isScheduled = task.repeat?.trigger === 'on_schedule'
  const distance = task.due === null || task.start === null ? null : task.due - task.start
  model.tasks.push({
    ...newTask(task.title, at),
    priority: task.priority,
    assignees: [...task.assignees],
    field: task.field,
    due: isScheduled ? at : null,
    start: isScheduled && distance !== null ? at - distance : null,
    repeat: task.repeat,
    since: at,
  })
  Object.assign(task, { repeat: null, since: null, updated: at })
}

/** Performs what is due one by one: occurrences at their moments, purges a moment after theirs. */
function settle(model: Tasks): void {
  for (;;) {
    const due = model.tasks.flatMap((task) => {
      if (task.isPurged) return []
      if (task.deleted !== null) return [{ task, atMs: (task.deleted + recovery + 1) * 1000, isPurge: true }]
      const next = task.repeat && task.since !== null ? findNextOccurrence(task.repeat, task.since) : null
      return next === null ? [] : [{ task, atMs: next * 1000, isPurge: false }]
    })
    const [first] = due.filter(({ atMs }) => atMs <= model.nowMs).sort((a, b) => a.atMs - b.atMs)
    if (!first) return
    const { task, atMs, isPurge } = first
    if (!isPurge) cloneForward(model, task, atMs / 1000)
    else {
      task.isPurged = true
      const index = model.tasks.indexOf(task)
      for (const child of model.tasks) if (child.parent === index) child.parent = null
    }
  }
}

const priority = fc.constantFrom('low', 'normal', 'high', 'urgent', null)
const status = fc.constantFrom(...statuses.map(({ id }) => id as string))
const moment = fc.option(fc.constantFrom(NOW, NOW + 3600, NOW + 86_400))
const fields = fc.record(
  {
    title: fc.constantFrom('Alpha', 'beta', 'Gamma'),
    status_id: status,
    priority,
    due_date: moment,
    date_start: moment,
    assignees: fc.subarray([...members]),
    custom_data: fc.record({ fld: fc.constantFrom(1, 2, null) }),
  },
  { requiredKeys: [] },
)
type Fields = typeof fields extends fc.Arbitrary<infer F> ? F : never

const repeat: fc.Arbitrary<Repeat> = fc.oneof(
  fc.constant<Repeat>({ trigger: 'on_complete' }),
  fc.record({
    trigger: fc.constant('on_complete' as const),
    end_date: fc.constantFrom(NOW - 5, NOW + 86_400),
  }),
  fc
    .tuple(
      fc.constantFrom<Repeat>(
        { trigger: 'on_schedule', frequency: 'daily' },
        { trigger: 'on_schedule', frequency: 'weekdays' },
        { trigger: 'on_schedule', frequency: 'weekly', day_of_week: 3 },
        { trigger: 'on_schedule', frequency: 'monthly', day_of_month: 31 },
        { trigger: 'on_schedule', frequency: 'monthly', day_of_month: 7 },
      ),
      fc.constantFrom<Partial<Repeat>>({}, { time: '23:30' }, { time: '00:00', end_date: NOW + 10 * 86_400 }),
    )
    .map(([cadence, more]) => ({ ...cadence, ...more })),
)

function apply(task: Task, sent: Partial<Fields>): void {
  if (sent.title !== undefined) task.title = sent.title
  if (sent.status_id !== undefined) task.status = sent.status_id
  if (sent.priority !== undefined) task.priority = sent.priority
  if (sent.due_date !== undefined) task.due = sent.due_date
  if (sent.date_start !== undefined) task.start = sent.date_start
  if (sent.assignees !== undefined) task.assignees = sent.assignees
  if (sent.custom_data !== undefined) task.field = sent.custom_data.fld
}

const steps = [
  step<Tasks, [Fields, number]>('create', fc.tuple(fields, fc.nat(40)), async (model, bench, [sent, at]) => {
    const parent = at < 20 ? pick(alive(model), at) : undefined
    const body = { title: 'Untitled', ...sent, ...(parent && { parent_task_id: parent.id }) }
    const { id } = await bench.good('POST', list, body)
    const task = newTask('Untitled', now(model))
    apply(task, sent)
    model.tasks.push({ ...task, id, parent: parent ? model.tasks.indexOf(parent) : null })
  }),
  step<Tasks, [number, Fields]>('patch', fc.tuple(fc.nat(40), fields), async (model, bench, [at, sent]) => {
    const task = pick(alive(model), at)
    const { status: answered } = await bench.call('PATCH', pathOf(task), sent)
    expect(answered).toBe(task ? 200 : 404)
    if (!task) return
    const wasDone = isDone(task.status)
    apply(task, sent)
    task.updated = now(model)
    const { repeat: config } = task
    const completes = !wasDone && isDone(task.status) && config?.trigger === 'on_complete'
    if (completes && now(model) <= (config.end_date ?? Infinity)) cloneForward(model, task, now(model))
  }),
  step<Tasks, [number, Repeat | null]>(
    'repeat',
    fc.tuple(fc.nat(40), fc.option(repeat, { freq: 6 })),
    async (model, bench, [at, config]) => {
      const task = pick(alive(model), at)
      if (!task) return
      await bench.good('PATCH', pathOf(task), { repeat_config: config })
      Object.assign(task, { repeat: config, since: config && now(model), updated: now(model) })
    },
  ),
  step<Tasks, number>('delete', fc.nat(40), async (model, bench, at) => {
    const task = pick(alive(model), at)
    if (!task) return
    await bench.good('DELETE', pathOf(task))
    task.deleted = now(model)
    expect((await bench.call('GET', pathOf(task))).status).toBe(404)
  }),
  step<Tasks, number>('restore a task', fc.nat(40), async (model, { mock }, at) => {
    const task = pick(gone(model), at)
    if (!task) return
    if (task.isPurged || now(model) > (task.deleted ?? 0) + recovery) {
      expect(() => mock.restoreTask(task.id ?? '')).toThrow('within the last 30 days')
      return
    }
    mock.restoreTask(task.id ?? '')
    task.deleted = null
    if (task.since !== null) task.since = Math.max(now(model), task.since)
  }),
  step<Tasks, [number, number]>(
    'parent',
    fc.tuple(fc.nat(40), fc.nat(40)),
    async (model, bench, [at, above]) => {
      const task = pick(alive(model), at)
      const parent = pick(alive(model), above)
      if (!task || !parent) return
      const { status: answered } = await bench.call('PATCH', pathOf(task), { parent_task_id: parent.id })
      const own = model.tasks.indexOf(task)
      let up: number | null = model.tasks.indexOf(parent)
      while (up !== null && up !== own) up = model.tasks[up]?.parent ?? null
      expect(answered).toBe(up === own ? 400 : 200)
      if (up !== own) Object.assign(task, { parent: model.tasks.indexOf(parent), updated: now(model) })
    },
  ),
  step<Tasks, [number, string]>(
    'comment',
    fc.tuple(fc.nat(40), fc.constantFrom('x', 'y')),
    async (model, bench, [at, content]) => {
      const task = pick(alive(model), at)
      if (!task) return
      await bench.good('POST', `${pathOf(task)}/comments`, { content })
      task.comments.push(content)
    },
  ),
  step<Tasks, [string, string, number, number]>(
    'search',
    fc.tuple(fc.constantFrom('', 'a', 'ALPHA', 'zz'), status, fc.nat(3), fc.nat(3)),
    async (model, bench, [q, wanted, limit, offset]) => {
      const found = alive(model).filter(
        (task) => task.title.toLowerCase().includes(q.toLowerCase()) && task.status === wanted,
      )
      const page = { limit: limit + 1, offset }
      const search = new URLSearchParams({
        q,
        status: wanted,
        limit: String(limit + 1),
        offset: String(offset),
      })
      const { tasks, ...shown } = await bench.good('GET', list, undefined, search.toString())
      expect(shown).toEqual(page)
      expect(tasks.map(({ id }: { id: string }) => id)).toEqual(
        found.slice(offset, offset + limit + 1).map(({ id }) => id),
      )
    },
  ),
]

const priorities = [null, 'low', 'normal', 'high', 'urgent']
const shownTask = (task: Task, tasks: readonly Task[]) => ({
  id: task.id,
  title: task.title,
  status_id: task.status,
  priority: priorities.indexOf(task.priority),
  due_date: task.due,
  date_start: task.start,
  custom_data: task.field === null ? {} : { fld: task.field },
  assignees: task.assignees.map((id) => ({ id, name: id.toUpperCase() })),
  created_at: task.created,
  updated_at: task.updated,
  parent_task_id: task.parent === null ? null : tasks[task.parent]?.id,
  repeat_config: task.repeat,
})

const shownFields = Object.keys(shownTask(newTask('', 0), []))

/** Compares every task in order and what belongs to it, and checks that deleted tasks are gone and purged ones leave nothing. */
async function compare(model: Tasks, bench: Bench): Promise<void> {
  const { tasks } = (await bench.good('GET', list, undefined, 'limit=200')) as {
    tasks: Record<string, unknown>[]
  }
  const expected = alive(model)
  const known = new Set(model.tasks.map(({ id }) => id))
  for (const [index, task] of expected.entries()) {
    if (task.id !== null) continue
    task.id = String(tasks[index]?.id)
    expect(known.has(task.id), `new task ${task.id} has the id of another`).toBe(false)
  }
  const shown = tasks.map((task) => Object.fromEntries(shownFields.map((name) => [name, task[name]])))
  expect(shown).toEqual(expected.slice(0, 200).map((task) => shownTask(task, model.tasks)))
  const [last] = expected.slice(-1)
  if (last) {
    const { comments } = await bench.good('GET', `${pathOf(last)}/comments`)
    expect(comments.map(({ content }: { content: string }) => content)).toEqual(last.comments)
  }
  const inState = consoleControlsOf(bench.mock).inspect.tasks('lst')
  expect(inState.map(({ id }) => id)).toEqual(
    model.tasks.filter(({ isPurged }) => !isPurged).map(({ id }) => id),
  )
  for (const { parent_task_id } of inState)
    if (parent_task_id !== null) expect(inState.some(({ id }) => id === parent_task_id)).toBe(true)
}

export const tasks: Play<Tasks> = {
  fixture: workspaceWith('tsk_given'),
  start,
  steps,
  settle,
  compare,
  answers: fc.constant({ taskReadExtras: true }),
}
