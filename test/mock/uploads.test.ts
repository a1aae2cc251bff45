// How a request's body and signal affect mock.fetch and handlers: stalled, aborted, failing, used and large streams.
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'

const headers = { authorization: 'Bearer wm_demo_master', 'content-type': 'application/json' }
const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)
const spaces = `${mock.baseUrl}/spaces`
const encode = (text: string) => new TextEncoder().encode(text)
const body = (name: string) => encode(JSON.stringify({ name }))

/** A stream that stays open until it is told what to do. */
function openStream() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let cancelled: unknown
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given
    },
    cancel: (reason) => {
      cancelled = reason
    },
  })
  return {
    stream,
    send: (bytes: Uint8Array) => controller?.enqueue(bytes),
    end: () => controller?.close(),
    fail: (error: Error) => controller?.error(error),
    get cancelled() {
      return cancelled
    },
  }
}

const uploadOf = (stream: BodyInit, init: RequestInit = {}) =>
  new Request(spaces, { method: 'POST', headers, body: stream, duplex: 'half', ...init } as RequestInit)

const names = async () => {
  const listed = await mock.fetch(new Request(spaces, { headers }))
  return ((await listed.json()) as { spaces: { name: string }[] }).spaces.map(({ name }) => name)
}

beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' })
})
beforeEach(() => {
  mock.reset()
})
afterAll(() => {
  server.close()
})

const senders: [string, (request: Request) => Promise<Response>][] = [
  ['mock.fetch', (request) => mock.fetch(request)],
  ['fetch through handlers', (request) => fetch(request)],
]

describe.each(senders)('%s', (sender, send) => {
  it('does not block other requests while a body stalls, and rejects with the reason of the signal that aborts it', async () => {
    const upload = openStream()
    const abort = new AbortController()
    upload.send(encode('{"name":'))
    const rejected = expect(send(uploadOf(upload.stream, { signal: abort.signal }))).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }) as Error,
    )
    expect((await send(uploadOf(body('Not held up')))).status).toBe(200)
    expect((await send(new Request(`${mock.baseUrl}/me`, { headers }))).status).toBe(200)
    abort.abort()
    await rejected
    expect(await names()).toContain('Not held up')
    expect(mock.requests({ operation: 'createSpace' })).toHaveLength(1)
  })

  it('answers a request whose body is made of what the mock answers while it is sent', async () => {
    const upload = openStream()
    const response = send(uploadOf(upload.stream))
    const [first = ''] = await names()
    upload.send(body(`Copy of ${first}`))
    upload.end()
    expect((await response).status).toBe(200)
    expect(await names()).toContain(`Copy of ${first}`)
  })

  it('rejects with a TypeError where the stream of the body fails', async () => {
    const upload = openStream()
    const rejected = expect(send(uploadOf(upload.stream))).rejects.toThrow(TypeError)
    upload.send(encode('{'))
    upload.fail(new Error('the disk is gone'))
    await rejected
    expect(mock.requests()).toEqual([])
  })

  it('rejects with a TypeError where the body of the request was read before', async () => {
    const request = uploadOf(body('Used'))
    await request.text()
    await expect(send(request)).rejects.toThrow(TypeError)
    // MSW itself refuses a used request; mock.fetch records it without a response.
    const noted = sender === 'mock.fetch' ? [{ status: 0, changes: [] }] : []
    expect(mock.requests()).toMatchObject(noted)
    expect(mock.requests()).toHaveLength(noted.length)
  })

  it('rejects with the reason of a signal that was aborted before', async () => {
    const signal = AbortSignal.abort(new RangeError('too late'))
    await expect(send(new Request(spaces, { headers, signal }))).rejects.toThrow('too late')
    expect(mock.requests()).toEqual([])
  })

  it('rejects when the signal is aborted before a delay has begun, and starts no timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      mock.fault({ operation: 'listSpaces', delayMs: 600_000, status: 200 })
      const abort = new AbortController()
      const answered = send(new Request(spaces, { headers, signal: abort.signal })).catch(String)
      abort.abort(new Error('at once'))
      await vi.advanceTimersByTimeAsync(600_000)
      expect(await answered).toBe('Error: at once')
      expect(vi.getTimerCount()).toBe(0)
      expect(mock.requests()).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  it.each(['before', 'after'] as const)(
    'rejects as soon as a request is aborted that a fault of phase %s delays; only after has it been carried out',
    async (phase) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      try {
        mock.fault({ operation: 'createSpace', delayMs: 600_000, status: 200, phase })
        const abort = new AbortController()
        const request = uploadOf(body('Delayed'), { signal: abort.signal })
        const answered = send(request).catch(String)
        await expect.poll(() => vi.getTimerCount()).toBe(1)
        abort.abort(new Error('enough'))
        expect(await answered).toBe('Error: enough')
        // Node links the request's signal to the caller's only while something references the request.
        expect(request.signal.aborted).toBe(true)
        expect(vi.getTimerCount()).toBe(0)
        expect((await names()).includes('Delayed')).toBe(phase === 'after')
        expect(mock.requests({ operation: 'createSpace' })).toHaveLength(phase === 'after' ? 1 : 0)
      } finally {
        vi.useRealTimers()
      }
    },
  )
})

