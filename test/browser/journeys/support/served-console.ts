// The console of a standalone server with the demo, for the journeys of one file. Each test resets it. All tests share
// one page while nothing fails, because a new browser profile costs more than a whole test.
import { consoleControlsOf } from '../../../../src/adapters/control-api/console-controls.ts'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { viewNames } from '../../../../src/tools/console/parts/context.ts'
import { createWorkspaceMock } from '../../../../src/index.ts'
import { serve, type RunningServer } from '../../../../src/node.ts'
import { callDemo, launch, visit, type Visit } from './browser.ts'

export const mock = createWorkspaceMock({ fixture: 'demo' })
export let server: RunningServer
export let browser: Browser
export let current: Visit | undefined
export let page: Page
/** The page that tests share. */
let shared: Visit | undefined

beforeAll(async () => {
  server = await serve(mock)
  browser = await launch()
})
beforeEach(() => {
  mock.reset()
  for (const name of mock.sandboxes()) mock.deleteSandbox(name)
  for (const name of mock.snapshots.list().map(({ name }) => name)) mock.snapshots.delete(name)
})
afterEach(async ({ task }) => {
  if (current && current === shared && task.result?.state !== 'fail') return leave(current)
  if (current === shared) shared = undefined
  return current?.close()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

/** Removes everything that a test left behind in the page. */
async function leave({ page: left, forget }: Visit): Promise<void> {
  await left.unrouteAll({ behavior: 'ignoreErrors' })
  for (const other of left.context().pages()) if (other !== left) await other.close()
  await left.evaluate(() => sessionStorage.clear()).catch(() => undefined)
  await left.goto('about:blank')
  forget()
}

/** Opens the console at a place. @param options if given, the page gets its own profile */
export async function openConsole(place = '', options?: BrowserContextOptions): Promise<void> {
  const url = `${server.url}/__mock/#${place}`
  if (current && current !== shared) await current.close()
  if (options) current = await visit(browser, url, options)
  else if (shared) {
    current = shared
    // Changing only the hash would not reload the page.
    if (shared.page.url() !== 'about:blank') await shared.page.goto('about:blank')
    await shared.page.goto(url)
  } else current = shared = await visit(browser, url)
  page = current.page
}

/** Sends a client's request; null if its connection was broken. */
export const call = (method: string, path: string, json?: unknown) =>
  callDemo(server.baseUrl, method, path, json).catch(() => null)

/** The names of all views. */
export const views = Object.values(viewNames)

export const tab = (name: string | RegExp) => page.getByRole('tab', { name })
export const button = (name: string | RegExp) => page.getByRole('button', { name })
export const workspace = () => consoleControlsOf(mock).inspect.overview().workspaces[0]!
