// Listeners of mock.watch and mock.events: who is called, and until when.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from '../../src/index.ts'

const headers = { authorization: 'Bearer wm_demo_master' }

let mock: WorkspaceMock
beforeEach(() => {
  mock = createWorkspaceMock()
})
afterEach(() => vi.restoreAllMocks())

describe('watch', () => {
  it('reports what happens in every sandbox, in order, until it is unsubscribed', async () => {
    const signals: unknown[] = []
    const stop = mock.watch(({ event, sandbox }) => void signals.push([event, sandbox]))
    await mock.fetch('/me', { headers })
    await mock.fetch('/me', { headers: { ...headers, 'x-mock-sandbox': 'side' } })
    mock.sandbox('side').clock.advance('1h')
    mock.reset()
    expect([mock.deleteSandbox('side'), mock.deleteSandbox('side')]).toEqual([true, false])
    const expected = [
      ['request', null],
      ['sandbox', 'side'],
      ['request', 'side'],
      ['clock', 'side'],
      ['reset', null],
      ['sandbox', 'side'],
    ]
    expect(signals).toEqual(expected)
    stop()
    stop()
    await mock.fetch('/me', { headers })
    mock.reset()
    expect(signals).toEqual(expected)
  })

  it('reports the clock after each job poll that moves it, with its time then', async () => {
    const table = mock.db.tables.findFirst((query) => query.where({ locked: false }))!
    const path = `/datatables/${table.id}/jobs/insert`
    const init = { method: 'POST', headers, body: '{"rows":[{}]}' }
    const submitted = await mock.fetch(path, init)
    const { job_id } = (await submitted.json()) as { job_id: string }
    const startMs = mock.clock.nowMs()
    const times: unknown[] = []
    mock.watch((signal) => {
      if (signal.event === 'clock') times.push([signal.now, signal.mode])
    })
    for (let poll = 0; poll < 2; poll++) await mock.fetch(`/jobs/${job_id}`, { headers })
    await mock.fetch('/jobs/job_none', { headers })
    const second = startMs / 1000
    expect(times).toEqual([
      [Math.floor(second + 0.5), 'manual'],
      [Math.floor(second + 1), 'manual'],
    ])
  })

  it('reports at once which requests wait, where pending ones are asked for', async () => {
    mock.fault({ operation: 'getIdentity', status: 200, delayMs: 60_000 })
    mock.fault({ operation: 'listForms', status: 200 })
    const ending = new AbortController()
    const waiting = mock.fetch('/me', { headers, signal: ending.signal }).catch(() => null)
    await mock.fetch('/forms', { headers })
    const seen: unknown[] = []
    const stop = mock.watch((signal) => void seen.push(signal), { pending: true })
    const pending = { event: 'pending', sandbox: null, id: 1, method: 'GET', path: '/me', fault: 'fault_1' }
    expect(seen).toMatchObject([pending])
    ending.abort()
    await waiting
    expect(seen).toMatchObject([pending, { event: 'abandoned', id: 1 }])
    stop()
    seen.length = 0
    mock.watch((signal) => void seen.push(signal), { pending: true })()
    expect(seen).toEqual([])
  })

  it('calls the other listeners when one has unsubscribed, or throws', () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const [first, ended, last] = [vi.fn(), vi.fn(), vi.fn()]
    mock.watch(
      first.mockImplementation(() => {
        throw new Error('broken')
      }),
    )
    const stop = mock.watch(ended)
    mock.watch(last)
    stop()
    mock.reset()
    expect([first, ended, last].map(({ mock: { calls } }) => calls.length)).toEqual([1, 0, 1])
    expect(logged).toHaveBeenCalledTimes(1)
  })

  it('lets a listener unsubscribe itself', () => {
    const heard = vi.fn()
    const stop = mock.watch((signal) => {
      heard(signal)
      stop()
    })
    const other = vi.fn()
    mock.watch(other)
    mock.reset()
    mock.reset()
    expect([heard.mock.calls.length, other.mock.calls.length]).toEqual([1, 2])
  })
})

it('events of a sandbox reach its listeners alone, until they unsubscribe', async () => {
  const side = mock.sandbox('side')
  const [ofMain, ofSide] = [vi.fn(), vi.fn()]
  mock.events.on('task.created', ofMain)
  const stop = side.events.on('task.created', ofSide)
  const create = () =>
    mock.fetch(`/lists/${mock.db.lists.all()[0]!.id}/tasks`, {
      method: 'POST',
      headers: { ...headers, 'x-mock-sandbox': 'side', 'content-type': 'application/json' },
      body: '{"title":"Descale"}',
    })
  expect((await create()).status).toBe(201)
  side.reset()
  expect((await create()).status).toBe(201)
  expect([ofMain, ofSide].map(({ mock: { calls } }) => calls.length)).toEqual([0, 2])
  stop()
  await create()
  expect(ofSide).toHaveBeenCalledTimes(2)
})
