// Journeys through the standalone server's console: by mouse, by keyboard, and from origins that must not reach it.
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { picture, visit, wide } from './support/browser.ts'
import {
  browser,
  button,
  call,
  current,
  mock,
  openConsole,
  page,
  server,
  tab,
  views,
  workspace,
} from './support/served-console.ts'

const radio = (name: string) => page.getByRole('radio', { name, exact: true })
const choice = (name: string) => page.getByRole('combobox', { name, exact: true })
/** A request in the list. */
const entry = (name: string | RegExp) => page.getByRole('listbox').getByRole('option', { name })

beforeEach(() => openConsole())

describe('the console', () => {
  it('loads only from its own origin, and the browser logs no error or warning', async () => {
    for (const name of views) await tab(name).click()
    expect(current?.complaints).toEqual([])
    expect([...(current?.origins ?? [])]).toEqual([server.url])
  })

  it('shows requests as they arrive, what each sent, received and changed, and sends them again', async () => {
    await page.getByText('No request yet').waitFor()
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_customer: "Café 'Süd'" } })
    await entry(/createRow/).click()
    const detail = page.getByRole('region', { name: 'Request 1' })
    await detail.getByText("Café 'Süd'").first().waitFor()
    await detail.getByText('created row row_000001').waitFor()
    await picture(page, 'console-journal')
    await button('Copy as curl').click()
    const command = await page.evaluate(() => navigator.clipboard.readText())
    const { stdout } = await promisify(execFile)('bash', ['-c', command.replace('curl', 'curl -sS')])
    expect(JSON.parse(stdout)).toMatchObject({ id: 'row_000002', data: { col_customer: "Café 'Süd'" } })
    await detail.press('Escape')
    await expect.poll(() => detail.count()).toBe(0)
  })

  it('filters the journal by text, operation and status, and can be paused', async () => {
    await call('GET', '/me')
    await call('GET', '/spaces')
    await call('GET', '/tasks/tsk_none')
    const rows = page.getByRole('listbox').getByRole('option')
    await expect.poll(() => rows.count()).toBe(3)
    await page.getByRole('switch', { name: 'Errors' }).click()
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining('/tasks/tsk_none')])
    await page.getByRole('switch', { name: 'Errors' }).click()
    await choice('Operation').selectOption('listSpaces')
    await expect.poll(() => rows.count()).toBe(1)
    await choice('Operation').selectOption('')
    await page.getByLabel('Filter the journal').fill('not found tsk_none')
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByText('1 of 3').waitFor()
    await page.getByLabel('Filter the journal').fill('')
    await page.getByRole('switch', { name: 'Live' }).click()
    await call('GET', '/forms')
    await page.getByText('3 requests, 1 new').waitFor()
    expect(await rows.count()).toBe(3)
    await page.getByRole('switch', { name: 'Live' }).click()
    await expect.poll(() => rows.count()).toBe(4)
  })

  it('scrolls to the request that is opened, by address, by keyboard or elsewhere', async () => {
    for (let sent = 0; sent < 60; sent++) await call('GET', '/me')
    const inList = (id: number) =>
      page.locator('.list').evaluate(
        (list, row) => {
          const { top, bottom } = list.getBoundingClientRect()
          const open = list.querySelector(row)?.getBoundingClientRect()
          return open !== undefined && open.top >= top && open.bottom <= bottom
        },
        `#request-${String(id)}-`,
      )
    await openConsole('request=20')
    await page.getByRole('region', { name: 'Request 20' }).waitFor()
    await expect.poll(() => inList(20)).toBe(true)
    await page.getByRole('listbox').focus()
    await page.keyboard.press('End')
    await page.getByRole('region', { name: 'Request 1' }).waitFor()
    await expect.poll(() => inList(1)).toBe(true)
    await page.keyboard.press('Home')
    await expect.poll(() => inList(60)).toBe(true)
    await page.goBack()
    await expect.poll(() => inList(1)).toBe(true)
  })

  it('shows the view of an address that changes while the page loads', async () => {
    // In a separate profile, because the init script cannot be removed.
    await openConsole('', wide)
    await page.addInitScript(() =>
      addEventListener('DOMContentLoaded', () => (location.hash = '#view=state&table=tbl_orders')),
    )
    await page.reload()
    await button('Columns').waitFor()
  })

  it('closes a menu on Escape and on a click elsewhere', async () => {
    await page.goto(new URL('#view=state&table=tbl_orders', page.url()).href)
    const menu = page.getByRole('group', { name: 'Columns', exact: true })
    await button('Columns').click()
    await menu.getByRole('checkbox').first().focus()
    await page.keyboard.press('Escape')
    expect(await menu.count()).toBe(0)
    expect(await button('Columns').evaluate((it) => it.matches(':focus'))).toBe(true)
    await button('Columns').click()
    await menu.waitFor()
    await page.getByRole('heading', { name: 'Wholesale orders' }).click()
    await expect.poll(() => menu.count()).toBe(0)
  })

  it('reports what the client did wrong and leads to the request at fault', async () => {
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_created: 5 } })
    await tab(/Report/).click()
    await page.getByText('read-only-write', { exact: true }).first().waitFor()
    await page.locator('.finding').getByText(mock.report()[0]!.message, { exact: true }).waitFor()
    await picture(page, 'console-report')
    await button('Request 1').click()
    await page.getByRole('region', { name: 'Request 1' }).waitFor()
  })

  it('follows a job as the clock moves', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => ({ col_customer: `Customer ${String(index)}` }))
    await call('POST', '/datatables/tbl_orders/jobs/insert', { rows })
    await tab('Time and jobs').click()
    const progress = page.getByLabel('Progress of job_000001')
    for (const share of [0, 0, 1 / 3, 2 / 3]) {
      await expect
        .poll(() => progress.evaluate((bar) => (bar as HTMLProgressElement).value))
        .toBeCloseTo(share)
      await button('Advance by 500 ms').click()
    }
    await expect.poll(() => progress.evaluate((bar) => (bar as HTMLProgressElement).value)).toBe(1)
    await picture(page, 'console-jobs')
  })

  it('pages through the rows of a table, and the tasks of a list, status by status', async () => {
    await tab('State').click()
    await button(/Shipments 2025/).click()
    await button('Last page').click()
    await page.getByText('1,151 to 1,200 of 1,200').waitFor()
    await tab(/Tasks/).click()
    const tasks = page.getByRole('region', { name: /^Tasks of/ })
    await button('Status').click()
    await expect.poll(() => page.url()).toContain('sort=status_id')
    await expect.poll(() => tasks.getByRole('row').nth(1).innerText()).toContain('New')
    await picture(page, 'console-tasks')
  })

  it('moves and sets the clock', async () => {
    const start = mock.clock.now()
    await tab('Time and jobs').click()
    await button('+1 min').last().click()
    await expect.poll(() => mock.clock.now()).toBe(start + 60)
    await page.getByLabel('Set to').fill('2026-03-01T12:00:00')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await expect.poll(() => mock.clock.now()).toBe(Date.UTC(2026, 2, 1, 12) / 1000)
    await radio('Running').click()
    await expect.poll(() => mock.clock.mode).toBe('system')
  })

  it('sets a fault that the next request meets, counts its hits and removes it', async () => {
    await tab('Faults').click()
    await choice('Operation').selectOption('getIdentity')
    await choice('Status').selectOption('503')
    await page.getByLabel('How often').fill('2')
    await page.getByText('Each of the next 2 requests of getIdentity gets 503; nothing changes.').waitFor()
    await button('Set the fault').click()
    await page.getByText('0 of 2 hits').waitFor()
    expect((await call('GET', '/me'))?.status).toBe(503)
    await page.getByText('1 of 2 hits').waitFor()
    await picture(page, 'console-faults')
    await button(/Remove fault_/).click()
    await page.getByText('No fault is set').waitFor()
    expect((await call('GET', '/me'))?.status).toBe(200)
  })

  it('changes plan, limits, keys and answers, keeps snapshots and resets', async () => {
    await tab('Settings').click()
    await radio('business').click()
    await expect.poll(() => workspace().plan).toBe('business')
    await button('Change spaces').click()
    await page.getByRole('spinbutton', { name: 'spaces' }).fill('3')
    await page.keyboard.press('Enter')
    await expect.poll(() => workspace().limits.spaces.limit).toBe(3)
    await page
      .getByRole('row', { name: /wm_demo_scoped/ })
      .getByRole('switch')
      .click()
    await expect.poll(() => workspace().keys.find(({ name }) => name === 'scoped')?.suspended).toBe(true)
    await tab('State').click()
    await tab('Snapshots').click()
    await page.getByLabel('Name').fill('business')
    await button('Save the current state').click()
    await expect.poll(() => mock.snapshots.list().map(({ name }) => name)).toEqual(['business'])
    await tab(/Settings/).click()
    await tab('Questions').click()
    await page.getByRole('radio', { name: /^flat Every row/ }).click()
    await expect.poll(() => mock.answers.rowShape).toBe('flat')
    await page.getByRole('button', { name: 'Reset', exact: true }).click()
    await button('Reset everything?').click()
    await expect.poll(() => [workspace().plan, mock.answers.rowShape]).toEqual(['pro', 'data'])
    await tab(/State/).click()
    await button('Restore business').click()
    await expect.poll(() => workspace().plan).toBe('business')
  })

  it('can be used by keyboard alone', async () => {
    await call('GET', '/me')
    await entry(/getIdentity/).waitFor()
    await tab('Journal').focus()
    await page.keyboard.press('ArrowDown')
    expect(await tab(/Report/).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('End')
    expect(await tab('Settings').getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await call('GET', '/spaces')
    await entry(/listSpaces/).waitFor()
    await page.getByRole('listbox').focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('region', { name: 'Request 2' }).waitFor()
    await page.keyboard.press('j')
    await page.getByRole('region', { name: 'Request 1' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('listspaces')
    await expect.poll(() => page.getByRole('listbox').getByRole('option').count()).toBeGreaterThan(0)
    await page.getByRole('region', { name: 'Request 1' }).waitFor()
    await page.getByRole('listbox').focus()
    await page.keyboard.press('Enter')
    expect(
      await page.getByRole('region', { name: 'Request 1' }).evaluate((detail) => detail.matches(':focus')),
    ).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('region', { name: /Request/ }).count()).toBe(0)
    expect(await page.getByRole('listbox').evaluate((list) => list.matches(':focus'))).toBe(true)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  })

  it('shows the requests of all sandboxes, and those of one', async () => {
    const send = (path: string, sandbox: string) =>
      fetch(`${server.baseUrl}${path}`, {
        headers: {
          authorization: 'Bearer wm_demo_master',
          'x-mock-sandbox': sandbox,
          'x-mock-label': 'pays',
        },
      })
    await openConsole('view=journal')
    await send('/spaces', 'checkout')
    await call('GET', '/me')
    await send('/tasks/tsk_none', 'cart')
    await entry(/listSpaces.*checkout pays/).waitFor()
    await entry(/getIdentity.*main/).waitFor()
    await entry(/getIdentity/).click()
    await tab(/Runs/).click()
    await page.getByLabel('Find a sandbox').fill('car')
    await picture(page, 'console-sandboxes')
    await page.getByRole('button', { name: 'cart', exact: true }).click()
    await entry(/tsk_none/).waitFor()
    expect(await page.getByRole('listbox').getByRole('option').count()).toBe(1)
    await page.getByText('Shows sandbox cart').waitFor()
    // The request from the main sandbox stays open.
    await page.getByLabel('Response body').getByText('Hafenrost').first().waitFor()
  })

  it('leaves the focus where it is while requests come in', async () => {
    const headers = { authorization: 'Bearer wm_demo_master', 'x-mock-sandbox': 'cart' }
    const send = () => fetch(`${server.baseUrl}/forms`, { headers })
    await send()
    await tab(/Runs/).click()
    const select = page.getByRole('checkbox', { name: 'Select cart' })
    await select.focus()
    await send()
    await page.getByRole('row', { name: /cart.* 2 / }).waitFor()
    expect(await select.evaluate((it) => it.matches(':focus'))).toBe(true)
    await openConsole('view=settings&sandbox=')
    await button('Change spaces').click()
    await button('Cancel').focus()
    await call('GET', '/me')
    await page
      .getByRole('row', { name: /requestsPerMonth/ })
      .getByText('1 used')
      .waitFor()
    expect(await button('Cancel').evaluate((it) => it.matches(':focus'))).toBe(true)
  })

  it('shows findings with a request of their own sandbox only', async () => {
    await openConsole('view=journal')
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_created: 5 } })
    const headers = { authorization: 'Bearer wm_demo_master', 'x-mock-sandbox': 'cart' }
    await fetch(`${server.baseUrl}/forms`, { headers })
    const found = page.getByRole('region', { name: 'Request 1' }).getByText('read-only-write')
    await entry(/createRow/).click()
    await found.waitFor()
    await entry(/forms.*cart/).click()
    await page.getByLabel('Response body').getByText('Wholesale enquiry').first().waitFor()
    expect(await found.count()).toBe(0)
  })

  it('explains why a request was refused, and offers remedies', async () => {
    mock.setLimits({ spaces: 1 })
    await call('POST', '/spaces', { name: 'Second' })
    await entry(/spaces limit/).click()
    const why = page.getByRole('note', { name: 'Reason' })
    await why.getByText("the plan's limit on spaces is reached. Contract, Limits.").waitFor()
    await picture(page, 'console-why')
    await button(/^Raise the limit to \d+ and send again/).click()
    await page.getByRole('region', { name: 'Request 2' }).waitFor()
    await page.getByLabel('Response body').getByText('Second').first().waitFor()
    mock.lockTable('tbl_orders')
    await call('POST', '/datatables/tbl_orders/rows/bulk', { rows: [{ col_customer: 'A' }] })
    await entry(/locked table/).click()
    await button('Unlock the table and send again').click()
    await page.getByRole('region', { name: 'Request 4' }).waitFor()
    mock.fault({ operation: 'getIdentity', status: 429, retryAfter: 20 })
    await call('GET', '/me')
    await entry(/fault_1: monthly requests|fault_1: /).click()
    const before = mock.clock.now()
    await button('Advance the clock by 20 s and send again').click()
    await page.getByRole('region', { name: 'Request 6' }).waitFor()
    expect(mock.clock.now()).toBe(before + 20)
  })

  it('has an address for what it shows, and goes back', async () => {
    await call('GET', '/me')
    await call('GET', '/tasks/tsk_none')
    // A new row moves the others, so wait for it before clicking.
    await entry(/tsk_none/).waitFor()
    await entry(/getIdentity/).click()
    await entry(/tsk_none/).click()
    await page.getByRole('region', { name: 'Request 2' }).waitFor()
    await expect.poll(() => page.title()).toBe('Request 2 · Mock console')
    await page.goBack()
    await page.getByRole('region', { name: 'Request 1' }).waitFor()
    await tab('State').click()
    await button(/Shipments 2025/).click()
    const { page: other, close } = await visit(browser, page.url())
    await other.getByRole('region', { name: 'Rows of Shipments 2025' }).waitFor()
    await close()
    await page.goBack()
    await page.goBack()
    await page.getByRole('region', { name: 'Request 1' }).waitFor()
  })

  it('reports that the mock is gone, and resumes when it is back', async () => {
    await page.getByText('No request yet').waitFor()
    await page.route('**/__mock/overview', (route) => route.abort())
    mock.setPlan('business')
    await page.getByRole('alert').getByText('The mock does not respond').waitFor()
    for (const name of ['Reset', 'Save as HAR', 'Clear', 'Copy as a test'])
      expect(await page.getByRole('button', { name, exact: true }).isDisabled(), name).toBe(true)
    await tab('Faults').click()
    expect(await button('Set the fault').isDisabled()).toBe(true)
    await page.unroute('**/__mock/overview')
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    expect(await button('Set the fault').isDisabled()).toBe(false)
  })
})

