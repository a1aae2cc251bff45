// Journeys to the console's figures: each shows what the mock knows, for live and past requests alike.
import { expect, it } from 'vitest'
import { createWorkspaceMock } from '../../../src/index.ts'
import { serve } from '../../../src/node.ts'
import { consoleControlsOf } from '../../../src/adapters/control-api/console-controls.ts'
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
const cells = (name: string) => page.locator(`[role=listbox] .${name}`).allInnerTexts()
const copied = () => page.evaluate(() => navigator.clipboard.readText())

it('A live request has the times that it has after a reload: those that the mock measured', async () => {
  mock.fault({ operation: 'listForms', status: 200, delayMs: 300 })
  await openConsole('view=journal')
  await page.getByText('No request yet').waitFor()
  for (const path of ['/me', '/forms', '/spaces']) await call('GET', path)
  await expect.poll(() => rows().count()).toBe(3)
  await expect.poll(async () => (await cells('took')).filter(Boolean)).toHaveLength(3)
  const live = [await cells('arrived'), await cells('took')]
  await page.reload()
  await expect.poll(() => rows().count()).toBe(3)
  expect([await cells('arrived'), await cells('took')]).toEqual(live)
  const known = consoleControlsOf(mock).console.journals({})
  expect(known[1]?.tookMs).toBeGreaterThanOrEqual(300)
})

it('A request without a response shows when it arrived at the mock, as its row does later', async () => {
  mock.fault({ operation: 'listSpaces', status: 200, delayMs: 4000 })
  await call('GET', '/me')
  await openConsole('view=journal')
  await expect.poll(() => rows().count()).toBe(1)
  // The page's clock is wrong, so it must not be used for a request's arrival.
  await page.evaluate(() => {
    const now = Date.now.bind(Date)
    Date.now = () => now() + 5000
  })
  const response = call('GET', '/spaces')
  const pending = page.locator('.pending .arrived')
  await pending.waitFor()
  const shown = await pending.innerText()
  await response
  await expect.poll(() => rows().count()).toBe(2)
  expect((await cells('arrived'))[0]).toBe(shown)
  const { arrivedMs } = consoleControlsOf(mock).console.journals({})[1]!
  expect(shown).toContain(String(arrivedMs! % 1000).padStart(3, '0'))
})

it('A create that was stored and failed, repeated twice, is said to have made three tasks', async () => {
  mock.fault({ operation: 'createTask', status: 503, phase: 'after', times: 2 })
  for (let sent = 0; sent < 3; sent++) await call('POST', '/lists/lst_launch/tasks', { title: 'Thrice' })
  await openConsole('faults')
  const text = 'Created 3 tasks: each failed request had been carried out.'
  await page.getByText(text).waitFor()
  await tab(/Report/).click()
  await page.getByRole('note').getByText(text).waitFor()
  expect(await page.getByText('Nothing to report').count()).toBe(0)
  await openConsole('request=1')
  await page.getByRole('note', { name: 'Reason' }).getByText('It was carried out nevertheless').waitFor()
})

it('A failure before a request was carried out, repeated, is no duplicate', async () => {
  mock.fault({ operation: 'createTask', status: 503 })
  for (let sent = 0; sent < 2; sent++) await call('POST', '/lists/lst_launch/tasks', { title: 'Once' })
  await openConsole('faults')
  await page.getByText('The client sent it again, and it succeeded.').waitFor()
  await tab(/Report/).click()
  await page.getByText('Nothing to report').waitFor()
})

it('A link to a record of another workspace leads to that workspace, its list and its members', async () => {
  const free = consoleControlsOf(mock)
    .inspect.overview()
    .workspaces.find(({ plan }) => plan === 'free')!
  const list = free.lists[0]!
  const created = await fetch(`${server.baseUrl}/lists/${list.id}/tasks`, {
    method: 'POST',
    headers: { authorization: 'Bearer wm_free_master', 'content-type': 'application/json' },
    body: '{"title":"Free"}',
  })
  const { id } = (await created.json()) as { id: string }
  await openConsole('request=1')
  await button(id).click()
  await page.getByRole('region', { name: 'Free', exact: true }).waitFor()
  const shown = () => page.getByLabel('List', { exact: true }).inputValue()
  await expect.poll(shown).toBe(list.id)
  expect(await page.getByLabel('Workspace').inputValue()).toBe(free.id)
  await openConsole(`view=state&part=tasks&task=${id}`)
  await expect.poll(shown).toBe(list.id)
  await openConsole(`view=state&table=${free.tables[0]!.id}`)
  await expect.poll(() => page.getByLabel('Workspace').inputValue()).toBe(free.id)
  await page.getByLabel('Workspace').selectOption({ index: 0 })
  await page.getByRole('heading', { name: 'Wholesale orders' }).waitFor()
})

