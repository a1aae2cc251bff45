import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { chromium } from 'playwright-core'
import { createWorkspaceMock } from 'workspace-api-mock'
import { serve } from 'workspace-api-mock/node'

const mock = createWorkspaceMock()
let server, browser, page

before(async () => {
  server = await serve(mock, { port: 0 })
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
})
beforeEach(async () => {
  mock.reset()
  page = await browser.newPage()
  // The page calls the API's usual address, which is routed to the mock.
  await page.route(`${mock.baseUrl}/**`, async (route) => {
    const url = route.request().url().replace(mock.baseUrl, server.baseUrl)
    await route.fulfill({ response: await route.fetch({ url }) })
  })
  await page.route('https://app.test/', (route) => route.fulfill({ contentType: 'text/html', body: app }))
})
after(async () => {
  await browser.close()
  await server.close()
})

const app = `<h1>Spaces</h1><ul></ul><p role="alert"></p><script type="module">
  const answer = await fetch('${mock.baseUrl}/spaces', { headers: { authorization: 'Bearer ${mock.keys.master}' } })
  const body = await answer.json()
  if (answer.ok) document.querySelector('ul').innerHTML = body.spaces.map(({ name }) => '<li>' + name + '</li>').join('')
  else document.querySelector('[role=alert]').textContent = body.error
  document.body.dataset.ready = ''
</script>`

test('the page lists the spaces', async () => {
  await page.goto('https://app.test/')
  await page.waitForSelector('[data-ready]')
  assert.equal(await page.locator('li').count(), 2)
})

test('the page shows why it cannot list them', async () => {
  mock.fault({ operation: 'listSpaces', status: 503 })
  await page.goto('https://app.test/')
  await page.waitForSelector('[data-ready]')
  assert.notEqual(await page.locator('[role=alert]').textContent(), '')
})
