// Checks that every moment comes from the mock's clock, however it is moved. test/mock/system-clock.test.ts tests
// following Date.
import { describe, expect, it } from 'vitest'
import { DAY, NOW } from '../support/fixture.ts'
import { useMock } from '../support/harness.ts'

describe('clock', () => {
  const { api, control } = useMock()

  it('mock.clock.nowMs() is the moment of the fixture and stands still', async () => {
    expect(await control.nowMs()).toBe(NOW * 1000)
    await api.get('/me')
    await api.post('/datatables/tbl_empty/rows', { data: {} })
    expect(await control.nowMs()).toBe(NOW * 1000)
  })

  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['1.001s', 1001],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['2d', 2 * DAY * 1000],
    [250, 250],
    [0, 0],
  ])('mock.clock.advance(%j) moves the clock by %i ms', async (by, ms) => {
    await control.advance(by)
    expect(await control.nowMs()).toBe(NOW * 1000 + ms)
  })

  it.each(['5', '5 minutes', 'soon', '', -1, '-1s'])(
    'mock.clock.advance(%j) is refused and moves nothing',
    async (by) => {
      await expect(control.advance(by)).rejects.toThrow()
      expect(await control.nowMs()).toBe(NOW * 1000)
    },
  )

  it.each([1.5, -1, Number.MAX_SAFE_INTEGER])(
    'mock.clock.set(%d) is refused and moves nothing',
    async (seconds) => {
      await expect(control.setClock(seconds)).rejects.toThrow()
      expect(await control.nowMs()).toBe(NOW * 1000)
    },
  )

  it('mock.clock.now() and created_at are whole seconds when the clock stands between two', async () => {
    await control.advance(999)
    expect(await control.now()).toBe(NOW)
    const created = await api.post('/lists/lst_main/tasks', { title: 'x' })
    expect((await api.get(`/tasks/${created.string('id')}`)).at('created_at')).toBe(NOW)
  })

  it('mock.clock.set() backwards makes later moments those of the clock', async () => {
    await control.setClock(1000)
    const created = await api.post('/lists/lst_main/tasks', { title: 'Early' })
    expect((await api.get(`/tasks/${created.string('id')}`)).at('created_at')).toBe(1000)
    const row = await api.post('/datatables/tbl_all/rows', { data: {} })
    expect(row.at('data.col_created')).toBe(1000)
  })

  it('mock.clock.set() backwards leaves a submitted job waiting for its time', async () => {
    const job = await api.post('/datatables/tbl_empty/jobs/insert', { rows: [{}, {}] })
    await control.setClock(NOW - DAY)
    expect((await api.get(`/jobs/${job.string('job_id')}`)).at('status')).toBe('queued')
    await control.setClock(NOW + 10)
    expect((await api.get(`/jobs/${job.string('job_id')}`)).json).toMatchObject({
      status: 'done',
      completed_at: NOW + 1,
    })
  })

  it('mock.clock.set() backwards leaves what has happened', async () => {
    const job = await api.post('/datatables/tbl_empty/jobs/insert', { rows: [{}, {}] })
    await control.advance('1m')
    expect((await api.get(`/jobs/${job.string('job_id')}`)).at('status')).toBe('done')
    await control.setClock(NOW - DAY)
    expect((await api.get(`/jobs/${job.string('job_id')}`)).at('status')).toBe('done')
    expect((await api.get('/datatables/tbl_empty/rows')).at('total')).toBe(2)
  })

  it('mock.clock.set() backwards opens a rate window that lies ahead', async () => {
    await control.setLimits({ bulkInsertPerMinute: 1 })
    const bulk = () => api.post('/datatables/tbl_empty/rows/bulk', { rows: [{}] })
    expect((await bulk()).status).toBe(200)
    await control.setClock(NOW - DAY)
    expect((await bulk()).status).toBe(200)
    const refused = await bulk()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  })

  it('mock.clock.advance() makes things that are due together happen in the order of their moments', async () => {
    const created = await api.post('/lists/lst_main/tasks', { title: 'Tick' })
    const repeat_config = { trigger: 'on_schedule', frequency: 'daily', time: '10:01' }
    await api.patch(`/tasks/${created.string('id')}`, { repeat_config })
    await api.post('/datatables/tbl_all/jobs/insert', { rows: [{ col_text: 'job' }] })
    await control.advance('2d')
    const { json } = await api.get('/datatables/tbl_all/rows', { query: { Title: 'job' } })
    expect(json).toMatchObject({ rows: [{ data: { col_created: NOW + 1 } }] })
    const ticks = await api.get('/lists/lst_main/tasks', { query: { q: 'tick' } })
    expect(ticks.pluck('tasks', 'due_date')).toEqual([null, NOW + 60, NOW + 60 + DAY])
  })
})
