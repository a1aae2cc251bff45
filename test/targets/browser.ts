// The browser target: requests go through this page's service worker.
import { startWorker } from '../../src/browser.ts'
import { controlOf, createCheckedMock } from './control.ts'
import type { StartTarget } from './target.ts'

export const start: StartTarget = async (options) => {
  const mock = createCheckedMock(options)
  const { stop } = await startWorker(mock, { quiet: true, onUnhandledRequest: 'bypass' })
  // A page refuses `fetch` as a method of another object.
  return {
    baseUrl: mock.baseUrl,
    fetch: (input, init) => fetch(input, init),
    control: controlOf(mock),
    close: stop,
  }
}
