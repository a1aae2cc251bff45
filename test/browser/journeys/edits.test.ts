// Journeys through edits: each is an API request that appears in the journal, and another request undoes it.
import { beforeEach, describe, expect, it } from 'vitest'
import { consoleControlsOf } from '../../../src/adapters/control-api/console-controls.ts'
import { accessibilityProblems, wide } from './support/browser.ts'
import { button, call, mock, openConsole, page, server } from './support/served-console.ts'

const row = '/datatables/tbl_orders/rows/row_000001'
const inspect = () => consoleControlsOf(mock).inspect
const dataOf = (id: string, table = 'tbl_orders') => inspect().row(table, id).rows[0]?.data
const taskOf = (id: string) => inspect().task(id).task
const cell = (text: string) => page.getByRole('row', { name: 'row_000001' }).getByText(text, { exact: true })
const undo = () => page.getByRole('button', { name: 'Undo', exact: true })
const focused = () =>
  page.evaluate(() => {
    let active = document.activeElement
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
    return active?.textContent ?? ''
  })

async function editCell(text: string, next: string): Promise<void> {
  await cell(text).dblclick()
  await page.locator('.cell-editor input').fill(next)
  await page.keyboard.press('Enter')
}

async function editText(change: (body: Record<string, unknown>) => void): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Body' })
  const body = JSON.parse(await field.inputValue()) as Record<string, unknown>
  change(body)
  await field.fill(JSON.stringify(body))
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

