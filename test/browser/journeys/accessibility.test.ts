// What axe-core finds wrong with the pages: every view of the console and the demo page, light and wide, dark and narrow.
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../../src/index.ts'
import { serve, type RunningServer } from '../../../src/server/index.ts'
import { accessibilityProblems, callDemo, launch, narrow, picture, visit, wide } from './support/browser.ts'

const mock = createWorkspaceMock({ fixture: 'demo' })
let server: RunningServer
let browser: Browser

const call = (method: string, path: string, json?: unknown) => callDemo(server.baseUrl, method, path, json)

beforeAll(async () => {
  server = await serve(mock)
  browser = await launch()
})
beforeEach(() => {
  mock.reset()
  for (const name of mock.snapshotNames()) mock.deleteSnapshot(name)
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

describe.each([
  ['light', wide],
  ['dark', narrow],
] as const)('the console in %s at %o', (colorScheme, size) => {
  it('has no problem that axe-core finds', async () => {
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_created: 5, col_customer: 'A' } })
    await call('GET', '/tasks/tsk_none')
    await call('POST', '/datatables/tbl_orders/jobs/insert', { rows: [{ col_customer: 'A' }] })
    mock.fault({ operation: 'listRows', status: 429, times: 2 })
    mock.saveSnapshot('one')
    const { page: other, close } = await visit(browser, `${server.url}/__mock/`, { ...size, colorScheme })
    try {
      await other.getByRole('tab', { name: /Journal 3/ }).waitFor()
      await other.getByRole('listbox').getByRole('option').first().click()
      for (const name of [
        /Journal/,
        /Report/,
        /State/,
        /Clock/,
        /Faults/,
        /Coverage/,
        /Exploration/,
        /Plan/,
        /Questions/,
        /Snapshots/,
      ]) {
        await other.getByRole('tab', { name }).click()
        const label = `${colorScheme}-${String(size.viewport.width)}-${name.source.toLowerCase()}`
        await picture(other, `console-${label}`)
        expect(await accessibilityProblems(other), label).toEqual([])
      }
      await other.getByRole('tab', { name: /State/ }).click()
      for (const name of [/Tasks/, /Jobs/, /Forms/]) {
        await other.getByRole('tab', { name }).click()
        expect(await accessibilityProblems(other), `${colorScheme} ${name.source}`).toEqual([])
      }
    } finally {
      await close()
    }
  })
})

describe.each([
  ['light', wide],
  ['dark', narrow],
] as const)('records in %s', (colorScheme, size) => {
  it('have no problem that axe-core finds, and the page never scrolls sideways', async () => {
    await call('PATCH', '/datatables/tbl_orders/rows/row_order_1', { data: { col_customer: 'Nord' } })
    const { page: other, close } = await visit(browser, `${server.url}/__mock/`, { ...size, colorScheme })
    try {
      const places = [
        'request=1',
        'view=state&table=tbl_orders',
        'view=state&table=tbl_orders&row=row_order_1',
        'view=state&part=tasks&list=lst_launch',
        'view=state&part=tasks&task=tsk_launch_guji',
      ]
      for (const [index, place] of places.entries()) {
        await other.goto(`${server.url}/__mock/#${place}`)
        await other.reload()
        await other.locator('.grid, .diff, .board, .record').first().waitFor({ state: 'attached' })
        await picture(other, `console-records-${colorScheme}-${String(index)}`)
        expect(await accessibilityProblems(other), place).toEqual([])
        const over = await other.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)
        expect(over, place).toBe(0)
      }
    } finally {
      await close()
    }
  })
})

describe('the demo page', () => {
  const configFile = fileURLToPath(new URL('../../examples/demo-page/vite.config.ts', import.meta.url))
  let pages: ViteDevServer
  let url: string
  beforeAll(async () => {
    pages = await createServer({ configFile, logLevel: 'error', server: { port: 0 } })
    await pages.listen()
    url = pages.resolvedUrls?.local[0] ?? ''
    // The first visit has vite bundle what the page imports, and reload it then.
    const first = await visit(browser, url)
    await first.page.getByRole('heading', { name: 'Wholesale orders' }).waitFor()
    await first.close()
  })
  afterAll(() => pages.close())

  describe.each([
    ['light', wide],
    ['dark', narrow],
  ] as const)('in %s at %o', (colorScheme, size) => {
    it('has no problem that axe-core finds', async () => {
      const other = await visit(browser, url, { ...size, colorScheme })
      try {
        await other.page.getByRole('heading', { name: 'Wholesale orders' }).waitFor()
        for (const name of ['Tables', 'Import', 'Board']) {
          await other.page.getByRole('link', { name }).click()
          const label = `${colorScheme}-${String(size.viewport.width)}-${name.toLowerCase()}`
          await other.page.waitForTimeout(300)
          await expect.poll(() => other.page.locator('[aria-busy=true]').count()).toBe(0)
          await picture(other.page, `demo-${label}`)
          expect(await accessibilityProblems(other.page), label).toEqual([])
        }
      } finally {
        await other.close()
      }
    })
  })
})
