// Firefox for the tests: Debian's own, driven over WebDriver BiDi, because Playwright only drives its own builds.
import { playwright } from '@vitest/browser-playwright'
import { launch, type Browser, type Page } from 'puppeteer-core'
import type { BrowserProvider, BrowserProviderOption } from 'vitest/node'
import { firefoxPath } from './browsers.ts'

export function launchFirefox(): Promise<Browser> {
  if (firefoxPath === undefined) throw new Error('this machine has no Firefox; FIREFOX_PATH says where it is')
  return launch({
    browser: 'firefox',
    executablePath: firefoxPath,
    headless: true,
    // A service worker needs a secure context, and the loopback is one. Firefox must not ask for anything else.
    extraPrefsFirefox: {
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
    },
  })
}

class FirefoxProvider implements BrowserProvider {
  readonly name = 'firefox'
  readonly supportsParallelism = false
  #browser: Promise<Browser> | undefined
  readonly #pages = new Map<string, Page>()

  getCommandsContext(sessionId: string): Record<string, unknown> {
    return { page: this.#pages.get(sessionId) }
  }

  async openPage(sessionId: string, url: string): Promise<void> {
    const browser = await (this.#browser ??= launchFirefox())
    await this.#pages.get(sessionId)?.close()
    const page = await browser.newPage()
    this.#pages.set(sessionId, page)
    await page.goto(url)
  }

  async close(): Promise<void> {
    await (await this.#browser)?.close()
    this.#browser = undefined
  }
}

/** Runs tests inside a page in Firefox: uses the Playwright provider's server with another browser. */
export const firefoxProvider = (): BrowserProviderOption => ({
  ...playwright(),
  name: 'firefox',
  supportedBrowser: ['firefox'],
  providerFactory: () => new FirefoxProvider(),
})
