// Responds to a page's requests in the test's process, without a server or a service worker.
import { createServer } from 'node:http'
import { defineNetworkFixture } from '@msw/playwright'
import { expect, test } from '@playwright/test'
import { createWorkspaceMock } from 'workspace-api-mock'
import { requestHandlers } from 'workspace-api-mock/msw'

const mock = createWorkspaceMock()

test('a page of another origin reads and writes, preflights included', async ({ context, page }) => {
  const app = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<p>Hello</p>'),
  )
  await new Promise((resolve) => app.listen(0, '127.0.0.1', resolve))
  const network = defineNetworkFixture({ context, handlers: requestHandlers(mock) })
  await network.enable()
  await page.goto(`http://127.0.0.1:${app.address().port}/`)
  const statuses = await page.evaluate(
    async ({ baseUrl, key }) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const read = await fetch(`${baseUrl}/me`, { headers })
      const made = await fetch(`${baseUrl}/spaces`, { method: 'POST', headers, body: '{"name":"Ops"}' })
      return [read.status, made.status]
    },
    { baseUrl: mock.baseUrl, key: mock.keys.master },
  )
  expect(statuses).toEqual([200, 200])
  expect(mock.requests({ operation: 'createSpace' })).toHaveLength(1)
  await network.disable()
  app.close()
})
