// How tests run in real browsers: the behaviour suite and the page's tests inside them, journeys from outside.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import type { Plugin } from 'vite'
import { chromiumFlags, chromiumPath, firefoxPath } from './browsers.ts'
import { firefoxProvider } from './firefox.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Puts the worker's script where `npx msw init` would. */
const workerScript: Plugin = {
  name: 'msw-worker-script',
  configureServer(server) {
    server.middlewares.use('/mockServiceWorker.js', (_request, response) => {
      response.setHeader('content-type', 'text/javascript')
      response.end(readFileSync(`${root}node_modules/msw/lib/mockServiceWorker.js`))
    })
  },
}

/** Tests that depend on how requests, files and failures reach the core; everything else behaves the same on every target. */
export const decidedByTransport = [
  'test/behaviour/requests/{bodies,concurrency,errors,file-names,hints}.test.ts',
  'test/behaviour/{rows,tasks}/attachments.test.ts',
  'test/behaviour/tasks/files.test.ts',
  'test/behaviour/rows/journey.test.ts',
  'test/behaviour/workspace/*.test.ts',
  'test/behaviour/controls/{effects,faults,own-responses}.test.ts',
  'test/fidelity/targets/outcomes.test.ts',
]

const throughWorker = ['test/browser/page/**/*.test.ts', ...decidedByTransport]

/** Thousands of requests about rules of the core. In the page, each would take 8 ms through the worker. */
const manyRequests = [
  'test/fidelity/targets/{answers,operators}.test.ts',
  'test/behaviour/requests/{limits,robustness}.test.ts',
  'test/behaviour/report/{report,retries}.test.ts',
]

const providers = {
  chromium: () =>
    playwright({
      launchOptions: {
        args: chromiumFlags,
        ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
      },
    }),
  firefox: firefoxProvider,
}

const inPage = (
  browser: keyof typeof providers,
  name: string,
  include: string[],
  exclude: string[] = [],
  target: 'browser' | 'in-process' = 'browser',
): TestProjectInlineConfiguration => ({
  extends: true,
  plugins: [workerScript],
  define: { 'process.env.FIDELITY_INTENSITY': "'1'" },
  test: {
    name,
    include,
    exclude,
    provide: { target },
    isolate: false,
    retry: 1,
    setupFiles: browser === 'firefox' ? ['test/browser/firefox/setup.ts'] : [],
    browser: {
      enabled: true,
      headless: true,
      // Each page loads all modules again.
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- at the top level the project would run after all others
      fileParallelism: false,
      screenshotFailures: false,
      provider: providers[browser](),
      instances: [{ browser }],
    },
  },
})

/** The console from first contact to a reason. The other journeys cover each view separately, and are slow. */
const firstJourney = ['test/browser/journeys/console.test.ts']

const journeys = (
  name: string,
  include: string[],
  exclude: string[] = [],
): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    include,
    exclude,
    globalSetup: ['test/browser/journeys/support/setup.ts'],
    // Drawing a page can be slow on a busy machine. A retry helps tests that were slow once, not real failures.
    retry: 2,
    expect: { poll: { timeout: 10_000 } },
  },
})

const withChromium = () => [
  inPage('chromium', 'browser', throughWorker),
  inPage(
    'chromium',
    'on-demand-thorough-browser',
    ['test/{behaviour,fidelity/targets}/**/*.test.ts'],
    [...throughWorker, ...manyRequests],
  ),
  inPage('chromium', 'on-demand-thorough-browser-in-process', manyRequests, [], 'in-process'),
  journeys('journeys', firstJourney),
  journeys('on-demand-thorough-journeys', ['test/browser/journeys/**/*.test.ts'], firstJourney),
]

/** Every operation and status, the start of the worker, and files: what would fail first in another browser. */
const firefoxFirst = [
  'test/fidelity/targets/outcomes.test.ts',
  'test/browser/page/worker.test.ts',
  'test/behaviour/tasks/files.test.ts',
]

const withFirefox = () => [
  inPage('firefox', 'browser-firefox', firefoxFirst),
  inPage('firefox', 'on-demand-thorough-browser-firefox', throughWorker, [
    ...firefoxFirst,
    // Finds elements as the Playwright provider does.
    'test/browser/page/mount-console.test.ts',
  ]),
]

function unlessAbsent(
  browser: string,
  path: string | undefined,
  projects: () => TestProjectInlineConfiguration[],
): TestProjectInlineConfiguration[] {
  if (path !== undefined) return projects()
  const name = browser.toLowerCase()
  console.warn(
    `\n  LEFT OUT: the tests in ${browser}, since this machine has none.` +
      `\n  Install it (Debian: apt-get install ${name === 'firefox' ? 'firefox-esr' : 'chromium-headless-shell'}), or say where it is with ${browser.toUpperCase()}_PATH.\n`,
  )
  return []
}

/** Saved runs, opened from their files in each available browser. */
const savedRuns = () => [journeys('on-demand-thorough-saved-runs', ['test/browser/saved-runs/*.test.ts'])]

/** The projects that need a browser. If it is missing, none, and a note. */
export const browserProjects = (): TestProjectInlineConfiguration[] => [
  ...unlessAbsent('Chromium', chromiumPath, withChromium),
  ...unlessAbsent('Firefox', firefoxPath, withFirefox),
  ...(chromiumPath !== undefined || firefoxPath !== undefined ? savedRuns() : []),
]
