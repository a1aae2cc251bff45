// State that survives reloads, as far as one page can test it; a journey actually reloads.
import { consoleControlsOf } from '../../../src/adapters/control-api/console-controls.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from '../../../src/index.ts'
import { clearPersisted, startWorker, type RunningWorker } from '../../../src/browser.ts'
import { Persistence } from '../../../src/adapters/browser/persistence.ts'

let worker: RunningWorker | undefined

async function start(mock: WorkspaceMock, persist: boolean | string = true): Promise<RunningWorker> {
  await worker?.stop()
  worker = await startWorker(mock, { quiet: true, persist })
  return worker
}

const addSpace = (mock: WorkspaceMock, name: string) =>
  fetch(`${mock.baseUrl}/spaces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mock.keys.master ?? ''}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })

async function spaces(mock: WorkspaceMock): Promise<string[]> {
  const headers = { authorization: `Bearer ${mock.keys.master ?? ''}` }
  const response = await fetch(`${mock.baseUrl}/spaces`, { headers })
  return ((await response.json()) as { spaces: { name: string }[] }).spaces.map(({ name }) => name)
}

beforeEach(() => Promise.all([clearPersisted(), clearPersisted('other')]))
afterEach(async () => {
  await worker?.stop()
  worker = undefined
})

const newMock = () => createWorkspaceMock({ fixture: 'demo' })

describe('persistence', () => {
  it('restores what requests changed, the clock and the plan', async () => {
    const before = newMock()
    await start(before)
    await addSpace(before, 'Kept')
    before.clock.advance('2d')
    before.setPlan('business')
    const after = newMock()
    await start(after)
    expect(await spaces(after)).toContain('Kept')
    expect(after.clock.now()).toBe(before.clock.now())
    expect(consoleControlsOf(after).inspect.overview().workspaces[0]?.plan).toBe('business')
  })

  it('saves the state when the page is left without a stop', async () => {
    const before = newMock()
    await start(before)
    await addSpace(before, 'Left')
    dispatchEvent(new PageTransitionEvent('pagehide'))
    const after = newMock()
    const left = worker
    worker = undefined
    left?.worker.stop()
    await start(after)
    expect(await spaces(after)).toContain('Left')
  })

  it('saves nothing without the option', async () => {
    const before = newMock()
    await start(before, false)
    await addSpace(before, 'Gone')
    const after = newMock()
    await start(after, true)
    expect(await spaces(after)).not.toContain('Gone')
  })

  it('saves states under several names separately', async () => {
    const before = newMock()
    await start(before, 'other')
    await addSpace(before, 'Elsewhere')
    const after = newMock()
    await start(after, true)
    expect(await spaces(after)).not.toContain('Elsewhere')
    const other = newMock()
    await start(other, 'other')
    expect(await spaces(other)).toContain('Elsewhere')
  })

  it('starts from the fixture after a reset', async () => {
    const before = newMock()
    const { reset } = await start(before)
    await addSpace(before, 'Forgotten')
    await reset()
    expect(await spaces(before)).not.toContain('Forgotten')
    const after = newMock()
    await start(after)
    expect(await spaces(after)).not.toContain('Forgotten')
  })

  it('has nothing saved after a reset, even one shortly after a response', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const before = newMock()
    const { reset, worker: mocking } = await start(before)
    await addSpace(before, 'Forgotten')
    await new Promise((resolve) => setTimeout(resolve, 50))
    await reset()
    await new Promise((resolve) => setTimeout(resolve, 400))
    // Stops as when the page is left, without saving.
    worker = undefined
    mocking.stop()
    await start(createWorkspaceMock({ fixture: 'empty' }))
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })

  it('saves a group of responses once', async () => {
    const put = vi.spyOn(IDBObjectStore.prototype, 'put')
    const mock = newMock()
    await start(mock)
    await Promise.all([1, 2, 3, 4, 5].map((number) => addSpace(mock, `Space ${String(number)}`)))
    await expect.poll(() => put.mock.calls.length).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(put).toHaveBeenCalledTimes(1)
    put.mockRestore()
  })

  it.each([
    ['it was stopped', {}],
    ['it could not start', { serviceWorker: { url: '/nowhere/mockServiceWorker.js' } }],
  ])('saves nothing more once %s', async (_when, options) => {
    const before = newMock()
    const starting = startWorker(before, { quiet: true, persist: true, ...options })
    await starting.then(({ stop }) => stop()).catch(() => document.querySelector('[role=alert]')?.remove())
    before.setPlan('business')
    dispatchEvent(new PageTransitionEvent('pagehide'))
    const after = newMock()
    await start(after)
    expect(consoleControlsOf(after).inspect.overview().workspaces[0]?.plan).toBe('pro')
  })

  it('saves nothing under an empty name', async () => {
    const before = newMock()
    await start(before, '')
    await addSpace(before, 'Gone')
    const after = newMock()
    await start(after, '')
    expect(await spaces(after)).not.toContain('Gone')
  })

  it('discards the saved state of another fixture, with a warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const before = newMock()
    await start(before)
    await addSpace(before, 'Other')
    const after = createWorkspaceMock({ fixture: 'empty' })
    await start(after)
    expect(await spaces(after)).not.toContain('Other')
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('starting from the fixture'))
    warn.mockRestore()
  })
})

describe('startWorker with persist', () => {
  const warnings = () => vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const said = (warn: ReturnType<typeof warnings>) =>
    warn.mock.calls.map(([text]) => String(text)).filter((text) => text.startsWith('[workspace-api-mock]'))
  /** A request to open a database that fails, or never ends. */
  const opening = (end?: 'error') => () => {
    const request = new EventTarget() as IDBOpenDBRequest & EventTarget
    Object.assign(request, { error: new DOMException('refused to open', 'UnknownError') })
    if (end) queueMicrotask(() => request.onerror?.(new Event(end)))
    return request
  }
  const broken: Record<string, PropertyDescriptor> = {
    missing: { value: undefined },
    forbidden: {
      get: () => {
        throw new DOMException('denied', 'SecurityError')
      },
    },
    'refusing to open': { value: { open: opening('error') } },
    hanging: { value: { open: opening() } },
    'throwing on open': {
      value: {
        open: () => {
          throw new DOMException('not now', 'InvalidStateError')
        },
      },
    },
  }

  it.each(Object.keys(broken))(
    'starts without persistence and says so once when IndexedDB is %s',
    async (kind) => {
      const warn = warnings()
      const own = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB')
      const breakAs = (descriptor: PropertyDescriptor | undefined) =>
        Object.defineProperty(globalThis, 'indexedDB', { configurable: true, ...descriptor })
      // Other tests left the database open in this page; a failure closes it.
      breakAs(broken.missing)
      await expect(clearPersisted('any')).rejects.toThrow('no IndexedDB')
      breakAs(broken[kind])
      try {
        const mock = newMock()
        const running = await startWorker(mock, { quiet: true, persist: `broken-${kind}` })
        expect((await addSpace(mock, 'Here')).ok).toBe(true)
        await new Promise((resolve) => setTimeout(resolve, 300))
        expect((await addSpace(mock, 'Again')).ok).toBe(true)
        expect(await spaces(mock)).toContain('Again')
        await running.reset()
        await running.stop()
        expect(said(warn)).toEqual([expect.stringContaining('the state is not saved')])
      } finally {
        if (own) Object.defineProperty(globalThis, 'indexedDB', own)
        else Reflect.deleteProperty(globalThis, 'indexedDB')
        warn.mockRestore()
      }
    },
  )

  it('saves nothing, with a warning, while another tab saves under the same name, and saves once that is closed', async () => {
    let close: () => void = () => undefined
    const isHeld = new Promise<void>((resolve) => {
      void navigator.locks.request('workspace-api-mock default', () => {
        resolve()
        return new Promise<void>((release) => (close = release))
      })
    })
    await isHeld
    const warn = warnings()
    const info = vi.spyOn(console, 'info').mockImplementation(() => undefined)
    const second = newMock()
    await start(second)
    expect(said(warn)).toEqual([expect.stringContaining('another tab')])
    await addSpace(second, 'Mine')
    dispatchEvent(new PageTransitionEvent('pagehide'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    const put = vi.spyOn(IDBObjectStore.prototype, 'put')
    close()
    await expect.poll(() => put.mock.calls.length).toBe(1)
    expect(info).toHaveBeenCalledWith(expect.stringContaining('the other tab is closed'))
    put.mockRestore()
    const after = newMock()
    await start(after)
    expect(await spaces(after)).toContain('Mine')
    warn.mockRestore()
    info.mockRestore()
  })

  it('saves for the mock that was started last, even if the former one still waits for its lock', async () => {
    const warn = warnings()
    const former = new Persistence(newMock(), 'other')
    const later = new Persistence(newMock(), 'other')
    await Promise.all([former.start(), later.start()])
    expect(said(warn)).toEqual([])
    await later.stop()
    const namesHeld = async () => (await navigator.locks.query()).held?.map(({ name }) => name)
    await expect.poll(namesHeld).not.toContain('workspace-api-mock other')
    warn.mockRestore()
  })
})
