// The report's rules about polling a job.
import { describe, expect, it } from 'vitest'
import { times, type Api } from '../support/harness.ts'
import { clockModes, useReport } from '../support/report-mock.ts'

async function submit(api: Api): Promise<string> {
  const rows = times(2500, (index) => ({ col_count: index }))
  return (await api.post('/datatables/tbl_empty/jobs/insert', { rows })).string('job_id')
}

describe.each(clockModes)('polling on a %s clock', (clock) => {
  const { api, control, pass, found } = useReport(clock)

  it('mock.report() finds poll-interval when a job is looked at again within 500 ms', async () => {
    const id = await submit(api)
    await api.get(`/jobs/${id}`)
    await pass(300)
    await api.get(`/jobs/${id}`)
    await pass(400)
    await api.get(`/jobs/${id}`)
    const findings = await control.report()
    expect(findings).toEqual([
      {
        rule: 'poll-interval',
        severity: 'error',
        message: `Job ${id} was polled again after 300 ms. Wait 500 ms or longer between two polls of one job.`,
        operation: 'getJob',
        count: 2,
        requests: [2, 3, 4],
        offending: [3, 4],
      },
    ])
  })

  it('mock.report() stays empty when a job is polled every 500 ms until it is done', async () => {
    const id = await submit(api)
    for (let status = ''; status !== 'done';) {
      status = (await api.get(`/jobs/${id}`)).string('status')
      await pass(500)
    }
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when two jobs are polled in turn', async () => {
    const id = await submit(api)
    for (let poll = 0; poll < 3; poll++) {
      await api.get(`/jobs/${id}`)
      await pass(250)
      if (poll === 0) await api.get('/jobs/job_old')
      await pass(250)
    }
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when two clients poll one job', async () => {
    const id = await submit(api)
    for (let poll = 0; poll < 3; poll++) {
      await api.get(`/jobs/${id}`)
      await pass(250)
      await api.get(`/jobs/${id}`, { key: 'wm_test_scoped' })
      await pass(250)
    }
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when a failed poll is made again at once', async () => {
    const id = await submit(api)
    await api.get(`/jobs/${id}`)
    await pass(500)
    await control.fault({ operation: 'getJob', status: 503 })
    expect((await api.get(`/jobs/${id}`)).status).toBe(503)
    await pass(10)
    expect((await api.get(`/jobs/${id}`)).status).toBe(200)
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when the clock was put back between two polls', async () => {
    const id = await submit(api)
    await api.get(`/jobs/${id}`)
    await control.setClock((await control.now()) - 60)
    await api.get(`/jobs/${id}`)
    expect(await found()).toEqual([])
  })

  it('mock.report() finds poll-finished when a job that was answered as done is looked at again', async () => {
    await api.get('/jobs/job_old')
    await pass(500)
    await api.get('/jobs/job_old')
    await pass(500)
    await api.get('/jobs/job_old')
    const [finding] = await control.report()
    expect(finding).toMatchObject({
      rule: 'poll-finished',
      severity: 'warning',
      count: 2,
      requests: [1, 2, 3],
    })
    expect(finding?.message).toContain('Job job_old was polled again although a response had said done.')
  })

  it('mock.report() finds poll-finished when a job is looked at again by another spelling of its id', async () => {
    await api.get('/jobs/job_old')
    await pass(500)
    await api.get('/jobs/job%5Fold')
    expect(await found()).toEqual(['poll-finished 1'])
  })

  it('mock.report() finds poll-finished when a job that was answered as failed is looked at again', async () => {
    const { json } = await api.post('/datatables/tbl_empty/jobs/insert', {
      rows: times(300, () => ({ col_count: 'x' })),
    })
    const path = `/jobs/${(json as { job_id: string }).job_id}`
    await pass(5000)
    expect((await api.get(path)).at('status')).toBe('failed')
    await pass(5000)
    await api.get(path)
    expect(await found()).toEqual(['poll-finished 1'])
  })

  it('mock.report() finds poll-finished once a poll when several are under way together after that response', async () => {
    await api.get('/jobs/job_old')
    await control.fault({ operation: 'getJob', status: 200, delayMs: 300, times: 2 })
    await Promise.all([api.get('/jobs/job_old'), api.get('/jobs/job_old')])
    expect(await found()).toEqual(['poll-finished 2'])
    expect((await control.report())[0]?.requests).toEqual([1, 2, 3])
  })

  it('mock.report() stays empty when concurrent polls learn that the job is done', async () => {
    await control.fault({ operation: 'getJob', status: 200, delayMs: 300, times: 2 })
    await Promise.all([api.get('/jobs/job_old'), api.get('/jobs/job_old')])
    expect(await found()).toEqual([])
  })

  it('mock.report() stays empty when a job of the same id is polled after the state was restored', async () => {
    const snapshot = await control.snapshot()
    const first = await submit(api)
    await pass(5000)
    expect((await api.get(`/jobs/${first}`)).at('status')).toBe('done')
    await control.restore(snapshot)
    expect(await submit(api)).toBe(first)
    expect((await api.get(`/jobs/${first}`)).at('status')).toBe('queued')
    expect(await found()).toEqual([])
  })
})

