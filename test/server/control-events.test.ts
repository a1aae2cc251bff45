// What GET /__mock/events sends.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHttpSource } from '../../src/tools/console/http-source.ts'
import { createPageSource } from '../../src/tools/console/page-source.ts'
import { createWorkspaceMock, type WorkspaceMock } from '../../src/index.ts'
import { serve, type RunningServer } from '../../src/node.ts'

interface Received {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

let mock: WorkspaceMock
let server: RunningServer
beforeEach(async () => {
  mock = createWorkspaceMock({ fixture: 'demo' })
  server = await serve(mock, { port: 0 })
})
afterEach(() => server.close())

const key = { authorization: 'Bearer wm_demo_master' }
const me = (headers: Record<string, string> = {}, path = '/v1/me') =>
  fetch(`${server.url}${path}`, { headers: { ...key, ...headers } })

async function subscribe(headers: Record<string, string> = {}, path = '/__mock/events') {
  const response = await fetch(`${server.url}${path}`, { headers })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const parsed = (): Received[] =>
    [...text.matchAll(/event: (.*)\ndata: (.*)\n\n/g)].map(([, event = '', data = '']) => ({
      event,
      data: JSON.parse(data) as Received['data'],
    }))
  return {
    response,
    /** Waits for an event of this kind. @returns all events so far */
    async until(event: string): Promise<Received[]> {
      while (!parsed().some((received) => received.event === event)) {
        const { value, done } = await reader.read()
        if (done) throw new Error(`ended before ${event}: ${text}`)
        text += value
      }
      const received = parsed()
      text = ''
      return received
    },
    ended: async () => {
      for (;;) if ((await reader.read()).done) return
    },
    cancel: () => reader.cancel(),
  }
}

describe('GET events', () => {
  it('answers 200 when Authorization is not of this API, such as that of a proxy', async () => {
    const events = await subscribe({ authorization: 'Basic dTpw' })
    expect(events.response.status).toBe(200)
    mock.reset()
    expect(await events.until('reset')).toHaveLength(1)
  })

  it('answers 200 when its request has a body that is not JSON, and a query', async () => {
    const headers = { 'content-length': '1' }
    const asked = request(`${server.url}/__mock/events?since=1`, { headers }).end('{')
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(200)
    asked.destroy()
  })

  it('answers 400 to a control with a malformed Authorization, and creates no sandbox for it', async () => {
    const headers = { authorization: 'Basic dTpw', 'x-mock-sandbox': 'refused' }
    expect((await fetch(`${server.url}/__mock/state`, { headers })).status).toBe(400)
    expect(mock.sandboxes()).not.toContain('refused')
  })

  it('sends requests without bodies, resets, moves of the clock, changes of the state and sandboxes', async () => {
    const events = await subscribe()
    expect(events.response.headers.get('content-type')).toBe('text/event-stream')
    expect(events.response.headers.get('access-control-allow-origin')).toBeNull()
    await me({ 'x-mock-label': 'reads' })
    const [pending, request] = await events.until('request')
    const { headers } = pending?.data ?? {}
    // The same moment as in the journal, so a pending request and its entry show the same arrival.
    const { arrivedMs } = consoleControlsOf(mock).console.journals({})[0]!
    expect(arrivedMs).toBeGreaterThan(0)
    expect(pending?.data).toEqual({ sandbox: null, id: 1, method: 'GET', path: '/me', headers, arrivedMs })
    expect(headers).toMatchObject({ authorization: 'Bearer master', 'x-mock-label': 'reads' })
    const [summary] = consoleControlsOf(mock).requestSummaries()
    expect(request?.data).toEqual({ sandbox: null, request: summary, pending: 1, headers })
    mock.clock.advance('1h')
    expect(await events.until('clock')).toContainEqual({
      event: 'clock',
      data: { sandbox: null, now: mock.clock.now(), mode: 'manual' },
    })
    mock.setPlan('free')
    expect(await events.until('state')).toContainEqual({ event: 'state', data: { sandbox: null } })
    mock.reset()
    expect(await events.until('reset')).toContainEqual({ event: 'reset', data: { sandbox: null } })
    await me({ 'x-mock-sandbox': 'side' })
    expect(await events.until('request')).toMatchObject([
      { event: 'sandbox', data: { sandbox: 'side', change: 'created' } },
      { event: 'pending', data: { sandbox: 'side', path: '/me' } },
      { event: 'request', data: { sandbox: 'side', request: { path: '/me' } } },
    ])
    mock.deleteSandbox('side')
    expect(await events.until('sandbox')).toEqual([
      { event: 'sandbox', data: { sandbox: 'side', change: 'deleted' } },
    ])
    await events.cancel()
  })

  it.each<[string, () => unknown]>([
    ['fault', () => mock.fault({ status: 503 })],
    ['resetFaults', () => mock.resetFaults()],
    ['setAnswers', () => mock.setAnswers({ rowShape: 'flat' })],
    ['saveSnapshot', () => mock.snapshots.save('one')],
    ['clearRequests', () => mock.clearRequests()],
    ['loadState', () => mock.loadState(mock.state())],
    ['restore', () => mock.restore(mock.snapshot())],
    ['db', () => mock.db.tasks.delete((query) => query.where({ id: mock.db.tasks.findMany()[0]?.id ?? '' }))],
  ])('sends state after %s', async (_, change) => {
    const events = await subscribe()
    await change()
    expect((await events.until('state')).map(({ event }) => event)).toContain('state')
    await events.cancel()
  })

  it.each([
    ['the header', { 'x-mock-sandbox': 'one' }, '/__mock/events'],
    ['the path', {}, '/sandboxes/one/__mock/events'],
  ] as const)('sends those of one sandbox that %s names', async (_, headers, path) => {
    const events = await subscribe(headers, path)
    await me()
    await me({}, '/sandboxes/two/v1/me')
    await me({}, '/sandboxes/one/v1/spaces')
    expect(await events.until('request')).toMatchObject([
      { event: 'pending', data: { sandbox: 'one', path: '/spaces' } },
      { event: 'request', data: { sandbox: 'one', request: { path: '/spaces' } } },
    ])
    await events.cancel()
  })

  it('answers 400 when the sandbox has an invalid name', async () => {
    expect(
      (await fetch(`${server.url}/__mock/events`, { headers: { 'x-mock-sandbox': 'a b' } })).status,
    ).toBe(400)
  })

  it('ends when the server closes or serves another mock', async () => {
    const first = await subscribe()
    server.replaceMock(createWorkspaceMock({ fixture: 'empty' }))
    await expect(first.ended()).rejects.toThrow()
    const second = await subscribe()
    const closing = server.close()
    await expect(second.ended()).rejects.toThrow()
    await closing
  })
})

describe('the listeners of events', () => {
  /** How many listeners the mock has. */
  let listening: number
  beforeEach(() => {
    listening = 0
    const { watch } = mock
    vi.spyOn(mock, 'watch').mockImplementation((listener) => {
      const stop = watch(listener)
      listening += 1
      return () => {
        listening -= 1
        stop()
      }
    })
  })
  const isListening = (count: number) => vi.waitFor(() => expect(listening).toBe(count), { timeout: 60_000 })
  const request = (...headers: string[]) =>
    ['GET /__mock/events HTTP/1.1', `Host: 127.0.0.1:${server.port}`, ...headers, '', ''].join('\r\n')
  const open = (text: string) =>
    new Promise<Socket>((resolve) => {
      const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true }, () => {
        socket.on('error', () => undefined).write(text, () => resolve(socket))
      })
    })

