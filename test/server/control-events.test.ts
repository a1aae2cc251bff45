// What GET /__mock/events sends.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from '../../src/index.ts'
import { serve, type RunningServer } from '../../src/server/index.ts'

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
    /** Waits until an event of a kind has come; all events so far. */
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
  it('sends requests without bodies, resets, moves of the clock, changes of the state and sandboxes', async () => {
    const events = await subscribe()
    expect(events.response.headers.get('content-type')).toBe('text/event-stream')
    expect(events.response.headers.get('access-control-allow-origin')).toBeNull()
    await me({ 'x-mock-label': 'reads' })
    const [request] = await events.until('request')
    expect(request?.data).toEqual({ sandbox: null, request: mock.requestSummaries()[0] })
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
    ['saveSnapshot', () => mock.saveSnapshot('one')],
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