describe('polling on a system clock, whose timers fire up to 5 ms early', () => {
  const { api, pass, found } = useReport('system')

  it.each([
    ['finds poll-interval', 494, ['poll-interval 1']],
    ['stays empty', 495, []],
  ])('mock.report() %s when %i ms have passed', async (_, ms, expected) => {
    const id = await submit(api)
    await api.get(`/jobs/${id}`)
    await pass(ms)
    await api.get(`/jobs/${id}`)
    expect(await found()).toEqual(expected)
  })
})

describe('polling on a manual clock', () => {
  const { api, control, found } = useReport('manual')

  it('mock.report() finds poll-interval when 499 ms have passed', async () => {
    const id = await submit(api)
    await api.get(`/jobs/${id}`)
    await control.advance(499)
    await api.get(`/jobs/${id}`)
    expect(await found()).toEqual(['poll-interval 1'])
  })

  it('mock.report() stays empty when the test does not move the clock between polls', async () => {
    const id = await submit(api)
    for (let poll = 0; poll < 5; poll++) await api.get(`/jobs/${id}`)
    expect(await found()).toEqual([])
  })
})

describe('a manual clock that nobody moves', () => {
  const { api, control, found } = useReport('manual')
  const notJudged = async () => {
    const findings = await control.report({ assumptions: true })
    return findings.filter(({ rule }) => rule === 'time-not-judged')
  }

  it('mock.report() finds time-not-judged, on request alone, when a job is polled', async () => {
    const id = await submit(api)
    for (let poll = 0; poll < 3; poll++) await api.get(`/jobs/${id}`)
    expect(await found()).toEqual([])
    const [finding, ...others] = await notJudged()
    expect(others).toEqual([])
    expect(finding).toMatchObject({ severity: 'info', operation: 'getJob', count: 2, offending: [3, 4] })
    expect(finding?.message).toContain('poll-interval')
  })

  it.each([
    ['retry-after', { status: 429 as const, retryAfter: 5 }, 2],
    ['backoff', { status: 503 as const, times: 2 }, 3],
  ])('mock.report() finds time-not-judged when %s asks for a wait', async (rule, fault, requests) => {
    await control.fault({ operation: 'getTask', ...fault })
    for (let request = 0; request < requests; request++) await api.get('/tasks/tsk_plain')
    expect(await found()).toEqual([])
    expect(await notJudged()).toMatchObject([{ operation: 'getTask', count: 1, offending: [requests] }])
    expect((await notJudged())[0]?.message).toContain(rule)
  })

  it('mock.report() stays empty of time-not-judged when no rule asks for a wait, or the clock was moved', async () => {
    await control.fault({ operation: 'getTask', status: 503 })
    await api.get('/tasks/tsk_plain')
    await api.get('/tasks/tsk_plain')
    for (let read = 0; read < 3; read++) await api.get('/spaces')
    const id = await submit(api)
    for (let poll = 0; poll < 3; poll++) {
      await api.get(`/jobs/${id}`)
      await control.advance(500)
    }
    expect(await notJudged()).toEqual([])
  })
})

describe('a manual clock that is set', () => {
  const { api, control, found } = useReport('manual')

  it.each([
    ['finds retry-after', 4, ['retry-after 1']],
    ['stays empty', 5, []],
  ])(
    'mock.report() %s when the clock is set %i s on and Retry-After says 5',
    async (_, seconds, expected) => {
      await control.fault({ operation: 'getTask', status: 429, retryAfter: 5 })
      await api.get('/tasks/tsk_plain')
      await control.setClock((await control.now()) + seconds)
      await api.get('/tasks/tsk_plain')
      expect(await found()).toEqual(expected)
    },
  )
})

describe('polling that moves a manual clock', () => {
  const { api, control, found } = useReport('manual', { advanceOnPoll: true })

  /** Polls until the job is done, waiting in between. @returns the number of polls */
  async function poll(wait: () => Promise<unknown>): Promise<number> {
    const id = await submit(api)
    for (let polls = 1; ; polls++) {
      if ((await api.get(`/jobs/${id}`)).string('status') === 'done') return polls
      await wait()
    }
  }

  it.each([0, 1, 250, 499])(
    'mock.report() finds poll-interval when a client waits %i ms between polls',
    async (ms) => {
      const polls = await poll(() => control.advance(ms))
      expect(await found()).toEqual([`poll-interval ${String(polls - 1)}`])
    },
  )

  it.each([500, 501, 5000])(
    'mock.report() stays empty when a client waits %i ms between polls',
    async (ms) => {
      await poll(() => control.advance(ms))
      expect(await found()).toEqual([])
    },
  )

  it('mock.report() stays empty when the polls alone move the clock', async () => {
    await poll(() => Promise.resolve())
    expect(await found()).toEqual([])
  })

  it('mock.report() finds retry-after when polls of a job have moved the clock past it', async () => {
    await control.fault({ operation: 'getTask', status: 429, retryAfter: 2 })
    const id = await submit(api)
    await api.get('/tasks/tsk_plain')
    for (let turn = 0; turn < 4; turn++) await api.get(`/jobs/${id}`)
    await control.advance(1000)
    await api.get('/tasks/tsk_plain')
    expect(await found()).toEqual(['retry-after 1'])
  })
})