describe('a cell', () => {
  beforeEach(async () => {
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_customer: 'Süd', col_quantity: 2 } })
    await openConsole('view=state&table=tbl_orders&search=row_000001')
  })

  it('that is edited is a request of the master key in the journal, with its value before and after', async () => {
    await editCell('Süd', 'West')
    await page.getByText('Saved.').waitFor()
    expect(mock.requests().at(-1)).toMatchObject({
      ...{ operation: 'updateRow', path: row, key: 'master', console: true, status: 200 },
      requestBody: { json: { data: { col_customer: 'West' } } },
    })
    expect(mock.report()).toEqual([])
    await button('row_000001').click()
    const history = page.getByRole('region', { name: 'row_000001' }).locator('.history > li').first()
    await history.getByText('console', { exact: true }).waitFor()
    expect(await history.locator('.was').first().innerText()).toContain('Süd')
    expect(await history.locator('.is').first().innerText()).toContain('West')
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('that the API refuses says so in its own words, and stays open', async () => {
    await editCell('2', 'many')
    const refused = (await call('PATCH', row, { data: { col_quantity: 'many' } }))!
    const { error } = (await refused.json()) as { error: string }
    await page.locator('.cell-editor').getByText(error, { exact: true }).waitFor()
    expect(dataOf('row_000001')).toMatchObject({ col_quantity: 2 })
  })

  it('is put back by Undo after other requests, with a request of its own', async () => {
    await editCell('Süd', 'West')
    await undo().waitFor()
    await call('POST', '/datatables/tbl_orders/rows', { data: { col_customer: 'Nord' } })
    await call('PATCH', '/tasks/tsk_label', { title: 'Other' })
    await undo().click()
    await page.getByText('Undone: the previous values are back.').waitFor()
    expect(dataOf('row_000001')).toMatchObject({ col_customer: 'Süd', col_quantity: 2 })
    expect(mock.requests().at(-1)).toMatchObject({
      ...{ operation: 'updateRow', console: true },
      requestBody: { json: { data: { col_customer: 'Süd' } } },
    })
    expect(dataOf('row_000002')).toMatchObject({ col_customer: 'Nord' })
    expect(mock.snapshots.list()).toEqual([])
  })

  it('is not put back once a request changed its row, which is named', async () => {
    await editCell('Süd', 'West')
    await undo().waitFor()
    await call('PATCH', row, { data: { col_quantity: 3 } })
    await undo().click()
    await page.getByText('Not undone: request #3 has changed row_000001 since.').waitFor()
    expect(dataOf('row_000001')).toMatchObject({ col_customer: 'West', col_quantity: 3 })
  })

  it('is not put back after a reset, or a change without a request', async () => {
    await editCell('Süd', 'West')
    await undo().waitFor()
    await mock.db.rows('tbl_orders').update((q) => q.where({ id: 'row_000001' }), {
      data: (record) => void ((record as { data: Record<string, unknown> }).data.col_customer = 'Ost'),
    })
    await undo().click()
    await page.getByText('Not undone: row_000001 was changed since').waitFor()
    expect(dataOf('row_000001')).toMatchObject({ col_customer: 'Ost' })
  })

  it('keeps its Undo while that is hovered or focused, which one key does, and has the focus again afterwards', async () => {
    await openConsole('view=state&table=tbl_orders&search=row_000001', wide)
    await page.clock.install()
    await editCell('Süd', 'West')
    await undo().hover()
    await page.clock.fastForward('01:00')
    expect(await undo().count()).toBe(1)
    await page.keyboard.press('u')
    await page.mouse.move(0, 0)
    expect(await focused()).toBe('Undo')
    await page.clock.fastForward('01:00')
    expect(await undo().count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.getByText('Undone:').waitFor()
    await expect.poll(focused).toBe('Süd')
  })

  it('of a type that the API does not write is not edited', async () => {
    const { columns } = inspect()
      .overview()
      .workspaces[0]!.tables.find(({ id }) => id === 'tbl_orders')!
    for (const { name } of columns.filter((column) => column.readonly)) {
      const head = page.getByRole('columnheader', { name })
      const index = await head.evaluate((th) => (th as HTMLTableCellElement).cellIndex)
      await page.getByRole('row', { name: 'row_000001' }).locator('> *').nth(index).dblclick()
      expect(await page.locator('.cell-editor').count(), name).toBe(0)
    }
  })
})

describe('a row', () => {
  it('is added, changed and removed by requests, each of which Undo takes back', async () => {
    await openConsole('view=state&table=tbl_samples')
    await button('Add a row').click()
    await page.getByText('POST /datatables/tbl_samples/rows').first().waitFor()
    await editText((body) => Object.assign(body.data as object, { col_cups: 12 }))
    const pane = page.getByRole('region', { name: 'row_000001' })
    await pane.getByText('12').first().waitFor()
    await pane.getByRole('button', { name: 'Edit' }).click()
    await editText((body) => Object.assign(body.data as object, { col_cups: 'many' }))
    await pane.getByRole('alert').getByText('many').waitFor()
    await editText((body) => Object.assign(body.data as object, { col_cups: 13, col_sent: true }))
    await page.getByText('Saved.').waitFor()
    await undo().click()
    await page.getByText('Undone: the previous values are back.').waitFor()
    expect(dataOf('row_000001', 'tbl_samples')).toMatchObject({ col_cups: 12 })
    await pane.getByRole('button', { name: 'Remove' }).click()
    await pane.getByRole('button', { name: 'Remove row_000001?' }).click()
    await page.getByText('Row removed.').waitFor()
    expect(() => dataOf('row_000001', 'tbl_samples')).toThrow('row_000001')
    await undo().click()
    await page.getByText('Undone: the previous values are back, under a new id.').waitFor()
    expect(dataOf('row_000002', 'tbl_samples')).toMatchObject({ col_cups: 12 })
    const operations = mock
      .requests()
      .map(({ operation, console }) => `${String(operation)} ${String(console)}`)
    expect(operations).toEqual([
      ...['createRow true', 'updateRow true', 'updateRow true', 'updateRow true'],
      ...['deleteRow true', 'createRow true'],
    ])
  })

  it('of another sandbox is edited there, with the key of its own workspace', async () => {
    const other = mock.sandbox('side')
    const table = inspect()
      .overview()
      .workspaces.find(({ plan }) => plan === 'free')!.tables[0]!
    const path = `/datatables/${table.id}/rows`
    const headers = {
      ...{ authorization: 'Bearer wm_free_master', 'x-mock-sandbox': 'side' },
      'content-type': 'application/json',
    }
    await fetch(server.baseUrl + path, { method: 'POST', headers, body: '{"data":{}}' })
    await openConsole(`view=state&sandbox=side&table=${table.id}&row=row_000001`)
    await button('Remove').click()
    await button('Remove row_000001?').click()
    await page.getByText('Row removed.').waitFor()
    expect(other.requests().at(-1)).toMatchObject({ operation: 'deleteRow', key: 'free', status: 200 })
    expect(mock.requests()).toEqual([])
  })
})

describe('a task', () => {
  it('is added, changed and removed by requests, each of which Undo takes back', async () => {
    await openConsole('view=state&part=tasks&list=lst_launch')
    await button('Add a task').click()
    await editText((body) => Object.assign(body, { title: 'Sweep' }))
    const pane = page.getByRole('region', { name: 'Sweep', exact: true })
    await pane.waitFor()
    const { id } = mock.db.tasks.findFirst((query) => query.where({ title: 'Sweep' }))!
    await pane.getByRole('button', { name: 'Edit' }).click()
    await editText((body) =>
      Object.assign(body, { priority: 'urgent', custom_data: { fld_tagline: 'Peach' } }),
    )
    await page.getByText('Saved.').waitFor()
    expect(taskOf(id)).toMatchObject({ priority: 'urgent', custom_data: { fld_tagline: 'Peach' } })
    await undo().click()
    await page.getByText('Undone: the previous values are back.').waitFor()
    expect(taskOf(id).priority).toBe(null)
    expect(taskOf(id).custom_data.fld_tagline ?? null).toBe(null)
    await pane.getByRole('button', { name: 'Remove' }).click()
    await pane.getByRole('button', { name: `Remove ${id}?` }).click()
    await page.getByText('Task removed.').waitFor()
    expect(taskOf(id).deleted_at).not.toBe(null)
    await undo().click()
    await expect.poll(() => taskOf(id).deleted_at).toBe(null)
  })

  it('of a private list cannot be edited: the API responds with 404', async () => {
    const list = inspect()
      .overview()
      .workspaces[0]!.lists.find(({ is_private }) => is_private)!
    const [task] = inspect().tasks(list.id)
    await openConsole(`view=state&part=tasks&task=${task!.id}`)
    await button('Remove').click()
    await button(`Remove ${task!.id}?`).click()
    await page
      .getByText(/not found|does not exist/i)
      .first()
      .waitFor()
    expect(mock.requests().at(-1)).toMatchObject({ operation: 'deleteTask', status: 404 })
  })
})
