// Journeys through report, faults, coverage, clock, limits, questions and snapshots.
import { consoleControlsOf } from '../../../src/adapters/control-api/console-controls.ts'
import { readFile } from 'node:fs/promises'
import { describe, beforeEach, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../../src/index.ts'
import { narrow, picture } from './support/browser.ts'
import {
  button,
  call,
  mock,
  openConsole,
  page,
  server,
  tab,
  views,
  workspace,
} from './support/served-console.ts'

const copied = () => page.evaluate(() => navigator.clipboard.readText())
/** By how many pixels the view overflows its container. */
const beyondMain = () => page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)
/** Clicks a button that saves a file. @returns the file's name and its JSON */
async function saved(name: string | RegExp): Promise<readonly [file: string, json: unknown]> {
  const waiting = page.waitForEvent('download')
  await button(name).click()
  const file = await waiting
  return [file.suggestedFilename(), JSON.parse(await readFile(await file.path(), 'utf8'))]
}
const fileOf = (name: string, json: unknown) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(json)),
})

describe('an empty journal', () => {
  it('offers a first request, keys, curl and the OpenAPI document', async () => {
    await openConsole('journal')
    await button('Copy key wm_demo_master').click()
    await expect.poll(copied).toBe('wm_demo_master')
    await button('Copy as curl').click()
    await expect.poll(copied).toContain(`curl ${server.baseUrl}/me`)
    const [name, document] = await saved('OpenAPI document')
    expect(name).toBe('openapi.json')
    expect(document).toMatchObject({ paths: { '/me': { get: { operationId: 'getIdentity' } } } })
    await button('Send a first request').click()
    await page
      .getByRole('listbox')
      .getByRole('option', { name: /getIdentity/ })
      .waitFor()
  })
})

describe('the report', () => {
  beforeEach(async () => {
    await call('GET', '/tasks/tsk_none')
    await call('GET', '/tasks/tsk_none')
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_created: 5 } })
    await openConsole('report')
  })
  const findings = () => page.locator('.finding')

  it('is filtered by severity and operation, and has an address for that', async () => {
    await expect.poll(() => findings().count()).toBe(2)
    await page.getByRole('radio', { name: 'Warnings' }).click()
    await expect.poll(() => findings().count()).toBe(1)
    await page.getByRole('radio', { name: 'All', exact: true }).click()
    await page.getByRole('combobox', { name: 'Operation' }).selectOption('getTask')
    await expect.poll(() => findings().allInnerTexts()).toEqual([expect.stringContaining('retry-unsafe')])
    expect(new URL(page.url()).hash).toBe('#view=report&operation=getTask')
  })

  it('separates requests at fault from their context, leads to the rule, and is copied as Markdown', async () => {
    const unsafe = findings().filter({ hasText: 'retry-unsafe' })
    await unsafe.getByText('At fault#2').waitFor()
    await unsafe.getByText('Context#1').waitFor()
    await unsafe.getByTitle('Show the rule').click()
    await page.getByText('An identical request').waitFor()
    expect(new URL(page.url()).hash).toContain('rule=retry-unsafe')
    await button('Copy as Markdown').click()
    await expect.poll(copied).toContain('- **retry-unsafe** (`getTask`, once)')
    expect(await copied()).toContain('Requests: #2; context: #1.')
  })

  it('offers the severity that is chosen also where no finding has it', async () => {
    await page.getByRole('switch', { name: 'Assumptions' }).click()
    await page.getByRole('radio', { name: 'Assumptions' }).click()
    await page.getByRole('switch', { name: 'Assumptions' }).click()
    await page.getByText('No finding matches').waitFor()
    expect(await page.getByRole('radio', { name: 'Assumptions' }).isChecked()).toBe(true)
  })

  it('shows the latest twelve requests of a finding, and how many came earlier', async () => {
    for (let sent = 0; sent < 15; sent++)
      await call('POST', '/datatables/tbl_orders/rows', { data: { col_created: 5 } })
    const written = findings().filter({ hasText: 'read-only-write' })
    await expect.poll(() => written.innerText()).toContain('and 4 earlier')
    const chips = await written.locator('.chip').allInnerTexts()
    expect(chips).toEqual(Array.from({ length: 12 }, (_, index) => `#${String(7 + index)}`))
  })

  it('lists assumptions by question, and leads to the question', async () => {
    await page.getByRole('switch', { name: 'Assumptions' }).click()
    await page.getByRole('heading', { name: /Assumptions/ }).waitFor()
    await button('rowShape').click()
    await expect.poll(() => page.locator('.question').count()).toBe(1)
    await page.goBack()
    await button('rowShape').waitFor()
  })
})

