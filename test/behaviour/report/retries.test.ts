// The report's rules about retries.
import { describe, expect, it } from 'vitest'
import { multipart, times } from '../support/harness.ts'
import { answers, clockModes, useReport } from '../support/report-mock.ts'

const task = '/tasks/tsk_plain'

describe.each(clockModes)('retries on a %s clock', (clock) => {
  const { api, control, pass, found } = useReport(clock)

  it('mock.report() finds retry-after when a request is made again before its time', async () => {
    await control.fault({ operation: 'getTask', status: 429, retryAfter: 5 })
    await api.get(task)
    await pass(4000)
    await api.get(task)
    expect(await control.report()).toEqual([
      {
        rule: 'retry-after',
        severity: 'error',
        message:
          'GET /tasks/tsk_plain was sent again 4 s after a 429 with Retry-After 5. Wait for ' +
          'Retry-After seconds first; it takes precedence over any backoff schedule.',
        operation: 'getTask',
        count: 1,
        requests: [1, 2],
        offending: [2],
      },
    ])
  })

  it('mock.report() stays empty when a request is made again after its Retry-After', async () => {
    await control.fault({ operation: 'getTask', status: 429, retryAfter: 5, times: 8 })
    for (let attempt = 0; attempt < 9; attempt++) {
      await api.get(task)
      await pass(5000)
    }
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when the job that was refused for another is submitted once that one is done', async () => {
    const path = '/datatables/tbl_empty/jobs/insert'
    const submit = (count: number) =>
      api.post(path, { rows: times(count, (index) => ({ col_count: index })) })
    await submit(50_000)
    const refused = await submit(40_000)
    expect(refused.status).toBe(429)
    await pass(Number(refused.headers.get('retry-after')) * 1000)
    expect((await submit(40_000)).status).toBe(202)
    expect(await found()).toEqual([])
  })

  it.each([
    ['finds backoff', 60_000, 1],
    ['stays empty', 60_001, 0],
  ])('mock.report() %s when a request fails seven times, %i ms apart', async (_, ms, findings) => {
    await control.fault({ operation: 'getTask', status: 503, times: null })
    for (let attempt = 0; attempt < 7; attempt++) {
      await api.get(task)
      await pass(ms)
    }
    expect(await found()).toHaveLength(findings)
  })

  it('mock.report() finds backoff when a request is made again sooner than the schedule allows', async () => {
    await control.fault({ operation: 'getTask', status: 503, times: null })
    await api.get(task)
    await api.get(task)
    await pass(900)
    await api.get(task)
    const [finding] = await control.report()
    expect(finding).toMatchObject({
      rule: 'backoff',
      severity: 'error',
      operation: 'getTask',
      count: 1,
      requests: [2, 3],
    })
    expect(finding?.message).toContain(
      'Retry 2: GET /tasks/tsk_plain was sent again 0.9 s after a 503; the schedule asks for 1 s.',
    )
  })

  it('mock.report() stays empty when the schedule is kept and the request then given up', async () => {
    await control.fault({ operation: 'updateTask', status: 500, times: null })
    for (const seconds of [0, 0, 1, 2, 4, 8]) {
      if (seconds > 0) await pass(seconds * 1000)
      expect((await api.patch(task, { title: 'Again' })).status).toBe(500)
    }
    expect(await found()).toEqual([])
  })

  it('mock.report() finds backoff when a sixth retry is made, whenever it comes', async () => {
    await control.fault({ operation: 'getTask', status: 503, times: null })
    for (const seconds of [0, 0, 1, 2, 4, 8, 16]) {
      if (seconds > 0) await pass(seconds * 1000)
      await api.get(task)
    }
    expect(await found()).toEqual(['backoff 1'])
    expect((await control.report())[0]?.message).toContain(
      'Retry 6: GET /tasks/tsk_plain was sent again after a 503; at most 5 retries are allowed.',
    )
  })

  it('mock.report() stays empty when a success, another answer or another request comes between two failures', async () => {
    for (let turn = 0; turn < 9; turn++) {
      await control.fault({ operation: 'getTask', status: 503 })
      await answers([503, 200], () => api.get(task))
    }
    await control.fault({ operation: 'updateTask', status: 503, times: null })
    for (let turn = 0; turn < 9; turn++) await api.patch(task, { title: `Title ${String(turn)}` })
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when the test ends the failing and the client is asked anew', async () => {
    await control.fault({ operation: 'getTask', status: 503, times: null })
    for (const seconds of [0, 0, 1, 2, 4, 8]) {
      if (seconds > 0) await pass(seconds * 1000)
      await api.get(task)
    }
    await control.resetFaults()
    expect((await api.get(task)).status).toBe(200)
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when the test removes the fault that refused a request', async () => {
    await control.fault({ operation: 'getTask', status: 404, times: null })
    await answers([404], () => api.get(task))
    await control.resetFaults()
    await answers([200], () => api.get(task))
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when the test removes the fault that asked for a wait', async () => {
    await control.fault({ operation: 'getTask', status: 429, retryAfter: 60, times: null })
    await answers([429], () => api.get(task))
    await pass(1000)
    await control.resetFaults()
    await answers([200], () => api.get(task))
    expect(await found()).toEqual([])
  })

  it('mock.report() finds backoff when a broken connection came between the failures, which tells a client nothing', async () => {
    await control.fault({ operation: 'getTask', status: 503, times: 2 })
    await answers([503, 503], () => api.get(task))
    await pass(1000)
    await control.fault({ operation: 'getTask', network: true })
    await expect(api.get(task)).rejects.toThrow()
    await control.fault({ operation: 'getTask', status: 503 })
    await answers([503], () => api.get(task))
    await pass(1900)
    await answers([200], () => api.get(task))
    const findings = await control.report()
    expect(findings).toMatchObject([{ rule: 'backoff', count: 1, offending: [5] }])
    expect(findings[0]?.message).toContain(
      'Retry 3: GET /tasks/tsk_plain was sent again 1.9 s after a 503; the schedule asks for 2 s',
    )
  })

  it('mock.report() stays empty when a request under way together with a refused one fails, and is made again at once', async () => {
    await control.fault({ operation: 'getTask', status: 429, delayMs: 300 })
    await control.fault({ operation: 'getTask', status: 503, delayMs: 300, skip: 1 })
    const statuses = await Promise.all([api.get(task), api.get(task)])
    expect(statuses.map(({ status }) => status).sort()).toEqual([429, 503])
    await answers([200], () => api.get(task))
    expect(await found()).toEqual([])
  })

  it.each([400, 401, 402, 403, 404])(
    'mock.report() finds retry-unsafe when a request is made again after %i',
    async (status) => {
      await control.fault({ operation: 'updateTask', status, times: 2 })
      await answers([status, status, 200], () => api.patch(task, { title: 'Again' }))
      const [finding] = await control.report()
      expect(finding).toMatchObject({ rule: 'retry-unsafe', operation: 'updateTask', count: 2 })
      expect(finding?.message).toContain(
        `PATCH /tasks/tsk_plain was sent again unchanged after ${String(status)}.`,
      )
      expect(await found()).toEqual(['retry-unsafe 2'])
    },
  )

  it('mock.report() finds retry-unsafe when a bulk request is made again after 413', async () => {
    const rows = times(251, () => ({}))
    await answers([413, 413], () => api.post('/datatables/tbl_empty/rows/bulk', { rows }))
    expect(await found()).toEqual(['bulk-oversize 2', 'retry-unsafe 1'])
  })

  it('mock.report() finds retry-unsafe when files are sent again under another boundary', async () => {
    const upload = () =>
      api.call('POST', '/tasks/tsk_none/attachments', {
        body: multipart([{ filename: 'a.txt', content: 'a' }]),
      })
    await answers([404, 404], upload)
    expect(await found()).toEqual(['retry-unsafe 1'])
  })

  it('mock.report() finds retry-unsafe when files are sent again under another boundary in quotes', async () => {
    const upload = (boundary: string, content: string) =>
      api.call('POST', '/tasks/tsk_none/attachments', {
        headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
        body: [
          `--${boundary}`,
          'Content-Disposition: form-data; name="file"; filename="a.txt"',
          '',
          content,
          `--${boundary}--`,
          '',
        ].join('\r\n'),
      })
    expect((await upload('one two', 'a')).status).toBe(404)
    expect((await upload('three four', 'b')).status).toBe(404)
    expect(await found()).toEqual([])
    expect((await upload('five', 'a')).status).toBe(404)
    expect(await found()).toEqual(['retry-unsafe 1'])
  })

  it('mock.report() stays empty when a large body that is refused is sent with another end', async () => {
    for (const end of ['', 'x', 'xx'])
      await answers([404], () => api.patch('/tasks/tsk_none', { title: `${'x'.repeat(70_000)}${end}` }))
    expect(await found()).toEqual([])
    await answers([404], () => api.patch('/tasks/tsk_none', { title: 'x'.repeat(70_000) }))
    expect(await found()).toEqual(['retry-unsafe 1'])
  })

  it('mock.report() stays empty when a body that was too large is made shorter, but not enough', async () => {
    await control.setAnswers({ bodyBytes: 2000 })
    for (const characters of [3002, 3001, 3000])
      await answers([413], () => api.patch(task, { title: 'x'.repeat(characters) }))
    expect(await found()).toEqual([])
  })

  it('mock.report() finds retry-unsafe when 19 other bodies have gone to the same address in between', async () => {
    for (let turn = 0; turn < 20; turn++)
      await api.patch('/tasks/tsk_none', { title: `Title ${String(turn)}` })
    expect(await found()).toEqual([])
    for (let turn = 0; turn < 20; turn++)
      await api.patch('/tasks/tsk_none', { title: `Title ${String(turn)}` })
    expect(await found()).toEqual(['retry-unsafe 20'])
  })

  it('mock.report() stays empty when the request, its key or its body was changed', async () => {
    await api.get('/tasks/tsk_none', { key: null })
    await api.get('/tasks/tsk_none', { key: 'wm_none' })
    await api.get('/tasks/tsk_none', { key: 'wm_other' })
    await api.get('/tasks/tsk_none')
    await api.patch('/tasks/tsk_none', { title: 'One' })
    await api.patch('/tasks/tsk_none', { title: 'Two' })
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when something was changed between the attempts', async () => {
    const lock = (locked: boolean) => control.lockTable('tbl_empty', locked)
    const bulk = () => api.post('/datatables/tbl_empty/rows/bulk', { rows: [{ col_count: 1 }] })
    await lock(true)
    await answers([403], bulk)
    await lock(false)
    await answers([200], bulk)
    await control.suspendKey('scoped', true)
    await answers([402], () => api.get(task, { key: 'wm_test_scoped' }))
    await control.suspendKey('scoped', false)
    await answers([200], () => api.get(task, { key: 'wm_test_scoped' }))
    await answers([404], () => api.get('/spaces/spc_none/lists'))
    expect(await found()).toEqual(['client-error 1'])
  })

  it('mock.report() stays empty when the client itself made the difference', async () => {
    const stop = () => api.post(`${task}/time-entries`, { action: 'stop' })
    await answers([404], () => api.get('/tasks/task_000001'))
    await answers([201], () => api.post('/lists/lst_main/tasks', { title: 'New' }))
    await answers([200], () => api.get('/tasks/task_000001'))
    expect((await stop()).status).toBe(400)
    await api.post(`${task}/time-entries`, { action: 'start' })
    expect((await stop()).status).toBe(200)
    expect(await found()).toEqual(['client-error 1'])
  })

  it.each([1, 999, 16_000, 61_000, 86_400_000])(
    'mock.report() finds retry-unsafe when a client waits %i ms before it repeats a refused request',
    async (ms) => {
      for (const key of ['wm_none', 'wm_test_scoped']) {
        await api.get('/tasks/tsk_none', { key })
        await pass(ms)
        await api.get('/tasks/tsk_none', { key })
      }
      expect(await found()).toEqual(['retry-unsafe 1', 'retry-unsafe 1'])
    },
  )

  it('mock.report() finds retry-unsafe when reads, polls and what time brings come between', async () => {
    const { json } = await api.post('/datatables/tbl_empty/jobs/insert', {
      rows: times(300, (index) => ({ col_count: index })),
    })
    const poll = () => api.get(`/jobs/${(json as { job_id: string }).job_id}`)
    await answers([404], () => api.get('/tasks/tsk_none'))
    for (let turn = 0; turn < 2; turn++) {
      await poll()
      await pass(500)
      await api.get('/me')
    }
    await answers([404], () => api.get('/tasks/tsk_none'))
    expect(await found()).toEqual(['retry-unsafe 1'])
    expect(await control.report()).toMatchObject([{ requests: [2, 7], offending: [7] }])
  })

  it('mock.report() finds retry-unsafe when another client has changed something', async () => {
    await answers([404], () => api.get('/tasks/task_000001'))
    await api.post('/lists/lst_main/tasks', { title: 'New' }, { key: 'wm_without_rows_write' })
    await answers([200], () => api.get('/tasks/task_000001'))
    expect(await found()).toEqual(['retry-unsafe 1'])
  })

  it('mock.report() finds retry-unsafe when a refused write of the client comes between', async () => {
    await answers([404], () => api.get('/tasks/tsk_none'))
    await answers([400], () => api.patch(task, { title: 5 }))
    await answers([404], () => api.get('/tasks/tsk_none'))
    expect(await found()).toEqual(['retry-unsafe 1', 'client-error 1'].reverse())
  })

  it('mock.report() finds retry-unsafe when the refused request itself had an effect', async () => {
    await control.fault({ operation: 'updateTask', status: 404, phase: 'after', times: 2 })
    await answers([404, 404], () => api.patch(task, { title: 'Again' }))
    expect(await found()).toEqual(['retry-unsafe 1'])
  })

  it('mock.report() finds the repetition at fault and names what it repeats as context', async () => {
    await answers([404, 404, 404], () => api.get('/tasks/tsk_none'))
    expect(await control.report()).toMatchObject([{ requests: [1, 2, 3], offending: [2, 3], count: 2 }])
  })

  it('mock.report() stays empty when a test asks for one error after another', async () => {
    for (const status of [400, 401, 402, 403, 404, 500, 503]) {
      await control.fault({ operation: 'updateTask', status })
      await answers([status], () => api.patch(task, { title: 'Again' }))
    }
    for (const status of [401, 402, 403, 404, 500, 503])
      await answers([status], () => api.get(task, { headers: { prefer: `code=${String(status)}` } }))
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when requests that failed were under way together', async () => {
    await control.fault({ operation: 'getTask', status: 503, times: 4, delayMs: 300 })
    for (let attempt = 0; attempt < 2; attempt++) await Promise.all(times(2, () => api.get(task)))
    await control.fault({ operation: 'getTask', status: 404, times: 2, delayMs: 300 })
    await Promise.all(times(2, () => api.get('/tasks/tsk_doing')))
    expect(await found()).toEqual([])
  })
})

