// A saved run and a server's console in each browser, driven over WebDriver BiDi. The saved page is a file, opened
// without a server.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { launch, type Browser, type Page } from 'puppeteer-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from '../../../src/index.ts'
import { runPage, serve, type RunningServer } from '../../../src/node.ts'
import { chromiumFlags, chromiumPath, firefoxPath } from '../support/browsers.ts'
import { launchFirefox } from '../support/firefox.ts'

const folder = mkdtempSync(`${tmpdir()}/saved-runs-`)
afterAll(() => rmSync(folder, { recursive: true }))

const key = 'wm_demo_master'
const hostile = '</script><!-- <img src=x onerror="document.title = 1"> \u2028 & "q"'

async function play(mock: WorkspaceMock): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const list = mock.db.lists.all()[0]!.id
  mock.fault({ operation: 'listSpaces', status: 503, times: 3 })
  for (let index = 0; index < 9; index++) {
    const body = JSON.stringify({ title: `${String(index)} ${hostile}` })
    await mock.fetch(`/lists/${list}/tasks`, { method: 'POST', headers, body })
    await mock.fetch(index % 2 === 0 ? '/spaces' : '/me', { headers })
  }
  await mock.fetch('/nowhere', { headers })
}

/** Performs a step, in the test's process or in the page. */
async function step(mock: WorkspaceMock, index: number): Promise<unknown> {
  const send = async (method: string, path: string, json?: unknown) => {
    const headers = { authorization: 'Bearer wm_demo_master', 'content-type': 'application/json' }
    const body = json === undefined ? null : JSON.stringify(json)
    const response = await mock.fetch(path, { method, headers, body })
    return [response.status, await response.text()]
  }
  const list = mock.db.lists.all()[0]!.id
  if (index % 5 === 0) return send('POST', `/lists/${list}/tasks`, { title: `Step ${String(index)}` })
  if (index % 5 === 1) return send('GET', '/spaces')
  if (index % 5 === 2) return (mock.clock.advance('1h'), mock.clock.now())
  if (index % 5 === 3) return send('DELETE', `/tasks/${mock.db.tasks.all().at(-1)!.id}`)
  return mock.fault({ operation: 'listSpaces', status: 500 }).id
}

const read = (mock: WorkspaceMock) =>
  JSON.stringify([mock.state(), mock.requests(), mock.report(), mock.coverage(), mock.faults(), mock.har()])

declare global {
  var mock: WorkspaceMock
  /** What the page offered as a download. */
  var downloads: Blob[] | undefined
}

/** Text that compresses to no less than three quarters of its size. */
function noise(length: number, seed: number): string {
  let [state, text] = [seed + 1, '']
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    text += state.toString(36)
  }
  return text
}

describe('the page of a run', () => {
  const summaryOf = (page: string) => /<pre id="summary">(.*?)<\/pre>/s.exec(page)?.[1] ?? ''

  it('says which snapshots are not in it, and explains the run as text', async () => {
    const mock = createWorkspaceMock()
    mock.snapshots.save('before')
    mock.loadState(createWorkspaceMock({ fixture: 'empty' }).state())
    mock.snapshots.save('after')
    await mock.fetch('/me')
    const summary = summaryOf(runPage(mock))
    expect(summary).toContain(
      'Snapshots of a state that has since been replaced are not in the page: before.',
    )
    expect(summary).toContain('GET /me')
  })

  it('holds at most 10 MB: beyond that the oldest bodies are left out, said at its beginning and in their place', async () => {
    const mock = createWorkspaceMock()
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    for (let index = 0; index < 240; index++) {
      const body = JSON.stringify({ title: noise(60_000, index) })
      await mock.fetch('/tasks/tsk_none', { method: 'PATCH', headers, body })
    }
    const page = runPage(mock)
    expect(page.length).toBeLessThan(10_500_000)
    expect(page.length).toBeGreaterThan(6_000_000)
    const [, omitted] =
      /limited to 10 MB, so the oldest bodies were left out: those of (\d+) requests/.exec(summaryOf(page)) ??
      []
    expect(Number(omitted)).toBeGreaterThan(20)
    writeFileSync(`${folder}/large.html`, page)
  })
})

const launchChromium = () =>
  launch({ browser: 'chrome', executablePath: chromiumPath ?? '', headless: true, args: chromiumFlags })

