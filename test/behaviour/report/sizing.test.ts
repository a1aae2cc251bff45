// The report's rules about the size of bulk requests and jobs.
import { describe, expect, it } from 'vitest'
import { times } from '../support/harness.ts'
import { clockModes, useReport } from '../support/report-mock.ts'

const rows = (count: number, from = 0) => times(count, (index) => ({ col_count: from + index }))
const bulkPath = '/datatables/tbl_empty/rows/bulk'
const jobPath = '/datatables/tbl_empty/jobs/insert'

describe.each(clockModes)('sizes on a %s clock', (clock) => {
  const { api, control, pass, found } = useReport(clock)

  /** Submits a job and waits for its end. */
  async function runJob(count: number, path = jobPath, key = 'wm_test_master'): Promise<void> {
    expect((await api.post(path, { rows: rows(count) }, { key })).status).toBe(202)
    await pass(60_000)
  }

  it('mock.report() finds bulk-oversize when a bulk request has 251 rows', async () => {
    expect((await api.post(bulkPath, { rows: rows(251) })).status).toBe(413)
    const [finding, ...others] = await control.report()
    expect(others).toEqual([])
    expect(finding).toMatchObject({
      rule: 'bulk-oversize',
      operation: 'bulkInsertRows',
      count: 1,
      requests: [1],
    })
    expect(finding?.message).toMatch(
      /^bulkInsertRows sent 251 rows to tbl_empty at once; bulkRowsPerRequest is 250\. Send/,
    )
  })

  it('mock.report() finds bulk-oversize when a job has more rows than the plan allows', async () => {
    await control.setLimits({ bulkRowsPerJob: 300 })
    expect((await api.post(jobPath, { rows: rows(301) })).status).toBe(413)
    expect(await found()).toEqual(['bulk-oversize 1'])
  })

  it('mock.report() stays empty when the 413 was not about rows or a fault made it', async () => {
    await control.setAnswers({ bodyBytes: 2000 })
    expect((await api.post(bulkPath, { rows: rows(240) })).status).toBe(413)
    await control.fault({ operation: 'bulkInsertRows', status: 413 })
    expect((await api.post(bulkPath, { rows: rows(2) })).status).toBe(413)
    expect(await found()).toEqual([])
  })

  it('mock.report() finds bulk-for-job when three bulk requests bring more than 250 rows within a minute', async () => {
    for (let request = 0; request < 3; request++) {
      await api.post(bulkPath, { rows: rows(100, request * 100) })
      await pass(10_000)
    }
    const [finding, ...others] = await control.report()
    expect(others).toEqual([])
    expect(finding).toMatchObject({
      rule: 'bulk-for-job',
      severity: 'warning',
      count: 1,
      requests: [1, 2, 3],
    })
    expect(finding?.message).toContain('tbl_empty got 300 rows in 3 bulk requests within a minute.')
  })

  it('mock.report() stays empty when bulk requests are two, small, far apart, of several clients or tables', async () => {
    await api.post(bulkPath, { rows: rows(200) })
    await api.post(bulkPath, { rows: rows(200, 200) })
    await pass(61_000)
    for (let request = 0; request < 5; request++) await api.post(bulkPath, { rows: rows(50, request) })
    await pass(61_000)
    for (const key of ['wm_test_master', 'wm_test_scoped', 'wm_without_tasks_read'])
      await api.post(bulkPath, { rows: rows(200) }, { key })
    for (const table of ['tbl_linked', 'tbl_many'])
      await api.post(`/datatables/${table}/rows/bulk`, { rows: rows(200) })
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when the rows could not have gone in as a job', async () => {
    const upsert = { mode: 'upsert', key_column: 'col_count' }
    for (let request = 0; request < 4; request++) {
      const path = '/datatables/tbl_free/rows/bulk'
      expect((await api.post(path, { rows: rows(250) }, { key: 'wm_test_free' })).status).toBe(200)
      await api.post(bulkPath, { rows: rows(250, request * 250), ...upsert })
      await api.post('/datatables/tbl_many/rows/bulk', { rows: rows(250) }, { key: 'wm_without_jobs_write' })
    }
    expect(await found()).toEqual([])
  })

  it.each([
    ['finds bulk-for-job', 59_999, ['bulk-for-job 1']],
    ['stays empty', 60_000, []],
  ])('mock.report() %s when the third bulk request comes %i ms after the first', async (_, ms, expected) => {
    await api.post(bulkPath, { rows: rows(200) })
    await api.post(bulkPath, { rows: rows(200, 200) })
    await pass(ms)
    await api.post(bulkPath, { rows: rows(200, 400) })
    expect(await found()).toEqual(expected)
  })

  it.each([
    ['finds bulk-for-job', 51, ['bulk-for-job 1']],
    ['stays empty', 50, []],
  ])('mock.report() %s when the third bulk request brings %i rows after 200', async (_, count, expected) => {
    for (const size of [100, 100, count]) await api.post(bulkPath, { rows: rows(size) })
    expect(await found()).toEqual(expected)
  })

  it('mock.report() stays empty when the clock was put back between bulk requests', async () => {
    await api.post(bulkPath, { rows: rows(200) })
    await api.post(bulkPath, { rows: rows(200, 200) })
    await control.setClock((await control.now()) - 60)
    await api.post(bulkPath, { rows: rows(200, 400) })
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when no other job can run', async () => {
    await control.setLimits({ concurrentBulkJobs: 0 })
    for (let request = 0; request < 3; request++) await api.post(bulkPath, { rows: rows(200) })
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when a fault says that there are too many rows', async () => {
    for (const phase of ['before', 'after'] as const) {
      const resource = 'bulkRowsPerRequest'
      await control.fault({ operation: 'bulkInsertRows', status: 413, resource, phase })
      expect((await api.post(bulkPath, { rows: rows(phase.length) })).status).toBe(413)
    }
    expect(await found()).toEqual([])
  })

  it.each([
    ['finds job-for-bulk', 10, ['job-for-bulk 1']],
    ['stays empty', 11, []],
  ])(
    'mock.report() %s when a job has %i rows and a bulk request takes 10 at most',
    async (_, count, expected) => {
      await control.setLimits({ bulkRowsPerRequest: 10 })
      await runJob(count)
      expect(await found()).toEqual(expected)
    },
  )

  it('mock.report() finds job-for-bulk when a job has 250 rows', async () => {
    await runJob(250)
    const [finding, ...others] = await control.report()
    expect(others).toEqual([])
    expect(finding).toMatchObject({ rule: 'job-for-bulk', severity: 'warning', operation: 'submitInsertJob' })
    expect(finding?.message).toContain('A job of 250 rows was submitted to tbl_empty.')
  })

  it('mock.report() names one row in the singular', async () => {
    await runJob(1)
    const [finding] = await control.report()
    expect(finding?.message).toContain('A job of 1 row was submitted to tbl_empty.')
  })

  it('mock.report() stays empty when a job has 251 rows, or the key may only submit jobs', async () => {
    await runJob(251)
    await runJob(10, '/datatables/tbl_many/jobs/insert', 'wm_without_rows_write')
    expect(await found()).toEqual([])
  })

  it.each([
    ['last', [1000, 100]],
    ['first', [100, 1000]],
  ])(
    'mock.report() stays empty when the rest of a large import is a small job that comes %s',
    async (_, sizes) => {
      await control.setLimits({ bulkRowsPerJob: 1000 })
      for (const size of sizes) await runJob(size)
      expect(await found()).toEqual([])
    },
  )

  it('mock.report() finds job-oversized-split when the rows of successive jobs fit one', async () => {
    await runJob(300)
    await runJob(400)
    const [finding, ...others] = await control.report()
    expect(others).toEqual([])
    expect(finding).toMatchObject({
      rule: 'job-oversized-split',
      severity: 'warning',
      count: 1,
      requests: [1, 2],
    })
    expect(finding?.message).toContain('tbl_empty got 700 rows in 2 successive jobs.')
  })

  it('mock.report() finds job-for-bulk when small jobs follow one another, before anything else', async () => {
    await control.setLimits({ bulkRowsPerJob: 1000 })
    for (const size of [100, 100, 1000]) await runJob(size)
    expect(await found()).toEqual(['job-for-bulk 2', 'job-oversized-split 1'])
  })

  it.each([
    ['finds job-oversized-split', 400, ['job-oversized-split 1']],
    ['stays empty', 401, []],
  ])(
    'mock.report() %s when a job of 300 rows, then one of %i go where 700 fit',
    async (_, count, expected) => {
      await control.setLimits({ bulkRowsPerJob: 700 })
      await runJob(300)
      await runJob(count)
      expect(await found()).toEqual(expected)
    },
  )

  it('mock.report() finds job-oversized-split when jobs of more rows than any plan allows fit one without a limit', async () => {
    await control.setLimits({ bulkRowsPerJob: null })
    for (let job = 0; job < 2; job++) await runJob(25_001)
    expect(await found()).toEqual(['job-oversized-split 1'])
  })

  it('mock.report() stays empty when the clock was put back between two jobs', async () => {
    await runJob(300)
    await control.setClock((await control.now()) - 120)
    await runJob(400)
    expect(await found()).toEqual([])
  })

  it.each([
    ['finds job-oversized-split', 60_000, ['job-oversized-split 1']],
    ['stays empty', 60_001, []],
  ])('mock.report() %s when a job follows %i ms after the end of the one before', async (_, ms, expected) => {
    // The job ends a second after its submission.
    await runJob(300)
    await pass(ms - 59_000)
    await runJob(400)
    expect(await found()).toEqual(expected)
  })

  it('mock.report() finds job-oversized-split when jobs run side by side', async () => {
    for (let job = 0; job < 3; job++)
      await api.post('/datatables/tbl_business/jobs/insert', { rows: rows(300) }, { key: 'wm_test_business' })
    expect(await found()).toEqual(['job-oversized-split 2'])
  })

  it('mock.report() stays empty when successive jobs have more rows than fit one, or are of two imports', async () => {
    await control.setLimits({ bulkRowsPerJob: 1000 })
    for (const size of [1000, 1000, 300]) await runJob(size)
    await pass(120_000)
    await runJob(500)
    await pass(120_000)
    await runJob(500)
    await runJob(500, '/datatables/tbl_many/jobs/insert')
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when a job is submitted again since its answer was lost', async () => {
    await control.fault({ operation: 'submitInsertJob', status: 503, phase: 'after' })
    expect((await api.post(jobPath, { rows: rows(300) })).status).toBe(503)
    await pass(5000)
    await runJob(300)
    expect(await found()).toEqual([])
  })
})

describe('sizes on a manual clock that stands still', () => {
  const { api, found } = useReport('manual')

  it('mock.report() finds bulk-for-job when all requests are made at one moment', async () => {
    for (let request = 0; request < 4; request++) await api.post(bulkPath, { rows: rows(90, request * 90) })
    expect(await found()).toEqual(['bulk-for-job 2'])
  })
})
