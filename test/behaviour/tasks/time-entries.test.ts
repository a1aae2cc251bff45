// Time entries: manual ones, timers, totals, edits.
import { describe, expect, it } from 'vitest'
import { NOW } from '../support/fixture.ts'
import { useMock, type Reply } from '../support/harness.ts'

const path = '/tasks/tsk_plain/time-entries'
const other = '/tasks/tsk_doing/time-entries'
const scoped = { key: 'wm_test_scoped' }

describe('time entries', () => {
  const { api, control } = useMock()
  const post = (json: unknown, at = path) => api.post(at, json)
  const entries = async (at = path) => (await api.get(at)).list('entries')
  const created = async (json: unknown, at = path): Promise<Reply> => {
    const reply = await post(json, at)
    expect(reply.status).toBe(200)
    return reply
  }

  it('listTimeEntries answers 200 with entries, users in order of first entry, and the total when several users have some', async () => {
    const reply = await api.get('/tasks/tsk_full/time-entries')
    expect(reply.status).toBe(200)
    const shown = { billable: 0, note: '', is_running: 0, date_start: NOW - 7200 }
    expect(reply.json).toEqual({
      users: [
        { id: 'mem_ada', name: 'Ada Quill', total_seconds: 600 },
        { id: 'mem_bo', name: 'Bo Lindqvist', total_seconds: 60 },
      ],
      total_seconds: 660,
      entries: [
        { ...shown, id: 'ent_ada', user_id: 'mem_ada', duration: 600, date_end: NOW - 6600 },
        { ...shown, id: 'ent_bo', user_id: 'mem_bo', duration: 60, date_end: NOW - 7140 },
      ],
    })
    expect((await api.get(path)).json).toEqual({ users: [], total_seconds: 0, entries: [] })
  })

  it.each([
    [{ duration: 90 }, { duration: 90, date_start: NOW - 90, date_end: NOW }],
    [
      { date_start: 1000, date_end: 1600 },
      { duration: 600, date_start: 1000, date_end: 1600 },
    ],
    [
      { duration: 5, date_start: 1000, date_end: 1600 },
      { duration: 5, date_start: 1000, date_end: 1600 },
    ],
    [{ duration: 0 }, { duration: 0, date_start: NOW, date_end: NOW }],
    [
      { duration: 1, billable: true, note: 'Late' },
      { billable: 1, note: 'Late' },
    ],
    [{ duration: 1, as_user: 'mem_cy' }, { user_id: 'mem_cy' }],
  ])(
    'createTimeEntry answers 200 with a stopped entry when action is manual with %j',
    async (fields, expected) => {
      const reply = await post({ action: 'manual', ...fields })
      expect(reply.status).toBe(200)
      expect(reply.json).toMatchObject({
        user_id: 'mem_ada',
        billable: 0,
        note: '',
        is_running: 0,
        ...expected,
      })
      expect(await entries()).toEqual([reply.json])
    },
  )

  it.each([
    [undefined, ''],
    [{}, 'action'],
    [{ action: 'pause' }, 'action'],
    [{ action: 'manual' }, 'duration'],
    [{ action: 'manual', date_start: 5 }, 'date_end'],
    [{ action: 'manual', date_end: 5 }, 'date_start'],
    [{ action: 'manual', date_start: 10, date_end: 5 }, 'date_end'],
    [{ action: 'manual', duration: '90' }, 'duration'],
    [{ action: 'manual', duration: 1.5 }, 'duration'],
    [{ action: 'manual', duration: -1 }, 'duration'],
    [{ action: 'manual', duration: 1, billable: 1 }, 'billable'],
    [{ action: 'manual', duration: 1, note: 5 }, 'note'],
    [{ action: 'manual', duration: 1, as_user: 'mem_none' }, 'as_user'],
    [{ action: 'start', as_user: 'mem_free' }, 'as_user'],
  ])('createTimeEntry answers 400 when the body is %j', async (json, field) => {
    const reply = await post(json)
    expect(reply.status).toBe(400)
    expect(reply.error).toContain(field)
    expect(await entries()).toEqual([])
  })

  it('createTimeEntry answers 200 with a running entry when action is start, and the stopped one on stop', async () => {
    const started = await created({ action: 'start' })
    expect(started.json).toEqual({
      id: started.string('id'),
      user_id: 'mem_ada',
      duration: 0,
      billable: 0,
      note: '',
      is_running: 1,
      date_start: NOW,
      date_end: null,
    })
    await control.advance('90s')
    expect((await api.get(path)).json).toMatchObject({
      total_seconds: 0,
      entries: [{ is_running: 1, duration: 0 }],
    })
    const stopped = await created({ action: 'stop' })
    expect(stopped.json).toEqual({
      ...(started.json as object),
      duration: 90,
      is_running: 0,
      date_end: NOW + 90,
    })
    expect((await api.get(path)).json).toEqual({
      users: [{ id: 'mem_ada', name: 'Ada Quill', total_seconds: 90 }],
      total_seconds: 90,
      entries: [stopped.json],
    })
  })

  it('listTimeEntries answers 200 with users by their first entry when the total would leave the safe integers', async () => {
    const times = { date_start: 0, date_end: 1, duration: Number.MAX_SAFE_INTEGER }
    for (const as_user of ['mem_cy', 'mem_ada', 'mem_cy'])
      await created({ action: 'manual', as_user, ...times })
    const reply = await api.get(path)
    expect(reply.pluck('users', 'id')).toEqual(['mem_cy', 'mem_ada'])
    expect(reply.at('total_seconds')).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('createTimeEntry answers 200 stopping the timer the same user has on another task when one is started', async () => {
    await created({ action: 'start' })
    await control.advance('1m')
    await created({ action: 'start' }, other)
    expect(await entries()).toMatchObject([{ is_running: 0, duration: 60, date_end: NOW + 60 }])
    expect(await entries(other)).toMatchObject([{ is_running: 1, date_start: NOW + 60 }])
  })

  it('createTimeEntry answers 200 leaving the timers of other users running when one is started', async () => {
    await created({ action: 'start', as_user: 'mem_cy' })
    await created({ action: 'start' })
    expect(await entries()).toMatchObject([
      { user_id: 'mem_cy', is_running: 1 },
      { user_id: 'mem_ada', is_running: 1 },
    ])
  })

  it('createTimeEntry answers 200 stopping the entry of the acting user when several run', async () => {
    await created({ action: 'start', as_user: 'mem_cy' })
    await created({ action: 'start', as_user: 'mem_bo' })
    await created({ action: 'start' })
    expect((await created({ action: 'stop' })).at('user_id')).toBe('mem_ada')
    const stop = await api.post(path, { action: 'stop' }, scoped)
    expect(stop.at('user_id')).toBe('mem_bo')
  })

  it('createTimeEntry answers 200 stopping the only one running when the acting user has none', async () => {
    await created({ action: 'start', as_user: 'mem_cy' })
    expect((await created({ action: 'stop' })).at('user_id')).toBe('mem_cy')
  })

  it('createTimeEntry answers 400 to a stop when the acting user has none and several run', async () => {
    await created({ action: 'start', as_user: 'mem_cy' })
    await created({ action: 'start', as_user: 'mem_bo' })
    expect((await post({ action: 'stop' })).status).toBe(400)
  })

  it('createTimeEntry answers 400 to a stop when nothing runs on that task', async () => {
    await created({ action: 'start' }, other)
    expect((await post({ action: 'stop' })).status).toBe(400)
    expect(await entries(other)).toMatchObject([{ is_running: 1 }])
  })

  const entryPath = '/tasks/tsk_full/time-entries/ent_ada'
  it.each([
    [
      { note: 'Noted', billable: true },
      { note: 'Noted', billable: 1, duration: 600 },
    ],
    [{ date_end: NOW - 7100 }, { duration: 100, date_start: NOW - 7200, date_end: NOW - 7100 }],
    [{ date_start: NOW - 6700 }, { duration: 100, date_start: NOW - 6700, date_end: NOW - 6600 }],
    [{ duration: 60 }, { duration: 60, date_start: NOW - 7200, date_end: NOW - 7140 }],
    [
      { duration: 7, date_end: NOW },
      { duration: 7, date_start: NOW - 7200, date_end: NOW },
    ],
    [{}, { duration: 600 }],
  ])('updateTimeEntry answers 200 when a stopped entry is changed by %j', async (json, expected) => {
    const reply = await api.patch(entryPath, json)
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ success: true })
    expect((await entries('/tasks/tsk_full/time-entries'))[0]).toMatchObject({ id: 'ent_ada', ...expected })
  })

  it.each([{ duration: 'x' }, { note: 1 }, { billable: 'yes' }, { date_start: 'x' }, { date_end: 1 }])(
    'updateTimeEntry answers 400 and changes nothing when the body has %j',
    async (json) => {
      const before = await entries('/tasks/tsk_full/time-entries')
      const reply = await api.patch(entryPath, { note: 'Noted', ...json })
      expect(reply.status).toBe(400)
      expect(await entries('/tasks/tsk_full/time-entries')).toEqual(before)
    },
  )

  it('updateTimeEntry answers 400 when the entry is running, 200 when it is stopped', async () => {
    const id = (await created({ action: 'start' })).string('id')
    expect((await api.patch(`${path}/${id}`, { note: 'x' })).status).toBe(400)
    await created({ action: 'stop' })
    expect((await api.patch(`${path}/${id}`, { note: 'x' })).status).toBe(200)
  })

  it('deleteTimeEntry answers 200 when the entry exists, also a running one, which is then gone', async () => {
    const reply = await api.delete(entryPath)
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ success: true })
    expect((await api.get('/tasks/tsk_full/time-entries')).json).toMatchObject({
      users: [{ id: 'mem_bo' }],
      total_seconds: 60,
      entries: [{ id: 'ent_bo' }],
    })
    const running = (await created({ action: 'start' })).string('id')
    expect((await api.delete(`${path}/${running}`)).status).toBe(200)
    expect((await post({ action: 'stop' })).status).toBe(400)
  })

  it.each([
    '/tasks/tsk_full/time-entries/ent_none',
    '/tasks/tsk_plain/time-entries/ent_ada',
    '/tasks/tsk_none/time-entries/ent_ada',
    '/tasks/tsk_free/time-entries/ent_free',
  ])('updateTimeEntry and deleteTimeEntry answer 404 when the path is %s', async (at) => {
    expect((await api.patch(at, { note: 'x' })).status).toBe(404)
    expect((await api.delete(at)).status).toBe(404)
  })

  it.each(['tsk_none', 'tsk_free', 'tsk_deleted', 'tsk_board'])(
    'listTimeEntries and createTimeEntry answer 404 when the task is %s',
    async (id) => {
      expect((await api.get(`/tasks/${id}/time-entries`)).status).toBe(404)
      expect((await post({ action: 'start' }, `/tasks/${id}/time-entries`)).status).toBe(404)
    },
  )

  it('createTimeEntry answers 400 saying so when a field is missing, or nothing or several of others are running', async () => {
    const error = async (json: object) => (await api.post(path, json)).error
    expect(await error({ action: 'manual', date_start: NOW })).toContain('duration, or both')
    expect(await error({ action: 'stop' })).toContain('none is running')
    for (const as_user of ['mem_bo', 'mem_cy']) await api.post(path, { action: 'start', as_user })
    expect(await error({ action: 'stop' })).toContain('2 by other users are running')
  })

  it.each([
    { duration: Number.MAX_SAFE_INTEGER, date_start: NOW },
    { date_start: Number.MIN_SAFE_INTEGER, date_end: NOW },
  ])('createTimeEntry answers 400 when the times of %j leave the safe integers', async (times) => {
    const reply = await api.post(path, { action: 'manual', ...times })
    expect(reply.status).toBe(400)
    expect(reply.error).toContain('safe integers')
  })

  it.each(['elapsed', 'zero'])(
    'listTimeEntries answers 200 with no time below zero when the clock was put back and runningDuration is %s',
    async (runningDuration) => {
      await control.setAnswers({ runningDuration })
      await created({ action: 'manual', duration: 100, date_start: NOW - 100 })
      await created({ action: 'start' })
      await control.setClock(NOW - 3600)
      const listing = await api.get(path)
      expect(listing.pluck('entries', 'duration')).toEqual([100, 0])
      expect(listing.at('total_seconds')).toBe(100)
      expect(listing.pluck('users', 'total_seconds')).toEqual([100])
      const stopped = await created({ action: 'stop' })
      expect(stopped.json).toMatchObject({ is_running: 0, duration: 0, date_start: NOW, date_end: NOW })
    },
  )
})

