// Journeys by keyboard: what each key does, where the focus goes, and how the list is sorted and filtered.
import { expect, it } from 'vitest'
import { createWorkspaceMock } from '../../../src/index.ts'
import { serve } from '../../../src/node.ts'
import { visit } from './support/browser.ts'
import {
  browser,
  button,
  call,
  mock,
  openConsole,
  page,
  server,
  tab,
  workspace,
} from './support/served-console.ts'

const rows = () => page.getByRole('listbox').getByRole('option')
const search = () => page.getByLabel('Filter the journal')
const focusedRole = () =>
  page.evaluate(() => {
    let active = document.activeElement
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
    return active?.getAttribute('role') ?? active?.tagName ?? ''
  })

it('The list is reached with three tab stops, none of them empty, also with several sandboxes', async () => {
  await call('GET', '/me')
  for (const several of [false, true]) {
    if (several) await fetch(`${server.baseUrl}/me`, { headers: { 'x-mock-sandbox': 'one' } })
    await openConsole('view=journal')
    await expect.poll(() => rows().count()).toBeGreaterThan(0)
    let stops = 0
    do {
      await page.keyboard.press('Tab')
      stops += 1
    } while ((await focusedRole()) !== 'listbox' && stops < 30)
    expect(stops).toBeLessThanOrEqual(3)
  }
  await openConsole('view=journal', { viewport: { width: 720, height: 700 } })
  const names = await page
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).innerText.trim()))
  expect(names).not.toContain('')
})

it('Escape closes help in every view, and leaves the list at its first row', async () => {
  for (let sent = 0; sent < 40; sent++) await call('GET', '/me')
  for (const view of ['journal', 'state', 'faults', 'time']) {
    await openConsole(`view=${view}`)
    await tab('Settings').waitFor()
    await expect.poll(() => page.getByRole('tabpanel').count()).toBeGreaterThan(0)
    await page.locator('h1').click()
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count(), { message: view }).toBe(0)
  }
  await openConsole('view=journal', { viewport: { width: 1440, height: 500 } })
  await rows().first().click()
  await page.getByRole('region', { name: 'Request 40' }).getByText('getIdentity').waitFor()
  await page.locator('h1').click()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('region', { name: 'Request 40' }).count()).toBe(0)
  expect(await page.locator('.list').evaluate((list) => list.scrollTop)).toBe(0)
})

it('Arrow keys move in a choice that acts, and Enter acts', async () => {
  await openConsole('view=settings')
  await page.getByRole('radio', { name: 'pro', exact: true }).focus()
  await page.keyboard.press('ArrowRight')
  await page.waitForTimeout(300)
  expect(workspace().plan).toBe('pro')
  await page.keyboard.press('Enter')
  await expect.poll(() => workspace().plan).toBe('business')
  await call('GET', '/me')
  await openConsole('request=1')
  const fail = page.getByLabel('Fail this next time')
  await fail.focus()
  await page.keyboard.press('ArrowDown')
  await page.waitForTimeout(300)
  expect(mock.faults()).toEqual([])
  await page.keyboard.press('Enter')
  await expect.poll(() => mock.faults()).toMatchObject([{ status: 503, operation: 'getIdentity' }])
})

it('The field of the token has the focus, and no request is refused again and again behind it', async () => {
  const guarded = await serve(createWorkspaceMock(), { controlToken: 'let-me-in' })
  const other = await visit(browser, `${guarded.url}/__mock/`)
  try {
    await other.page.getByLabel('Control token').waitFor()
    await other.page.keyboard.type('let-me-in')
    expect(await other.page.getByLabel('Control token').inputValue()).toBe('let-me-in')
    let refused = 0
    other.page.on('response', (response) => (refused += Number(response.status() === 403)))
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(refused).toBe(0)
    await other.page.keyboard.press('Enter')
    await other.page.getByText('No request yet').waitFor()
  } finally {
    await other.close()
    await guarded.close()
  }
})

it('Heads sort the list, the longest first, then the shortest, then by arrival again', async () => {
  mock.fault({ operation: 'listForms', status: 200, delayMs: 200 })
  for (const path of ['/me', '/forms', '/spaces']) await call('GET', path)
  await openConsole('view=journal')
  const paths = () => page.locator('[role=listbox] .path').allInnerTexts()
  await expect.poll(() => rows().count()).toBe(3)
  await button('Sort by Took').click()
  await expect.poll(async () => (await paths())[0]).toContain('/forms')
  await button('Sort by Took, descending').click()
  await expect.poll(async () => (await paths())[2]).toContain('/forms')
  await button('Sort by Took, ascending').click()
  await expect.poll(async () => (await paths())[0]).toContain('/spaces')
})

it('A pasted address and a comparison of statuses filter the journal', async () => {
  await call('GET', '/me')
  await call('GET', '/tasks/tsk_none')
  await openConsole('view=journal')
  await expect.poll(() => rows().count()).toBe(2)
  for (const text of [
    `${server.baseUrl}/tasks/tsk_none`,
    '/v1/tasks/tsk_none',
    'status:>=400',
    '-status:<400',
  ]) {
    await search().fill(text)
    await expect
      .poll(() => rows().allInnerTexts(), { message: text })
      .toEqual([expect.stringContaining('tsk_none')])
  }
  await search().fill('status:<300')
  await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining('/me')])
})

it('Two sandboxes are compared in order, the first difference open and what is equal folded', async () => {
  const send = (sandbox: string, method: string, path: string, json?: unknown) =>
    fetch(`${server.baseUrl}${path}`, {
      method,
      headers: {
        ...{ authorization: 'Bearer wm_demo_master', 'content-type': 'application/json' },
        'x-mock-sandbox': sandbox,
      },
      body: json === undefined ? null : JSON.stringify(json),
    })
  for (const [name, title] of [
    ['one', 'A'],
    ['two', 'B'],
  ] as const) {
    await send(name, 'GET', '/me')
    await send(name, 'GET', '/spaces')
    await send(name, 'POST', '/lists/lst_launch/tasks', { title })
  }
  await send('two', 'GET', '/forms')
  await openConsole('view=runs')
  expect(await button('Compare').isDisabled()).toBe(true)
  await page.getByRole('checkbox', { name: 'Select one' }).check()
  await page.getByRole('checkbox', { name: 'Select two' }).check()
  await button('Compare').click()
  await page.getByText('2 differences, the first in request 3').waitFor()
  await page.getByText('2 equal requests').waitFor()
  await page.getByLabel('Request in one').locator('mark').getByText('"A"').waitFor()
  await page.getByLabel('Changes in two').locator('mark').getByText('"B"').waitFor()
  expect(await page.getByText('not in one').isVisible()).toBe(false)
  await page.getByText('GET /forms', { exact: true }).click()
  await page.getByText('not in one').waitFor()
})

it('Forced colours show which switch is on and which request is open', async () => {
  await call('GET', '/me')
  await openConsole('request=1', { viewport: { width: 1440, height: 700 }, forcedColors: 'active' })
  await rows().first().waitFor()
  const colourOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(await colourOf('[aria-selected=true].entry')).not.toBe(await colourOf('.list'))
  expect(await colourOf('[aria-checked=true] .track')).not.toBe(await colourOf('[aria-checked=false] .track'))
})
