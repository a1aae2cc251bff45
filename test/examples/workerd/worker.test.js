// Tests that run in workerd, the runtime of Cloudflare Workers.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { setupServer } from 'msw/node'
import { createWorkspaceMock } from 'workspace-api-mock'

const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)
beforeAll(() => server.listen(mock.listenOptions))
beforeEach(() => mock.reset())
afterAll(() => server.close())

const worker = {
  async fetch(_, { apiUrl, apiKey }) {
    const answer = await fetch(`${apiUrl}/me`, { headers: { authorization: `Bearer ${apiKey}` } })
    return Response.json({ plan: (await answer.json()).workspace.plan })
  },
}

test('a worker reads the workspace of the key', async () => {
  expect(navigator.userAgent).toBe('Cloudflare-Workers')
  const env = { apiUrl: mock.baseUrl, apiKey: mock.keys.master }
  const answer = await worker.fetch(new Request('https://worker.test/'), env)
  expect(await answer.json()).toEqual({ plan: 'pro' })
  expect(mock.requests({ operation: 'getIdentity' })).toHaveLength(1)
})
