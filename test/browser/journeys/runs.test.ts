// Journeys through several sandboxes and user data: what is shown and changed, requests sent again, files, undo, the
// token.
import { consoleControlsOf } from '../../../src/adapters/control-api/console-controls.ts'
import { describe, beforeEach, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../../src/index.ts'
import { serve } from '../../../src/node.ts'
import { picture, visit } from './support/browser.ts'
import { browser, button, call, mock, openConsole, page, server, tab } from './support/served-console.ts'

const rows = () => page.getByRole('listbox').getByRole('option')
const send = (path: string, sandbox: string) =>
  fetch(`${server.baseUrl}${path}`, {
    headers: {
      authorization: 'Bearer wm_demo_master',
      'x-mock-sandbox': sandbox,
      'x-mock-label': `label ${sandbox}`,
    },
  })
const copied = () => page.evaluate(() => navigator.clipboard.readText())

describe('several sandboxes', () => {
  beforeEach(async () => {
    await send('/me', 'calm')
    for (let sent = 0; sent < 2; sent++) await send('/tasks/tsk_none', 'broken')
    await call('GET', '/me')
  })

  it('are a board, the worst first, of which a click shows one', async () => {
    await openConsole()
    const names = () => page.getByRole('rowheader').allInnerTexts()
    await expect.poll(names).toEqual(['broken label broken', 'calm label calm', 'main'])
    await button('1: open the report of broken').click()
    await page.getByText('Shows sandbox broken').waitFor()
    await page.locator('.finding').waitFor()
    await tab(/Journal/).click()
    await expect.poll(() => rows().count()).toBe(2)
    await button('Show all').click()
    await expect.poll(() => rows().count()).toBe(4)
  })

  const breakConnection = async () => {
    await page.getByRole('radio', { name: 'Broken connection' }).check()
    await button('Set the fault in all sandboxes').click()
  }

  it('have one report, one recording, tests and faults of their own', async () => {
    await openConsole('view=report')
    await page.getByText('Shows all 3 sandboxes; buttons act on each of them.').waitFor()
    await page.getByText('broken #2').waitFor()
    await tab(/Journal/).click()
    await expect.poll(() => rows().count()).toBe(4)
    await button('Copy as a test').click()
    await expect.poll(copied).toContain("import { expect } from 'vitest'")
    expect((await copied()).match(/^test\(/gm)).toHaveLength(3)
    const waiting = page.waitForEvent('download')
    await button('Save as HAR').click()
    expect((await waiting).suggestedFilename()).toBe('workspace-api-mock.har')
    await tab('Faults').click()
    await breakConnection()
    await page.getByText('Fault set. In all 3 sandboxes.').waitFor()
    await expect.poll(() => mock.faults()).toMatchObject([{ network: true, sandboxes: 'all' }])
  })

  it('have a fault that is set in all of them as one card, which meets those made later too', async () => {
    await openConsole('view=faults')
    await breakConnection()
    const card = page.locator('.item-list li')
    await card.getByText('in every sandbox, including those made later').waitFor()
    for (const sandbox of ['calm', 'later']) await expect(send('/me', sandbox)).rejects.toThrow(TypeError)
    await card.getByText('2 hits').waitFor()
    await card.getByText('In later: The client has sent nothing since.').waitFor()
    expect(await card.count()).toBe(1)
    await tab(/Faults 1/).waitFor()
    await button('Remove fault_all_1').click()
    await page.getByText('No fault is set').waitFor()
    expect((await send('/me', 'last')).status).toBe(200)
  })

  it('are to be chosen where a view shows a single one', async () => {
    await openConsole('view=state')
    await page.getByText('This view shows one sandbox at a time. Which one?').waitFor()
    await button(/^calm/).click()
    await button('Add a row').waitFor()
    await page.getByText('Shows sandbox calm').waitFor()
  })

  it('have the requests of the main one when it alone is selected', async () => {
    await openConsole('view=runs')
    const copy = button('Copy as a test')
    await page.getByText('Select sandboxes to act on them').waitFor()
    expect(await copy.isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'Select main' }).check()
    await page.getByText('1 selected').waitFor()
    await copy.click()
    await expect.poll(copied).toContain("import { expect } from 'vitest'")
    expect((await copied()).match(/^test\(/gm)).toHaveLength(1)
  })

  it('keep the focus on Undo while an earlier message goes', async () => {
    await openConsole('view=runs')
    await page.getByRole('checkbox', { name: 'Select main' }).check()
    await button('Copy as a test').click()
    const message = page.getByText('Copied.')
    await message.waitFor()
    await button('Reset').click()
    await button('Reset in all 3 sandboxes?').click()
    await button('Undo').focus()
    await message.dispatchEvent('click')
    await expect.poll(() => message.count()).toBe(0)
    expect(await button('Undo').evaluate((element) => element.matches(':focus'))).toBe(true)
  })

  it('are reset together, which can be undone, and deleted when selected', async () => {
    mock.sandbox('calm').setPlan('scale')
    await openConsole('view=runs')
    await button('Reset').click()
    await button('Reset in all 3 sandboxes?').click()
    const plan = () => consoleControlsOf(mock.sandbox('calm')).inspect.overview().workspaces[0]?.plan
    await expect.poll(plan).toBe('pro')
    await button('Undo').click()
    await expect.poll(plan).toBe('scale')
    await page.getByRole('checkbox', { name: 'Select calm' }).check()
    await page.getByRole('checkbox', { name: 'Select broken' }).check()
    // The main sandbox cannot be deleted.
    await page.getByRole('checkbox', { name: 'Select main' }).check()
    await page.getByText('3 selected').waitFor()
    await button('Delete').click()
    await button('Delete 2 sandboxes?').click()
    await page.getByText('Deleted 2 sandboxes.', { exact: true }).waitFor()
    expect(mock.sandboxes()).toEqual([])
    await page.getByText('Select sandboxes to act on them').waitFor()
  })
})

describe('a request', () => {
  it('is edited and sent, compared with the original, and counts nowhere', async () => {
    await call('GET', '/tasks/tsk_none')
    await openConsole('request=1')
    await page.getByText('Edit and send').click()
    await page.getByLabel('GET, path and query').fill('/tasks/tsk_launch_guji')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('region', { name: 'Request 2' }).waitFor()
    await page.getByRole('heading', { name: 'Compared with request 1' }).waitFor()
    expect(consoleControlsOf(mock).requestSummaries().at(-1)).toMatchObject({ status: 200, console: true })
    const before = page.getByLabel('Response of request 1')
    await before.getByText('tsk_none').waitFor()
    expect(await before.locator('mark').count()).toBeGreaterThan(0)
    await button('Send again').click()
    await page.getByRole('region', { name: 'Request 3' }).waitFor()
    await page.getByText('Both responses are the same.').waitFor()
    await page.getByText('Edit and send').click()
    await page.getByRole('combobox', { name: 'Method' }).selectOption('DELETE')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('region', { name: 'Request 4' }).waitFor()
    expect(mock.requests().at(-1)).toMatchObject({ method: 'DELETE', status: 200 })
    expect(mock.report()).toEqual([])
  })

  it('is found by the content of its body, and its address says when it was dropped', async () => {
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_customer: 'Zugvogel' } })
    await call('GET', '/me')
    await openConsole()
    await page.getByLabel('Filter the journal').fill('zugvogel')
    await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining('createRow')])
    await page.getByLabel('Filter the journal').fill('-method:POST status:2xx')
    await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining('getIdentity')])
    await openConsole('request=77')
    await page.getByText('The journal has no request 77').waitFor()
  })

  it('shows how many of its rows failed', async () => {
    const json = { rows: [{ col_customer: 'A' }, { col_quantity: 'many' }] }
    await call('POST', '/datatables/tbl_orders/rows/bulk', json)
    await openConsole('request=1')
    const why = page.getByRole('note', { name: 'Reason' })
    await why.getByText('1 of 2 rows failed').waitFor()
    await why.getByText(/^Row 1: .*many/).waitFor()
  })
})