describe('the faults', () => {
  it('say what the client did after each', async () => {
    await openConsole('faults')
    const choice = (name: string) => page.getByRole('combobox', { name, exact: true })
    const pick = (name: string) => page.getByRole('radio', { name, exact: true }).check()
    const set = async () => {
      await button('Set the fault').click()
      await page.getByText('Fault set.').last().waitFor()
    }
    await choice('Operation').selectOption('createTask')
    await pick('Broken connection')
    await pick('After it is carried out')
    await set()
    for (let attempt = 0; attempt < 2; attempt++)
      await call('POST', '/lists/lst_launch/tasks', { title: 'Twice' })
    await button('made-twice').click()
    await page.locator('.finding').getByText('created task_000002 in addition to task_000001').waitFor()
    await tab('Faults').click()
    await set()
    await call('POST', '/lists/lst_launch/tasks', { title: 'Lost' })
    await call('POST', '/lists/lst_production/tasks', { title: 'Another' })
    await page.getByText('The client did not send it again; it sent 1 other request.').waitFor()
    await choice('Operation').selectOption('')
    await pick('Before it is carried out')
    await set()
    for (let attempt = 0; attempt < 2; attempt++) await call('GET', '/me')
    await page.getByText('The client sent it again, and it succeeded.').waitFor()
    await pick('Error')
    await choice('Status').selectOption('429')
    await page.getByLabel('How often').fill('5')
    await set()
    for (let attempt = 0; attempt < 5; attempt++) await call('GET', '/spaces')
    await page.getByText('The client has sent nothing since.').waitFor()
    await call('GET', '/me')
    await page.getByText('The client gave up after 5 attempts; it sent 1 other request.').waitFor()
    await picture(page, 'console-verdicts')
  })

  it('are set for all sandboxes while there is one alone: the next one has them too', async () => {
    await openConsole('faults')
    await page.getByRole('switch', { name: 'In all sandboxes, including those made later' }).click()
    await button('Set the fault in all sandboxes').click()
    await expect.poll(() => mock.faults()).toMatchObject([{ status: 503, sandboxes: 'all' }])
    expect(mock.sandbox('later').faults()).toMatchObject([{ status: 503, sandboxes: 'all' }])
  })

  it('keep their status where another operation has it without the limit', async () => {
    await openConsole('faults')
    const choice = (name: string) => page.getByRole('combobox', { name, exact: true })
    await choice('Operation').selectOption('bulkInsertRows')
    await choice('Status').selectOption('429 bulkInsertPerMinute')
    await choice('Operation').selectOption('listSpaces')
    await expect.poll(() => choice('Status').inputValue()).toBe('429')
    await button('Set the fault').click()
    await expect.poll(() => mock.faults()).toMatchObject([{ operation: 'listSpaces', status: 429 }])
  })

  it('are set on a request of the journal for the next one like it', async () => {
    await call('GET', '/me')
    await openConsole('request=1')
    await page.getByLabel('Fail this next time').selectOption('with 429')
    await expect
      .poll(() => mock.faults())
      .toMatchObject([{ operation: 'getIdentity', status: 429, match: { path: '/me' } }])
    expect((await call('GET', '/me'))?.status).toBe(429)
  })
})

describe('coverage', () => {
  it('shows the outcomes that were met, and sets a fault for one that never was', async () => {
    await call('GET', '/forms')
    await openConsole('view=report&part=coverage')
    const row = page.getByRole('row', { name: /^listForms/ })
    await row.getByRole('button', { name: 'listForms 200: 1 natural' }).waitFor()
    await page.getByLabel('Filter the operations').fill('listforms')
    await page.getByRole('radio', { name: 'Called', exact: true }).click()
    await row.getByRole('button', { name: /^listForms 503/ }).click()
    await page.getByText('The next request of listForms gets 503; nothing changes.').waitFor()
    await button('Set the fault').click()
    await page.getByText('Fault set.').waitFor()
    expect((await call('GET', '/forms'))?.status).toBe(503)
  })
})

