// Repeating tasks: cadence, clones, ends.
import { describe, expect, it } from 'vitest'
import { DAY, NOW } from '../support/fixture.ts'
import { useMock } from '../support/harness.ts'
import { clones, repeating } from '../support/recurrence.ts'

const list = '/lists/lst_main/tasks'
const at = (iso: string) => Date.parse(iso) / 1000

describe('tasks repeating on schedule', () => {
  const { api, control } = useMock({ answers: { taskReadExtras: true } })

  it('listTasks answers 200 with clones in the order of their moments when several tasks repeat', async () => {
    const repeat = (time: string) => ({ trigger: 'on_schedule', frequency: 'daily', time })
    const tasks = [
      { title: 'Water at six', repeat_config: repeat('18:00') },
      { title: 'Water at eleven', repeat_config: repeat('11:00') },
    ]
    await control.seed({ lists: [{ id: 'lst_main', tasks }] })
    await control.advance('36h')
    const found = (await api.get(list, { query: { q: 'water' } })).list('tasks') as { due_date: number }[]
    expect(found.slice(2).map(({ due_date }) => due_date)).toEqual(
      ['2026-01-05T11:00Z', '2026-01-05T18:00Z', '2026-01-06T11:00Z', '2026-01-06T18:00Z'].map(at),
    )
  })

  it.each([
    [{ due_date: NOW, date_start: NOW - 3600 }, 3600],
    [{ due_date: NOW }, null],
    [{ date_start: NOW }, null],
    [{}, null],
  ])(
    'listTasks answers 200 with the clone as long before it is due when the task has %j',
    async (dates, ahead) => {
      await repeating(api, { trigger: 'on_schedule', frequency: 'daily' }, dates)
      await control.advance('1d')
      const due_date = at('2026-01-06T09:00:00Z')
      const clone = (await api.get(list, { query: { q: 'water' } })).list('tasks')[1]
      expect(clone).toMatchObject({ due_date, date_start: ahead === null ? null : due_date - ahead })
    },
  )

  it.each([
    ['daily', { frequency: 'daily' }, '3d', ['2026-01-06T09:00Z', '2026-01-07T09:00Z', '2026-01-08T09:00Z']],
    ['daily later today', { frequency: 'daily', time: '18:30' }, '1d', ['2026-01-05T18:30Z']],
    ['daily just now', { frequency: 'daily', time: '10:00' }, '1d', ['2026-01-06T10:00Z']],
    [
      'weekdays',
      { frequency: 'weekdays' },
      '7d',
      ['2026-01-06', '2026-01-07', '2026-01-08', '2026-01-09', '2026-01-12'].map((day) => `${day}T09:00Z`),
    ],
    [
      'weekly on Sunday',
      { frequency: 'weekly', day_of_week: 0 },
      '14d',
      ['2026-01-11T09:00Z', '2026-01-18T09:00Z'],
    ],
    ['weekly on Monday', { frequency: 'weekly', day_of_week: 1, time: '10:01' }, '1d', ['2026-01-05T10:01Z']],
    [
      'monthly on the 31st',
      { frequency: 'monthly', day_of_month: 31, time: '23:59' },
      '120d',
      ['2026-01-31T23:59Z', '2026-02-28T23:59Z', '2026-03-31T23:59Z', '2026-04-30T23:59Z'],
    ],
    ['monthly on the 1st', { frequency: 'monthly', day_of_month: 1 }, '30d', ['2026-02-01T09:00Z']],
  ])('listTasks answers 200 with the clones when a task repeats %s', async (_, config, by, expected) => {
    const id = await repeating(api, { trigger: 'on_schedule', ...config })
    expect(await clones(api, id)).toEqual([])
    await control.advance(by)
    expect(await clones(api, id)).toEqual(expected)
  })

  it('listTasks answers 200 with the clone when the very moment of the occurrence is reached', async () => {
    const id = await repeating(api, { trigger: 'on_schedule', frequency: 'daily' })
    await control.setClock(at('2026-01-06T08:59:59Z'))
    expect(await clones(api, id)).toEqual([])
    await control.advance('1s')
    expect(await clones(api, id)).toEqual(['2026-01-06T09:00Z'])
  })

  it('getTask answers 200 with what a clone keeps when the task repeats', async () => {
    const original = {
      priority: 'high',
      assignees: ['mem_bo'],
      custom_data: { fld_text: 'kept' },
      time_estimate: 30,
      project_id: 'prj',
      parent_task_id: 'tsk_plain',
      status_id: 'st_doing',
      due_date: NOW + DAY,
      date_start: NOW,
    }
    const repeat_config = { trigger: 'on_schedule', frequency: 'daily' }
    const id = await repeating(api, repeat_config, original)
    await api.patch(`/tasks/${id}`, { description: 'With water' })
    await control.advance('1d')
    const reply = await api.get(list, { query: { q: 'water' } })
    expect(reply.list('tasks')).toHaveLength(2)
    const due_date = at('2026-01-06T09:00:00Z')
    expect(reply.at('tasks.1')).toMatchObject({
      title: 'Water the plants',
      priority: 3,
      assignees: [{ id: 'mem_bo', name: 'Bo Lindqvist' }],
      custom_data: { fld_text: 'kept' },
      description: 'With water',
      time_estimate: 30,
      status_id: 'st_todo',
      due_date,
      date_start: due_date - DAY,
      repeat_config,
      created_at: due_date,
      updated_at: due_date,
    })
    expect(reply.at('tasks.0')).toMatchObject({
      id,
      status_id: 'st_doing',
      repeat_config: null,
      due_date: NOW + DAY,
      updated_at: due_date,
    })
    await control.setAnswers({ taskReadExtras: true })
    expect((await api.get(`/tasks/${reply.string('tasks.1.id')}`)).json).toMatchObject({
      list_id: 'lst_main',
      time_estimate: 30,
      project_id: null,
      parent_task_id: null,
      type_id: null,
    })
  })

  it('listTasks answers 200 with no clone when end_date is past', async () => {
    const end_date = at('2026-01-07T09:00:00Z')
    const id = await repeating(api, { trigger: 'on_schedule', frequency: 'daily', end_date })
    await control.advance('10d')
    expect(await clones(api, id)).toEqual(['2026-01-06T09:00Z', '2026-01-07T09:00Z'])
  })

  it('listTasks answers 200 with no further clone when repeat_config was cleared', async () => {
    const id = await repeating(api, { trigger: 'on_schedule', frequency: 'daily' })
    expect((await api.patch(`/tasks/${id}`, { repeat_config: null })).status).toBe(200)
    await control.advance('5d')
    expect(await clones(api, id)).toEqual([])
  })

  it('listTasks answers 200 with the new cadence counted from the change when repeat_config is replaced', async () => {
    const id = await repeating(api, { trigger: 'on_schedule', frequency: 'daily' })
    await control.advance('12h')
    await api.patch(`/tasks/${id}`, {
      repeat_config: { trigger: 'on_schedule', frequency: 'daily', time: '20:00' },
    })
    await control.advance('1d')
    expect(await clones(api, id)).toEqual(['2026-01-06T20:00Z'])
  })

  it('listTasks answers 200 with no clone when the task was deleted at the time', async () => {
    const id = await repeating(api, { trigger: 'on_schedule', frequency: 'daily' })
    await api.delete(`/tasks/${id}`)
    await control.advance('3d')
    expect(await clones(api, id)).toEqual([])
    await control.restoreTask(id)
    expect(await clones(api, id)).toEqual([])
    await control.advance('1d')
    expect(await clones(api, id)).toEqual(['2026-01-09T09:00Z'])
  })

  it('listTasks answers 200 with 1,000 clones at most when the clock jumps far', async () => {
    const id = await repeating(api, { trigger: 'on_schedule', frequency: 'daily' })
    await control.advance('4000d')
    const last = await api.get(list, { query: { q: 'water', offset: 1000, limit: 200 } })
    expect(last.list('tasks')).toHaveLength(1)
    expect(last.at('tasks.0.due_date')).toBe(at('2026-01-05T09:00:00Z') + 1000 * DAY)
    expect(await clones(api, id)).toHaveLength(199)
  })

  it.each([
    [{}, 'trigger'],
    [{ trigger: 'sometimes' }, 'trigger'],
    [{ trigger: 'on_schedule' }, 'frequency'],
    [{ trigger: 'on_schedule', frequency: 'hourly' }, 'frequency'],
    [{ trigger: 'on_schedule', frequency: 'weekly' }, 'day_of_week'],
    [{ trigger: 'on_schedule', frequency: 'weekly', day_of_week: 7 }, 'day_of_week'],
    [{ trigger: 'on_schedule', frequency: 'monthly' }, 'day_of_month'],
    [{ trigger: 'on_schedule', frequency: 'monthly', day_of_month: 0 }, 'day_of_month'],
    [{ trigger: 'on_schedule', frequency: 'monthly', day_of_month: 32 }, 'day_of_month'],
    [{ trigger: 'on_schedule', frequency: 'daily', time: '24:00' }, 'time'],
    [{ trigger: 'on_schedule', frequency: 'daily', time: '9:00' }, 'time'],
    [{ trigger: 'on_schedule', frequency: 'daily', end_date: 'never' }, 'end_date'],
    ['daily', 'repeat_config'],
  ])('updateTask answers 400 when repeat_config is %j', async (repeat_config, field) => {
    const reply = await api.patch('/tasks/tsk_plain', { repeat_config })
    expect(reply.status).toBe(400)
    expect(reply.error).toContain(field)
    expect((await api.get('/tasks/tsk_plain')).at('repeat_config')).toBeNull()
  })
})