describe('mock.fetch', () => {
  it('carries out requests in the order of their arrival when their bodies are in memory', async () => {
    const sent = Array.from({ length: 30 }, (_, index) => {
      const name = `Space ${String(index)}${'x'.repeat(index * 1000)}`
      return mock.fetch(uploadOf(JSON.stringify({ name })))
    })
    const listed = mock.fetch(new Request(spaces, { headers }))
    await Promise.all(sent)
    const { spaces: seen } = (await (await listed).json()) as { spaces: { name: string }[] }
    expect(seen.slice(-30).map(({ name }) => name.replace(/x+$/, ''))).toEqual(
      sent.map((_, index) => `Space ${String(index)}`),
    )
  })

  it('answers 413 to a body without end, and cancels it', async () => {
    mock.setAnswers({ bodyBytes: 100_000 })
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(new Uint8Array(10_000))
      },
      cancel: () => {
        cancelled = true
      },
    })
    expect((await mock.fetch(uploadOf(endless))).status).toBe(413)
    expect(cancelled).toBe(true)
  })

  it('rejects with a TypeError when the body is a stream of anything but bytes', async () => {
    const texts = new ReadableStream({
      start: (controller) => {
        controller.enqueue('{"name":"Text"}')
        controller.close()
      },
    })
    await expect(mock.fetch(uploadOf(texts))).rejects.toThrow(TypeError)
  })

  it('keeps the size alone of a large body that is refused for its key or path', async () => {
    const send = (path: string, key: string) =>
      mock.fetch(
        new Request(`${mock.baseUrl}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'x'.repeat(100_000) }),
        }),
      )
    expect((await send('/spaces', 'wm_unknown')).status).toBe(401)
    expect((await send('/spaces', 'wm_demo_scoped')).status).toBe(403)
    expect((await send('/spaces/spc_none/lists', 'wm_demo_master')).status).toBe(404)
    const bodies = mock.requests().map(({ requestBody }) => requestBody)
    expect(bodies).toEqual(
      Array.from({ length: 3 }, () => ({
        sizeBytes: 100_011,
        contentType: 'application/json',
        truncated: true,
      })),
    )
  })

  it('answers 503 when a large body was not kept and the state admits the request after all', async () => {
    const upload = openStream()
    mock.suspendKey('master')
    const pending = mock.fetch(uploadOf(upload.stream))
    upload.send(new Uint8Array(100_000).fill(32))
    mock.suspendKey('master', false)
    upload.send(body('Late'))
    upload.end()
    const response = await pending
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ transient: true })
    expect(await names()).not.toContain('Late')
  })
})
