import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { setupServer } from 'msw/node'
import { createWorkspaceMock } from 'workspace-api-mock'

const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)
beforeAll(() => server.listen(mock.listenOptions))
beforeEach(() => mock.reset())
afterAll(() => server.close())

test('fetch reaches the mock', async () => {
  const answer = await fetch(`${mock.baseUrl}/me`, {
    headers: { authorization: `Bearer ${mock.keys.master}` },
  })
  expect(answer.status).toBe(200)
  expect((await answer.json()).workspace.plan).toBe('pro')
})
