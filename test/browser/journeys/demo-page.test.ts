// Journeys through the demo page: an app on the worker alone, with real reloads and the console next to it.
import type { Browser, Page } from 'playwright'
import { createServer } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launch, picture, readmePicture, visit, type Visit } from './support/browser.ts'
import { configFile, serveDemoPage, type ServedPage } from './support/demo-page.ts'

let served: ServedPage
let browser: Browser
let current: Visit
let page: Page

const link = (name: string) => page.getByRole('link', { name })
const button = (name: string | RegExp) => page.getByRole('button', { name })
const choice = (name: string | RegExp) => page.getByRole('combobox', { name })
const heading = (name: string) => page.getByRole('heading', { name })

beforeAll(async () => {
  served = await serveDemoPage()
  browser = await launch()
})
beforeEach(async () => {
  current = await visit(browser, served.url)
  page = current.page
  await heading('Wholesale orders').waitFor()
})
afterEach(() => current.close())
afterAll(async () => {
  await browser.close()
  await served.close()
})

/** The console, docked at the right of a wide window. */
const docked = () => page.getByRole('complementary', { name: 'Console of the mock' })
const firstCells = () => page.locator('tbody tr td:first-child').allInnerTexts()

async function importSample(): Promise<void> {
  await link('Import').click()
  await button('Or use a sample of 6,000 shipments').click()
  await button('Import 6,000 rows').click()
}

