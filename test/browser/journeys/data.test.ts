// Journeys to records: what a request changed, a record's history, rows and tasks read and edited.
import { consoleControlsOf } from '../../../src/adapters/control-api/console-controls.ts'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems, picture } from './support/browser.ts'
import { button, call, mock, openConsole, page } from './support/served-console.ts'

describe('a request', () => {
  it('shows what it changed field by field, leads to the record, and the record back to it', async () => {
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_customer: 'Süd', col_quantity: 2 } })
    await call('PATCH', '/datatables/tbl_orders/rows/row_000001', { data: { col_customer: 'Nord' } })
    await openConsole('request=2')
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

describe('the rows of a table', () => {
  const ids = () => page.getByRole('table').getByRole('rowheader').allInnerTexts()
  const cell = (row: string) => page.getByRole('row', { name: row })

  it('are searched, sorted and shown by column, all of it in the address', async () => {
    await openConsole('view=state&table=tbl_shipments')
    await page.getByLabel('Search the rows').fill('berlin')
    await expect.poll(() => page.url()).toContain('search=berlin')
    await page.getByText(/^\d+ of 1,200 rows$/).waitFor()
    await button('Value').click()
    await button('Value').click()
    const wanted = consoleControlsOf(mock).inspect.rows('tbl_shipments', {
      search: 'berlin',
      sort: 'col_value:desc',
    })
    await expect.poll(ids).toEqual(wanted.rows.map(({ id }) => id))
    await button('Columns').click()
    const steps = await page.evaluate(() => history.length)
    await page.getByRole('checkbox', { name: 'Remark' }).uncheck()
    await expect.poll(() => page.getByRole('columnheader', { name: 'Remark' }).count()).toBe(0)
    expect(await page.evaluate(() => history.length)).toBe(steps)
    await picture(page, 'console-rows')
    await page.reload()
    await expect.poll(ids).toEqual(wanted.rows.map(({ id }) => id))
    expect(await page.getByRole('columnheader', { name: 'Value' }).getAttribute('aria-sort')).toBe(
      'descending',
    )
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('show dates without a time, moments with one, amounts with their currency', async () => {
    await openConsole('view=state&table=tbl_shipments&hide=col_reference')
    const first = page.getByRole('row').nth(1)
    await first.getByText(/^\d{4}-\d\d-\d\d$/).waitFor()
    await first.getByText(/^[\d,]+\.\d\d EUR$/).waitFor()
    await page.goto(new URL('#view=state&table=tbl_orders', page.url()).href)
    await cell('row_order_1')
      .getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      .first()
      .waitFor()
  })

  it('are paged to the last one and no further', async () => {
    await openConsole('view=state&table=tbl_shipments&offset=1100')
    await page.getByText('1,101 to 1,150 of 1,200').waitFor()
    await button('Next page').click()
    await page.getByText('1,151 to 1,200 of 1,200').waitFor()
    for (const name of ['Next page', 'Last page']) expect(await button(name).isDisabled(), name).toBe(true)
    await page.getByLabel('Search the rows').fill('berlin')
    await expect.poll(() => page.url()).not.toContain('offset')
  })

  it('lead to the rows that they link to, and Back comes back', async () => {
    await openConsole('view=state&table=tbl_orders')
    const { links = {} } = consoleControlsOf(mock).inspect.row('tbl_orders', 'row_order_1')
    const label = links.row_coffee_huila?.label ?? ''
    await cell('row_order_1').getByRole('button', { name: label }).click()
    await page.getByRole('region', { name: 'row_coffee_huila' }).waitFor()
    expect(page.url()).toContain('table=tbl_coffees')
    await page.goBack()
    await cell('row_order_1').waitFor()
  })
})

describe('a task', () => {
  it('is found by the search in lists that are not open, and leads to its own', async () => {
    await openConsole('view=state&part=tasks&list=lst_launch')
    await page.getByRole('region', { name: /^Tasks of/ }).waitFor()
    await page.getByLabel('Search the tasks').fill('afterburner')
    await page.getByRole('columnheader', { name: 'List', exact: true }).waitFor()
    await button('tsk_clean_afterburner').click()
    await page.getByRole('region', { name: 'Clean the afterburner', exact: true }).waitFor()
    expect(await page.getByLabel('List', { exact: true }).inputValue()).toBe('lst_production')
  })

  it('opens with comments, time entries, attachments, custom fields and its history', async () => {
    await call('PATCH', '/tasks/tsk_launch_guji', { title: 'Launch' })
    mock.clock.advance('2h')
    await openConsole('request=1')
    await page.getByRole('button', { name: 'tsk_launch_guji' }).click()
    const task = page.getByRole('region', { name: 'Launch', exact: true })
    for (const title of ['Comments 4', 'Time entries 3', 'Attachments 2', 'History'])
      await task.getByRole('heading', { name: title }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await task
      .getByRole('button', {
        name: consoleControlsOf(mock).inspect.task('tsk_launch_guji').links?.row_coffee_guji?.label ?? '',
      })
      .click()
    await page.getByRole('region', { name: 'row_coffee_guji' }).waitFor()
  })

  it('is late only while it is to be done', async () => {
    mock.clock.advance('90d')
    await openConsole('view=state&part=tasks&list=lst_launch')
    const late = (status: string) => page.getByRole('row').filter({ hasText: status }).locator('.error-text')
    await late('In progress').first().waitFor()
    expect(await late('Done').count()).toBe(0)
  })

  it('is changed in its cell, deleted by a client, and restored', async () => {
    await openConsole('view=state&part=tasks&list=lst_launch')
    const tasks = page.getByRole('region', { name: /^Tasks of/ })
    const row = tasks.getByRole('row').filter({ hasText: 'tsk_launch_guji' })
    const task = () => mock.db.tasks.findFirst((query) => query.where({ id: 'tsk_launch_guji' }))
    await row.getByRole('cell').filter({ hasText: 'In progress' }).dblclick()
    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Done' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await row.getByText('Done').waitFor()
    expect(task()?.status_id).toBe('sts_launch_done')
    await call('DELETE', '/tasks/tsk_launch_guji')
    await row.getByText('purged in 30 d').waitFor()
    await button('Restore tsk_launch_guji').click()
    await expect.poll(() => task()?.deleted_at).toBe(null)
    await row.waitFor()
  })

  it('shows the value of a formula in its row as in its pane', async () => {
    await openConsole('view=state&part=tasks&task=tsk_launch_guji')
    const value = '24.166666666666668'
    await page.locator('.detail .pairs').getByText(value).waitFor()
    await page.getByRole('row', { name: 'tsk_launch_guji' }).getByText(value).waitFor()
  })

  it('says how it repeats', async () => {
    await openConsole('view=state&part=tasks&task=tsk_clean_afterburner')
    await page.getByText('weekly on Monday at 08:00').waitFor()
    expect(await page.getByLabel('List').inputValue()).toBe('lst_production')
  })
})