  it.each<[string, (socket: Socket) => unknown]>([
    ['closes the connection', (socket) => socket.destroy()],
    ['resets the connection', (socket) => socket.resetAndDestroy()],
    ['closes its half of the connection', (socket) => socket.end()],
  ])('are removed when a client %s', async (_, leave) => {
    const sockets = [await open(request()), await open(request('X-Mock-Sandbox: side'))]
    await isListening(2)
    leave(sockets[0]!)
    await isListening(1)
    leave(sockets[1]!)
    await isListening(0)
    sockets.forEach((socket) => socket.destroy())
  })

  it('are removed when a client does not read', async () => {
    const socket = await open(request())
    socket.pause()
    await isListening(1)
    const path = `/me?text=${'x'.repeat(100_000)}`
    while (listening > 0) {
      await mock.fetch(path)
      await new Promise((resolve) => setImmediate(resolve))
    }
    socket.destroy()
  })

  it.each<[string, () => unknown]>([
    ['the server closes', () => server.close()],
    ['another mock is served', () => server.replaceMock(createWorkspaceMock({ fixture: 'empty' }))],
  ])('are removed when %s', async (_, end) => {
    const events = [await subscribe(), await subscribe()]
    await isListening(2)
    await end()
    await isListening(0)
    await Promise.allSettled(events.map((each) => each.cancel()))
  })

  it('are removed when the console stops watching', async () => {
    const source = createHttpSource(server.url)
    const connected = vi.fn()
    const watcher = { onSignal: vi.fn(), onConnected: connected, onLost: vi.fn() }
    const stops = [source.watch(watcher), createPageSource(mock).watch(watcher)]
    await vi.waitFor(() => expect(connected).toHaveBeenCalledTimes(2), { timeout: 60_000 })
    await isListening(2)
    for (const stop of stops) stop()
    await isListening(0)
  })
})

it('a connection keeps no listener of the requests that it has carried', async () => {
  const warned = vi.fn()
  process.on('warning', warned)
  mock.fault({ operation: 'getIdentity', delayMs: 1, times: null })
  const lines = ['GET /v1/me HTTP/1.1', 'Host: x', `Authorization: ${key.authorization}`, '', '']
  const socket = connect({ port: server.port, host: '127.0.0.1' })
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString('latin1')))
  for (let answered = 1; answered <= 30; answered += 1) {
    socket.write(lines.join('\r\n'))
    await vi.waitFor(() => expect(text.split('HTTP/1.1 500')).toHaveLength(answered + 1), {
      interval: 1,
      timeout: 60_000,
    })
  }
  socket.destroy()
  process.off('warning', warned)
  expect(warned).not.toHaveBeenCalled()
})
