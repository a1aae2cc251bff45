// A suite with its own server, which it closes after its tests.
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'

const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)
beforeAll(() => server.listen(mock.listenOptions))
beforeEach(() => mock.reset())
const get = async (path: string) => {
  const headers = { authorization: `Bearer ${mock.keys.master}` }
  return (await fetch(`${mock.baseUrl}${path}`, { headers })).status
}
afterAll(async () => {
  expect(await get('/lists')).toBe(200)
  server.close()
})

test.each([1, 2])('reads %i', async () => {
  expect(await get('/me')).toBe(200)
})
