// Journeys through cells: edited with the keyboard alone, without moving a row or a column.
import { describe, expect, it } from 'vitest'
import { consoleControlsOf } from '../../../src/adapters/control-api/console-controls.ts'
import { accessibilityProblems, picture } from './support/browser.ts'
import { button, call, mock, openConsole, page } from './support/served-console.ts'

const dataOf = (id: string) => consoleControlsOf(mock).inspect.row('tbl_orders', id).rows[0]?.data
const focused = () =>
  page.evaluate(() => {
    let active = document.activeElement
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
    return active?.tagName ?? ''
  })
const sizes = () =>
  page.locator('table.data :is(tr, thead th)').evaluateAll((elements) =>
    elements.map((element) => {
      const { width, height } = element.getBoundingClientRect()
      return [width, height]
    }),
  )

describe('a cell', () => {
  it('is edited after a double click: focused, saved by Enter, left by Escape, with the table as it was', async () => {
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_customer: 'Süd' } })
    await openConsole('view=state&table=tbl_orders&search=Süd')
    await page.getByText('To edit a cell, double-click it or press Enter').waitFor()
    const cell = page.getByRole('row', { name: 'row_000001' }).getByText('Süd', { exact: true })
    await cell.waitFor()
    const before = await sizes()
    await cell.dblclick()
    await expect.poll(focused).toBe('INPUT')
    expect(await sizes()).toEqual(before)
    await picture(page, 'console-cell')
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.type('Nord')
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('TD')
    expect(dataOf('row_000001')).toMatchObject({ col_customer: 'Süd' })
    await cell.dblclick()
    await expect.poll(focused).toBe('INPUT')
    await page.keyboard.type('West Süd')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('TD')
    expect(dataOf('row_000001')).toMatchObject({ col_customer: 'West Süd' })
  })

  it('of any type is reached with arrows from the id of its row, and opened by Enter', async () => {
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_customer: 'Süd' } })
    await openConsole('view=state&table=tbl_orders&search=Süd')
    await button('row_000001').focus()
    const columns = await page.getByRole('columnheader').count()
    let edited = 0
    // From the id over the version to the last column; the first column has the checkboxes.
    for (let column = 2; column < columns; column++) {
      await page.keyboard.press('ArrowRight')
      await expect.poll(focused).toBe('TD')
      await page.keyboard.press('Enter')
      if ((await page.locator('.cell-editor').count()) === 0) continue
      edited += 1
      await expect.poll(focused).toMatch(/INPUT|SELECT|TEXTAREA/)
      await page.keyboard.press('Escape')
    }
    expect(edited).toBeGreaterThan(4)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(focused).toBe('TD')
  })

  it('that cannot be saved says why and stays open', async () => {
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_customer: 'Süd', col_quantity: 2 } })
    await openConsole('view=state&table=tbl_orders&search=Süd')
    await page.getByRole('row', { name: 'row_000001' }).getByText('2', { exact: true }).dblclick()
    await page.keyboard.type('many')
    await page.keyboard.press('Enter')
    await page.locator('.cell-editor').getByText('many').waitFor()
    await expect.poll(focused).toBe('INPUT')
  })
})
