// The console in a page: mounted into an element, fed by the mock next to it, and removed again.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { createWorkspaceMock } from '../../../src/index.ts'
import { mountConsole, startWorker, type MountedConsole, type RunningWorker } from '../../../src/browser.ts'

const mock = createWorkspaceMock({ fixture: 'demo' })
let worker: RunningWorker
let mounted: MountedConsole
let element: HTMLElement

beforeEach(async () => {
  mock.reset()
  worker = await startWorker(mock, { quiet: true })
  element = document.createElement('div')
  element.style.height = '600px'
  document.body.append(element)
  mounted = await mountConsole(element, mock)
})
afterEach(async () => {
  mounted.unmount()
  element.remove()
  await worker.stop()
})

describe('mountConsole', () => {
  it('shows the requests of the page as they get their responses', async () => {
    await expect.element(page.getByText('No request yet')).toBeVisible()
    await fetch(`${mock.baseUrl}/me`, { headers: { authorization: `Bearer ${mock.keys.master ?? ''}` } })
    await page.getByRole('option', { name: /\/me/ }).click()
    await expect.element(page.getByLabelText('Response body')).toHaveTextContent('Hafenrost Coffee Roasters')
  })

  it('changes the mock of the page', async () => {
    await page.getByRole('tab', { name: 'Time and jobs' }).click()
    const before = mock.clock.now()
    await page.getByRole('button', { name: '+30 d', exact: true }).click()
    await expect.poll(() => mock.clock.now()).toBe(before + 30 * 86_400)
  })

  it('leaves the styles of the page alone', () => {
    const heading = document.createElement('h1')
    heading.textContent = 'Of the page'
    document.body.append(heading)
    expect(getComputedStyle(heading).fontSize).toBe('32px')
    heading.remove()
  })

  it('is gone when it is unmounted', () => {
    mounted.unmount()
    expect(element.childElementCount).toBe(0)
  })
})