describe('tasks repeating on completion', () => {
  const { api, control } = useMock({ answers: { taskReadExtras: true } })
  const titled = async () => (await api.get(list, { query: { q: 'water' } })).list('tasks')

  it.each(['hourly', '', 5, null, {}, ['daily']])(
    'updateTask answers 200 and leaves out the frequency when on_complete comes with %j',
    async (frequency) => {
      const repeat_config = { trigger: 'on_complete', frequency, time: '08:00' }
      expect((await api.patch('/tasks/tsk_plain', { repeat_config })).status).toBe(200)
      const expected = { trigger: 'on_complete', time: '08:00' }
      expect((await api.get('/tasks/tsk_plain')).at('repeat_config')).toEqual(expected)
    },
  )

  it('updateTask answers 200 and clones the task when it is marked done', async () => {
    const repeat_config = { trigger: 'on_complete' }
    const id = await repeating(api, repeat_config, { due_date: NOW, date_start: NOW, priority: 'low' })
    await control.advance('1h')
    expect(await titled()).toHaveLength(1)
    await api.patch(`/tasks/${id}`, { status_id: 'st_done' })
    expect(await titled()).toMatchObject([
      { id, status_id: 'st_done', repeat_config: null },
      {
        status_id: 'st_todo',
        due_date: null,
        date_start: null,
        priority: 1,
        repeat_config,
        created_at: NOW + 3600,
      },
    ])
  })

  it('updateTask answers 200 and clones the clone when that is marked done too', async () => {
    const id = await repeating(api, { trigger: 'on_complete', frequency: 'daily' })
    await api.patch(`/tasks/${id}`, { status_id: 'st_done' })
    const second = ((await titled()) as { id: string }[])[1]
    await api.patch(`/tasks/${String(second?.id)}`, { status_id: 'st_done' })
    expect(await titled()).toHaveLength(3)
    await api.patch(`/tasks/${id}`, { status_id: 'st_todo' })
    await api.patch(`/tasks/${id}`, { status_id: 'st_done' })
    expect(await titled()).toHaveLength(3)
  })

  it.each(['st_doing', 'st_archived', 'st_todo'])(
    'updateTask answers 200 without a clone when the status is %s',
    async (status_id) => {
      const id = await repeating(api, { trigger: 'on_complete' })
      await api.patch(`/tasks/${id}`, { status_id })
      await control.advance('40d')
      expect(await titled()).toHaveLength(1)
    },
  )

  it('updateTask answers 200 and clones the task when end_date is that very moment', async () => {
    const id = await repeating(api, { trigger: 'on_complete', end_date: NOW })
    await api.patch(`/tasks/${id}`, { status_id: 'st_done' })
    expect(await titled()).toHaveLength(2)
  })

  it('updateTask answers 200 without a clone when end_date has passed', async () => {
    const id = await repeating(api, { trigger: 'on_complete', end_date: NOW + 60 })
    await control.advance('2m')
    await api.patch(`/tasks/${id}`, { status_id: 'st_done' })
    expect(await titled()).toHaveLength(1)
  })

  it('updateTask answers 200 ignoring its frequency when repeat_config is on_complete', async () => {
    const repeat_config = { trigger: 'on_complete', frequency: 'daily' }
    expect((await api.patch('/tasks/tsk_plain', { repeat_config })).status).toBe(200)
    const before = (await api.get('/lists/lst_main/tasks')).list('tasks').length
    await control.advance('5d')
    expect((await api.get('/lists/lst_main/tasks')).list('tasks')).toHaveLength(before)
  })
})
