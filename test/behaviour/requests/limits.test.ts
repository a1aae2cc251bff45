// The plans' limits at their edges, and their overrides.
import { describe, expect, it } from 'vitest'
import { NOW } from '../support/fixture.ts'
import { multipart, times, useMock, type Reply } from '../support/harness.ts'

const rows = (count: number) => times(count, (index) => ({ col_count: index }))
const MiB = 1024 * 1024

function expectFacts(reply: Reply, resource: string, limit: number, current: number): void {
  expect(reply.json).toEqual({ error: reply.error, limitReached: true, resource, limit, current })
}

function expectRateHeaders(reply: Reply, limit: number, retryAfter: number): void {
  expect(reply.status).toBe(429)
  expect(reply.headers.get('x-ratelimit-limit')).toBe(String(limit))
  expect(reply.headers.get('retry-after')).toBe(String(retryAfter))
}

describe('bulk requests per minute', () => {
  const { api, control } = useMock()
  const bulk = (name = 'free', json: unknown = { rows: rows(1) }) =>
    api.post(`/datatables/tbl_${name}/rows/bulk`, json, { key: `wm_test_${name}` })

  it.each([
    ['free', 10],
    ['business', 120],
    ['scale', 300],
  ])(
    'bulkInsertRows answers 429 with facts and headers when plan %s has made %i in a minute',
    async (name, limit) => {
      for (let count = 1; count <= limit; count++) expect((await bulk(name)).status).toBe(200)
      const reply = await bulk(name)
      expectRateHeaders(reply, limit, 60)
      expectFacts(reply, 'bulkInsertPerMinute', limit, limit + 1)
    },
  )

  it('bulkInsertRows answers 429 when plan pro has made 60 in a minute, invalid ones too', async () => {
    for (let count = 1; count <= 60; count++)
      expect((await api.post('/datatables/tbl_empty/rows/bulk', { rows: [] })).status).toBe(400)
    expect((await api.post('/datatables/tbl_linked/rows/bulk', { rows: [] })).status).toBe(429)
  })

  it('bulkInsertRows answers 200 again when 60 s have passed since the first request that counted', async () => {
    await control.setLimits({ bulkInsertPerMinute: 2 }, 'ws_free')
    await control.advance('30s')
    expect((await bulk()).status).toBe(200)
    await control.advance('45s')
    expect((await bulk()).status).toBe(200)
    expectRateHeaders(await bulk(), 2, 15)
    await control.advance(13_500)
    expectRateHeaders(await bulk(), 2, 2)
    await control.advance(1000)
    expectRateHeaders(await bulk(), 2, 1)
    await control.advance(500)
    expect((await bulk()).status).toBe(200)
    expect((await bulk()).status).toBe(200)
    expectRateHeaders(await bulk(), 2, 60)
  })

  it('bulkInsertRows answers 429 when the workspace has used up its minute, 200 when another has', async () => {
    await control.setLimits({ bulkInsertPerMinute: 0 }, 'ws_free')
    expect((await bulk()).status).toBe(429)
    expect((await bulk('business')).status).toBe(200)
  })

  it('bulkInsertRows answers 200 without end when the limit is null', async () => {
    await control.setLimits({ bulkInsertPerMinute: null }, 'ws_free')
    for (let count = 1; count <= 20; count++) expect((await bulk()).status).toBe(200)
  })
})

describe('requests per month', () => {
  const { api, control } = useMock()

  it('mock.setLimits() keeps the limits that were set before', async () => {
    await control.setLimits({ requestsPerMonth: 1, spaces: 0 })
    await control.setLimits({ lists: 0 })
    expect((await api.post('/spaces', { name: 'New' })).at('resource')).toBe('spaces')
    expect((await api.get('/me')).at('resource')).toBe('requestsPerMonth')
    await control.setLimits({ requestsPerMonth: null })
    expect((await api.post('/spaces/spc_main/lists', { name: 'New' })).at('resource')).toBe('lists')
    expect((await api.post('/spaces', { name: 'New' })).at('resource')).toBe('spaces')
  })

  const monthEnd = 1_769_904_000 // 2026-02-01T00:00:00Z

  it('every operation answers 429 with facts and headers when the requests of the month are used up', async () => {
    await control.setLimits({ requestsPerMonth: 3 })
    expect((await api.get('/me')).status).toBe(200)
    expect((await api.get('/tasks/tsk_none')).status).toBe(404)
    expect((await api.post('/spaces', {})).status).toBe(400)
    const reply = await api.get('/me')
    expectRateHeaders(reply, 3, monthEnd - NOW)
    expectFacts(reply, 'requestsPerMonth', 3, 4)
    expect((await api.get('/me', { key: 'wm_test_scoped' })).status).toBe(429)
    expect((await api.get('/me', { key: 'wm_test_free' })).status).toBe(200)
    await control.setClock(monthEnd - 1)
    expect((await api.get('/me')).status).toBe(429)
    await control.advance('1s')
    expect((await api.get('/me')).status).toBe(200)
  })

  it('getIdentity answers 200 when only requests without a valid key came before', async () => {
    await control.setLimits({ requestsPerMonth: 1 })
    await api.get('/me', { key: null })
    await api.get('/me', { key: 'wm_none' })
    await api.get('/nothing')
    expect((await api.get('/me')).status).toBe(200)
    expect((await api.get('/me')).status).toBe(429)
  })
})