it('A mock that hangs is reported within 3 s, its clock stops, and both end when it is back', async () => {
  mock.clock.mode = 'system'
  await openConsole('view=time')
  await page.getByText('Unix seconds').waitFor()
  await page.evaluate(() => {
    const root = document.querySelector('.workspace-api-mock-console')!.shadowRoot!
    const seen: string[] = []
    const from = Date.now()
    let alertMs = 0
    setInterval(() => {
      const isSaid = root.querySelector('[role=alert]')?.textContent?.includes('does not respond') === true
      if (!isSaid) return
      alertMs ||= Date.now() - from
      seen.push(root.querySelector('.display')?.textContent ?? '')
    }, 50)
    Object.assign(globalThis, { readSeen: () => ({ alertMs, times: [...new Set(seen)].length }) })
  })
  // Blocks this process and its server, as at a breakpoint: connections stay open but nothing arrives.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4500)
  const seen = await page.evaluate(() =>
    (globalThis as unknown as { readSeen(): { alertMs: number; times: number } }).readSeen(),
  )
  expect(seen.alertMs).toBeGreaterThan(0)
  expect(seen.alertMs).toBeLessThan(4500)
  expect(seen.times).toBe(1)
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
})

it('Requests that the journal dropped are counted at the end of the list', async () => {
  const small = createWorkspaceMock({ journalSize: 3 })
  const own = await serve(small)
  try {
    for (let sent = 0; sent < 5; sent++) await small.fetch('/me')
    const other = await visit(browser, `${own.url}/__mock/`)
    await other.page.getByText('2 earlier ones were dropped (limit: journalSize)').waitFor()
    await small.fetch('/me')
    await other.page.getByText('3 earlier ones were dropped (limit: journalSize)').waitFor()
    await other.close()
  } finally {
    await own.close()
  }
})

it('Two requests that differ are compared too, and CORS headers are left out', async () => {
  await call('GET', '/tasks/tsk_none')
  await call('GET', '/tasks/tsk_other')
  await openConsole('request=2&compare=1')
  const compared = page.getByRole('region', { name: 'Compared with request 1' })
  await compared.getByLabel('Request 1', { exact: true }).locator('mark').getByText('tsk_none').waitFor()
  expect(await compared.innerText()).not.toMatch(/same|access-control/)
  await call('POST', '/lists/lst_launch/tasks', { title: '' })
  await call('POST', '/lists/lst_launch/tasks', { title: '', priority: 'high' })
  await openConsole('request=4&compare=3')
  await page.getByText('The requests differ; the responses are the same.').waitFor()
})

it('What the clock brought is reached as a whole from its message, a job in a line for each status', async () => {
  const rows = Array.from({ length: 3000 }, () => ({ col_customer: 'A' }))
  await call('POST', '/datatables/tbl_orders/jobs/insert', { rows })
  for (let day = 0; day < 20; day++) {
    await call('GET', '/me')
    mock.clock.advance('1d')
  }
  await openConsole('view=time')
  const past = page.locator('.timeline .past')
  await expect.poll(() => past.count()).toBe(12)
  await button(/^Show \d+ earlier$/).click()
  await expect.poll(() => past.count()).toBeGreaterThan(20)
  // One line for its start and one for its end, but none for its three chunks.
  expect(await past.filter({ hasText: 'job_000001' }).count()).toBe(2)
})