describe('another origin', () => {
  it('can neither frame the console, nor read or change anything through it', async () => {
    const stranger = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>Stranger</title><iframe src="${server.url}/__mock/"></iframe>`)
    })
    await new Promise<void>((resolve) => void stranger.listen(0, '127.0.0.1', resolve))
    const { port } = stranger.address() as AddressInfo
    const other = await visit(browser, `http://127.0.0.1:${String(port)}/`)
    try {
      await expect.poll(() => other.complaints.join()).toContain('frame-ancestors')
      const read = await other.page.evaluate(async (url) => {
        const attempts = [
          fetch(`${url}/__mock/overview`),
          fetch(`${url}/__mock/reset`, { method: 'POST' }),
          fetch(`${url}/__mock/`),
        ]
        return (await Promise.allSettled(attempts)).map(({ status }) => status)
      }, server.url)
      expect(read).toEqual(['rejected', 'rejected', 'rejected'])
      mock.setPlan('business')
      await other.page.evaluate(
        (url) => fetch(`${url}/__mock/reset`, { method: 'POST', mode: 'no-cors' }).catch(() => null),
        server.url,
      )
      expect(workspace().plan).toBe('business')
      const opened = await other.page.evaluate((url) => {
        const handle = open(`${url}/__mock/`)
        return new Promise<boolean>((resolve) => setTimeout(() => resolve(handle?.closed ?? true), 1500))
      }, server.url)
      expect(opened).toBe(true)
    } finally {
      await other.close()
      stranger.close()
    }
  })
})