describe.each([
  ['Chromium', chromiumPath, launchChromium],
  ['Firefox', firefoxPath, launchFirefox],
] as const)('in %s', (name, path, start) => {
  let browser: Browser
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    if (path === undefined) return
    browser = await start()
    page = await browser.newPage()
    await page.setViewport({ width: 1440, height: 900 })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
  })
  afterAll(() => browser?.close())

  beforeEach(() => void (complaints.length = 0))

  /** Leaves the console before its server ends, because it would report the lost connection. */
  const leave = async (server: RunningServer) => {
    await page.goto('about:blank')
    await server.close()
  }
  const shadow = (selector: string) => page.locator(`::-p-xpath(//body) >>> ${selector}`)
  const text = () =>
    page.evaluate(() =>
      Array.from(document.querySelectorAll('*'), ({ shadowRoot }) => shadowRoot?.textContent ?? '').join(''),
    )

  it.skipIf(path === undefined)(
    'a saved run is equal to its mock and goes on as it does, for 50 steps',
    async () => {
      const mock = createWorkspaceMock()
      await play(mock)
      const file = `${folder}/${name}.html`
      const title = 'saves <b>tasks</b> & "more"'
      writeFileSync(file, runPage(mock, { title }))
      await page.goto(pathToFileURL(file).href)
      await page.waitForFunction(() => globalThis.mock !== undefined && !document.getElementById('summary'))
      expect(await page.title()).toContain(title)
      expect(await page.evaluate(`(${read.toString()})(globalThis.mock)`)).toBe(read(mock))
      for (let index = 0; index < 50; index++) {
        const there = await page.evaluate(`(${step.toString()})(globalThis.mock, ${String(index)})`)
        expect(there).toEqual(await step(mock, index))
      }
      const readOn = ({ state, faults, coverage, requests }: WorkspaceMock) =>
        JSON.stringify([state(), faults(), coverage(), requests()])
      expect(await page.evaluate(`(${readOn.toString()})(globalThis.mock)`)).toBe(readOn(mock))
      expect(complaints).toEqual([])
    },
  )

  it.skipIf(path === undefined)(
    'the console of a saved run sends a request again, which meets its faults',
    async () => {
      await page.evaluate(() => (location.hash = 'request=4'))
      await page.reload()
      await page.waitForFunction(() => globalThis.mock !== undefined)
      await page.evaluate(() => void globalThis.mock.fault({ operation: 'getIdentity', status: 429 }))
      await shadow('button::-p-text(Send again)').click()
      await expect.poll(() => page.evaluate(() => globalThis.mock.requests().at(-1)?.status)).toBe(429)
      await expect.poll(text).toContain('429')
      expect(await text()).toContain('a saved run with a copy of its mock')
      expect(await text()).toContain('the API keys of the fixture')
    },
  )

  it.skipIf(path === undefined)(
    'a run beyond 10 MB says in place of an old body that it is not kept, and keeps the latest',
    async () => {
      await page.goto(`${pathToFileURL(`${folder}/large.html`).href}#request=1`)
      await expect.poll(text, { timeout: 20_000 }).toContain('of application/json, not kept')
      expect(await text()).toContain('limited to 10 MB, so the oldest bodies were left out')
      const latest = await page.evaluate(() => JSON.stringify(globalThis.mock.requests().at(-1)?.requestBody))
      expect(latest.length).toBeGreaterThan(60_000)
    },
  )

  it.skipIf(path === undefined)(
    'Save this run gives the page of the run, which opens from its file',
    async () => {
      const mock = createWorkspaceMock()
      const server = await serve(mock)
      try {
        await play(mock)
        await page.goto(`${server.url}/__mock/#view=journal`)
        await page.evaluate(() => {
          const make = URL.createObjectURL.bind(URL)
          globalThis.downloads = []
          URL.createObjectURL = (blob) => (globalThis.downloads?.push(blob as Blob), make(blob))
        })
        await shadow('button::-p-text(Save this run)').click()
        await expect.poll(() => page.evaluate(() => globalThis.downloads?.length)).toBe(1)
        const saved = await page.evaluate(() => globalThis.downloads?.[0]?.text())
        writeFileSync(`${folder}/${name}-saved.html`, saved ?? '')
      } finally {
        await leave(server)
      }
      await page.goto(`${pathToFileURL(`${folder}/${name}-saved.html`).href}#request=1`)
      await page.waitForFunction(() => globalThis.mock !== undefined)
      expect(await page.evaluate(`(${read.toString()})(globalThis.mock)`)).toBe(read(mock))
      await expect.poll(text).toContain('Save as HAR')
      expect(await text()).not.toContain('Save this run')
      expect(complaints).toEqual([])
    },
  )

  it.skipIf(path === undefined)('the console of a server shows requests and sends one again', async () => {
    const mock = createWorkspaceMock()
    const server = await serve(mock)
    try {
      await play(mock)
      await page.goto(`${server.url}/__mock/#request=1`)
      await shadow('button::-p-text(Send again)').click()
      await expect
        .poll(() => mock.requests().at(-1))
        .toMatchObject({ operation: 'createTask', status: 201, console: true })
      expect(complaints).toEqual([])
    } finally {
      await leave(server)
    }
  })
})