describe('clock and limits', () => {
  it('fail a running job half-way', async () => {
    const rows = Array.from({ length: 2500 }, () => ({ col_customer: 'A' }))
    await call('POST', '/datatables/tbl_orders/jobs/insert', { rows })
    mock.clock.advance('1s')
    await openConsole('time')
    await button('Fail job_000001').click()
    await expect.poll(() => workspace().jobs.map(({ status }) => status)).toContain('failed')
    await expect.poll(() => button('Fail job_000001').count()).toBe(0)
  })

  it('has the latest of the past, and jobs only once they ended', async () => {
    await call('POST', '/datatables/tbl_orders/jobs/insert', { rows: [{ col_customer: 'A' }] })
    for (let sent = 0; sent < 14; sent++) {
      await call('GET', '/me')
      mock.clock.advance('10s')
    }
    await call('POST', '/datatables/tbl_orders/jobs/insert', { rows: [{ col_customer: 'B' }] })
    await openConsole('time')
    const past = page.locator('.timeline .past')
    await expect.poll(() => past.count()).toBe(12)
    expect(await past.first().innerText()).toContain('10:00:30')
    expect(await past.last().innerText()).toContain('10:02:20')
    expect(await past.filter({ hasText: 'job_000002' }).count()).toBe(0)
    mock.clock.advance('10s')
    await past.getByText('Job done, 1 of 1 row into Wholesale orders: job_000002').waitFor()
  })

  it('has a timeline of what was and what comes next, with names', async () => {
    await call('GET', '/me')
    mock.clock.advance('2h')
    await openConsole('time')
    const line = page.getByRole('listitem')
    await line.filter({ hasText: '1 request' }).getByText('2 h ago').waitFor()
    await button('Go there: A task repeats: Clean the afterburner').click()
    await expect.poll(() => mock.clock.now()).toBe(Date.UTC(2026, 0, 12, 8) / 1000)
    await button('Open request 1').click()
    await page.getByRole('region', { name: 'Request 1' }).waitFor()
  })

  it('keeps the focus in the timeline when a request is added to it', async () => {
    await openConsole('time')
    const go = button('Go there: A task repeats: Clean the afterburner')
    await go.focus()
    await call('GET', '/me')
    await button('Open request 1').waitFor()
    expect(await go.evaluate((element) => element.matches(':focus'))).toBe(true)
  })

  it('shows what of each limit is used, and goes back to that of the plan', async () => {
    await openConsole('settings')
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
    await row('requestsPerMonth').getByText('0 used').waitFor()
    expect(await row('requestsPerMonth').innerText()).not.toContain('resets')
    await call('POST', '/datatables/tbl_orders/rows/bulk', { rows: [{ col_customer: 'A' }] })
    expect(await row('concurrentBulkJobs').innerText()).not.toContain('ends')
    await row('bulkInsertPerMinute').getByText('1 used').waitFor()
    await row('bulkInsertPerMinute').getByText('resets 2026-01-05 10:01:00').waitFor()
    await button('Change spaces').click()
    await page.getByRole('spinbutton', { name: 'spaces' }).fill('3')
    await page.keyboard.press('Enter')
    await expect.poll(() => workspace().limits.spaces).toEqual({ limit: 3, overridden: true })
    await button('Reset to plan default: spaces').click()
    await expect.poll(() => workspace().limits.spaces).toEqual({ limit: null, overridden: false })
  })
})

describe('the questions', () => {
  it('lists those with a choice first, counts those changed, and saves them as an answers file', async () => {
    await openConsole('view=settings&part=questions')
    await page.locator('.question').first().waitFor()
    const shown = await page.locator('.question').count()
    expect(await page.getByText('one answer').count()).toBe(0)
    await page.getByRole('radio', { name: 'All', exact: true }).click()
    await expect.poll(() => page.locator('.question').count()).toBeGreaterThan(shown)
    await page.getByRole('radio', { name: /^flat Every row/ }).click()
    await tab(/Settings 1/).waitFor()
    await page.getByRole('radio', { name: 'Changed (1)' }).click()
    await expect.poll(() => page.locator('.question').count()).toBe(1)
    const [name, answers] = await saved('Save as answers file')
    expect([name, answers]).toEqual(['answers.json', { rowShape: 'flat' }])
    expect(createWorkspaceMock({ answers: answers as object }).answers.rowShape).toBe('flat')
  })

  it('has an address for each', async () => {
    await openConsole('view=settings&part=questions&question=emptyColumns')
    await page.getByRole('heading', { name: 'emptyColumns' }).waitFor()
    expect(await page.locator('.question').count()).toBe(1)
    await button('Show all questions').click()
    await expect.poll(() => page.locator('.question').count()).toBeGreaterThan(1)
    await button('rowShape').click()
    await expect.poll(() => new URL(page.url()).hash).toBe('#view=settings&part=questions&question=rowShape')
  })
})

describe('an answer as JSON', () => {
  it('is saved, or says why it cannot be; then the field shows the current one again', async () => {
    await openConsole('view=settings&part=questions&question=jobTimeline')
    const field = page.getByLabel('Answer to jobTimeline, as JSON')
    const former = await field.inputValue()
    const changed = { queuedMs: 500, chunkRows: 10, chunkMs: 500 }
    await field.fill('{')
    await button('Save this answer').click()
    await page.getByRole('alert').getByText('Invalid JSON.').waitFor()
    await button('Cancel').click()
    expect(await field.inputValue()).toBe(former)
    await field.fill(JSON.stringify(changed))
    await button('Save this answer').click()
    await expect.poll(() => mock.answers.jobTimeline).toEqual(changed)
    await expect.poll(() => button('Save this answer').count()).toBe(0)
    await button('Reset to the default').click()
    await expect.poll(() => field.inputValue()).toBe(former)
  })
})

