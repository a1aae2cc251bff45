// vitest's `test` with a separate mock for every run, including concurrent ones.
import { AsyncLocalStorage } from 'node:async_hooks'
import { getResponse, type RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, type TestAPI } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from '../../mock.ts'
import type { MockOptions } from '../../mock-options.ts'
import type { OperationId } from '../../contract/index.ts'
import { internalsOf } from '../../mock/internals.ts'
import { isBelow } from '../msw/fetch.ts'
import { breakOff } from '../msw/broken-connection.ts'
import { toRequestHandler } from '../msw/handler.ts'
import { maskAddress, quote } from '../../contract/text/quote.ts'
import { createApiCall, type ApiCall } from './api-call.ts'
import { explainFailure, createHelperError, noteListed } from './failures.ts'
import { withCheckedNames } from './fixture-names.ts'
import {
  describeFindings,
  listCountedFindings,
  toHaveCleanReport,
  toHaveNoFindings,
  toHaveRequested,
  type FindingsExpectation,
  type ReportExpectation,
  type RequestExpectation,
} from './matchers.ts'
import { saveRunOf } from './run-files.ts'
import { aroundEach, TestRunner } from './runner.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Default of the fixture `saveRuns`, from the configuration: `test: { provide: { saveRuns: 'mock-runs' } }`. */
    saveRuns: string
  }
  // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-explicit-any -- merged with vitest's, so written as it is there
  interface Matchers<T = any> {
    /** Passes if an operation was requested: `expect(mock).toHaveRequested('createTask', { times: 2 })`. */
    toHaveRequested(operation: OperationId, expected?: RequestExpectation): void
    /** Passes if the client broke none of the contract's client rules, not counting those in `except`. */
    toHaveCleanReport(expected?: ReportExpectation): void
    /**
     * Passes if an exploration found no errors or warnings: `expect(await mock.explore(scenario)).toHaveNoFindings()`.
     * With `{ severity: 'info' }`, infos count as well.
     */
    toHaveNoFindings(expected?: FindingsExpectation): void
  }
}

/** The fixtures of a test, and the options that `test.extend` and `test.override` can set. */
export interface MockFixtures {
  /**
   * The mock of the test: all requests to its `baseUrl` reach it. The keys of the default fixture are typed; with
   * another fixture they can be undefined.
   */
  readonly mock: ReturnType<typeof createWorkspaceMock<'demo'>> & {
    readonly keys: Readonly<Record<string, string>>
  }
  /** A client that calls the API of the mock. */
  readonly call: ApiCall
  /** Options of the mock. Set with `test.extend`. */
  readonly mockOptions: MockOptions
  /** Puts MSW handlers in front of the mock until the test ends, the latest first, as `server.use` does. */
  readonly use: (...handlers: readonly RequestHandler[]) => void
  /**
   * If true, findings of the report on the client fail the test; `{ except: ['job-for-bulk'] }` leaves out rules. Set
   * with `test.extend`; default false.
   */
  readonly strict: boolean | ReportExpectation
  /** MSW handlers for other services; another mock among them needs its own `baseUrl`. Set with `test.extend`. */
  readonly otherHandlers: readonly RequestHandler[]
  /**
   * Origins to which requests are sent over the network, such as a test's own servers; `*` stands for any port or part
   * of a host: `['http://127.0.0.1:*']`. Set with `test.extend`; default none.
   */
  readonly passthrough: readonly string[]
  /** Folder in which each failed test's run is saved as a page. Set with `test.extend`; default none. */
  readonly saveRuns: string
}

/** A test in progress with its mock. */
interface MockedTest {
  readonly mock: WorkspaceMock
  /** The handlers that the test put in front of its mock. */
  readonly own: RequestHandler[]
  readonly otherHandlers: readonly RequestHandler[]
  readonly isPassthrough: (url: URL) => boolean
  readonly unhandled: Pick<Request, 'method' | 'url'>[]
}

const currentTest = new AsyncLocalStorage<MockedTest>()
const mockedTests = new Map<WorkspaceMock, MockedTest>()