/** The shortest wait before each attempt of a request that keeps failing, in milliseconds. */
const schedule = [0, 0, 1000, 2000, 4000, 8000]

describe('retries on a manual clock, to the millisecond', () => {
  const { api, control, pass, found } = useReport('manual')

  it.each([2, 3, 4, 5])(
    'mock.report() finds backoff when the wait before attempt %i + 1 is a millisecond short',
    async (late) => {
      await control.fault({ operation: 'getTask', status: 500, times: null })
      for (const [attempt, ms] of schedule.entries()) {
        await pass(attempt === late ? ms - 1 : ms)
        await api.get(task)
      }
      expect(await found()).toEqual(['backoff 1'])
    },
  )

  it.each([
    ['finds retry-after', 4999, ['retry-after 1']],
    ['stays empty', 5000, []],
  ])('mock.report() %s when %i ms have passed and Retry-After says 5', async (_, ms, expected) => {
    await control.fault({ operation: 'getTask', status: 429, retryAfter: 5 })
    await api.get(task)
    await pass(ms)
    await api.get(task)
    expect(await found()).toEqual(expected)
  })
})

describe('retries on a manual clock that stands still', () => {
  const { api, control, found } = useReport('manual')

  it('mock.report() stays empty when the waits of a client do not show on the clock', async () => {
    await control.fault({ operation: 'getTask', status: 503, times: 5 })
    await answers([503, 503, 503, 503, 503, 200], () => api.get(task))
    await control.fault({ operation: 'getTask', status: 429, retryAfter: 60 })
    await answers([429, 200], () => api.get(task))
    expect(await found()).toEqual([])
  })

  it('mock.report() finds backoff when a sixth retry is made', async () => {
    await control.fault({ operation: 'getTask', status: 503, times: null })
    await answers(
      times(8, () => 503),
      () => api.get(task),
    )
    expect(await found()).toEqual(['backoff 2'])
  })
})
