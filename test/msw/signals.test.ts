// A request that is aborted after the garbage collector ran: Node ties signals of requests together by weak references.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** An upload that sends nothing and never ends; nobody but `fetch` holds its request. */
function stalledUpload(
  mock: ReturnType<typeof createWorkspaceMock>,
  signal: AbortSignal,
  asRequest: boolean,
) {
  const headers = { authorization: 'Bearer wm_demo_master', 'content-type': 'application/json' }
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
    for (let round = 0; round < 5; round += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      collectGarbage()
    }
    controller.abort(new Error('enough'))
    expect(await answered).toEqual(new Error('enough'))
  },
)
