// An app under test that calls the API: tests reach the app's own server, and the app reaches the mock.
import { createServer } from 'node:http'
import express from 'express'
import { Hono } from 'hono'
import { expect } from 'vitest'
import { test as base } from 'workspace-api-mock/vitest'

const test = base.extend({ passthrough: ['http://127.0.0.1:*'] })

async function planOf(baseUrl, key) {
  const answer = await fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${key}` } })
  return (await answer.json()).workspace.plan
}

test('an Express app', async ({ mock }) => {
  const app = express()
  app.get('/plan', async (_, response) => {
    response.json({ plan: await planOf(mock.baseUrl, mock.keys.master) })
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/plan`)
  expect(await answer.json()).toEqual({ plan: 'pro' })
  expect(mock).toHaveRequested('getIdentity', { times: 1 })
  server.close()
})

test('a Hono app, which needs no server', async ({ mock }) => {
  const app = new Hono()
  app.get('/plan', async (context) => context.json({ plan: await planOf(mock.baseUrl, mock.keys.master) }))
  expect(await (await app.request('/plan')).json()).toEqual({ plan: 'pro' })
})
