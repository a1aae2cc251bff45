// Bugs of SDKs, importers, sync jobs and pages, each with a correct twin. Explore finds each bug only in the first,
// through context.fetch and through MSW with fake timers, and every reproduction line shows it in a plain test.
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  createWorkspaceMock,
  type ExploreFinding,
  type ExploreOptions,
  type WorkspaceMock,
} from 'workspace-api-mock'
import { Client } from './support/clients.ts'
import { isShownByLine } from './support/paste.ts'
import { planted, type Context, type Scenario } from './support/planted.ts'
import { plantedKeeps } from './support/planted-keeps.ts'
import { plantedLater } from './support/planted-later.ts'
import { plantedReports } from './support/planted-reports.ts'

const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)
beforeAll(() => server.listen(mock.listenOptions))
afterAll(() => server.close())
beforeEach(() => {
  // Some clients print the key.
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'dir').mockReturnValue()
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const namesOf = (findings: readonly ExploreFinding[]) =>
  findings
    .filter(({ severity }) => severity === 'error' || severity === 'warning')
    .map(({ cause, message }) => `${cause}: ${message}`)

const explore = (scenario: Scenario, by: 'fetch' | 'MSW', options: ExploreOptions<WorkspaceMock> = {}) =>
  mock.explore((given) => {
    const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
    const direct = given.fetch
    const context: Context =
      by === 'fetch'
        ? given
        : {
            ...given,
            sleep,
            fetch: (input, init) =>
              ((input as string).startsWith(given.baseUrl) ? globalThis.fetch : direct)(input, init),
          }
    return scenario(context, new Client(context))
  }, options)

describe.for(Object.entries({ ...planted, ...plantedLater, ...plantedReports, ...plantedKeeps }))(
  'explore finds %s',
  ([, [cause, careless, careful, options]]) => {
    test.for(['fetch', 'MSW'] as const)('by %s, and nothing in its twin', async (by) => {
      if (by === 'MSW') vi.useFakeTimers()
      const found = namesOf((await explore(careless, by, options)).findings)
      const inTwin = namesOf((await explore(careful, by, options)).findings)
      expect(found).toContainEqual(expect.stringMatching(cause))
      expect(inTwin).toEqual([])
    })

    test('by lines that each show it in a plain test', async () => {
      const { findings } = await explore(careless, 'fetch', options)
      for (const finding of findings) {
        // A plain test does not show unhandled errors or requests to other origins.
        if (finding.reproduction === '' || finding.severity === 'info') continue
        if (finding.kind === 'unhandled' || finding.kind === 'other origin') continue
        const shown = await isShownByLine(finding, (context) => careless(context, new Client(context)))
        expect(shown, `${finding.cause}: ${finding.reproduction}`).toBe(true)
      }
    })
  },
)
