import assert from 'node:assert/strict'
import { setupServer } from 'msw/node'
import { createWorkspaceMock } from 'workspace-api-mock'

const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)

Deno.test('fetch reaches the mock', async () => {
  server.listen(mock.listenOptions)
  const answer = await fetch(`${mock.baseUrl}/me`, {
    headers: { authorization: `Bearer ${mock.keys.master}` },
  })
  assert.equal(answer.status, 200)
  assert.equal((await answer.json()).workspace.plan, 'pro')
  server.close()
})
