// The report's rules about whole requests: wrong requests, storage keys, forms listed again.
import { describe, expect, it } from 'vitest'
import { multipart, type Api } from '../support/harness.ts'
import { clockModes, useReport } from '../support/report-mock.ts'

const attachments = '/datatables/tbl_all/rows/row_1/attachments'
const submissions = '/forms/frm_task/submissions'

async function upload(api: Api): Promise<string> {
  const body = multipart([{ filename: 'plan of the month.txt', content: 'plan' }])
  return (await api.call('POST', attachments, { body })).string('attachment.key')
}

describe.each(clockModes)('requests on a %s clock', (clock) => {
  const { api, control, pass, found } = useReport(clock)

  it('mock.report() finds storage-key-encoding when a key is in the path as it is', async () => {
    const key = await upload(api)
    const reply = await api.delete(`${attachments}/${key}`)
    expect(reply.status).toBe(404)
    expect(reply.headers.get('x-mock-hint')).toContain('encodeURIComponent')
    const [finding, ...others] = await control.report()
    expect(others).toEqual([])
    expect(finding).toMatchObject({
      rule: 'storage-key-encoding',
      severity: 'error',
      operation: null,
      count: 1,
    })
    expect(finding?.message).toContain('The storage key dt/tbl_all/row/row_1/col_attachment/plan%20of')
  })

  it('mock.report() stays empty when the key is encoded', async () => {
    const key = await upload(api)
    expect((await api.delete(`${attachments}/${encodeURIComponent(key)}`)).status).toBe(200)
    expect(await found()).toEqual([])
  })

  it('mock.report() finds client-error when a path is no operation', async () => {
    await api.get('/task/tsk_plain')
    await pass(61_000)
    await api.get('/task/tsk_plain')
    await api.delete('/me')
    const findings = await control.report()
    expect(findings).toMatchObject([
      { rule: 'client-error', severity: 'error', operation: null, count: 2, requests: [1, 2] },
      { rule: 'retry-unsafe', operation: null, count: 1, requests: [1, 2] },
      { rule: 'client-error', operation: null, count: 1, requests: [3] },
    ])
    expect(findings[0]?.message).toMatch(
      /^GET \/task\/tsk_plain is not an operation \(did you mean GET \/tasks\/\{taskId\}/,
    )
  })

  it('mock.report() finds client-error with the first 120 characters of the address', async () => {
    await api.get(`/${'x'.repeat(500)}`)
    const [finding] = await control.report()
    expect(finding?.message).toContain(`GET /${'x'.repeat(115)}… is not an operation`)
  })

  it('mock.report() finds client-error when a 400 has no rule of its own', async () => {
    await api.post('/lists/lst_main/tasks', { title: 5 })
    await api.patch('/tasks/tsk_plain', { priority: 'huge' })
    await api.post('/datatables/tbl_all/rows', { data: { col_number: 'x', col_formula: 1 } })
    const findings = await control.report()
    expect(findings.map(({ rule, operation }) => `${rule} ${String(operation)}`)).toEqual([
      'client-error createTask',
      'client-error updateTask',
      'client-error createRow',
    ])
    expect(findings[1]?.message).toMatch(
      /^updateTask was refused: priority .*huge.*\. Read the error message/,
    )
  })

  it('mock.report() finds client-error once for an operation, with each of its errors', async () => {
    for (const priority of ['huge', 'vast', 'huge'])
      await api.patch('/tasks/tsk_plain', { priority, title: priority })
    await api.patch('/tasks/tsk_plain', { due_date: 'soon' })
    const [finding, ...others] = (await control.report()).filter(({ rule }) => rule === 'client-error')
    expect(others).toEqual([])
    expect(finding).toMatchObject({ operation: 'updateTask', count: 4 })
    expect(finding?.message).toMatch(/^updateTask was refused: priority .*huge.*vast.*due_date .*soon/)
    expect(finding?.message.match(/huge/g)).toHaveLength(1)
  })

  it.each([
    ['unknown-field', 'PATCH', '/tasks/tsk_plain', { title: 5, colour: 'red' }],
    ['unknown-field', 'POST', '/lists/lst_main/tasks', { colour: 'red' }],
    ['page-size', 'POST', '/datatables/tbl_all/query', { limit: 501, sort: [{ column: 'None' }] }],
    ['page-size', 'GET', '/datatables/tbl_all/rows?limit=501&sort=None', undefined],
    ['unknown-parameter', 'GET', '/datatables/tbl_all/rows?None=1&sort=None', undefined],
    ['read-only-write', 'POST', '/datatables/tbl_all/rows', { data: { col_formula: 1, col_number: 'x' } }],
    [
      'read-only-write',
      'POST',
      '/datatables/tbl_all/rows',
      { data: { col_attachment: [], col_number: 'x' } },
    ],
  ])(
    'mock.report() finds client-error next to %s when a %s to %s is refused for another cause',
    async (...row) => {
      const [rule, method, path, json] = row
      expect((await api.call(method, path, json ? { json } : {})).status).toBe(400)
      expect((await found()).toSorted()).toEqual(['client-error 1', `${rule} 1`].toSorted())
    },
  )

  it('mock.report() finds client-error when some rows of a refused bulk request have a cause of their own', async () => {
    const rows = [{ Title: 'A' }, { col_number: 'x' }]
    expect((await api.post('/datatables/tbl_all/rows/bulk', { rows })).status).toBe(400)
    expect(await found()).toEqual(['row-key-name 1', 'client-error 1'])
    await control.reset()
    await api.post('/datatables/tbl_all/rows/bulk', { rows: [{ Title: 'A' }, { col_none: 1 }] })
    expect(await found()).toEqual(['row-key-name 1', 'unknown-key 1'])
  })

  it('mock.report() stays empty when an id is absent, or a fault made the error', async () => {
    await api.get('/tasks/tsk_none')
    await api.get('/jobs/job_none')
    await control.fault({ operation: 'updateTask', status: 400 })
    expect((await api.patch('/tasks/tsk_plain', { title: 'New' })).status).toBe(400)
    expect((await api.get('/me', { headers: { prefer: 'code=401' } })).status).toBe(401)
    expect(await found()).toEqual([])
  })

  it('mock.report() finds relist-submissions when everything is listed once more', async () => {
    await api.get(submissions, { query: { limit: 200 } })
    await pass(60_000)
    await api.get(submissions, { query: { limit: 200 } })
    const [finding, ...others] = await control.report()
    expect(others).toEqual([])
    expect(finding).toMatchObject({
      rule: 'relist-submissions',
      severity: 'warning',
      count: 1,
      requests: [1, 2],
    })
    expect(finding?.message).toContain('All submissions of form frm_task were listed again. After the first')
  })

  it.each(['undefined', 'abc', '', '-1', '1.5', 'NaN', '2026-01-05', '99999999999999999999'])(
    'mock.report() finds relist-submissions when since is %j',
    async (since) => {
      await api.get(submissions, { query: { limit: 2, since } })
      const [finding, ...others] = await control.report()
      expect(others).toEqual([])
      expect(finding).toMatchObject({ rule: 'relist-submissions', count: 1, requests: [1], offending: [1] })
      expect(finding?.message).toContain(`with since=${JSON.stringify(since)}, which is not a time`)
      await control.setAnswers({ limitAboveMax: 'reject' })
      expect((await api.get(submissions, { query: { limit: 3, since } })).status).toBe(400)
      expect(await found()).toEqual(['relist-submissions 2'])
    },
  )

  it('mock.report() finds relist-submissions when a listing with an unusable since was the first full one', async () => {
    await api.get(submissions, { query: { limit: 200, since: 'abc' } })
    await api.get(submissions, { query: { limit: 200 } })
    expect(await found()).toEqual(['relist-submissions 1', 'relist-submissions 1'])
  })

  it.each([0, 1_767_600_000])(
    'mock.report() finds relist-submissions when since is %i each time',
    async (since) => {
      for (let turn = 0; turn < 3; turn++) await api.get(submissions, { query: { limit: 200, since } })
      expect(await control.report()).toMatchObject([
        { rule: 'relist-submissions', count: 2, requests: [1, 2, 3], offending: [2, 3] },
      ])
    },
  )

  it('mock.report() finds relist-submissions when since=0 follows a listing of all', async () => {
    await api.get(submissions, { query: { limit: 200 } })
    await api.get(submissions, { query: { limit: 200, since: 0 } })
    expect(await found()).toEqual(['relist-submissions 1'])
  })

  it('mock.report() finds relist-submissions when a since before the first submission never moves on', async () => {
    await api.get(submissions, { query: { limit: 200 } })
    for (let turn = 0; turn < 3; turn++)
      await api.get(submissions, { query: { limit: 200, since: 1_767_606_000 } })
    expect(await found()).toEqual(['relist-submissions 3'])
  })

  it('mock.report() stays empty when since=0 is the first listing and the last timestamp seen follows', async () => {
    const first = await api.get(submissions, { query: { limit: 200, since: 0 } })
    const since = first.number('submissions.5.created_at')
    for (let turn = 0; turn < 2; turn++) await api.get(submissions, { query: { limit: 200, since } })
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when since=0 found nothing, as the form has no submission', async () => {
    for (let turn = 0; turn < 3; turn++) await api.get('/forms/frm_row/submissions', { query: { since: 0 } })
    expect(await found()).toEqual([])
  })

  it('mock.report() finds relist-submissions when a form is listed page by page once more', async () => {
    for (let turn = 0; turn < 2; turn++)
      for (const offset of [0, 2, 4, 6]) await api.get(submissions, { query: { limit: 2, offset } })
    const findings = await control.report()
    expect(findings).toMatchObject([
      { rule: 'relist-submissions', count: 1, requests: [4, 5], offending: [5] },
    ])
  })

  it('mock.report() finds relist-submissions once a listing when several are under way together after the first', async () => {
    await api.get(submissions, { query: { limit: 200 } })
    await control.fault({ operation: 'listFormSubmissions', status: 200, delayMs: 300, times: 2 })
    const again = () => api.get(submissions, { query: { limit: 200 } })
    await Promise.all([again(), again()])
    expect(await found()).toEqual(['relist-submissions 2'])
  })

  it('mock.report() stays empty when two full listings of a form are under way together', async () => {
    await control.fault({ operation: 'listFormSubmissions', status: 200, delayMs: 300, times: 2 })
    const list = () => api.get(submissions, { query: { limit: 200 } })
    await Promise.all([list(), list()])
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when a form is listed page by page, then by since', async () => {
    for (const offset of [0, 2, 4, 6]) await api.get(submissions, { query: { limit: 2, offset } })
    for (const since of [1_767_606_300, 1_767_606_700]) {
      await pass(60_000)
      await api.get(submissions, { query: { limit: 200, since } })
    }
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when a listing is begun anew before it was complete, or finds nothing', async () => {
    for (const offset of [0, 2, 0]) await api.get(submissions, { query: { limit: 2, offset } })
    await api.get('/forms/frm_row/submissions')
    await api.get('/forms/frm_row/submissions')
    await control.submitForm('frm_row', { col_name: 'First' })
    await api.get('/forms/frm_row/submissions')
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when each key or form is listed once', async () => {
    await api.get(submissions)
    await api.get(submissions, { key: 'wm_test_scoped' })
    await api.get('/forms/frm_row/submissions')
    expect(await found()).toEqual([])
  })
})
