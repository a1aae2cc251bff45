// Signals of requests: aborted after garbage collection (Node holds signals by weak references), and left without
// listeners.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { setupServer } from 'msw/node'
import manifest from 'msw/package.json' with { type: 'json' }
import { expect, it, vi } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const authorization = 'Bearer wm_demo_master'
const post = (body: string): RequestInit => ({ method: 'POST', headers: { authorization }, body })

async function collectSeveralTimes() {
  for (let round = 0; round < 5; round += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
  }
}

/** An upload that sends nothing and never ends; only `fetch` references its request. */
function stalledUpload(
  mock: ReturnType<typeof createWorkspaceMock>,
  signal: AbortSignal,
  asRequest: boolean,
) {
  const headers = { authorization, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: new ReadableStream(), duplex: 'half', signal } as RequestInit
  const url = `${mock.baseUrl}/spaces`
  return asRequest ? mock.fetch(new Request(url, init), { keepalive: false }) : mock.fetch(url, init)
}

it.each([false, true])(
  'mock.fetch rejects on abort of a stalled upload, from a Request: %s',
  async (asRequest) => {
    const mock = createWorkspaceMock()
    const controller = new AbortController()
    const answered = stalledUpload(mock, controller.signal, asRequest).catch((error: unknown) => error)
    await collectSeveralTimes()
    controller.abort(new Error('enough'))
    expect(await answered).toEqual(new Error('enough'))
  },
)

// MSW 3 creates its own requests, which do not follow the caller's signal.
it.runIf(manifest.version.startsWith('2.'))(
  'handlers stop the delay of a request with a body when it is aborted',
  async () => {
    const mock = createWorkspaceMock()
    const server = setupServer(...mock.handlers)
    server.listen()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      mock.fault({ operation: 'createSpace', delayMs: 600_000, status: 200 })
      const controller = new AbortController()
      const request = new Request(`${mock.baseUrl}/spaces`, {
        ...post('{"name":"Roastery"}'),
        signal: controller.signal,
      })
      const answered = fetch(request).catch((error: unknown) => error)
      await expect.poll(() => vi.getTimerCount()).toBe(1)
      await collectSeveralTimes()
      controller.abort(new Error('enough'))
      expect(await answered).toEqual(new Error('enough'))
      expect(vi.getTimerCount()).toBe(0)
      // Node links the request's signal to the caller's only while something references the request.
      expect(request.signal.aborted).toBe(true)
    } finally {
      vi.useRealTimers()
      server.close()
    }
  },
)

it.each<[string, boolean, string, RequestInit]>([
  ['a read', false, '/me', { headers: { authorization } }],
  ['a body', true, '/spaces', post('{"name":"Roastery"}')],
  ['a body that is refused', true, '/spaces', post('{')],
  ['a missing key', true, '/spaces', { method: 'POST', body: '{}' }],
  ['an unknown path', false, '/nowhere', post('{}')],
  ['a fault with a delay', true, '/lists', { headers: { authorization } }],
])(
  'mock.fetch leaves no listener on the signal of a request after %s',
  async (_, isListening, path, init) => {
    const mock = createWorkspaceMock()
    mock.fault({ operation: 'listLists', times: null, delayMs: 1 })
    const { signal } = new AbortController()
    const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')]
    for (let call = 0; call < 1000; call += 1) {
      const request = new Request(mock.baseUrl + path, init)
      // A request has its own signal that follows the caller's. The mock listens to the request's signal.
      Object.defineProperty(request, 'signal', { value: signal })
      await (await mock.fetch(request)).text()
    }
    expect(added.mock.calls.length).toBe(isListening ? 1000 : 0)
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener),
    )
  },
)
