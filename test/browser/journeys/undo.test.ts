// Journeys with Undo: what it restores, and that it refuses to discard newer changes.
import { describe, expect, it } from 'vitest'
import { consoleControlsOf } from '../../../src/adapters/control-api/console-controls.ts'
import { visit } from './support/browser.ts'
import { browser, button, call, mock, openConsole, page, server } from './support/served-console.ts'

const dataOf = (id: string) => consoleControlsOf(mock).inspect.row('tbl_orders', id).rows[0]?.data
const names = () => mock.snapshots.list().map(({ name }) => name)
const undo = () => page.getByRole('button', { name: 'Undo', exact: true })

async function resetByHand(): Promise<void> {
  await button('Reset').click()
  await button('Reset everything?').click()
}

describe('undo', () => {
  it('of a reset brings back the state and says what does not come back', async () => {
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_customer: 'Süd' } })
    mock.fault({ status: 503 })
    await openConsole()
    await resetByHand()
    await page.getByText('Undo restores the state, but not journal, report and faults.').waitFor()
    await undo().click()
    await page.getByText('state and clock are as before; journal, report and faults are not').waitFor()
    expect(dataOf('row_000001')).toMatchObject({ col_customer: 'Süd' })
    expect(names()).toEqual([])
  })

  it('of a reset is possible after requests that only read', async () => {
    mock.setPlan('scale')
    await openConsole()
    await resetByHand()
    await undo().waitFor()
    await call('GET', '/me')
    await call('GET', '/datatables/tbl_orders/rows')
    await undo().click()
    await page.getByText(/^Undone: /).waitFor()
    expect(consoleControlsOf(mock).inspect.overview().workspaces[0]?.plan).toBe('scale')
  })

  it('of a reset is refused where the state changed since, and the state before is kept', async () => {
    mock.setPlan('scale')
    await openConsole()
    await resetByHand()
    await undo().waitFor()
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_customer: 'Nord' } })
    await undo().click()
    await page
      .getByText('Not undone: the state has changed since, and those changes would be lost.')
      .waitFor()
    expect(dataOf('row_000001')).toMatchObject({ col_customer: 'Nord' })
    const [kept = ''] = names()
    mock.snapshots.restore(kept)
    expect(consoleControlsOf(mock).inspect.overview().workspaces[0]?.plan).toBe('scale')
  })

  it('never brings back what another console saved', async () => {
    mock.setPlan('scale')
    await openConsole('view=time')
    const other = await visit(browser, `${server.url}/__mock/#view=time`)
    await resetByHand()
    await undo().waitFor()
    await other.page.getByTitle('Advance the clock').first().click()
    const undoOther = other.page.getByRole('button', { name: 'Undo', exact: true })
    await undoOther.waitFor()
    await undo().click()
    await page.getByText('Not undone').waitFor()
    await undoOther.click()
    await other.page.getByText(/^Undone: /).waitFor()
    expect(consoleControlsOf(mock).inspect.overview().workspaces[0]?.plan).toBe('pro')
    await other.close()
  })

  it('leaves a deleted sandbox deleted', async () => {
    mock.sandbox('calm').setPlan('scale')
    await openConsole()
    await button('Reset').click()
    await button('Reset in all 2 sandboxes?').click()
    await undo().waitFor()
    mock.deleteSandbox('calm')
    await undo().click()
    await page.getByText('Not undone: sandbox calm has since been deleted.').waitFor()
    expect(mock.sandboxes()).toEqual([])
  })
})