it('Recurrences are shown in the zone of their workspace beside UTC, past ones and the next', async () => {
  // Drops what the mock has already scheduled.
  const { runtime: _, ...fixture } = mock.state()
  const workspaces = fixture.workspaces.map((one) => ({ ...one, timezone: 'Europe/Berlin' }))
  const own = await serve(createWorkspaceMock({ fixture: { ...fixture, workspaces } }))
  try {
    const other = await visit(browser, `${own.url}/__mock/#view=time`)
    const line = (kind: string) => other.page.locator(`.timeline .${kind}`).filter({ hasText: 'afterburner' })
    await line('next').getByText('2026-01-12 08:00 Europe/Berlin').waitFor()
    expect(await line('next').innerText()).toContain('2026-01-12 07:00:00')
    await line('next')
      .getByRole('button', { name: /^Go there/ })
      .click()
    await line('past').getByText('2026-01-12 08:00 Europe/Berlin').waitFor()
    await line('next').getByText('2026-01-19 08:00 Europe/Berlin').waitFor()
    await other.close()
  } finally {
    await own.close()
  }
})

it('Requests that a clock set back has left ahead of it are counted below the timeline', async () => {
  mock.clock.advance('2d')
  await call('GET', '/me')
  mock.clock.set(mock.clock.now() - 86_400)
  await openConsole('view=time')
  await page.getByText('1 request came at later times: the clock has been set back since.').waitFor()
})

it('Labels and paths are whole where there is room for them', async () => {
  const label = 'creates a task, and sends it again after a 503'
  for (let sent = 0; sent < 2; sent++)
    await fetch(`${server.baseUrl}${sent === 0 ? '/me' : '/spaces'}`, {
      headers: { authorization: 'Bearer wm_demo_master', 'x-mock-label': `${label} ${String(sent)}` },
    })
  await openConsole('view=journal')
  await expect.poll(() => cells('label')).toContain(`${label} 1`)
  const cut = await page
    .locator('[role=listbox] :is(.label, .path)')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
  expect(cut).toBe(0)
})

it('The outcomes that were never hit are listed alone, named where some of a status were, and copied', async () => {
  await call('GET', '/tasks/tsk_none')
  mock.suspendKey('master', true)
  await call('GET', '/me')
  await openConsole('view=report&part=coverage')
  const row = page.getByRole('row', { name: /^getListSchema/ })
  await row.waitFor()
  expect(await row.getByText('never', { exact: true }).count()).toBe(1)
  await page.getByRole('radio', { name: 'Outcomes never hit' }).click()
  await page.getByRole('row', { name: /^getTask/ }).waitFor()
  await page.getByLabel('Filter the operations').fill('getTask')
  await button('Copy as Markdown').click()
  await expect.poll(copied).toContain('## getTask')
  expect(await copied()).toContain('- [ ] 200: the request succeeds')
  expect(await copied()).not.toContain('- [ ] 404')
})

it("The console's own requests do not count as the client's: in polls, moments, runs and comparisons", async () => {
  await call('POST', '/datatables/tbl_orders/jobs/insert', { rows: [{}] })
  const poll = `/jobs/${workspace().jobs.at(-1)!.id}`
  const send = (path: string, more: Record<string, string>) =>
    fetch(`${server.baseUrl}${path}`, { headers: { authorization: 'Bearer wm_demo_master', ...more } })
  const own = { 'x-mock-console': '1' }
  await call('GET', poll)
  for (let sent = 0; sent < 3; sent++) await send(poll, own)
  mock.clock.advance('1h')
  for (let sent = 0; sent < 3; sent++) await send('/tasks/tsk_none', own)
  await openConsole('view=time')
  await page.getByText(/^1 time /).waitFor()
  await page.getByText('2 requests, 1 request from the console', { exact: true }).waitFor()
  await page.getByText('3 requests from the console', { exact: true }).waitFor()
  const other = { 'x-mock-sandbox': 'other' }
  await send('/me', other)
  await send('/spaces', { ...other, ...own })
  mock.sandbox('same')
  await send('/me', { 'x-mock-sandbox': 'same' })
  await openConsole('view=runs')
  const figures = (name: string) => page.getByRole('row', { name }).getByRole('cell').allInnerTexts()
  await page.getByRole('row', { name: 'same' }).waitFor()
  expect((await figures('main')).slice(1, 3)).toEqual(['2', '0'])
  expect((await figures('other')).slice(1, 3)).toEqual(['1', '0'])
  for (const name of ['other', 'same']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await button('Compare').click()
  await page.getByText('No difference').waitFor()
})
