// Proves that every transition of the contract happens, each seen from outside.
import { describe, expect, it } from 'vitest'
import { DAY, NOW } from '../../behaviour/support/fixture.ts'
import { times, useMock } from '../../behaviour/support/harness.ts'
import { cover } from '../meta.ts'
import {
  otherTransitions,
  statusChangeName,
  statusChanges,
  type OtherTransition,
  type StatusType,
} from '../transitions.ts'

const { api, control } = useMock({ advanceOnPoll: false })
const timer = '/tasks/tsk_plain/time-entries'
const main = '/lists/lst_main/tasks'

async function submit(rows: readonly unknown[]): Promise<string> {
  const reply = await api.post('/datatables/tbl_empty/jobs/insert', { rows })
  expect(reply.json).toMatchObject({ status: 'queued', rows_submitted: rows.length })
  return `/jobs/${reply.string('job_id')}`
}

const good: { col_count: unknown }[] = times(2500, (index) => ({ col_count: index }))
const withOneBad = good.with(5, { col_count: 'five' })
const bad = times(1500, () => ({ col_count: 'x' }))

/** The states a job is seen in, half a second apart, until it has ended. */
async function statesOf(rows: readonly unknown[]): Promise<string[]> {
  const path = await submit(rows)
  const states: string[] = []
  for (let looks = 0; looks < 12; looks++) {
    const reply = await api.get(path)
    states.push(`${reply.string('status')} ${String(reply.at('metadata.row_count'))}`)
    if (reply.at('completed_at') !== null) break
    await control.advance(500)
  }
  return states
}

const start = (json: object = {}) => api.post(timer, { action: 'start', ...json })
const stop = () => api.post(timer, { action: 'stop' })
const running = async () => (await api.get(timer)).pluck('entries', 'is_running')
const manual = () => api.post(timer, { action: 'manual', duration: 60 })

const create = async (fields: object = {}) =>
  `/tasks/${(await api.post(main, { title: 'Made', ...fields })).string('id')}`
const statusOf = async (path: string) => (await api.get(path)).at('status_id')
const titled = async (title: string) => {
  const reply = await api.get(main, { query: { q: title, limit: 200 } })
  return reply.pluck('tasks', 'id').length
}
/** A task that repeats, by the recurrence given. */
async function repeating(repeat_config: object): Promise<string> {
  const path = await create()
  expect((await api.patch(path, { repeat_config })).status).toBe(200)
  return path
}
const daily = { trigger: 'on_schedule', frequency: 'daily' }

