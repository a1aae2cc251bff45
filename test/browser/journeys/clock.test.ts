// Journeys through clock moves: the console names what a move caused and links to the record.
import { expect, it } from 'vitest'
import { consoleControlsOf } from '../../../src/adapters/control-api/console-controls.ts'
import { picture } from './support/browser.ts'
import { button, call, openConsole, page, mock, tab } from './support/served-console.ts'

const message = () => page.getByRole('status').filter({ hasText: /Advanced by|Clock/ })
const dueNames = (kind: string) =>
  consoleControlsOf(mock)
    .inspect.overview()
    .due.filter((entry) => entry.kind === kind)
    .map(({ name }) => name)

it('A move of the clock names the chunks of a job, the repeated and the purged tasks that it brought, with links', async () => {
  await call('POST', '/datatables/tbl_orders/jobs/insert', { rows: [{ col_customer: 'A' }] })
  const [repeated = ''] = dueNames('repeat')
  const [purged = ''] = dueNames('purge')
  expect([repeated, purged]).not.toContain('')
  await openConsole('time')
  await button('+1 min').first().click()
  await message().getByText('Advanced by 1m.').waitFor()
  await expect
    .poll(() => message().innerText())
    .toContain('Job done, 1 of 1 row into Wholesale orders: job_000001.')
  await button('+30 d').last().click()
  await message().getByText('Advanced by 30d.').waitFor()
  await expect.poll(() => message().innerText()).toContain(`Task repeated: ${repeated}.`)
  expect(await message().innerText()).toContain(`Task purged: ${purged}.`)
  await picture(page, 'console-clock-moved')
  const past = page.locator('.timeline .past')
  await expect
    .poll(() => past.allInnerTexts())
    .toEqual(
      expect.arrayContaining([
        expect.stringContaining(`Task repeated: ${repeated}`),
        expect.stringContaining(`Task purged: ${purged}`),
      ]),
    )
  await message().getByRole('button', { name: repeated }).first().click()
  await page.getByRole('region', { name: repeated }).first().waitFor()
  expect(page.url()).toContain('task=')
  await message().getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone: state and clock are as before.').waitFor()
  expect(dueNames('purge')).toContain(purged)
  await tab('Time and jobs').click()
  await expect.poll(() => past.filter({ hasText: 'Task purged' }).count()).toBe(0)
})

it('What the clock brought by itself, or moved by a test, stands in the past of the timeline and leads to its record', async () => {
  await call('POST', '/datatables/tbl_orders/jobs/insert', { rows: [{ col_customer: 'A' }] })
  mock.clock.advance('1m')
  await openConsole('time')
  const line = (text: string) => page.locator('.timeline .past').filter({ hasText: text })
  await line('Job processing, 0 of 1 row into Wholesale orders: job_000001').waitFor()
  await line('Job done, 1 of 1 row').getByRole('button', { name: 'Open request 1' }).click()
  await page.getByRole('region', { name: 'Request 1' }).waitFor()
  const [repeated = ''] = dueNames('repeat')
  mock.clock.advance('30d')
  await tab('Time and jobs').click()
  await line(`Task repeated: ${repeated}`).getByRole('button').last().click()
  await page.getByRole('region', { name: repeated }).first().waitFor()
})

it('A move of the clock that brings nothing says no more than that', async () => {
  await openConsole('time')
  await button('+1 s').first().click()
  await message().getByText('Advanced by 1s.').waitFor()
  expect(await message().innerText()).toMatch(/^Advanced by 1s\.\s*Undo$/)
})

it('The timeline has the button of a moment on its line, also where the console is docked', async () => {
  await call('GET', '/me')
  mock.clock.advance('2h')
  await openConsole('time', { viewport: { width: 600, height: 800 } })
  for (const name of ['Open request 1', /^Go there: A task repeats/]) {
    const line = page.getByRole('listitem').filter({ has: button(name) })
    const placeOf = async (locator: typeof line) =>
      (await locator.first().boundingBox()) ?? { y: 0, height: 0 }
    const [shown, when] = [await placeOf(button(name)), await placeOf(line.locator('.when'))]
    expect(shown.y).toBeLessThan(when.y + when.height)
  }
})
