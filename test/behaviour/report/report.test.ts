// The report as a whole: a correct client's journey, findings as data, assumptions, and bounds.
import { describe, expect, it } from 'vitest'
import { multipart, times, type Api, type Reply } from '../support/harness.ts'
import { clockModes, useReport, type ReportHarness } from '../support/report-mock.ts'

const rows = (count: number) => times(count, (index) => ({ col_name: 'Row', col_count: index }))

/** Retries as the contract recommends, letting the waits pass on the mock's clock. */
async function insist(pass: ReportHarness['pass'], call: () => Promise<Reply>): Promise<Reply> {
  let reply = await call()
  for (const waitMs of [0, 1000, 2000, 4000, 8000]) {
    if (![429, 500, 503].includes(reply.status)) return reply
    const retryAfter = reply.headers.get('retry-after')
    await pass(retryAfter === null ? waitMs : Number(retryAfter) * 1000)
    reply = await call()
  }
  return reply
}

async function importRows(api: Api, pass: ReportHarness['pass']): Promise<void> {
  const path = '/datatables/tbl_empty'
  expect((await api.post(`${path}/rows/bulk`, { rows: rows(250) })).status).toBe(200)
  for (const count of [50_000, 1200]) {
    const job = await insist(pass, () => api.post(`${path}/jobs/insert`, { rows: rows(count) }))
    const poll = async () => (await api.get(`/jobs/${job.string('job_id')}`)).string('status')
    for (let status = await poll(); status !== 'done'; status = await poll()) await pass(500)
  }
  const { json } = await api.get(`${path}/rows`, {
    query: { limit: 500, sort: 'Count:desc', select: 'Count' },
  })
  expect(json).toMatchObject({ total: 51_450 })
}

async function workOnTask(api: Api, pass: ReportHarness['pass']): Promise<void> {
  const { statuses } = (await api.get('/lists/lst_main/schema')).json as {
    statuses: { id: string; type: string }[]
  }
  const created = await api.call('POST', '/lists/lst_main/tasks', {
    body: multipart([{ filename: 'a.txt', content: 'a' }], {
      data: '{"title":"Write","custom_data":{"fld_number":1}}',
    }),
  })
  const task = `/tasks/${created.string('id')}`
  const done = statuses.find(({ type }) => type === 'done')?.id
  expect((await insist(pass, () => api.patch(task, { status_id: done }))).status).toBe(200)
  await api.post(`${task}/comments`, { content: 'Done' })
  const entry = (await api.post(`${task}/time-entries`, { action: 'start' })).string('id')
  await pass(60_000)
  await api.post(`${task}/time-entries`, { action: 'stop' })
  expect((await api.patch(`${task}/time-entries/${entry}`, { note: 'Written' })).status).toBe(200)
  expect((await api.delete(task)).status).toBe(200)
  expect((await api.get(task)).status).toBe(404)
}

async function keepFiles(api: Api): Promise<void> {
  const path = '/datatables/tbl_all/rows/row_2/attachments'
  const body = multipart([{ filename: 'a b/c.txt', content: 'a' }])
  const key = (await api.call('POST', path, { body, query: { col: 'col_contracts' } })).string(
    'attachment.key',
  )
  expect((await api.delete(`${path}/${encodeURIComponent(key)}`)).status).toBe(200)
}

async function followForm(api: Api): Promise<void> {
  const path = '/forms/frm_task/submissions'
  const first = await api.get(path, { query: { limit: 200 } })
  const since = first.number('submissions.5.created_at')
  for (let turn = 0; turn < 2; turn++) await api.get(path, { query: { limit: 200, since } })
}