const scenarios: Readonly<Record<OtherTransition, () => Promise<void>>> = {
  'job: none -> queued': async () => {
    expect((await api.get(await submit(good))).at('status')).toBe('queued')
  },
  'job: queued -> processing': async () => {
    expect((await statesOf(good)).slice(0, 2)).toEqual(['queued 0', 'processing 0'])
  },
  'job: processing -> processing': async () => {
    expect((await statesOf(good)).slice(2, 4)).toEqual(['processing 1000', 'processing 2000'])
  },
  'job: processing -> done': async () => {
    expect((await statesOf(good)).at(-1)).toBe('done 2500')
  },
  'job: processing -> done, with errors': async () => {
    const path = await submit(withOneBad)
    await control.advance('1m')
    expect((await api.get(path)).json).toMatchObject({
      status: 'done',
      metadata: { row_count: 2499, errors: 1 },
    })
  },
  'job: processing -> failed, nothing went in': async () => {
    expect((await statesOf(bad)).at(-1)).toBe('failed 0')
  },
  'job: processing -> failed, a chunk errored': async () => {
    await control.setAnswers({ jobTransitions: 'failedOnAnyChunk' })
    expect((await statesOf(withOneBad)).at(-1)).toBe('failed 2499')
  },
  'time entry: none -> stopped, by manual': async () => {
    expect((await manual()).json).toMatchObject({ is_running: 0, duration: 60 })
  },
  'time entry: none -> running, by start': async () => {
    expect((await start()).json).toMatchObject({ is_running: 1, date_end: null })
  },
  'time entry: running -> stopped, by stop': async () => {
    await start()
    await control.advance('5s')
    expect((await stop()).json).toMatchObject({ is_running: 0, duration: 5, date_end: NOW + 5 })
  },
  'time entry: running -> stopped, by another start': async () => {
    await start()
    await start()
    expect(await running()).toEqual([0, 1])
  },
  'time entry: running -> running, another start refused': async () => {
    await control.setAnswers({ startEntry: 'reject' })
    await start()
    expect((await start()).status).toBe(400)
    expect(await running()).toEqual([1])
  },
  'time entry: running -> running, beside another start': async () => {
    await control.setAnswers({ startEntry: 'allow' })
    await start()
    await start()
    expect(await running()).toEqual([1, 1])
  },
  'time entry: running -> running, edit refused': async () => {
    const id = (await start()).string('id')
    expect((await api.patch(`${timer}/${id}`, { note: 'x' })).status).toBe(400)
    expect((await api.get(timer)).at('entries.0')).toMatchObject({ is_running: 1, note: '' })
  },
  'time entry: stopped -> stopped, edited': async () => {
    const id = (await manual()).string('id')
    expect((await api.patch(`${timer}/${id}`, { note: 'x' })).status).toBe(200)
    expect((await api.get(timer)).at('entries.0')).toMatchObject({ is_running: 0, note: 'x' })
  },
  'time entry: running -> none, deleted': async () => {
    const id = (await start()).string('id')
    expect((await api.delete(`${timer}/${id}`)).status).toBe(200)
    expect(await running()).toEqual([])
  },
  'time entry: stopped -> none, deleted': async () => {
    const id = (await manual()).string('id')
    expect((await api.delete(`${timer}/${id}`)).status).toBe(200)
    expect(await running()).toEqual([])
  },
  'time entry: none -> none, stop refused': async () => {
    expect((await stop()).status).toBe(400)
    expect(await running()).toEqual([])
  },
  'task: none -> active, the first active status': async () => {
    expect(await statusOf(await create())).toBe('st_todo')
  },
  'task: none -> done, a status given': async () => {
    expect(await statusOf(await create({ status_id: 'st_done' }))).toBe('st_done')
  },
  'task: any -> deleted': async () => {
    for (const status_id of ['st_todo', 'st_done', 'st_archived']) {
      const path = await create({ status_id })
      expect((await api.delete(path)).status).toBe(200)
      expect((await api.get(path)).status).toBe(404)
    }
  },
  'task: deleted -> restored, on the last day': async () => {
    await api.delete('/tasks/tsk_full')
    await control.advance('30d')
    await control.restoreTask('tsk_full')
    expect((await api.get('/tasks/tsk_full')).status).toBe(200)
    expect((await api.get('/tasks/tsk_full/comments')).list('comments')).toHaveLength(3)
  },
  'task: deleted -> purged, after the last day': async () => {
    await api.delete('/tasks/tsk_full')
    await control.advance('30d')
    await control.advance('1s')
    await expect(control.restoreTask('tsk_full')).rejects.toThrow('tsk_full')
    expect((await api.get('/tasks/tsk_full')).status).toBe(404)
  },
  'task: on_complete -> cloned': async () => {
    const path = await repeating({ trigger: 'on_complete' })
    await api.patch(path, { status_id: 'st_done' })
    expect(await titled('Made')).toBe(2)
    expect(await statusOf(path)).toBe('st_done')
  },
  'task: on_complete -> ended, past end_date': async () => {
    const path = await repeating({ trigger: 'on_complete', end_date: NOW - 1 })
    await api.patch(path, { status_id: 'st_done' })
    expect(await titled('Made')).toBe(1)
  },
  'task: on_schedule -> cloned': async () => {
    await repeating(daily)
    await control.advance('2d')
    expect(await titled('Made')).toBe(3)
  },
  'task: on_schedule -> ended, past end_date': async () => {
    await repeating({ ...daily, end_date: NOW + DAY })
    await control.advance('5d')
    expect(await titled('Made')).toBe(2)
  },
  'task: on_schedule -> cleared, by null': async () => {
    const path = await repeating(daily)
    expect((await api.patch(path, { repeat_config: null })).status).toBe(200)
    await control.advance('5d')
    expect(await titled('Made')).toBe(1)
  },
  'form: draft -> published': async () => {
    await expect(control.submitForm('frm_draft', { title: 'x' })).rejects.toThrow('frm_draft')
    await control.publishForm('frm_draft')
    expect((await api.get('/forms/frm_draft')).at('form.is_published')).toBe(1)
    await control.submitForm('frm_draft', { title: 'x' })
  },
  'form: published -> draft': async () => {
    await control.publishForm('frm_task', false)
    expect((await api.get('/forms/frm_task')).at('form.is_published')).toBe(0)
    await expect(control.submitForm('frm_task', { title: 'x' })).rejects.toThrow('frm_task')
  },
}

describe('transitions', () => {
  it.for(otherTransitions)('%s', async (name, { task }) => {
    await scenarios[name]()
    cover(task.meta, 'transitions', [name])
  })

  const statuses: Readonly<Record<StatusType, readonly [string, string]>> = {
    active: ['st_todo', 'st_doing'],
    done: ['st_done', 'st_done'],
    archived: ['st_archived', 'st_archived'],
  }
  it.for(statusChanges)('task: $from -> $to', async ({ from, to }, { task }) => {
    const path = await create({ status_id: statuses[from][0] })
    expect((await api.patch(path, { status_id: statuses[to][1] })).status).toBe(200)
    expect(await statusOf(path)).toBe(statuses[to][1])
    await control.setAnswers({ statusTransitions: { active: [], done: [], archived: [] } })
    const refused = await create({ status_id: statuses[from][0] })
    const isChange = statuses[from][0] !== statuses[to][1]
    expect((await api.patch(refused, { status_id: statuses[to][1] })).status).toBe(isChange ? 400 : 200)
    cover(task.meta, 'transitions', [statusChangeName(from, to)])
  })
})
