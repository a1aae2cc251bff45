import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setupServer } from 'msw/node'
import { createWorkspaceMock } from 'workspace-api-mock'

const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)
const headers = { authorization: `Bearer ${mock.keys.master}`, 'content-type': 'application/json' }

before(() => server.listen({ onUnhandledRequest: 'error' }))
beforeEach(() => mock.reset())
after(() => server.close())

test('a task is created in the first active status', async () => {
  const { lists } = await (await fetch(`${mock.baseUrl}/lists`, { headers })).json()
  const answer = await fetch(`${mock.baseUrl}/lists/${lists[0].id}/tasks`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ title: 'Call back', priority: 'high' }),
  })
  assert.equal(answer.status, 201)
  assert.equal(mock.requests({ operation: 'createTask' }).length, 1)
  assert.deepEqual(mock.report(), [])
})

test('an unknown priority is refused', async () => {
  const { lists } = await (await fetch(`${mock.baseUrl}/lists`, { headers })).json()
  const answer = await fetch(`${mock.baseUrl}/lists/${lists[0].id}/tasks`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ title: 'Call back', priority: 'huge' }),
  })
  assert.equal(answer.status, 400)
  assert.match((await answer.json()).error, /priority/)
})