describe('the snapshots', () => {
  it('shows their moment, size and difference, downloads and uploads them', async () => {
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_customer: 'A' } })
    await openConsole('view=state&part=snapshots')
    await page.getByLabel('Name').fill('one')
    await button('Save the current state').click()
    await page.getByText('Same records as now.').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('')
    await call('DELETE', '/datatables/tbl_orders/rows/row_000001')
    await call('DELETE', '/tasks/tsk_label')
    await page.getByText('If restored: 1 changed in tasks; 1 created in rows.').waitFor()
    await page.getByText(/2026-01-05 10:00:00, \d/).waitFor()
    await picture(page, 'console-snapshots')
    const [name, json] = await saved('Download one')
    expect(name).toBe('one.json')
    await button('Delete one').click()
    await button('Delete it?').click()
    await page.getByText('No snapshot yet').waitFor()
    await page.locator('input[type=file]').setInputFiles(fileOf('number two (1).json', json))
    await button('Restore number-two--1-').click()
    await expect
      .poll(() =>
        consoleControlsOf(mock)
          .inspect.rows('tbl_orders', { limit: 500 })
          .rows.map(({ id }) => id),
      )
      .toContain('row_000001')
  })
})

describe('a width of 1280', () => {
  it('has each toolbar on one line', async () => {
    await call('GET', '/me')
    await call('GET', '/datatables/tbl_orders/rows?limit=1')
    await openConsole('', { viewport: { width: 1280, height: 800 } })
    for (const name of views) {
      await tab(name).click()
      await page.locator('main .panel > *').first().waitFor()
      for (const bar of await page.locator('.toolbar').all())
        expect((await bar.boundingBox())?.height, name).toBeLessThan(48)
    }
  })
})

describe('a width of 1024', () => {
  it.each([
    ['the columns', 'view=state&table=tbl_orders', 'Columns'],
    ['a limit to change', 'settings', 'Change bulkInsertPerMinute'],
  ])('shows %s within the page', async (_what, place, name) => {
    mock.setLimits({ bulkInsertPerMinute: 3 })
    await openConsole(place, { viewport: { width: 1024, height: 768 } })
    await button(name).click()
    expect(await beyondMain()).toBe(0)
  })
})

describe('a width of 390', () => {
  it('needs no sideways scrolling in any view', async () => {
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_created: 5, col_customer: 'A' } })
    mock.fault({ operation: 'getIdentity', status: 503 })
    await call('GET', '/me')
    mock.setLimits({ bulkInsertPerMinute: 3 })
    mock.snapshots.save('a-name-of-some-length-for-a-snapshot-of-the-state')
    await openConsole('', narrow)
    for (const name of views) {
      await tab(name).click()
      await page.waitForTimeout(300)
      expect(await beyondMain(), name).toBe(0)
    }
    await openConsole('settings', narrow)
    await button('Change spaces').click()
    expect(await beyondMain()).toBe(0)
  })

  it('scrolls the board of runs inside its own box, to its last column', async () => {
    const label = 'checkout.spec > a label of a test that is rather long'
    const headers = { authorization: 'Bearer wm_demo_master', 'x-mock-label': label }
    for (const name of ['checkout', 'cart'])
      await fetch(`${server.baseUrl}/me`, { headers: { ...headers, 'x-mock-sandbox': name } })
    await openConsole('', narrow)
    const board = page.getByRole('region', { name: 'Sandboxes' })
    await board.getByRole('button', { name: 'cart', exact: true }).waitFor()
    expect(await beyondMain()).toBe(0)
    await board.evaluate((box) => box.scrollTo({ left: box.scrollWidth }))
    const last = await page.getByRole('columnheader', { name: 'Last request' }).boundingBox()
    expect((last?.x ?? Infinity) + (last?.width ?? 0)).toBeLessThanOrEqual(narrow.viewport.width)
  })

  it('shows the remedies of a request as a whole', async () => {
    mock.setLimits({ bulkInsertPerMinute: 1 })
    for (let sent = 0; sent < 2; sent++)
      await call('POST', '/datatables/tbl_orders/rows/bulk', { rows: [{ col_customer: 'A' }] })
    await openConsole('request=2', narrow)
    const remedies = page.getByRole('note', { name: 'Reason' })
    await button(/^Advance the clock/).waitFor()
    expect(await remedies.evaluate((note) => note.scrollWidth - note.clientWidth)).toBe(0)
  })
})
