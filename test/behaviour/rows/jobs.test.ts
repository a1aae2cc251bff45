// Async bulk jobs: submission, states, progress, errors.
import { describe, expect, it } from 'vitest'
import { NOW } from '../support/fixture.ts'
import { times, useMock, type Api } from '../support/harness.ts'

const path = '/datatables/tbl_empty/jobs/insert'
const rows = (count: number) => times(count, (index) => ({ col_count: index }))

async function submit(api: Api, count: number): Promise<string> {
  const reply = await api.post(path, { rows: rows(count) })
  expect(reply.status).toBe(202)
  return reply.string('job_id')
}

describe('jobs', () => {
  const { api, control } = useMock({ advanceOnPoll: false })
  const job = (id: string, key?: string) => api.get(`/jobs/${id}`, key === undefined ? {} : { key })
  const total = async () => (await api.get('/datatables/tbl_empty/rows')).number('total')

  it('submitInsertJob answers 202 with the queued job when rows are sent', async () => {
    const reply = await api.post(path, { rows: rows(3) })
    expect(reply.status).toBe(202)
    expect(reply.json).toEqual({ job_id: reply.string('job_id'), status: 'queued', rows_submitted: 3 })
    expect(await total()).toBe(0)
  })

  it('getJob answers 200 with the whole job when it is queued', async () => {
    const id = await submit(api, 3)
    const reply = await job(id)
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({
      id,
      type: 'api_bulk_insert',
      status: 'queued',
      resource_id: 'tbl_empty',
      created_at: NOW,
      updated_at: NOW,
      completed_at: null,
      error_message: null,
      metadata: { table_name: 'Empty', submitted: 3, row_count: 0, progress: 0, total: 3, errors: 0 },
    })
  })

  it('getJob answers 200 with the state of that moment when polled along the timeline', async () => {
    const id = await submit(api, 2500)
    const seen: unknown[] = []
    for (let ms = 0; ms <= 2500; ms += 250) {
      const { json } = await job(id)
      const { status, updated_at, metadata } = json as {
        status: string
        updated_at: number
        metadata: { row_count: number; progress: number }
      }
      seen.push([ms, status, metadata.row_count, metadata.progress, updated_at - NOW, await total()])
      await control.advance(250)
    }
    expect(seen).toEqual([
      [0, 'queued', 0, 0, 0, 0],
      [250, 'queued', 0, 0, 0, 0],
      [500, 'processing', 0, 0, 0, 0],
      [750, 'processing', 0, 0, 0, 0],
      [1000, 'processing', 1000, 0.4, 1, 1000],
      [1250, 'processing', 1000, 0.4, 1, 1000],
      [1500, 'processing', 2000, 0.8, 1, 2000],
      [1750, 'processing', 2000, 0.8, 1, 2000],
      [2000, 'done', 2500, 1, 2, 2500],
      [2250, 'done', 2500, 1, 2, 2500],
      [2500, 'done', 2500, 1, 2, 2500],
    ])
  })

  it('getJob answers 200 with the finished job when it is looked at long after', async () => {
    const id = await submit(api, 2500)
    await control.advance('3d')
    expect((await job(id)).json).toMatchObject({
      status: 'done',
      created_at: NOW,
      updated_at: NOW + 2,
      completed_at: NOW + 2,
      error_message: null,
      metadata: { submitted: 2500, row_count: 2500, progress: 1, total: 2500, errors: 0 },
    })
  })

  it('listRows answers 200 with the rows of a job when nobody polled it', async () => {
    await submit(api, 1500)
    await control.advance('1s')
    const reply = await api.get('/datatables/tbl_empty/rows', { query: { limit: 1 } })
    expect(reply.at('total')).toBe(1000)
    expect((await api.get('/datatables')).at('datatables.2.row_count')).toBe(1000)
  })

  it('listRows answers 200 with the moment of their chunk as created_at and updated_at when rows came by a job', async () => {
    const reply = await api.post('/datatables/tbl_all/jobs/insert', { rows: [{ col_text: 'late' }] })
    expect(reply.status).toBe(202)
    await control.advance('1h')
    const { json } = await api.get('/datatables/tbl_all/rows', { query: { Title: 'late' } })
    expect(json).toMatchObject({
      total: 1,
      rows: [{ data: { col_created: NOW + 1, col_updated: NOW + 1, col_autonumber: 'INV-0006' } }],
    })
  })

  it('listRows answers 200 with rows in order of submission when their jobs end at one moment', async () => {
    const key = 'wm_test_business'
    for (const count of [1, 2, 3])
      await api.post('/datatables/tbl_business/jobs/insert', { rows: [{ col_count: count }] }, { key })
    await control.advance('1m')
    const listed = await api.get('/datatables/tbl_business/rows', { key })
    expect(listed.pluck('rows', 'data.col_count').slice(-3)).toEqual([1, 2, 3])
  })

  it('getJob answers 200 with done and the errored chunks when some rows are invalid', async () => {
    const bad = [0, 1, 1500, 2500, 3500]
    const submitted = rows(4000).map((row, index) => (bad.includes(index) ? { col_count: 'x' } : row))
    const reply = await api.post(path, { rows: submitted })
    await control.advance('1m')
    const done = await job(reply.string('job_id'))
    expect(done.json).toMatchObject({
      status: 'done',
      metadata: { submitted: 4000, row_count: 3995, progress: 1, total: 4000, errors: 4 },
    })
    const messages = done.string('error_message').split('; ')
    expect(messages.map((message) => message.replace(/: [^:]*col_count.*$/, ''))).toEqual([
      'chunk 1: row 0',
      'chunk 2: row 1500',
      'chunk 3: row 2500',
    ])
    expect(await total()).toBe(3995)
  })

  it('getJob answers 200 with failed when no row went in', async () => {
    const reply = await api.post(path, { rows: [{ col_count: 'x' }, { nope: 1 }] })
    expect(reply.status).toBe(202)
    await control.advance('1m')
    expect((await job(reply.string('job_id'))).json).toMatchObject({
      status: 'failed',
      completed_at: NOW + 1,
      metadata: { row_count: 0, progress: 1, total: 2, errors: 1 },
    })
  })

  it.each([
    ['no body', undefined],
    ['no rows', {}],
    ['no row in rows', { rows: [] }],
    ['rows that is a string', { rows: 'rows' }],
  ])('submitInsertJob answers 400 when there is %s', async (_, json) => {
    expect((await api.post(path, json)).status).toBe(400)
  })

  it('submitInsertJob answers 404 when the table is absent or foreign', async () => {
    expect((await api.post('/datatables/tbl_none/jobs/insert', { rows: rows(1) })).status).toBe(404)
    expect((await api.post('/datatables/tbl_free/jobs/insert', { rows: rows(1) })).status).toBe(404)
  })

  it('submitInsertJob answers 403 with the facts when the plan has no async bulk', async () => {
    const reply = await api.post(
      '/datatables/tbl_free/jobs/insert',
      { rows: rows(1) },
      { key: 'wm_test_free' },
    )
    expect(reply.status).toBe(403)
    expect(reply.json).toEqual({
      error: reply.error,
      limitReached: true,
      resource: 'bulkRowsPerJob',
      limit: 0,
      current: 0,
    })
  })

  it('submitInsertJob answers 403 without limit facts when the table is locked', async () => {
    const reply = await api.post('/datatables/tbl_locked/jobs/insert', { rows: rows(1) })
    expect(reply.status).toBe(403)
    expect(reply.json).toEqual({ error: reply.error })
  })

  it('submitInsertJob answers 429 with facts and headers when the one job of plan pro runs', async () => {
    const id = await submit(api, 3000)
    const reply = await api.post(path, { rows: rows(1) })
    expect(reply.status).toBe(429)
    expect(reply.json).toEqual({
      error: reply.error,
      limitReached: true,
      resource: 'concurrentBulkJobs',
      limit: 1,
      current: 1,
    })
    expect(reply.headers.get('retry-after')).toBe('2')
    expect(reply.headers.get('x-ratelimit-limit')).toBe('1')
    await control.advance('2s')
    expect((await api.post(path, { rows: rows(1) })).status).toBe(202)
    expect((await job(id)).at('status')).toBe('done')
  })

  it('submitInsertJob answers 429 with the sixth job when plan business runs five', async () => {
    const post = () =>
      api.post('/datatables/tbl_business/jobs/insert', { rows: rows(1) }, { key: 'wm_test_business' })
    for (let count = 1; count <= 5; count++) expect((await post()).status).toBe(202)
    expect((await post()).json).toMatchObject({ resource: 'concurrentBulkJobs', limit: 5, current: 5 })
    await control.advance('1s')
    expect((await post()).status).toBe(202)
  })

  it('submitInsertJob answers 429 with the eleventh job when plan scale runs ten', async () => {
    const post = () =>
      api.post('/datatables/tbl_scale/jobs/insert', { rows: rows(1) }, { key: 'wm_test_scale' })
    for (let count = 1; count <= 10; count++) expect((await post()).status).toBe(202)
    expect((await post()).status).toBe(429)
  })

  it('getJob answers 404 when the job is absent or of another workspace', async () => {
    const id = await submit(api, 1)
    expect((await job('job_none')).status).toBe(404)
    expect((await job(id, 'wm_test_business')).status).toBe(404)
    expect((await job(id)).status).toBe(200)
  })
})