describe.each(clockModes)('report on a %s clock', (clock) => {
  const { api, control, pass, found } = useReport(clock)

  it('mock.report() stays empty when a client does everything as it should', async () => {
    await control.fault({ operation: 'updateTask', status: 503, times: 4 })
    await control.fault({ operation: 'submitInsertJob', status: 429, retryAfter: 3 })
    await importRows(api, pass)
    await workOnTask(api, pass)
    await keepFiles(api)
    await followForm(api)
    expect(await control.report()).toEqual([])
  })

  it('mock.report() finds assumption when it is asked for', async () => {
    await api.get('/datatables/tbl_all/rows')
    await api.get('/datatables/tbl_all/rows')
    await api.get('/datatables/tbl_all/rows', { key: null })
    expect(await found()).toEqual([])
    const findings = await control.report({ assumptions: true })
    expect(
      new Set(
        findings.map(({ rule, severity, operation, count }) => [rule, severity, operation, count].join()),
      ),
    ).toEqual(new Set(['assumption,info,listRows,2']))
    const rowShape = findings.filter(({ message }) => message.includes('question rowShape'))
    expect(rowShape).toMatchObject([{ requests: [1, 2], question: 'rowShape' }])
    expect(rowShape[0]?.message).toMatch(
      /^listRows depends on question rowShape: .*"data"\. Ask the provider/,
    )
  })

  it('mock.report() finds an assumption about refusals only where a request was refused', async () => {
    const scopes = async () =>
      (await control.report({ assumptions: true })).filter(({ message }) =>
        message.includes('question scopes:'),
      )
    await api.get('/me')
    await api.get('/spaces')
    expect(await scopes()).toEqual([])
    await api.get('/tasks/tsk_none')
    expect(await scopes()).toMatchObject([{ operation: 'getTask', count: 1, requests: [3] }])
  })

  it.each([
    ['getIdentity', '/me', []],
    ['listTasks', '/lists/lst_main/tasks?limit=1', ['taskPriority', 'taskReadExtras']],
    ['listTasks', '/lists/lst_main/tasks?limit=1&q=none', ['queryText']],
    ['listTasks', '/lists/lst_main/tasks?limit=201&q=none', ['limitAboveMax', 'queryText']],
    ['listRows', '/datatables/tbl_empty/rows', []],
    ['listRows', '/datatables/tbl_empty/rows?sort=Count', ['columnNames', 'emptyValues']],
    [
      'listRows',
      '/datatables/tbl_empty/rows?sort=None',
      ['checkOrder', 'columnNames', 'emptyValues', 'generalStatuses', 'scopes', 'unknownSortColumn'],
    ],
    [
      'listRows',
      '/datatables/tbl_empty/rows?None=1',
      ['columnNames', 'emptyValues', 'filterValues', 'unknownFilter'],
    ],
    ['getTask', '/tasks/tsk_none', ['checkOrder', 'privateById', 'scopes']],
  ])(
    'mock.report() finds an assumption of %s %s only where the response depended on it',
    async (operation, path, ids) => {
      await api.get(path)
      const findings = await control.report({ assumptions: true })
      const assumed = findings.filter(({ rule }) => rule === 'assumption')
      expect(new Set(assumed.map((finding) => finding.operation))).toEqual(
        new Set(ids.length > 0 ? [operation] : []),
      )
      expect(assumed.map(({ message }) => /question (\w+):/.exec(message)?.[1]).toSorted()).toEqual(ids)
    },
  )

  it('mock.report() stays empty when the mock was reset', async () => {
    await api.get('/nowhere')
    expect(await found()).toEqual(['client-error 1'])
    await control.reset()
    expect(await found()).toEqual([])
    expect(await control.report({ assumptions: true })).toEqual([])
  })

  it('mock.report() finds one cause in the many parameters of one request, and names the first 20', async () => {
    const query = Object.fromEntries(times(230, (index) => [`odd_${String(index)}`, 'x']))
    for (let turn = 0; turn < 2; turn++) await api.get('/me', { query })
    const findings = await control.report()
    expect(findings).toMatchObject([{ rule: 'unknown-parameter', count: 2, requests: [1, 2] }])
    expect(findings[0]?.message).toContain('"odd_19" and 210 more; it takes no parameters')
  })

  it('mock.report() finds as many causes as it distinguishes when there are more', async () => {
    for (let index = 0; index < 230; index++) await api.get(`/nowhere/${String(index)}`)
    for (let index = 0; index < 30; index++) await api.get('/me', { query: { odd: index } })
    const findings = await control.report()
    expect(findings).toHaveLength(202)
    expect(findings[200]).toMatchObject({ rule: 'client-error', count: 30 })
    expect(findings[200]?.message).toContain('There were more than 200 causes; this finding counts the rest.')
    expect(findings[200]?.requests).toHaveLength(30)
    expect(findings[201]).toMatchObject({ rule: 'unknown-parameter', count: 30 })
    expect(findings[201]?.requests).toHaveLength(30)
  })
})