describe('rows of a job', () => {
  const { api, control } = useMock({ advanceOnPoll: false })
  const job = (count: number) => api.post('/datatables/tbl_empty/jobs/insert', { rows: rows(count) })

  it('submitInsertJob answers 202 when there are 50,000 rows, and all go in', async () => {
    const reply = await job(50_000)
    expect(reply.status).toBe(202)
    expect(reply.at('rows_submitted')).toBe(50_000)
    await control.advance('1m')
    const done = await api.get(`/jobs/${reply.string('job_id')}`)
    expect(done.json).toMatchObject({
      status: 'done',
      metadata: { row_count: 50_000, progress: 1, errors: 0 },
    })
    const last = await api.get('/datatables/tbl_empty/rows', { query: { limit: 500, page: 100 } })
    expect(last.at('total')).toBe(50_000)
    expect(last.at('rows.499.data.col_count')).toBe(49_999)
  })

  it('submitInsertJob answers 413 with the facts when there are 50,001 rows', async () => {
    const reply = await job(50_001)
    expect(reply.status).toBe(413)
    expectFacts(reply, 'bulkRowsPerJob', 50_000, 50_001)
  })

  it('submitInsertJob answers 413 when there are more rows than an override allows', async () => {
    await control.setLimits({ bulkRowsPerJob: 3 })
    expect((await job(3)).status).toBe(202)
    await control.advance('1m')
    expectFacts(await job(4), 'bulkRowsPerJob', 3, 4)
  })
})

describe('file sizes', () => {
  const { api } = useMock()
  const upload = (path: string, size: number) =>
    api.call('POST', path, { body: multipart([{ filename: 'f.bin', content: new Uint8Array(size) }]) })

  it.each([
    ['uploadTaskAttachment', '/tasks/tsk_plain/attachments', 201],
    ['uploadRowAttachment', '/datatables/tbl_all/rows/row_1/attachments', 200],
  ])(
    '%s answers %i when a file has 10 MiB, 413 with the facts when it has one byte more',
    async (_, path, status) => {
      expect((await upload(path, 10 * MiB)).status).toBe(status)
      const reply = await upload(path, 10 * MiB + 1)
      expect(reply.status).toBe(413)
      expectFacts(reply, 'maxFileBytes', 10 * MiB, 10 * MiB + 1)
    },
  )
})

describe('sizes of JSON bodies', () => {
  const { api, control } = useMock({ answers: { bodyBytes: 2000 } })
  const name = (length: number) => ({ name: 'x'.repeat(length) })

  it('createSpace answers 413 without limit facts when the body is too large', async () => {
    const around = JSON.stringify(name(0)).length
    expect((await api.post('/spaces', name(2000 - around))).status).toBe(200)
    const reply = await api.post('/spaces', name(2001 - around))
    expect(reply.status).toBe(413)
    expect(reply.json).toEqual({ error: reply.error })
    expect((await api.get('/spaces')).list('spaces')).toHaveLength(2)
  })

  it('createRow answers 400 when the body is nested deeper than 256 levels', async () => {
    await control.setAnswers({ bodyBytes: 100_000, unknownBodyFields: 'ignore' })
    const nested = (levels: number) => `{"data":{},"x":${'['.repeat(levels)}${']'.repeat(levels)}}`
    const post = (body: string) =>
      api.call('POST', '/datatables/tbl_empty/rows', {
        body,
        headers: { 'content-type': 'application/json' },
      })
    expect((await post(nested(255))).status).toBe(200)
    expect((await post(nested(257))).status).toBe(400)
    expect((await post(nested(40_000))).status).toBe(400)
  })
})

describe('limits by option', () => {
  const { api } = useMock({ limits: { bulkRowsPerRequest: 2, concurrentBulkJobs: 2, bulkRowsPerJob: null } })
  const bulk = (count: number) => api.post('/datatables/tbl_empty/rows/bulk', { rows: rows(count) })

  it('bulkInsertRows answers 413 when there are more rows than the option allows', async () => {
    expect((await bulk(2)).status).toBe(200)
    const reply = await bulk(3)
    expect(reply.status).toBe(413)
    expectFacts(reply, 'bulkRowsPerRequest', 2, 3)
  })

  it('submitInsertJob answers 429 when more jobs run than the option allows', async () => {
    const job = () => api.post('/datatables/tbl_empty/jobs/insert', { rows: rows(1) })
    expect((await job()).status).toBe(202)
    expect((await job()).status).toBe(202)
    expectFacts(await job(), 'concurrentBulkJobs', 2, 2)
  })
})

describe('limits without end', () => {
  const { api } = useMock({ limits: { bulkRowsPerRequest: null, maxFileBytes: null } })

  it('bulkInsertRows answers 200 when there are more than 250 rows and the limit is null', async () => {
    const reply = await api.post('/datatables/tbl_empty/rows/bulk', { rows: rows(300) })
    expect(reply.json).toEqual({ success: true, count: 300, total: 300 })
  })

  it('uploadTaskAttachment answers 201 when the file has more than 10 MiB and the limit is null', async () => {
    const body = multipart([{ filename: 'f.bin', content: new Uint8Array(10 * MiB + 1) }])
    expect((await api.call('POST', '/tasks/tsk_plain/attachments', { body })).status).toBe(201)
  })
})
