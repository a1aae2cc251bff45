// What a page shows if the mock cannot be created or started, and base addresses that are paths of the page.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../../src/index.ts'
import { startWorker } from '../../../src/browser.ts'

const frame = document.createElement('iframe')
beforeAll(async () => {
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
  frame.srcdoc = '<body></body>'
  document.body.append(frame)
  await loaded
})
afterAll(() => frame.remove())

/** Runs a module in a frame and returns the alert that it shows. */
async function alertOf(code: string): Promise<string> {
  const { body } = frame.contentDocument!
  const imports =
    "import { createWorkspaceMock } from '/src/index.ts'\nimport { startWorker } from '/src/browser.ts'\n"
  const script = frame.contentDocument!.createElement('script')
  script.type = 'module'
  script.textContent = imports + code
  body.innerHTML = '<div id="app"></div>'
  body.append(script)
  await expect.poll(() => body.querySelector('[role=alert]')?.textContent, { timeout: 60_000 }).toBeTruthy()
  return body.innerText
}

it.each([
  [
    'a base address without /v1',
    "startWorker(createWorkspaceMock({ baseUrl: '/api' }))",
    'and end with /v1; received "/api"',
  ],
  [
    'a wrong answer in an asynchronous start',
    "const start = async () => startWorker(createWorkspaceMock({ answers: { rowShap: 'flat' } }))\nvoid start()",
    'the nearest is "rowShape"',
  ],
  [
    'a fixture that is wrong',
    'startWorker(createWorkspaceMock({ fixture: { workspaces: [] } }))',
    'workspaces must have at least 1 item',
  ],
  [
    'a misspelled option of startWorker',
    'await startWorker(createWorkspaceMock(), { quite: true })',
    'the nearest to quite is quiet',
  ],
])('the page shows %s', async (_, code, message) => {
  expect(await alertOf(code)).toContain(message)
})

it('a base address that is a path belongs to the origin of the page', async () => {
  const mock = createWorkspaceMock({ baseUrl: '/api/v1' })
  expect(mock.baseUrl).toBe(`${location.origin}/api/v1`)
  const { stop } = await startWorker(mock, { quiet: true })
  const reply = await fetch('/api/v1/me', { headers: { authorization: `Bearer ${mock.keys.master}` } })
  expect(reply.status).toBe(200)
  expect(mock.requests({ operation: 'getIdentity' })).toHaveLength(1)
  await stop()
})
