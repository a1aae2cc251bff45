// Journeys through the journal: filters, keyboard, and requests that are sent again, cleared and remembered.
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../../src/index.ts'
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

describe('a request in flight', () => {
  it('is opened with its headers, and becomes the request once it has its response', async () => {
    mock.sandbox('checkout').fault({ operation: 'listForms', delayMs: 2000, status: 200 })
    await openConsole('view=journal')
    await page.getByText('No request yet').waitFor()
    const sent = send('/forms', 'checkout')
    await button('GET /forms, no response yet').click()
    const pane = page.getByRole('region', { name: 'Request without a response' })
    await pane.getByText('fault_1').waitFor()
    await pane.getByText('Bearer master').waitFor()
    await sent
    await page.getByRole('region', { name: 'Request 1' }).waitFor()
    expect(page.url()).toContain('request=1')
  })

  it('is listed where the console is opened while it waits', async () => {
    // The body never arrives.
    const headers = {
      authorization: 'Bearer wm_demo_master',
      'content-type': 'application/json',
      'content-length': '10',
    }
    const sent = request(`${server.baseUrl}/spaces`, { method: 'POST', headers }).on('error', () => null)
    try {
      sent.flushHeaders()
      const countWaiting = () => {
        let waiting = 0
        mock.watch(() => (waiting += 1), { pending: true })()
        return waiting
      }
      await expect.poll(countWaiting).toBe(1)
      await openConsole('view=journal')
      await button('POST /spaces, no response yet').click()
      await page.getByRole('region', { name: 'Request without a response' }).getByText('Arrived').waitFor()
    } finally {
      sent.destroy()
    }
    await page.getByText('It got no response').waitFor()
  })
})

describe('the list', () => {
  const activeId = () => page.getByRole('listbox').getAttribute('aria-activedescendant')

  it('is entered by arrow down in the filter; Escape returns to the row, which is shown whole', async () => {
    for (let sent = 0; sent < 40; sent++) await call('GET', '/me')
    for (const width of [1440, 600]) {
      await openConsole('view=journal', { viewport: { width, height: 600 } })
      await expect.poll(() => rows().count()).toBeGreaterThan(5)
      await search().focus()
      await page.keyboard.press('ArrowDown')
      await page.getByRole('region', { name: 'Request 40' }).waitFor()
      await openConsole('request=12', { viewport: { width, height: 600 } })
      await page.getByRole('region', { name: 'Request 12' }).getByText('getIdentity').waitFor()
      // The request can be there before the list, which Escape is to lead to.
      await page.locator('.list').waitFor({ state: 'attached' })
      await page.getByRole('region', { name: 'Request 12' }).press('Escape')
      await expect.poll(activeId).toBe('request-12-')
      await expect.poll(() => page.getByRole('listbox').evaluate((list) => list.matches(':focus'))).toBe(true)
      const isWhole = () =>
        page.locator('.list').evaluate((list) => {
          const [row, head] = ['.is-active', '.head'].map((of) =>
            list.querySelector(of)!.getBoundingClientRect(),
          )
          return row!.top >= head!.bottom - 1 && row!.bottom <= list.getBoundingClientRect().bottom + 1
        })
      await expect.poll(isWhole).toBe(true)
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: 'Request 12' }).waitFor()
    }
  })

  it('starts at the row of a request that was closed before the list had loaded', async () => {
    for (let sent = 0; sent < 5; sent++) await call('GET', '/me')
    await openConsole()
    await page.goto('about:blank')
    let proceed: (() => void) | undefined
    await page.route(/console\/journals/, async (route) => {
      await new Promise<void>((resolve) => (proceed = resolve))
      await route.continue()
    })
    await openConsole('request=3')
    await page.getByRole('region', { name: 'Request 3' }).getByText('getIdentity').waitFor()
    await page.getByRole('region', { name: 'Request 3' }).press('Escape')
    await expect.poll(() => proceed).toBeDefined()
    proceed?.()
    await expect.poll(activeId).toBe('request-3-')
  })

  it.for(['closed', 'open'])(
    'starts at no row when a request that was %s is gone after a reset',
    async (how) => {
      for (let sent = 0; sent < 5; sent++) await call('GET', '/me')
      await openConsole('request=3')
      await expect.poll(activeId).toBe('request-3-')
      if (how === 'closed') await page.getByRole('region', { name: 'Request 3' }).press('Escape')
      mock.reset()
      await page.getByText('No request yet').waitFor()
      for (let sent = 0; sent < 4; sent++) await call('GET', '/spaces')
      await expect.poll(() => rows().count()).toBe(4)
      expect(await activeId()).toBeNull()
    },
  )

  it('has a column only for what its requests differ in', async () => {
    const heads = async () => (await page.locator('.list .head').innerText()).split('\n')
    await send('/me', 'one')
    await send('/me', 'one')
    await openConsole('view=journal&sandbox=one')
    await expect.poll(() => rows().count()).toBe(2)
    for (const head of ['Sandbox', 'Key', 'Time', 'Reason', 'Label'])
      expect(await heads(), head).not.toContain(head)
    await send('/spaces', 'one', 'pays')
    await expect.poll(heads).toEqual(expect.arrayContaining(['#', 'Status', 'Path', 'Label']))
  })
})

