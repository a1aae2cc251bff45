// Checks that the mock behaves in MSW as a handler should.
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'

const mock = createWorkspaceMock({ selfCheck: true })
const server = setupServer(...mock.handlers)
const headers = { authorization: 'Bearer wm_demo_master' }
const me = `${mock.baseUrl}/me`

describe('handlers', () => {
  const unhandled: string[] = []
  beforeAll(() => {
    server.listen({ onUnhandledRequest: 'error' })
  })
  beforeEach(() => {
    mock.reset()
    unhandled.length = 0
    server.events.on('request:unhandled', ({ request }) => void unhandled.push(request.url))
  })
  afterEach(() => {
    server.resetHandlers()
    server.events.removeAllListeners()
  })
  afterAll(() => {
    server.close()
  })

  it('answer requests below the base address', async () => {
    const response = await fetch(me, { headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  })

  it('answer 404 with a hint when a path matches no operation', async () => {
    const response = await fetch(`${mock.baseUrl}/mee`, { headers })
    expect(response.status).toBe(404)
    expect(response.headers.get('x-mock-hint')).toContain('getIdentity')
    expect(unhandled).toEqual([])
  })

  it.each([
    'https://api.workspace.test/v2/me',
    'https://api.workspace.test/v1x/me',
    'https://other.test/v1/me',
  ])('leave %s to onUnhandledRequest', async (url) => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await expect(fetch(url)).rejects.toThrow()
    printed.mockRestore()
    expect(unhandled).toEqual([url])
  })

  it('are in use from the first request that they answer, and print it with its hint when asked to', async () => {
    const [handler] = createWorkspaceMock().handlers
    const requestId = 'one'
    const run = (url: string) => handler!.run({ request: new Request(url), requestId })
    await run('https://other.test/')
    expect(handler?.isUsed).toBe(false)
    const request = new Request(`${mock.baseUrl}/mee`)
    const response = (await run(request.url))!.response!
    expect(handler?.isUsed).toBe(true)
    const printed = vi.spyOn(console, 'info').mockImplementation(() => undefined)
    handler?.log({ request, response, parsedResult: {} })
    expect(printed.mock.calls).toEqual([
      [`[workspace-api-mock] GET ${request.url} 404 (${response.headers.get('x-mock-hint')!})`],
    ])
    printed.mockRestore()
  })

  it('give way to handlers of server.use until they are reset', async () => {
    server.use(http.get(me, () => HttpResponse.json({ overridden: true })))
    expect(await (await fetch(me, { headers })).json()).toEqual({ overridden: true })
    expect((await fetch(`${mock.baseUrl}/spaces`, { headers })).status).toBe(200)
    server.resetHandlers()
    expect(await (await fetch(me, { headers })).json()).toHaveProperty('workspace')
  })

  it('give way once to a handler that is used once', async () => {
    server.use(http.get(me, () => new HttpResponse(null, { status: 418 }), { once: true }))
    expect((await fetch(me, { headers })).status).toBe(418)
    expect((await fetch(me, { headers })).status).toBe(200)
  })

  it('can be listed', () => {
    expect(server.listHandlers()).toEqual(mock.handlers)
  })

  it('let the life-cycle events read requests and responses', async () => {
    const bodies: unknown[] = []
    server.events.on('response:mocked', ({ request, response }) => {
      bodies.push(request.clone().text(), response.clone().json())
    })
    const created = await fetch(`${mock.baseUrl}/spaces`, {
      method: 'POST',
      headers,
      body: '{"name":"Seen"}',
    })
    expect(await Promise.all(bodies)).toEqual(['{"name":"Seen"}', await created.json()])
  })

  it('answer concurrent requests in the order in which they came', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `Space ${String(index)}`)
    const post = (name: string) =>
      fetch(`${mock.baseUrl}/spaces`, { method: 'POST', headers, body: JSON.stringify({ name }) })
    await Promise.all(names.map(post))
    const { spaces } = (await (await fetch(`${mock.baseUrl}/spaces`, { headers })).json()) as {
      spaces: { name: string }[]
    }
    expect(spaces.slice(-20).map(({ name }) => name)).toEqual(names)
  })

  it('can serve several mocks at once, each under its own address', async () => {
    const other = createWorkspaceMock({ fixture: 'empty', baseUrl: 'https://other.workspace.test/v1' })
    server.use(...other.handlers)
    expect((await fetch('https://other.workspace.test/v1/me', { headers })).status).toBe(401)
    const empty = await fetch('https://other.workspace.test/v1/me', {
      headers: { authorization: 'Bearer wm_empty_master' },
    })
    expect(empty.status).toBe(200)
    expect((await fetch(me, { headers })).status).toBe(200)
  })
})

describe('mock.fetch', () => {
  it('answers without interception', async () => {
    const response = await mock.fetch(new Request(me, { headers }))
    expect(response.status).toBe(200)
    expect((await mock.fetch(new Request(me))).status).toBe(401)
  })
})
