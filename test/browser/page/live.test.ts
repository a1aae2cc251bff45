// What the console keeps up to date: the requests of all sandboxes, through clearing and resets, and only while visible.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createWorkspaceMock } from '../../../src/index.ts'
import { LiveFeed, mostRequests } from '../../../src/tools/console/live.ts'
import type { LiveState, RequestRow } from '../../../src/tools/console/live-state.ts'
import { createPageSource } from '../../../src/tools/console/page-source.ts'
import type { Watcher } from '../../../src/tools/console/source.ts'

const mock = createWorkspaceMock({ fixture: 'demo' })
const source = createPageSource(mock)
const controls = source.controls(null)
let state: LiveState | undefined
let feed: LiveFeed

const begin = async () => {
  feed = new LiveFeed(source, (next) => {
    state = next
  })
  feed.start()
  await expect.poll(() => state?.status).toBe('live')
}

afterEach(() => {
  feed.stop()
  state = undefined
  for (const name of mock.sandboxes()) mock.deleteSandbox(name)
  mock.reset()
  vi.restoreAllMocks()
})

const ask = (path: string, sandbox = '') =>
  mock.fetch(
    new Request(
      `${mock.baseUrl}${path}`,
      sandbox === '' ? {} : { headers: { 'x-mock-sandbox': sandbox, 'x-mock-label': `label ${sandbox}` } },
    ),
  )
const shown = () =>
  state?.requests.map(
    ({ id, path, sandbox }) => `${String(id)} ${path}${sandbox === null ? '' : ` ${sandbox}`}`,
  )

