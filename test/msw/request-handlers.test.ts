// Entry `workspace-api-mock/msw`, and broken connections as HTTP clients see them.
import axios from 'axios'
import axiosRetry from 'axios-retry'
import { getResponse, http, HttpResponse, RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import https from 'node:https'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { requestHandlers } from 'workspace-api-mock/msw'

const mock = createWorkspaceMock()
const handlers = requestHandlers(mock)
const server = setupServer(...handlers)
const headers = { authorization: 'Bearer wm_demo_master' }
const me = `${mock.baseUrl}/me`

beforeAll(() => server.listen(mock.listenOptions))
beforeEach(() => mock.reset())
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

describe('requestHandlers', () => {
  it('are instances of the class of msw', () => {
    expect(handlers.map((handler) => handler instanceof RequestHandler)).toEqual([true])
    expect(server.listHandlers()).toEqual(handlers)
    expect(handlers[0]?.info.header).toBe(`* ${mock.baseUrl}/*`)
  })

  it('answer through setupServer and getResponse', async () => {
    expect((await fetch(me, { headers })).status).toBe(200)
    expect((await getResponse(handlers, new Request(me, { headers })))?.status).toBe(200)
    expect(await getResponse(handlers, new Request('https://other.test/'))).toBeUndefined()
    expect(await handlers[0]?.test({ request: new Request(me) })).toBe(true)
  })

  it('answer the preflight of another origin', async () => {
    const preflight = await fetch(me, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.test',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    })
    expect(preflight.ok).toBe(true)
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization')
  })

  it('give way to server.use until resetHandlers', async () => {
    server.use(http.get(me, () => HttpResponse.json({ overridden: true })))
    expect(await (await fetch(me, { headers })).json()).toEqual({ overridden: true })
    server.resetHandlers()
    expect(await (await fetch(me, { headers })).json()).toHaveProperty('workspace')
  })

  it('emit life-cycle events', async () => {
    const seen: string[] = []
    server.events.on('request:match', ({ request }) => void seen.push(`match ${request.url}`))
    server.events.on('response:mocked', ({ response }) => void seen.push(`mocked ${response.status}`))
    await fetch(me, { headers })
    await vi.waitFor(() => expect(seen).toEqual([`match ${me}`, 'mocked 200']))
    server.events.removeAllListeners()
  })
})

describe('a broken connection', () => {
  it('has the code ECONNRESET for fetch and node:https, and prints nothing', async () => {
    const printed = vi.spyOn(console, 'error')
    mock.fault({ network: true, times: 2 })
    const error: unknown = await fetch(me, { headers }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ cause: { code: 'ECONNRESET' } })
    const broken = await new Promise((resolve) => https.get(me, { headers }).on('error', resolve))
    expect(broken).toMatchObject({ code: 'ECONNRESET' })
    expect(printed).not.toHaveBeenCalled()
    printed.mockRestore()
  })

  it('is retried by axios-retry', async () => {
    const client = axios.create({ adapter: 'http', headers })
    axiosRetry(client, { retries: 2, retryDelay: () => 0 })
    mock.fault({ network: true, times: 2 })
    expect((await client.get(me)).status).toBe(200)
    expect(mock.requests().map(({ status }) => status)).toEqual([0, 0, 200])
  })

  it('has the code for mock.fetch', async () => {
    mock.fault({ network: true })
    await expect(mock.fetch('/me')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  })
})