describe('the demo page', () => {
  it('shows tables, sorted, filtered and page by page, and talks to its own origin alone', async () => {
    await choice('Table').selectOption({ label: 'Shipments 2025 (1,200)' })
    await expect.poll(firstCells).toContain('SH-25-0001')
    await button('Next page').click()
    await page.getByText('2 of 48').waitFor()
    await expect.poll(firstCells).toContain('SH-25-0026')
    await button('Reference').click()
    await button('Reference').click()
    await expect.poll(async () => (await firstCells())[0]).toBe('SH-25-1200')
    await choice('Filter by').selectOption('Carrier')
    await choice('is').selectOption('Cargo bike')
    await expect.poll(() => page.locator('tbody').innerText()).not.toContain('Parcel')
    await picture(page, 'demo-tables')
    expect(current.complaints).toEqual([])
    expect([...current.origins].filter((origin) => origin !== 'https://api.workspace.test')).toEqual([
      new URL(served.url).origin,
    ])
  })

  it('imports a file as a job, shows its progress, and keeps the rows over a reload until it starts over', async () => {
    await importSample()
    const progress = page.getByLabel('Progress of the import')
    const readProgress = () => progress.evaluate((bar) => (bar as HTMLProgressElement).value)
    const seen = [await readProgress()]
    await picture(page, 'demo-import')
    for (let value = seen[0]; value !== 1; seen.push((value = await readProgress())))
      await page.waitForTimeout(150)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect(new Set(seen).size).toBeGreaterThan(1)
    await button('Show them in the table').click()
    await page.getByText('7,200 rows').waitFor()
    await page.reload()
    await choice('Table').selectOption({ label: 'Shipments 2025 (7,200)' })
    await button('Start over').click()
    await choice('Table').selectOption({ label: 'Shipments 2025 (1,200)' })
  })

  it('resumes a job that was running when the page was reloaded', async () => {
    await importSample()
    await page.getByText('Importing').waitFor()
    await page.reload()
    await expect
      .poll(
        async () => {
          await link('Tables').click()
          await link('Board').click()
          await link('Tables').click()
          return choice('Table').innerText()
        },
        { timeout: 120_000 },
      )
      .toContain('Shipments 2025 (7,200)')
  })

  it('imports a small file of your own with one request', async () => {
    await link('Import').click()
    const text = 'Reference,City,Bags,Colour\n"A, with comma",Kiel,4,red\nB,Bonn,many,blue\n'
    await page
      .getByLabel('CSV file with column names in its first line')
      .setInputFiles({ name: 'two.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.getByText('Ignored, because the table has no such writable column: Colour.').waitFor()
    await button('Import 2 rows').click()
    await page.getByText('1 of 2 rows', { exact: true }).waitFor()
    await page.getByText('1 row was refused').waitFor()
  })

  it('moves a task to another status, which stays over a reload', async () => {
    await link('Board').click()
    const task = page.getByLabel('Status of Clean the afterburner')
    await task.selectOption({ label: 'In progress' })
    const column = page.getByRole('region', { name: 'In progress' })
    await column.getByText('Clean the afterburner', { exact: true }).waitFor()
    await picture(page, 'demo-board')
    await page.reload()
    await column.getByText('Clean the afterburner', { exact: true }).waitFor()
  })

  it('withstands faults set in the console next to it, with an empty report', async () => {
    const console_ = docked()
    await console_.getByRole('tab', { name: 'Faults' }).click()
    await console_.getByRole('combobox', { name: 'Operation', exact: true }).selectOption('listLists')
    await console_.getByLabel('How often').fill('2')
    await console_.getByRole('button', { name: 'Set the fault' }).click()
    await console_.getByText('0 of 2 hits').waitFor()
    await link('Board').click()
    await heading('Production').waitFor()
    await console_.getByText('No fault is set').waitFor()
    await console_.getByRole('tab', { name: /Report/ }).click()
    await console_.getByText('Nothing to report').waitFor()
    await picture(page, 'demo-console')
    await button('Mock console').click()
    expect(await console_.count()).toBe(0)
  })
})

describe('the five steps', () => {
  const alert = () => page.locator('#app').getByRole('alert')
  const reported = (rule: string) => docked().locator('.finding').filter({ hasText: rule })
  const step = (name: string) =>
    page.getByRole('region', { name: 'Five steps' }).getByRole('button', { name })

  it('break the app, journal and report at once, and lead to what helps', async () => {
    await choice('Table').selectOption({ label: 'Shipments 2025 (1,200)' })
    await step('Watch (done)').waitFor()
    await step('Sort by an unknown column').click()
    await alert().getByText('Nope').waitFor()
    await docked()
      .getByRole('option', { name: /\b400\b/ })
      .waitFor()
    await docked()
      .getByRole('tab', { name: /Report 1/ })
      .click()
    await reported('client-error').waitFor()
    await button('Next step').click()
    await page.getByText('6 rows').waitFor()
    await step('Retry too early').click()
    await alert().getByText('used up (injected)').waitFor()
    await reported('retry-after').waitFor()
    await button('Next step').click()
    await step('Suspend the key').click()
    await alert().getByText('suspended').waitFor()
    await reported('retry-unsafe').waitFor()
    await docked()
      .getByRole('tab', { name: /Journal/ })
      .click()
    await docked()
      .getByRole('option', { name: /\b402\b/ })
      .first()
      .click()
    await docked().getByRole('button', { name: 'Reactivate the key and send again' }).click()
    await step('Get help (done)').waitFor()
    await button('Next step').click()
    await importSample()
    await page.getByText(/Queued|Importing/).waitFor()
    await docked().getByRole('tab', { name: 'Time and jobs' }).click()
    await docked().getByRole('button', { name: '+1 min', exact: true }).click()
    await step('Save time (done)').waitFor()
    await page.getByLabel('Progress of the import').waitFor()
    expect(current.complaints.filter((text) => !text.includes('Failed to load resource'))).toEqual([])
  })
})

describe.each(['light', 'dark'] as const)('the picture of the demo page in %s', (colorScheme) => {
  it('shows the app, what broke it, why, and what the report says', async () => {
    const other = await visit(browser, served.url, { viewport: { width: 1680, height: 900 }, colorScheme })
    try {
      const { page: demo } = other
      await demo.getByRole('heading', { name: 'Wholesale orders' }).waitFor()
      await demo.getByRole('button', { name: 'Break it' }).click()
      await demo.getByRole('button', { name: 'Sort by an unknown column' }).click()
      await demo.locator('#app').getByRole('alert').waitFor()
      await demo.getByRole('button', { name: 'Next step' }).click()
      await demo.getByText('6 rows').waitFor()
      await demo.getByRole('button', { name: 'Retry too early' }).click()
      await demo.locator('#app').getByRole('alert').waitFor()
      await demo
        .getByRole('option', { name: /\b429\b/ })
        .first()
        .click()
      await demo.getByRole('note', { name: 'Reason' }).waitFor()
      await readmePicture(demo, `console-${colorScheme}`)
    } finally {
      await other.close()
    }
  })
})

describe('the demo page in development', () => {
  it('starts from the sources', async () => {
    const server = await createServer({ configFile, logLevel: 'error', server: { port: 0 } })
    await server.listen()
    const other = await visit(browser, server.resolvedUrls?.local[0] ?? '')
    try {
      await other.page.getByRole('heading', { name: 'Wholesale orders' }).waitFor()
      await other.page.getByRole('complementary', { name: 'Console of the mock' }).waitFor()
    } finally {
      await other.close()
      await server.close()
    }
  })
})

describe('the demo page on an insecure origin', () => {
  it('says in one line that the network panel shows no requests, and works', async () => {
    const insecure = await launch('--host-resolver-rules=MAP insecure.test 127.0.0.1')
    const address = new URL(served.url)
    address.hostname = 'insecure.test'
    const other = await visit(insecure, address.href)
    try {
      await other.page.getByRole('heading', { name: 'Wholesale orders' }).waitFor()
      expect(await other.page.evaluate(() => isSecureContext)).toBe(false)
      const line = other.page.getByRole('status').getByText('This origin is insecure')
      await line.getByText('the network panel does not show requests to the mock').waitFor()
      expect(await line.count()).toBe(1)
      const requests = other.page.getByRole('listbox', { name: 'Requests' })
      await requests.getByRole('option').first().waitFor()
    } finally {
      await insecure.close()
    }
  })
})
