// The journeys to records: what a request changed, the history of a record, rows and tasks read and edited.
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../../src/index.ts'
import { serve, type RunningServer } from '../../../src/server/index.ts'
import { launch, picture, visit, type Visit } from './browser.ts'

const mock = createWorkspaceMock({ fixture: 'demo' })
let server: RunningServer
let browser: Browser
let current: Visit
let page: Page

const call = (method: string, path: string, json?: unknown) =>
  fetch(`${server.baseUrl}${path}`, {
    method,
    headers: { authorization: 'Bearer wm_demo_master', 'content-type': 'application/json' },
    body: json === undefined ? null : JSON.stringify(json),
  })
const button = (name: string | RegExp) => page.getByRole('button', { name })

/** Opens the console at a place. */
async function open(place: string): Promise<void> {
  await page.goto(`${server.url}/__mock/#${place}`)
  await page.reload()
}

beforeAll(async () => {
  server = await serve(mock)
  browser = await launch()
})
beforeEach(async () => {
  mock.reset()
  current = await visit(browser, `${server.url}/__mock/`)
  page = current.page
})
afterEach(() => current.close())
afterAll(async () => {
  await browser.close()
  await server.close()
})

describe('a request', () => {
  it('shows what it changed field by field, leads to the record, and the record back to it', async () => {
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_customer: 'Süd', col_quantity: 2 } })
    await call('PATCH', '/datatables/tbl_orders/rows/row_000001', { data: { col_customer: 'Nord' } })
    await open('request=2')
    const request = page.getByRole('region', { name: 'Request 2' })
    await request.getByText('changed row row_000001').waitFor()
    const customer = request.locator('.diff > div', { hasText: 'Customer' })
    expect(await customer.locator('.was').innerText()).toContain('Süd')
    expect(await customer.locator('.is').innerText()).toContain('Nord')
    await picture(page, 'console-before-and-after')
    await request.getByRole('button', { name: 'row_000001' }).click()
    expect(page.url()).toContain('row=row_000001')
    await button('Request 1').waitFor()
    await button('Request 2').click()
    await request.waitFor()
  })
})
