// MSW does not intercept undici from npm, so a server responds.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { request } from 'undici'
import { createWorkspaceMock } from 'workspace-api-mock'
import { serve } from 'workspace-api-mock/node'

const mock = createWorkspaceMock()
let server

before(async () => {
  server = await serve(mock, { port: 0 })
})
beforeEach(() => mock.reset())
after(() => server.close())

test('reads the workspace of the key', async () => {
  const { statusCode, body } = await request(`${server.url}/v1/me`, {
    headers: { authorization: `Bearer ${mock.keys.master}` },
  })
  assert.equal(statusCode, 200)
  assert.equal((await body.json()).workspace.plan, 'pro')
})
