// Starting and stopping the worker in a page: nothing is missed, and nothing else is touched.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { http, HttpResponse } from 'msw'
import { createWorkspaceMock, type WorkspaceMock } from '../../../src/index.ts'
import { startWorker, type RunningWorker, type StartWorkerOptions } from '../../../src/browser.ts'
import { createPageSource } from '../../../src/tools/console/page-source.ts'

const running: RunningWorker[] = []

async function start(mock: WorkspaceMock, options: StartWorkerOptions = {}): Promise<RunningWorker> {
  const worker = await startWorker(mock, { quiet: true, ...options })
  running.push(worker)
  return worker
}

afterEach(async () => {
  for (const { stop } of running.splice(0)) await stop()
})

const me = (mock: WorkspaceMock, headers: Record<string, string> = {}) =>
  fetch(`${mock.baseUrl}/me`, {
    headers: { authorization: `Bearer ${mock.keys.master ?? ''}`, ...headers },
  })

describe('startWorker', () => {
  it('responds to the very first request, once it has been awaited', async () => {
    const mock = createWorkspaceMock()
    await start(mock)
    const first = await me(mock)
    expect(first.status).toBe(200)
    expect(mock.requests()).toHaveLength(1)
    expect(navigator.serviceWorker.controller?.scriptURL).toBe(`${location.origin}/mockServiceWorker.js`)
  })

  it('has headers and times of each request for a console that is opened later', async () => {
    const mock = createWorkspaceMock()
    await start(mock)
    await me(mock, { 'x-trace': 'first' })
    const { whole } = createPageSource(mock).controls(null).console
    expect(await whole(1)).toMatchObject({
      headers: { authorization: 'Bearer master', 'x-trace': 'hidden (5 characters)' },
      arrivedMs: expect.any(Number) as number,
      tookMs: expect.any(Number) as number,
    })
    expect(JSON.stringify(mock.requests())).not.toContain('x-trace')
  })

  it('responds to XMLHttpRequest as to fetch', async () => {
    const mock = createWorkspaceMock()
    await start(mock)
    const request = new XMLHttpRequest()
    request.open('GET', `${mock.baseUrl}/me`)
    request.setRequestHeader('authorization', `Bearer ${mock.keys.master ?? ''}`)
    const status = await new Promise<number>((resolve) => {
      request.onloadend = () => resolve(request.status)
      request.send()
    })
    expect(status).toBe(200)
    expect(request.getResponseHeader('access-control-allow-origin')).toBe('*')
  })

  it('sends other requests as usual', async () => {
    await start(createWorkspaceMock())
    const script = await fetch('/mockServiceWorker.js')
    expect(script.status).toBe(200)
    expect(await script.text()).toContain('Mock Service Worker')
  })

  it.each([
    ['error', 'error'],
    ['warn', 'warn'],
  ] as const)('reports other requests as asked: %s', async (onUnhandledRequest, level) => {
    const complaint = vi.spyOn(console, level).mockImplementation(() => undefined)
    await start(createWorkspaceMock(), { onUnhandledRequest })
    await fetch('/no-file-of-this-page').catch(() => undefined)
    await expect.poll(() => complaint.mock.calls.join()).toContain('without a matching request handler')
    complaint.mockRestore()
  })

  it('does not report other requests unless asked', async () => {
    const complaints = (['error', 'warn'] as const).map((level) => vi.spyOn(console, level))
    await start(createWorkspaceMock())
    await fetch('/no-file-of-this-page')
    for (const complaint of complaints) {
      expect(complaint).not.toHaveBeenCalled()
      complaint.mockRestore()
    }
  })

  it('gives handlers of your own precedence', async () => {
    const mock = createWorkspaceMock()
    const own = http.get(`${mock.baseUrl}/me`, () => HttpResponse.json({ own: true }))
    await start(mock, { handlers: [own] })
    expect(await (await me(mock)).json()).toEqual({ own: true })
    expect((await fetch(`${mock.baseUrl}/spaces`)).status).toBe(401)
  })

  it('breaks the connection where a fault says so', async () => {
    const mock = createWorkspaceMock()
    await start(mock)
    mock.fault({ operation: 'getIdentity', network: true })
    await expect(me(mock)).rejects.toThrow(TypeError)
    expect((await me(mock)).status).toBe(200)
  })

  it('selects sandboxes by their header', async () => {
    const mock = createWorkspaceMock()
    await start(mock)
    mock.sandbox('other').setPlan('scale')
    const plan = async (headers: Record<string, string>) => {
      const { workspace } = (await (await me(mock, headers)).json()) as { workspace: { plan: string } }
      return workspace.plan
    }
    expect(await plan({})).toBe('pro')
    expect(await plan({ 'x-mock-sandbox': 'other' })).toBe('scale')
  })

  it('uploads and downloads files unchanged', async () => {
    const mock = createWorkspaceMock({ fixture: 'demo' })
    await start(mock)
    const headers = { authorization: `Bearer ${mock.keys.master ?? ''}` }
    const lists = (await (await fetch(`${mock.baseUrl}/lists`, { headers })).json()) as {
      lists: { id: string }[]
    }
    const body = new FormData()
    const bytes = Uint8Array.from({ length: 3000 }, (_, index) => index % 256)
    body.append('data', JSON.stringify({ title: 'With a file' }))
    body.append('file', new Blob([bytes], { type: 'image/png' }), 'plan.png')
    const at = `${mock.baseUrl}/lists/${lists.lists[0]?.id ?? ''}/tasks`
    const created = await fetch(at, { method: 'POST', headers, body })
    expect(created.status).toBe(201)
    const { attachments } = (await created.json()) as { attachments: { url: string; size_bytes: number }[] }
    expect(attachments[0]?.size_bytes).toBe(3000)
    const file = await fetch(attachments[0]?.url ?? '', { headers })
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes)
  })

  it('sends requests to the network again once it is stopped', async () => {
    const mock = createWorkspaceMock()
    const { stop } = await startWorker(mock, { quiet: true })
    await stop()
    await expect(me(mock)).rejects.toThrow(TypeError)
    expect(mock.requests()).toEqual([])
  })

  it('rejects with the reason when the script of the worker is missing', async () => {
    const missing = startWorker(createWorkspaceMock(), {
      quiet: true,
      serviceWorker: { url: '/nowhere/mockServiceWorker.js' },
    })
    const text =
      /service worker script is missing: GET \/nowhere\/mockServiceWorker\.js responded with .* npx msw init public --no-save/
    await expect(missing).rejects.toThrow(text)
    const message = document.querySelector('[role=alert]')
    expect(message?.textContent).toMatch(text)
    message?.remove()
  })
})
