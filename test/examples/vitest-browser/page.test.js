// Tests that run in a page, where a service worker responds to requests.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { startWorker } from 'workspace-api-mock/browser'

const mock = createWorkspaceMock({ baseUrl: '/api/v1' })
let running
beforeAll(async () => {
  running = await startWorker(mock, { quiet: true })
})
beforeEach(() => mock.reset())
afterAll(() => running.stop())

test('the page reads the workspace of the key', async () => {
  const answer = await fetch('/api/v1/me', { headers: { authorization: `Bearer ${mock.keys.master}` } })
  document.body.textContent = (await answer.json()).workspace.plan
  expect(document.body.textContent).toBe('pro')
  expect(mock.requests({ operation: 'getIdentity' })).toHaveLength(1)
})