describe('a deleted sandbox', () => {
  it('stays deleted while the console shows it, which says so, until a request makes it again', async () => {
    await send('/me', 'one')
    for (const view of ['journal', 'state', 'report', 'faults', 'settings', 'time']) {
      await openConsole(`view=${view}&sandbox=one`)
      await page.getByText('Shows sandbox one').waitFor()
      mock.deleteSandbox('one')
      await page.getByText('There is no sandbox one').waitFor()
      expect(await page.getByText('The mock does not respond').count(), view).toBe(0)
      expect(mock.sandboxes(), view).toEqual([])
      await send('/me', 'one')
      await page.getByText('Shows sandbox one').waitFor()
    }
    await openConsole('view=settings&sandbox=two')
    await page.getByText('There is no sandbox two').waitFor()
    await button('Show all').click()
    await page.getByText('This view shows one sandbox at a time. Which one?').waitFor()
    expect(mock.sandboxes()).toEqual(['one'])
  })
})

describe('a view', () => {
  it('is a link, which a second tab can open', async () => {
    await send('/me', 'one')
    await openConsole('view=journal&sandbox=one')
    const opening = page.context().waitForEvent('page')
    await tab('Settings').click({ button: 'middle' })
    const second = await opening
    await second.getByRole('tab', { name: 'Settings', selected: true }).waitFor()
    expect(new URL(second.url()).hash).toBe('#view=settings&sandbox=one')
    await tab('Settings').click()
    await expect.poll(() => new URL(page.url()).hash).toBe('#view=settings&sandbox=one')
  })
})

describe('an open request', () => {
  it('leads to the journal when it is closed or gone, also where there are several sandboxes', async () => {
    await send('/me', 'one')
    await call('GET', '/me')
    await openConsole('request=1', { viewport: { width: 600, height: 600 } })
    await page.getByRole('region', { name: 'Request 1' }).getByText('getIdentity').waitFor()
    await page.getByRole('region', { name: 'Request 1' }).press('Escape')
    await expect.poll(() => rows().count()).toBe(2)
    await openConsole('request=1')
    await page.getByRole('region', { name: 'Request 1' }).getByText('getIdentity').waitFor()
    await page.getByText('2 requests', { exact: true }).waitFor()
    mock.reset()
    await page.getByText('Request 1 is gone').waitFor()
  })

  it('never turns into another of its number after a reset', async () => {
    await call('GET', '/me')
    await openConsole('request=1')
    await page.getByRole('region', { name: 'Request 1' }).getByText('getIdentity').waitFor()
    await page.getByText('1 request', { exact: true }).waitFor()
    mock.reset()
    await call('GET', '/spaces')
    await page.getByText('Request 1 is gone').waitFor()
    await rows().first().click()
    await page.getByRole('region', { name: 'Request 1' }).getByText('listSpaces').waitFor()
  })

  it('is gone once the mock restarted, which is said', async () => {
    await call('GET', '/me')
    await openConsole('request=1')
    await page.getByRole('region', { name: 'Request 1' }).waitFor()
    try {
      server.replaceMock(createWorkspaceMock())
      await call('GET', '/spaces')
      await page.getByText('The mock restarted.').waitFor()
      await page.getByText('Request 1 is gone').waitFor()
    } finally {
      server.replaceMock(mock)
    }
  })
})

describe('a search', () => {
  it('says that it goes on, and never that nothing matches before it ended', async () => {
    for (let sent = 0; sent < 150; sent++)
      await call('POST', '/datatables/tbl_orders/rows', { data: { col_customer: `common ${String(sent)}` } })
    await openConsole('view=journal')
    await page.getByText('150 requests').waitFor()
    let proceed: (() => void) | undefined
    await page.route(/console\/search/, async (route) => {
      await new Promise<void>((resolve) => (proceed = resolve))
      await route.continue()
    })
    await search().fill('"common 149"')
    await page.getByRole('heading', { name: 'Searching …' }).waitFor()
    await expect.poll(() => proceed).toBeDefined()
    expect(await page.getByText('Nothing matches').count()).toBe(0)
    proceed?.()
    await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining('#150')])
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
})