describe('own data', () => {
  const input = () => page.locator('input[type=file]')
  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

  it('is added from CSV, edited in its cell, and removed when selected', async () => {
    await openConsole('view=state&table=tbl_samples')
    await input().setInputFiles(file('rows.csv', 'col_cups;Sent;Colour\n3;yes;red\n"4";no;blue\n'))
    await page.getByText('Added 2 rows to Sample requests. Ignored, because not writable: Colour.').waitFor()
    const data = (id: string) => consoleControlsOf(mock).inspect.row('tbl_samples', id).rows[0]?.data
    expect([data('row_000001'), data('row_000002')]).toMatchObject([
      { col_cups: 3, col_sent: true },
      { col_cups: 4, col_sent: false },
    ])
    await page.getByRole('row', { name: 'row_000001' }).getByText('3', { exact: true }).dblclick()
    await page.getByRole('textbox', { name: 'Cups' }).fill('12')
    await page.keyboard.press('Enter')
    await expect.poll(() => data('row_000001')).toMatchObject({ col_cups: 12 })
    for (const id of ['row_000001', 'row_000002'])
      await page.getByRole('checkbox', { name: `Select ${id}` }).check()
    await button('Remove 2 rows').click()
    await button('Remove 2 rows?').click()
    await page.getByText('Removed 2 rows.').waitFor()
    await button('Undo').click()
    await page.getByText('under a new id').waitFor()
    await page.getByRole('checkbox', { name: 'Select row_000003' }).waitFor()
    expect([data('row_000003'), data('row_000004')]).toContainEqual(expect.objectContaining({ col_cups: 12 }))
  })

  it('from CSV is refused by line and column, in messages that stay until they are dismissed', async () => {
    await openConsole('view=state&table=tbl_samples')
    await input().setInputFiles(file('samples.csv', 'Cups;Sent\n3;yes\n4;perhaps\n5;maybe\n'))
    const wrong = page.getByText('samples.csv, line 3, Sent must be true or false; received "perhaps"')
    await wrong.waitFor()
    await page.getByText('also in line 4').waitFor()
    await picture(page, 'console-csv-errors')
    // Another message appears and disappears in the meantime.
    await button('http://').first().click()
    await page.getByText('Copied.').waitFor()
    await expect.poll(() => page.getByText('Copied.').count()).toBe(0)
    expect(await wrong.count()).toBe(1)
    await button('Dismiss').click()
    await expect.poll(() => wrong.count()).toBe(0)
    expect(
      consoleControlsOf(mock)
        .inspect.rows('tbl_samples')
        .rows.map(({ id }) => id),
    ).not.toContain('row_000001')
  })

  it('is loaded from a fixture once that is confirmed, and other files are refused', async () => {
    const fixture = createWorkspaceMock({ fixture: 'empty' }).state()
    await openConsole('view=state&part=snapshots')
    await input().setInputFiles(file('other.json', '{"some":"thing"}'))
    await page.getByText('other.json is neither a fixture').waitFor()
    await input().setInputFiles(file('mine.json', JSON.stringify(fixture)))
    await button('Load it').click()
    await expect
      .poll(() => Object.keys(mock.keys))
      .toEqual(Object.keys(createWorkspaceMock({ fixture: 'empty' }).keys))
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
  })

  it('is kept as it was entered while other views are shown, and a taken name of a snapshot is asked about', async () => {
    mock.snapshots.save('one')
    await openConsole('view=state&part=snapshots')
    await page.getByLabel('Name').fill('one')
    await tab('Faults').click()
    await tab('State').click()
    expect(await page.getByLabel('Name').inputValue()).toBe('one')
    mock.setPlan('scale')
    await button('Save the current state').click()
    await button('Replace one?').click()
    await page.getByText('Saved as one.').waitFor()
    mock.reset()
    mock.snapshots.restore('one')
    expect(consoleControlsOf(mock).inspect.overview().workspaces[0]?.plan).toBe('scale')
  })
})

describe('a server with a token', () => {
  it('is opened by a form where the token is missing', async () => {
    const guarded = await serve(createWorkspaceMock(), { controlToken: 'let-me-in' })
    const other = await visit(browser, `${guarded.url}/__mock/`)
    try {
      await other.page.getByLabel('Control token').fill('wrong')
      await other.page.getByRole('button', { name: 'Connect' }).click()
      await other.page.getByText('another X-Mock-Token').waitFor()
      await other.page.getByLabel('Control token').fill('let-me-in')
      await other.page.getByRole('button', { name: 'Connect' }).click()
      await other.page.getByText('No request yet').waitFor()
      await other.page.reload()
      await other.page.getByText('No request yet').waitFor()
    } finally {
      await other.close()
      await guarded.close()
    }
  })
})