describe('LiveFeed', () => {
  it('lists new requests, and none from before the journal was cleared or reset', async () => {
    await ask('/me')
    await begin()
    expect(shown()).toEqual(['1 /me'])
    await ask('/spaces')
    await ask('/forms')
    await expect.poll(shown).toEqual(['1 /me', '2 /spaces', '3 /forms'])
    await controls.clearRequests()
    feed.forget(null)
    await ask('/lists')
    await expect.poll(shown).toEqual(['4 /lists'])
    mock.reset()
    for (const path of ['/me', '/forms']) await ask(path)
    await expect.poll(shown).toEqual(['1 /me', '2 /forms'])
  })

  it('reads a long journal whole, by page, and without bodies', async () => {
    for (let count = 0; count < 700; count++) await ask('/me')
    const requests = vi.spyOn(controls, 'requests')
    const journals = vi.spyOn(controls.console, 'journals')
    await begin()
    await expect
      .poll(() => state?.requests.map(({ id }) => id))
      .toEqual(Array.from({ length: 700 }, (_, index) => index + 1))
    expect(requests).not.toHaveBeenCalled()
    expect(journals).toHaveBeenCalledTimes(1)
    await ask('/forms')
    await expect.poll(() => state?.requests.length).toBe(701)
  })

  it('reads the journals of many sandboxes together, and all of them at a glance', async () => {
    for (let count = 0; count < 40; count++)
      for (let sent = 0; sent < 60; sent++) await ask('/me', `run-${String(count)}`)
    const journals = vi.spyOn(controls.console, 'journals')
    const contents = vi.spyOn(controls.console, 'contents')
    await begin()
    expect(state?.runs).toHaveLength(41)
    expect(state?.requests).toHaveLength(2400)
    expect(journals).toHaveBeenCalledTimes(2)
    expect(contents).toHaveBeenCalledTimes(1)
  })

  it('forgets all requests of a mock that restarted, and says so', async () => {
    await ask('/me')
    let watcher: Watcher | undefined
    vi.spyOn(source, 'watch').mockImplementation((given) => {
      watcher = given
      given.onConnected('first')
      return () => undefined
    })
    await begin()
    watcher?.onConnected('first')
    await expect.poll(() => state?.requests.length).toBe(1)
    expect(state).toMatchObject({ restarts: 0, lives: new Map() })
    mock.reset()
    watcher?.onConnected('second')
    await expect.poll(() => state?.requests).toEqual([])
    expect(state).toMatchObject({ restarts: 1, lives: new Map([[null, 1]]) })
  })

  it('keeps the latest requests only, however many arrive', async () => {
    await ask('/me')
    const [request] = await controls.requestSummaries({})
    let watcher: Watcher | undefined
    vi.spyOn(source, 'watch').mockImplementation((given) => {
      watcher = given
      given.onConnected('')
      return () => undefined
    })
    await begin()
    const arrived: RequestRow[] = []
    vi.spyOn(controls.console, 'journals').mockImplementation(() => Promise.resolve(arrived.splice(0)))
    const arrive = (count: number, sandbox: string | null) => {
      for (let id = 2; id <= count + 1; id++) arrived.push({ ...request!, id, sandbox })
      const signal = { event: 'request', sandbox, request: { ...request!, id: 2 } } as const
      watcher?.onSignal({ ...signal, pending: 1, headers: {} })
    }
    arrive(mostRequests, null)
    await expect.poll(() => state?.requests.at(-1)?.id).toBe(mostRequests + 1)
    arrive(10_000, 'one')
    await expect.poll(() => state?.requests.at(-1)?.sandbox).toBe('one')
    expect(state?.requests).toHaveLength(mostRequests)
    // If the feed kept more requests than it shows, they would appear now.
    feed.forget('one')
    await expect.poll(() => state?.requests.at(-1)?.sandbox).toBe(null)
    expect(state?.requests).toHaveLength(mostRequests - 10_000)
  })

  it('has the requests of all sandboxes, earlier and later ones', async () => {
    await ask('/me', 'one')
    await begin()
    await ask('/forms')
    await ask('/spaces', 'two')
    await expect.poll(shown).toEqual(['1 /me one', '1 /forms', '1 /spaces two'])
    await expect
      .poll(() => state?.runs)
      .toMatchObject([
        { name: null, label: null, requests: 1, errors: 1 },
        { name: 'one', label: 'label one', requests: 1, errors: 1 },
        { name: 'two', label: 'label two', requests: 1, errors: 1 },
      ])
    mock.deleteSandbox('one')
    await expect.poll(shown).toEqual(['1 /forms', '1 /spaces two'])
  })

  it('shows what happened while it was reading', async () => {
    await begin()
    let proceed: (() => void) | undefined
    const before = await controls.inspect.overview()
    vi.spyOn(controls.inspect, 'overview').mockImplementationOnce(
      () => new Promise((resolve) => (proceed = () => resolve(before))),
    )
    const reading = feed.refresh()
    await expect.poll(() => proceed).toBeDefined()
    mock.setPlan('business')
    await new Promise((resolve) => setTimeout(resolve, 50))
    proceed?.()
    await reading
    await expect.poll(() => state?.overview?.workspaces[0]?.plan).toBe('business')
  })

  it('never lists a request before the faults and findings that it met are counted', async () => {
    const shownStates: LiveState[] = []
    feed = new LiveFeed(source, (next) => {
      state = next
      shownStates.push(next)
    })
    const slowly = <T>(result: T) => new Promise<T>((resolve) => setTimeout(() => resolve(result), 30))
    vi.spyOn(controls, 'faults').mockImplementation(() => slowly(mock.faults()))
    vi.spyOn(controls, 'report').mockImplementation(() => slowly(mock.report({ assumptions: false })))
    mock.fault({ operation: 'getIdentity', status: 503, times: null })
    const headers = { authorization: `Bearer ${mock.keys.master ?? ''}` }
    const send = async () => {
      await mock.fetch('/me', { headers })
      await mock.fetch('/tasks/tsk_none', { headers })
    }
    await send()
    feed.start()
    for (let count = 1; count < 12; count++) {
      await slowly(null)
      await send()
    }
    await expect.poll(() => state?.requests.length).toBe(24)
    for (const { requests, faults, findings } of shownStates) {
      const count = (path: string) => requests.filter((row) => row.path === path).length
      expect(faults[0]?.hits ?? 0).toBeGreaterThanOrEqual(count('/me'))
      expect(findings[0]?.count ?? 0).toBeGreaterThanOrEqual(count('/tasks/tsk_none') - 1)
    }
  })

  it('shows what becomes due on a running clock, of which there is no event', async () => {
    mock.clock.mode = 'system'
    await begin()
    await mock.fetch('/datatables/tbl_orders/jobs/insert', {
      method: 'POST',
      headers: { authorization: 'Bearer wm_demo_master', 'content-type': 'application/json' },
      body: JSON.stringify({ rows: [{ col_customer: 'A' }] }),
    })
    const status = () => state?.overview.workspaces[0]?.jobs.at(-1)?.status
    await expect.poll(status, { timeout: 5000 }).not.toBe('done')
    await expect.poll(status, { timeout: 5000 }).toBe('done')
  })

  it('keeps its state while the mock does not respond, and says why', async () => {
    await ask('/me')
    await begin()
    vi.spyOn(controls.inspect, 'overview').mockRejectedValue(new Error('gone'))
    await feed.refresh()
    await expect
      .poll(() => state)
      .toMatchObject({ status: 'lost', failure: 'gone', requests: [{ path: '/me' }] })
  })

  it('reads nothing while the page is hidden, and reads at once when it is shown again', async () => {
    await begin()
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    const overview = vi.spyOn(controls.inspect, 'overview')
    await ask('/me')
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(overview).not.toHaveBeenCalled()
    visibility.mockReturnValue('visible')
    document.dispatchEvent(new Event('visibilitychange'))
    await expect.poll(shown).toEqual(['1 /me'])
  })

  it('shows a request from its arrival, with the fault that delays it, and then how long it took', async () => {
    mock.fault({ operation: 'getIdentity', status: 200, delayMs: 600 })
    await begin()
    const headers = { authorization: 'Bearer wm_demo_master', 'x-own': 'yes' }
    const sent = mock.fetch('/me', { headers })
    await expect.poll(() => state?.pending).toMatchObject([{ path: '/me', fault: 'fault_1', delayMs: 600 }])
    expect(state?.requests).toEqual([])
    await sent
    await expect.poll(() => state?.requests.length).toBe(1)
    expect(state?.pending).toEqual([])
    const [row] = state?.requests ?? []
    expect(row).toMatchObject({
      fault: 'fault_1',
      delayMs: 600,
      headers: { 'x-own': 'hidden (3 characters)' },
    })
    expect(row?.headers?.authorization).toBe('Bearer master')
    expect(row?.tookMs).toBeGreaterThan(400)
  })

  it('has the findings and faults of all sandboxes, or of the one that is selected', async () => {
    const signed = (sandbox: string) => ({
      authorization: 'Bearer wm_demo_master',
      'x-mock-sandbox': sandbox,
    })
    for (const name of ['one', 'two'])
      for (let sent = 0; sent < 2; sent++) await mock.fetch('/tasks/tsk_none', { headers: signed(name) })
    mock.sandbox('two').fault({ network: true })
    await begin()
    expect([state?.findings, state?.faults]).toEqual([[], []])
    feed.select(undefined)
    await expect.poll(() => state?.findings.map(({ sandbox }) => sandbox)).toEqual(['one', 'two'])
    expect(state?.faults.map(({ sandbox }) => sandbox)).toEqual(['two'])
    feed.select('one')
    await expect.poll(() => state?.findings.map(({ sandbox }) => sandbox)).toEqual(['one'])
    expect(state?.faults).toEqual([])
  })
})
