// A broken connection through MSW gives the same errors as without it, however the client sends its requests.
import http from 'node:http'
import manifest from 'msw/package.json' with { type: 'json' }
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { requestHandlers } from '../../src/msw.ts'

const mock = createWorkspaceMock({ baseUrl: 'http://api.workspace.test/v1' })

describe.each([
  ['mock.handlers', mock.handlers],
  ['requestHandlers', requestHandlers(mock)],
])('a broken connection through %s', (_, handlers) => {
  const server = setupServer(...handlers)
  beforeAll(() => {
    server.listen({ onUnhandledRequest: 'error' })
    mock.fault({ network: true, times: null })
  })
  afterAll(() => {
    server.close()
    mock.reset()
  })
  const failed = { name: 'TypeError', message: 'fetch failed', cause: { code: 'ECONNRESET' } }

  it.each(['/me', '/spaces'])('is the error of fetch in Node, whose cause has a code: %s', async (path) => {
    const init = path === '/me' ? {} : { method: 'POST', body: '{"name":"x"}' }
    await expect(fetch(`${mock.baseUrl}${path}`, init)).rejects.toMatchObject(failed)
    await expect(mock.fetch(path, init)).rejects.toMatchObject(failed)
  })

  it('is ECONNRESET in node:http', async () => {
    const error = await new Promise((resolve) => {
      http.request(`${mock.baseUrl}/me`, resolve).on('error', resolve).end()
    })
    expect(error).toMatchObject({ code: 'ECONNRESET', errno: -104 })
  })
})

// MSW 3 sends requests in another way; the tests above apply to it too.
it.runIf(manifest.version.startsWith('2.'))(
  'the interceptors mark requests of node:http as src/adapters/msw/broken-connection.ts expects of MSW 2',
  async () => {
    const symbols: unknown[] = []
    const server = setupServer()
    server.events.on('request:start', ({ request }) => {
      symbols.push(...Object.getOwnPropertySymbols(request).map(({ description }) => description))
    })
    server.listen({ onUnhandledRequest: 'bypass' })
    await new Promise((resolve) => {
      http.request('http://127.0.0.1:1/', resolve).on('error', resolve).end()
    })
    server.close()
    expect(symbols).toContain('kRawRequest')
  },
)