describe('timers of members who have one id in two workspaces', () => {
  const workspace = (name: string) => ({
    id: `ws_${name}`,
    name,
    plan: 'pro',
    members: [{ id: 'mem_same', name: 'Kim' }],
    keys: [{ key: `wm_${name}`, name, kind: 'master', member_id: 'mem_same' }],
    spaces: [
      {
        id: `spc_${name}`,
        name,
        lists: [{ id: `lst_${name}`, name, tasks: [{ id: `tsk_${name}`, title: name }] }],
      },
    ],
  })
  const workspaces = [workspace('one'), workspace('other')]
  const { api } = useMock({ fixture: { name: 'same ids', clock: NOW, workspaces }, key: 'wm_one' })

  it('createTimeEntry answers 200 leaving the timer of another workspace running when one is started', async () => {
    for (const name of ['one', 'other', 'one']) {
      const at = `/tasks/tsk_${name}/time-entries`
      expect((await api.post(at, { action: 'start' }, { key: `wm_${name}` })).status).toBe(200)
    }
    const running = async (name: string) =>
      (await api.get(`/tasks/tsk_${name}/time-entries`, { key: `wm_${name}` })).pluck('entries', 'is_running')
    expect([await running('one'), await running('other')]).toEqual([[0, 1], [1]])
  })
})