/** A request made outside all tests belongs to the test in progress, if there is exactly one. */
function findCurrentTest(): MockedTest | undefined {
  const [first, ...others] = mockedTests.values()
  return currentTest.getStore() ?? (others.length === 0 ? first : undefined)
}

/** Returns a function that tells whether an address has one of the origins. */
function createOriginMatcher(origins: readonly string[]): (url: URL) => boolean {
  const patterns = origins.map((origin) => {
    if (!/^https?:\/\/[^\s/?#]+$/.test(origin))
      throw new TypeError(
        `passthrough: expected origins such as "http://127.0.0.1:*", where "*" is any port or part of a host; received ${quote(origin)}`,
      )
    const text = origin.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')
    // The pattern's port is optional, because a URL's origin leaves out the default one.
    return new RegExp(`^${text.replace(/:\[\^\/\]\*$/, '(?::\\d+)?')}$`, 'i')
  })
  return ({ origin }) => patterns.some((pattern) => pattern.test(origin))
}

/** The response of a test's own handlers; undefined if they leave the request to the mock. */
async function respondByOwn({ mock, own }: MockedTest, request: Request): Promise<Response | undefined> {
  if (own.length === 0) return undefined
  const response = await getResponse(own, request)
  const { method, url } = request
  if (response && isBelow(mock.baseUrl, url))
    internalsOf(mock)
      .sandboxOf()
      .journal.noteElsewhere(`${method} ${maskAddress(url)} ${String(response.status)}`)
  return response
}

/** Passes each request to the mock of the test that made it; requests made outside all tests are sent as usual. */
const router = toRequestHandler({
  header: 'workspace-api-mock/vitest',
  path: '*',
  covers: () => findCurrentTest() !== undefined,
  async run(request) {
    const current = findCurrentTest()
    if (!current) return null
    const copy = request.clone()
    const handlers = [...current.otherHandlers, ...current.mock.handlers]
    const response = (await respondByOwn(current, copy)) ?? (await getResponse(handlers, copy))
    if (response) return response
    const { method, url } = request
    if (current.isPassthrough(new URL(url))) return null
    // Unhandled requests fail the test once it has ended.
    current.unhandled.push({ method, url })
    const message = `${method} ${maskAddress(url)} was not sent: no handler matches it`
    const cause = Object.assign(new Error(message), { code: 'ERR_UNHANDLED_REQUEST' })
    return breakOff(request, new TypeError('fetch failed', { cause }))
  },
  log: () => undefined,
})

let server: ReturnType<typeof setupServer> | undefined
let listeners = 0

const prepared = new WeakSet<object>()

/** Isolates the tests of the current suite. Without vitest's isolation, all files share their outermost suite. */
function prepareSuite(): void {
  const suite = TestRunner.getCurrentSuite()
  const key = suite.suite ?? suite.file ?? suite
  if (prepared.has(key)) return
  prepared.add(key)
  beforeAll(() => {
    listeners += 1
    if (listeners > 1) return
    server = setupServer(router)
    // Only requests that the router lets through are unhandled. Set under both names, because MSW 3 renamed the option.
    const options = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const
    server.listen(options)
  })
  afterAll(() => {
    listeners -= 1
    if (listeners === 0) server?.close()
  })
  // Tests that use vitest's own `test` in the same suite have no mock.
  aroundEach<Partial<MockFixtures>>(async (runTest, { mock }) => {
    const mocked = mock && mockedTests.get(mock)
    await (mocked ? currentTest.run(mocked, runTest) : runTest())
  })
}

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

function describeUnhandled(baseUrl: string, unhandled: MockedTest['unhandled']): string {
  // A server on this machine probably belongs to the test.
  const own = unhandled.map(({ url }) => new URL(url)).find(({ hostname }) => loopback.test(hostname))
  const [what, origin] = own
    ? ["the test's own servers", `${own.protocol}//${own.hostname}:*`]
    : ['origins', 'https://cdn.example.com']
  const lines = unhandled.map(({ method, url }) => `  ${method} ${maskAddress(url)}\n`).join('')
  return `requests were not sent, since no handler matches them:\n${lines}The mock is at ${baseUrl}. Put handlers for other services into the fixture otherHandlers, or allow ${what} with test.extend({ passthrough: ['${origin}'] }).`
}

const collector: TestAPI = TestRunner.createTaskCollector(function (this: unknown, ...given: unknown[]) {
  prepareSuite()
  const { fn } = TestRunner.getCurrentSuite().test as { readonly fn?: (...args: unknown[]) => void }
  fn?.apply(this, [...withTimeLimit(given)])
})

/** Time limit of a test that explores, in milliseconds: enough for the maximum number of runs. */
const explorationMs = 600_000

/** Raises the time limit of a test whose function calls `explore`, unless the test sets one. */
function withTimeLimit(given: readonly unknown[]): readonly unknown[] {
  const [name, second, third] = given
  const run = typeof second === 'function' ? second : third
  if (typeof run !== 'function' || typeof third === 'number' || !/\bexplore\b/.test(String(run))) return given
  const options = second === run ? third : second
  return [name, { timeout: explorationMs, ...(typeof options === 'object' ? options : {}) }, run]
}

const listStrictFindings = (mock: WorkspaceMock, strict: MockFixtures['strict']) =>
  strict ? listCountedFindings(mock, strict === true ? {} : strict, 'strict') : []

const settable = [
  'mockOptions',
  'strict',
  'otherHandlers',
  'passthrough',
  'saveRuns',
] satisfies (keyof MockFixtures)[]

const extended: TestAPI<MockFixtures> = collector.extend<MockFixtures>({
  mockOptions: [{}, { injected: true }],
  strict: [false, { injected: true }],
  otherHandlers: [[], { injected: true }],
  passthrough: [[], { injected: true }],
  saveRuns: ['', { injected: true }],
  mock: [
    async ({ mockOptions, strict, otherHandlers, passthrough, saveRuns, task }, use) => {
      const isPassthrough = createOriginMatcher(passthrough)
      const mock = createWorkspaceMock(mockOptions as MockOptions<'demo'>)
      const { baseUrl, handlers } = mock
      if (otherHandlers.some(({ info }) => handlers.some((own) => own.info.header === info.header)))
        throw new TypeError(
          `otherHandlers has another mock at ${baseUrl}, which would get all requests to the test's mock; give it its own baseUrl`,
        )
      const unhandled: MockedTest['unhandled'] = []
      mockedTests.set(mock, { mock, own: [], otherHandlers, isPassthrough, unhandled })
      await use(mock)
      mockedTests.delete(mock)
      const findings = listStrictFindings(mock, strict)
      const isFailed =
        (task.result?.state === 'fail' && task.fails !== true) || unhandled.length + findings.length > 0
      const run = saveRuns !== '' && isFailed ? await saveRunOf(task, mock, saveRuns) : undefined
      if (unhandled.length > 0)
        throw createHelperError(task, mock, describeUnhandled(baseUrl, unhandled), run)
      if (findings.length > 0) {
        noteListed(mock)
        const broken = `the client broke rules of the contract:\n${describeFindings(findings)}`
        throw createHelperError(task, mock, broken, run)
      }
      explainFailure(task, mock, run)
    },
    { auto: true },
  ],
  use: async ({ mock }, use) =>
    use((...handlers) => {
      for (const handler of handlers)
        if (typeof (handler as Partial<RequestHandler> | undefined)?.run !== 'function')
          throw new TypeError(`use takes MSW handlers, such as http.get(…); received ${quote(handler)}`)
      mockedTests.get(mock)?.own.unshift(...handlers)
    }),
  call: async ({ mock }, use) =>
    use(
      createApiCall(mock, async (request) => {
        const mocked = mockedTests.get(mock)
        const response = mocked && (await respondByOwn(mocked, request))
        if (response?.type === 'error') throw new TypeError('Failed to fetch')
        return response ?? mock.fetch(request)
      }),
    ),
})

/** vitest's `test` with a mock for each run: `test('…', async ({ mock, call }) => { … })`. */
export const test: TestAPI<MockFixtures> = withCheckedNames(extended, settable, [
  ...settable,
  'mock',
  'use',
  'call',
])
export { test as it }

expect.extend({ toHaveRequested, toHaveCleanReport, toHaveNoFindings })
