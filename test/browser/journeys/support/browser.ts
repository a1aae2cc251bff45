// The Chromium that the journeys control, and what they check in addition to the page itself.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright'
import type { AxeResults, RunOptions } from 'axe-core'
import { chromiumFlags, chromiumPath } from '../../support/browsers.ts'

export const wide = { viewport: { width: 1440, height: 900 } } as const
export const narrow = { viewport: { width: 390, height: 844 } } as const

export function launch(...flags: readonly string[]): Promise<Browser> {
  return chromium.launch({
    args: [...chromiumFlags, ...flags],
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
  })
}

export interface Visit {
  readonly page: Page
  /** The browser's complaints. */
  readonly complaints: readonly string[]
  /** Origins that the page sent requests to, except through the service worker. */
  readonly origins: ReadonlySet<string>
  /** Clears complaints and origins. */
  forget(): void
  close(): Promise<void>
}

/** A page in its own profile. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = wide,
): Promise<Visit> {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
  // Only for a page that hangs: on a busy machine, vite takes half a minute to bundle the demo page for its first visit.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const complaints: string[] = []
  const origins = new Set<string>()
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http')) origins.add(origin)
  })
  await page.goto(url)
  const forget = () => {
    complaints.length = 0
    origins.clear()
  }
  return { page, complaints, origins, forget, close: () => context.close() }
}

/** Sends a client's request with the demo's master key. */
export const callDemo = (baseUrl: string, method: string, path: string, json?: unknown): Promise<Response> =>
  fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: 'Bearer wm_demo_master', 'content-type': 'application/json' },
    body: json === undefined ? null : JSON.stringify(json),
  })

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds wrong with the current page, in words. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in globalThis)
  if (!isLoaded) await page.evaluate(axeSource)
  const options: RunOptions = {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
    // Describing what passed takes half the time.
    resultTypes: ['violations'],
  }
  const results = await page.evaluate(
    (given) => (globalThis as unknown as { axe: { run(o: unknown): Promise<unknown> } }).axe.run(given),
    options,
  )
  return (results as AxeResults).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  )
}

/** Retakes a picture shown in README.md if `PICTURES` is set. */
export async function readmePicture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES === undefined) return
  await page.screenshot({ path: fileURLToPath(new URL(`../../pictures/${name}.png`, import.meta.url)) })
}

/** Saves a picture of the page if `SCREENSHOTS` names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` })
}
