// Checks that a clock in mode system follows Date, fake timers included, and that both modes can be set and moved.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWorkspaceMock, type Fixture, type WorkspaceMock } from '../../src/index.ts'
import { NOW, testFixture } from '../behaviour/support/fixture.ts'

const fixture = testFixture as unknown as Fixture

async function call(
  mock: WorkspaceMock,
  method: string,
  path: string,
  json?: unknown,
): Promise<Record<string, unknown>> {
  const response = await mock.fetch(
    new Request(`${mock.baseUrl}${path}`, {
      method,
      headers: { authorization: 'Bearer wm_test_master' },
      body: json === undefined ? null : JSON.stringify(json),
    }),
  )
  return (await response.json()) as Record<string, unknown>
}

describe('clock in mode system', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-06-01T00:00:00Z') })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('starts at the moment of the fixture and runs with Date', () => {
    const mock = createWorkspaceMock({ fixture, clock: 'system' })
    expect(mock.clock.now()).toBe(NOW)
    vi.setSystemTime(Date.now() + 90_500)
    expect(mock.clock.nowMs()).toBe(NOW * 1000 + 90_500)
    expect(mock.clock.now()).toBe(NOW + 90)
  })

  it('lets a job run with Date, and a poll does not move it', async () => {
    const mock = createWorkspaceMock({ fixture, clock: 'system', selfCheck: true })
    const { job_id } = await call(mock, 'POST', '/datatables/tbl_empty/jobs/insert', { rows: [{}, {}] })
    const states: unknown[] = []
    for (const step of [0, 400, 100, 499, 1]) {
      vi.setSystemTime(Date.now() + step)
      states.push((await call(mock, 'GET', `/jobs/${String(job_id)}`)).status)
    }
    expect(states).toEqual(['queued', 'queued', 'processing', 'processing', 'done'])
    expect(mock.clock.nowMs()).toBe(NOW * 1000 + 1000)
  })

  it('can be set and advanced and goes on running from there', () => {
    const mock = createWorkspaceMock({ fixture, clock: 'system' })
    mock.clock.set(1000)
    vi.setSystemTime(Date.now() + 5000)
    expect(mock.clock.now()).toBe(1005)
    mock.clock.advance('1h')
    vi.setSystemTime(Date.now() + 5000)
    expect(mock.clock.now()).toBe(4610)
  })

  it('is not mentioned in a 429, unlike a manual clock', async () => {
    for (const clock of ['manual', 'system'] as const) {
      const mock = createWorkspaceMock({ fixture, clock, limits: { requestsPerMonth: 0 } })
      const refused = await mock.fetch('/me', { headers: { authorization: 'Bearer wm_test_master' } })
      const hint = refused.headers.get('x-mock-hint') ?? ''
      expect([refused.status, hint.includes('clock')]).toEqual([429, clock === 'manual'])
    }
  })

  it('changes its mode without a jump', () => {
    const mock = createWorkspaceMock({ fixture, clock: 'system' })
    vi.setSystemTime(Date.now() + 5000)
    mock.clock.mode = 'manual'
    vi.setSystemTime(Date.now() + 5000)
    expect(mock.clock.now()).toBe(NOW + 5)
    mock.clock.mode = 'system'
    expect(mock.clock.now()).toBe(NOW + 5)
    vi.setSystemTime(Date.now() + 5000)
    expect(mock.clock.now()).toBe(NOW + 10)
  })

  describe('with a job that ends between two requests', () => {
    const ended = async () => {
      const mock = createWorkspaceMock({ fixture, clock: 'system' })
      await call(mock, 'POST', '/datatables/tbl_empty/jobs/insert', { rows: [{}] })
      vi.setSystemTime(Date.now() + 5000)
      return mock
    }
    const status = (mock: WorkspaceMock) => mock.db.jobs.all().at(-1)?.status

    it('keeps it ended when the clock is set back', async () => {
      const mock = await ended()
      mock.clock.set(NOW - 100)
      expect(status(mock)).toBe('done')
    })

    it('keeps it ended when its timeline is made longer', async () => {
      const mock = await ended()
      mock.setAnswers({ jobTimeline: { queuedMs: 60_000 } })
      expect(status(mock)).toBe('done')
    })

    it('reports its end to nobody who listens from then on', async () => {
      const mock = await ended()
      const heard = vi.fn()
      mock.events.on('job.finished', heard)
      expect(status(mock)).toBe('done')
      expect(heard).not.toHaveBeenCalled()
    })
  })

  it('goes back to the moment and mode it started with on reset', () => {
    const mock = createWorkspaceMock({ fixture, clock: 'system' })
    mock.clock.advance('3d')
    mock.clock.mode = 'manual'
    mock.reset()
    expect(mock.clock.mode).toBe('system')
    expect(mock.clock.now()).toBe(NOW)
    const manual = createWorkspaceMock({ fixture })
    manual.clock.mode = 'system'
    manual.reset()
    expect(manual.clock.mode).toBe('manual')
  })

  it('refuses an unknown mode', () => {
    const mock = createWorkspaceMock({ fixture })
    expect(() => {
      mock.clock.mode = 'fast' as 'manual'
    }).toThrow('fast')
    expect(mock.clock.mode).toBe('manual')
  })

  it('does not follow Date in mode manual', () => {
    const mock = createWorkspaceMock({ fixture })
    vi.setSystemTime(Date.now() + 1_000_000)
    expect(mock.clock.now()).toBe(NOW)
  })

  it.each([
    ['begins at 1970', () => vi.setSystemTime(0)],
    ['is a million years ahead', () => vi.spyOn(Date, 'now').mockReturnValue(4e16)],
    ['is before 1970', () => vi.spyOn(Date, 'now').mockReturnValue(-4e15)],
    ['is no number', () => vi.spyOn(Date, 'now').mockReturnValue(NaN)],
    ['has fractions', () => vi.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000.5)],
  ])(
    'keeps times that a state can hold when Date %s, before and after the mock is made',
    async (_, change) => {
      for (const isBefore of [true, false]) {
        vi.restoreAllMocks()
        vi.useFakeTimers()
        if (isBefore) change()
        const mock = createWorkspaceMock({ fixture, clock: 'system' })
        if (!isBefore) change()
        const headers = { authorization: 'Bearer wm_test_master', 'content-type': 'application/json' }
        const body = JSON.stringify({ title: 'New' })
        const response = await mock.fetch('/lists/lst_main/tasks', { method: 'POST', headers, body })
        expect(response.status).toBe(201)
        expect(mock.clock.now()).toBeGreaterThanOrEqual(0)
        const state = mock.state()
        mock.loadState(state)
        expect(mock.state()).toEqual(state)
        mock.clock.set(NOW)
        expect(mock.clock.now()).toBe(NOW)
      }
      vi.restoreAllMocks()
    },
  )
})
