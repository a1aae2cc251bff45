// mock.fetch beyond the API's responses: broken connections, and a journal that two runs share.
import { handlerOf } from '../../src/mock/internals.ts'
import { describe, expect, it, vi } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from '../../src/index.ts'

const headers = { authorization: 'Bearer wm_demo_master' }

describe('mock.fetch', () => {
  it.each([
    ['a text below the base address', '/me'],
    ['one without a slash', 'me'],
    ['one with two slashes', '//me'],
    ['an address', 'https://api.workspace.test/v1/me'],
    ['a URL', new URL('https://api.workspace.test/v1/me')],
    ['a Request', new Request('https://api.workspace.test/v1/me', { headers: { authorization: 'none' } })],
  ])('answers %s with an init', async (_, input) => {
    expect((await createWorkspaceMock().fetch(input, { headers })).status).toBe(200)
  })

  // As happy-dom does.
  it('createSpace answers 200 when the headers of a request keep the case of their names', async () => {
    const body = JSON.stringify({ name: 'Depot' })
    const request = new Request('https://api.workspace.test/v1/spaces', { method: 'POST', body })
    const sent = Object.entries({ Authorization: headers.authorization, 'Content-Type': 'application/json' })
    const kept = {
      get: (name: string) => sent.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1] ?? null,
      forEach: (visit: (value: string, name: string) => void) =>
        sent.forEach(([name, value]) => visit(value, name)),
      [Symbol.iterator]: () => sent.values(),
    }
    Object.defineProperty(request, 'headers', { value: kept })
    const mock = createWorkspaceMock()
    expect((await mock.fetch(request)).status).toBe(200)
    expect(mock.report()).toEqual([])
  })

  // In browsers only the browser itself sets these headers.
  it('answers a preflight with the headers that it names', async () => {
    const asked = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-trace',
    }
    const response = await createWorkspaceMock().fetch('/spaces', { method: 'OPTIONS', headers: asked })
    expect(response.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-trace')
  })

  it.each<[string, (mock: WorkspaceMock) => unknown, RequestInit]>([
    ['gets responses', () => undefined, { headers }],
    ['gets 503', (mock) => mock.fault({ operation: 'getIdentity', status: 503, times: null }), { headers }],
    ['has no connection', (mock) => mock.fault({ network: true, times: null }), { headers }],
    ['was aborted', () => undefined, { headers, signal: AbortSignal.abort() }],
  ])('lets timers fire where a client repeats for ever that %s', async (_, setUp, init) => {
    const mock = createWorkspaceMock()
    setUp(mock)
    let isOver = false
    setTimeout(() => (isOver = true), 1)
    vi.useFakeTimers()
    let requests = 0
    // The loop is bounded, because it would block this process if no timer fired.
    for (; !isOver && requests < 100_000; requests++) await mock.fetch('/me', init).catch(() => undefined)
    vi.useRealTimers()
    expect(requests).toBeLessThan(100_000)
  })

  it('gives responses in the order of the requests, however many they are', async () => {
    const mock = createWorkspaceMock()
    const order: number[] = []
    const sent = Array.from({ length: 1000 }, async (_, at) => {
      await mock.fetch('/me', { headers })
      order.push(at)
      await mock.fetch('/lists', { headers })
      order.push(1000 + at)
    })
    await Promise.all(sent)
    expect(order.filter((at) => at < 1000)).toEqual(Array.from({ length: 1000 }, (_, at) => at))
    expect(order.filter((at) => at >= 1000)).toEqual(Array.from({ length: 1000 }, (_, at) => 1000 + at))
  })

  it('rejects an invalid address with a message', async () => {
    await expect(createWorkspaceMock().fetch(5 as unknown as string)).rejects.toThrow(
      'mock.fetch takes a Request, a URL or a string; received number',
    )
  })

  it('answers 404 with the address when it is not under the base address', async () => {
    const mock = createWorkspaceMock()
    const errorOf = async (url: string) => ((await (await mock.fetch(url)).json()) as { error: string }).error
    expect(await errorOf('https://other.test/v1/me?a=1')).toBe(
      'No operation matches GET https://other.test/v1/me: it is not under https://api.workspace.test/v1',
    )
    expect(await errorOf('/mee')).toBe('No operation matches GET /v1/mee')
    const atBase = await errorOf(`${mock.baseUrl}/`)
    for (const end of ['', '?', '?a=1', '#a']) expect(await errorOf(mock.baseUrl + end)).toBe(atBase)
  })

  it.each([
    ['/me', ''],
    ['/me?', ''],
    ['/me#?a=1', ''],
    ['/me?a=1&b=%20#end', 'a=1&b=%20'],
    ['/me?a=1?#c#d', 'a=1?'],
  ])('takes the query of %s without its fragment', async (path, query) => {
    const mock = createWorkspaceMock()
    expect((await mock.fetch(mock.baseUrl + path, { headers })).status).toBe(200)
    expect(mock.har().log.entries[0]?.request.url).toBe(`${mock.baseUrl}/me${query && `?${query}`}`)
  })

  it('answers 404 to HEAD without a body, as over HTTP', async () => {
    const response = await createWorkspaceMock().fetch('/me', { method: 'HEAD', headers })
    expect([response.status, response.body]).toEqual([404, null])
  })

  it('answers 401 to two Authorization headers', async () => {
    const twice = new Headers(headers)
    twice.append('authorization', headers.authorization)
    expect((await createWorkspaceMock().fetch('/me', { headers: twice })).status).toBe(401)
  })

  it('answers 404 with the nearest operation when a path has dots', async () => {
    const call = { method: 'GET', path: '/../v1/me', query: '', baseUrl: '', header: () => null, body: null }
    expect((await handlerOf(createWorkspaceMock()).handle(call)).body).toContain(
      'No operation matches GET /v1/../v1/me',
    )
  })
  it.each([
    'https://api.workspace.test/v2/me',
    'https://other.test/v1/me',
    'https://api.workspace.test/v1x/me',
  ])('answers 404 to %s, which is outside of the base address', async (url) => {
    const response = await createWorkspaceMock().fetch(new Request(url, { headers }))
    expect(response.status).toBe(404)
  })

  it('rejects as fetch does when a fault breaks the connection', async () => {
    const mock = createWorkspaceMock()
    const me = () => mock.fetch(new Request(`${mock.baseUrl}/me`, { headers }))
    const fault = mock.fault({ network: true })
    await expect(me()).rejects.toThrow(TypeError)
    expect(fault.hits).toBe(1)
    expect((await me()).status).toBe(200)
  })

  it('leaves the same journal and HAR twice when multipart boundaries are random', async () => {
    const mock = createWorkspaceMock()
    const upload = async () => {
      const body = new FormData()
      body.set('file', new File([new Uint8Array([255, 0, 137])], 'dot.png', { type: 'image/png' }))
      const url = `${mock.baseUrl}/tasks/tsk_label/attachments`
      const uploaded = await mock.fetch(new Request(url, { method: 'POST', headers, body }))
      const { attachment } = (await uploaded.json()) as { attachment: { url: string } }
      await mock.fetch(new Request(attachment.url, { headers }))
      return JSON.stringify([mock.requests(), mock.har()])
    }
    const first = await upload()
    const download = mock.har().log.entries[1]?.response
    expect(download).toMatchObject({ content: { size: 3, text: '/wCJ', encoding: 'base64' } })
    mock.reset()
    expect(await upload()).toBe(first)
  })
})
