// What axe-core finds in the pages: every view of the console and the demo page, light and wide or dark and narrow.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityProblems, narrow, picture, visit, wide } from './support/browser.ts'
import { serveDemoPage, type ServedPage } from './support/demo-page.ts'
import { browser, call, mock, openConsole, page, server, tab, views } from './support/served-console.ts'

describe.each([
  ['light', wide],
  ['dark', narrow],
] as const)('the console in %s at %o', (colorScheme, size) => {
  it('has no problem that axe-core finds', async () => {
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_created: 5, col_customer: 'A' } })
    await call('GET', '/tasks/tsk_none')
    await call('POST', '/datatables/tbl_orders/jobs/insert', { rows: [{ col_customer: 'A' }] })
    mock.fault({ operation: 'listRows', status: 429, times: 2 })
    mock.snapshots.save('one')
    const label = `${colorScheme}-${String(size.viewport.width)}`
    await openConsole('', { ...size, colorScheme })
    await tab(/Journal 3/).waitFor()
    await page.getByRole('listbox').getByRole('option').first().click()
    for (const name of views) {
      await tab(name).click()
      await picture(page, `console-${label}-${name.toLowerCase()}`)
      expect(await accessibilityProblems(page), name).toEqual([])
    }
    const parts = {
      State: [/Tasks/, /Snapshots/],
      Report: [/Coverage/],
      Settings: [/Questions/],
    }
    for (const [view, names] of Object.entries(parts)) {
      await tab(new RegExp(view)).click()
      for (const name of names) {
        await tab(name).click()
        await picture(page, `console-${label}-${name.source.toLowerCase()}`)
        expect(await accessibilityProblems(page), `${colorScheme} ${name.source}`).toEqual([])
      }
    }
  })
})

describe.each([
  ['light', wide],
  ['dark', narrow],
] as const)('records in %s', (colorScheme, size) => {
  it('have no problem that axe-core finds, and the page never scrolls sideways', async () => {
    await call('PATCH', '/datatables/tbl_orders/rows/row_order_1', { data: { col_customer: 'Nord' } })
    const places = [
      'request=1',
      'view=state&table=tbl_orders',
      'view=state&table=tbl_orders&row=row_order_1',
      'view=state&part=tasks&list=lst_launch',
      'view=state&part=tasks&task=tsk_launch_guji',
    ]
    await openConsole('', { ...size, colorScheme })
    for (const [index, place] of places.entries()) {
      await page.goto(new URL(`#${place}`, page.url()).href)
      await page.reload()
      await page.locator('.grid, .diff, .board, .record').first().waitFor({ state: 'attached' })
      await picture(page, `console-records-${colorScheme}-${String(index)}`)
      expect(await accessibilityProblems(page), place).toEqual([])
      const over = await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)
      expect(over, place).toBe(0)
    }
  })
})

describe.each(['light', 'dark'] as const)('the journal in %s', (colorScheme) => {
  it('has no problem that axe-core finds at any width, with its list, a request, both responses and the form', async () => {
    await call('GET', '/tasks/tsk_none')
    await call('PATCH', '/tasks/tsk_label', { title: 'Labels' })
    await openConsole('view=journal', { colorScheme })
    const sizes = [1440, 1000, 720, 390]
    for (const width of sizes) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(new URL('#view=journal', page.url()).href)
      await page.getByRole('listbox').getByRole('option').first().waitFor()
      expect(await accessibilityProblems(page), `list at ${String(width)}`).toEqual([])
      await page.getByRole('listbox').getByRole('option').last().click()
      await page.getByRole('button', { name: 'Send again' }).click()
      await page.getByText('Compared with').waitFor()
      await page.getByRole('button', { name: 'Edit and send' }).click()
      await page.getByRole('combobox', { name: 'Method' }).waitFor()
      await picture(page, `console-again-${colorScheme}-${String(width)}`)
      expect(await accessibilityProblems(page), `request at ${String(width)}`).toEqual([])
    }
  })
})

describe.each([
  ['light', wide],
  ['dark', narrow],
] as const)('several sandboxes in %s at %o', (colorScheme, size) => {
  it('have no problem that axe-core finds, on their board and where one is to be chosen', async () => {
    for (const name of ['checkout', 'cart'])
      await fetch(`${server.baseUrl}/tasks/tsk_none`, {
        headers: { authorization: 'Bearer wm_demo_master', 'x-mock-sandbox': name, 'x-mock-label': 'pays' },
      })
    await openConsole('', { ...size, colorScheme })
    await page.getByRole('checkbox', { name: 'Select cart' }).check()
    for (const name of [/Runs/, /State/, /Journal/]) {
      await tab(name).click()
      await page.getByText('cart').first().waitFor()
      expect(await accessibilityProblems(page), name.source).toEqual([])
    }
  })
})

describe('the demo page', () => {
  let served: ServedPage
  beforeAll(async () => {
    served = await serveDemoPage()
  })
  afterAll(() => served.close())

  describe.each([
    ['light', wide],
    ['dark', narrow],
  ] as const)('in %s at %o', (colorScheme, size) => {
    it('has no problem that axe-core finds', async () => {
      const other = await visit(browser, served.url, { ...size, colorScheme })
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
