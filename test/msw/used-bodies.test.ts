// Requests in the state that handlers and other libraries leave them: a body already read, a signal or a stream missing.
import { Readable } from 'node:stream'
import { http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'

const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)
const spaces = `${mock.baseUrl}/spaces`
const headers = { authorization: 'Bearer wm_demo_master', 'content-type': 'application/json' }
const init = { method: 'POST', headers, body: '{"name":"Roastery"}' }
const sentence = 'an earlier handler has already read this body; let it read request.clone() instead'

const print = vi.spyOn(console, 'error').mockImplementation(() => undefined)
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
beforeEach(() => {
  mock.reset()
  print.mockClear()
})
afterEach(() => server.resetHandlers())
afterAll(() => {
  server.close()
  print.mockRestore()
})

/** What the mock says about a request whose body was already read. */
function expectExplained(): void {
  expect(print.mock.calls).toEqual([[`[workspace-api-mock] POST ${spaces}: ${sentence}`]])
  expect(mock.requests()).toMatchObject([
    {
      operation: 'createSpace',
      key: 'master',
      status: 0,
      responseHeaders: { 'x-mock-hint': sentence },
      changes: [],
    },
  ])
  expect(mock.explain()).toBe(`Requests:\n  #1 POST /spaces failed (createSpace)\n    hint: ${sentence}`)
  expect(mock.report()).toEqual([])
  expect(mock.coverage().operations.find(({ operation }) => operation === 'createSpace')?.requests).toBe(0)
}

describe('createSpace fails with the reason, and changes nothing, when', () => {
  it('an earlier handler has read the body and returns nothing', async () => {
    server.use(
      http.post(spaces, async ({ request }) => {
        await request.json()
      }),
    )
    const error = (await fetch(spaces, init).catch((thrown: unknown) => thrown)) as Error
    // With MSW 3, Node rejects with its own error, whose cause has this message.
    expect([error.message, (error.cause as Error | undefined)?.message]).toContain(sentence)
    expectExplained()
  })

  it('mock.fetch gets a used Request', async () => {
    const request = new Request(spaces, init)
    await request.text()
    await expect(mock.fetch(request)).rejects.toThrow(sentence)
    expectExplained()
  })

  it('mock.fetch gets a Request whose stream somebody holds', async () => {
    const request = new Request(spaces, init)
    request.body?.getReader()
    await expect(mock.fetch(request)).rejects.toThrow(sentence)
    expectExplained()
  })
})

it('createSpace answers 200 when an earlier handler has read a clone', async () => {
  server.use(
    http.post(spaces, async ({ request }) => {
      await request.clone().json()
    }),
  )
  expect((await fetch(spaces, init)).status).toBe(200)
  expect(print).not.toHaveBeenCalled()
})

/** A request as another library creates it. */
function requestLike(parts: Partial<Record<keyof Request, unknown>>): Request {
  const { method, headers: sent, url, bodyUsed } = new Request(spaces, { ...init, body: null })
  const arrayBuffer = () => Promise.resolve(new TextEncoder().encode(init.body).buffer)
  return { method, headers: sent, url, bodyUsed, arrayBuffer, ...parts } as unknown as Request
}

describe('createSpace answers 200 when mock.fetch gets a request', () => {
  it.each([
    ['of node-fetch', { signal: null, body: Readable.from([init.body]) }],
    ['of Firefox', { signal: new AbortController().signal }],
    ['without body, bodyUsed and signal', { bodyUsed: undefined }],
  ])('%s', async (_, parts) => {
    const response = await mock.fetch(requestLike(parts))
    expect([response.status, await response.json()]).toMatchObject([200, { name: 'Roastery' }])
  })
})

it('mock.fetch rejects with the reason of the signal while a body without a stream is read', async () => {
  const controller = new AbortController()
  const { signal } = controller
  const arrayBuffer = () => new Promise(() => undefined)
  const response = mock.fetch(requestLike({ signal, arrayBuffer }))
  controller.abort(new Error('enough'))
  await expect(response).rejects.toThrow('enough')
  expect(mock.requests()).toEqual([])
})

it('mock.fetch rejects as fetch does when a body without a stream cannot be read', async () => {
  const arrayBuffer = () => Promise.reject(new Error('gone'))
  await expect(mock.fetch(requestLike({ arrayBuffer }))).rejects.toThrow(
    new TypeError('fetch failed', { cause: new Error('gone') }),
  )
})
