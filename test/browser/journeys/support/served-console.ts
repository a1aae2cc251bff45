// The console of a standalone server with the demo, for the journeys of one file: begun anew for each test.
import { consoleControlsOf } from '../../../../src/mock/controls/console-controls.ts'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { viewNames } from '../../../../src/tools/console/parts/context.ts'
import { createWorkspaceMock } from '../../../../src/index.ts'
import { serve, type RunningServer } from '../../../../src/adapters/server/index.ts'
import { callDemo, launch, visit, wide, type Visit } from './browser.ts'

export const mock = createWorkspaceMock({ fixture: 'demo' })
export let server: RunningServer
export let browser: Browser
export let current: Visit | undefined
export let page: Page

beforeAll(async () => {
  server = await serve(mock)
  browser = await launch()
})
beforeEach(() => {
  mock.reset()
  for (const name of mock.sandboxes()) mock.deleteSandbox(name)
  for (const name of mock.snapshots.list().map(({ name }) => name)) mock.snapshots.delete(name)
})
afterEach(() => current?.close())
afterAll(async () => {
  await browser.close()
  await server.close()
})

/** Opens the console at a place. */
export async function openConsole(place = '', options: BrowserContextOptions = wide): Promise<void> {
  current = await visit(browser, `${server.url}/__mock/#${place}`, options)
  page = current.page
}

/** A request of a client; null if its connection was broken. */
export const call = (method: string, path: string, json?: unknown) =>
  callDemo(server.baseUrl, method, path, json).catch(() => null)

/** The names of all views. */
export const views = Object.values(viewNames)

export const tab = (name: string | RegExp) => page.getByRole('tab', { name })
export const button = (name: string | RegExp) => page.getByRole('button', { name })
export const workspace = () => consoleControlsOf(mock).inspect.overview().workspaces[0]!