describe('jobs polled on a manual clock', () => {
  const { api, control } = useMock()

  it('getJob answers 200 and moves a manual clock by 500 ms when it is polled', async () => {
    const id = await submit(api, 3000)
    const seen: unknown[] = []
    for (let poll = 0; poll < 6; poll++) {
      const reply = await api.get(`/jobs/${id}`)
      seen.push([reply.at('status'), reply.at('metadata.row_count')])
    }
    expect(seen).toEqual([
      ['queued', 0],
      ['processing', 0],
      ['processing', 1000],
      ['processing', 2000],
      ['done', 3000],
      ['done', 3000],
    ])
    expect(await control.nowMs()).toBe(NOW * 1000 + 3000)
  })

  it('getJob answers 404 without moving the clock when the job is absent', async () => {
    expect((await api.get('/jobs/job_none')).status).toBe(404)
    expect(await control.nowMs()).toBe(NOW * 1000)
  })
})

describe('jobs side by side', () => {
  const { api, control } = useMock({ advanceOnPoll: false })
  const submit = (table: string, count = 1, options = {}) =>
    api.post(`/datatables/${table}/jobs/insert`, { rows: times(count, () => ({})) }, options)
  const business = { key: 'wm_test_business' }

  it('submitInsertJob answers 202 when another workspace has its jobs running', async () => {
    for (let count = 0; count < 5; count++)
      expect((await submit('tbl_business', 1, business)).status).toBe(202)
    expect((await submit('tbl_empty')).status).toBe(202)
    expect((await submit('tbl_business', 1, business)).status).toBe(429)
  })

  it('submitInsertJob answers 429 with the wait for the first job to end when several run', async () => {
    for (const rows of [9000, 1, 5000, 9000, 9000]) await submit('tbl_business', rows, business)
    const refused = await submit('tbl_business', 1, business)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  })

  it('submitInsertJob answers 202 without end when no limit is set, 429 when the limit is 0', async () => {
    await control.setLimits({ concurrentBulkJobs: null })
    for (let count = 0; count < 3; count++) expect((await submit('tbl_empty')).status).toBe(202)
    await control.reset()
    await control.setLimits({ concurrentBulkJobs: 0 })
    const refused = await submit('tbl_empty')
    expect(refused.json).toMatchObject({ resource: 'concurrentBulkJobs', limit: 0, current: 0 })
    expect(refused.headers.get('retry-after')).toBe('1')
  })
})
