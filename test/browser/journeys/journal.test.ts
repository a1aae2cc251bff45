// The journeys through the journal: its filters, its keyboard, what is sent again, cleared and remembered.
import { describe, expect, it } from 'vitest'
import { button, call, mock, openConsole, page, server, tab } from './support/served-console.ts'

const rows = () => page.getByRole('listbox').getByRole('option')
const search = () => page.getByLabel('Filter the journal')
const send = (path: string, sandbox: string, label = '') =>
  fetch(`${server.baseUrl}${path}`, {
    headers: {
      authorization: 'Bearer wm_demo_master',
      'x-mock-sandbox': sandbox,
      ...(label !== '' && { 'x-mock-label': label }),
    },
  })

describe('the filters', () => {
  it('count a broken connection as a failure of the server', async () => {
    mock.fault({ operation: 'getIdentity', network: true })
    await call('GET', '/me')
    await call('GET', '/me')
    await openConsole()
    await expect.poll(() => rows().count()).toBe(2)
    await search().fill('status:5xx')
    await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining('connection broken')])
  })

  it('find sandboxes by name and by label', async () => {
    await send('/me', 'worker-1', 'checkout.spec > pays')
    await send('/me', 'worker-2', 'cart.spec > empties')
    await openConsole()
    const found = page.getByRole('rowheader')
    await expect.poll(() => found.count()).toBe(3)
    await page.getByLabel('Find a sandbox').fill('PAYS')
    await expect.poll(() => found.allInnerTexts()).toEqual(['worker-1 checkout.spec > pays'])
  })
})

describe('the keyboard', () => {
  it('does not change what is typed in a field', async () => {
    await call('GET', '/me')
    await openConsole()
    await search().focus()
    await page.keyboard.type('/jk?')
    expect(await search().inputValue()).toBe('/jk?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByRole('region', { name: /Request/ }).count()).toBe(0)
  })
})

describe('a request', () => {
  it('is sent again in its sandbox, with its label', async () => {
    await send('/spaces', 'checkout', 'pays')
    await openConsole('view=journal')
    await rows().first().click()
    await button('Send again').click()
    await page.getByRole('region', { name: 'Request 2' }).waitFor()
    expect(mock.sandbox('checkout').requests()).toMatchObject([
      { label: 'pays' },
      { label: 'pays', status: 200 },
    ])
    expect(mock.requests()).toEqual([])
  })

  it('stays open while other views are shown', async () => {
    await call('GET', '/me')
    await openConsole('request=1')
    await page.getByRole('region', { name: 'Request 1' }).waitFor()
    await tab('Time and jobs').click()
    await tab(/Journal/).click()
    await page.getByRole('region', { name: 'Request 1' }).waitFor()
  })
})

describe('the journal', () => {
  it('is cleared in all sandboxes where all are shown, else in the one that is', async () => {
    await send('/me', 'one')
    await send('/me', 'two')
    await call('GET', '/me')
    const left = () =>
      [null, 'one', 'two'].map((name) => (name === null ? mock : mock.sandbox(name)).requests().length)
    const clear = async () => {
      await button('Clear').click()
      await button('Clear the journal?').click()
      await page.getByText('Journal cleared.').waitFor()
    }
    await openConsole('view=journal&sandbox=one')
    await expect.poll(() => rows().count()).toBe(1)
    await clear()
    expect(left()).toEqual([1, 0, 1])
    await openConsole('view=journal')
    await expect.poll(() => rows().count()).toBe(2)
    await button('Clear').click()
    await button('Clear the journal in all 3 sandboxes?').click()
    await page.getByText('Journal cleared. In all 3 sandboxes.').waitFor()
    expect(left()).toEqual([0, 0, 0])
    await expect.poll(() => rows().count()).toBe(0)
  })
})

describe('the address', () => {
  it('does not keep the token', async () => {
    await openConsole('view=time&sandbox=&token=secret')
    await page.getByText('Unix seconds').waitFor()
    const address = new URLSearchParams(new URL(page.url()).hash.slice(1))
    expect(Object.fromEntries(address)).toEqual({ view: 'time', sandbox: '' })
    expect(await page.evaluate(() => sessionStorage.getItem('x-mock-token'))).toBe('secret')
  })

  it('returns to the colours that were chosen', async () => {
    await openConsole()
    await button(/Colours: auto/).click()
    await button(/Colours: light/).click()
    await page.reload()
    await button(/Colours: dark/).waitFor()
  })
})
