// Entry `workspace-api-mock/vitest`: a `test` whose every run has a mock of its own, concurrent ones too.
import { AsyncLocalStorage } from 'node:async_hooks'
import { getResponse, type RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, aroundEach, beforeAll, expect, TestRunner, type TestAPI } from 'vitest'
import { createWorkspaceMock, type MockOptions, type WorkspaceMock } from '../mock.ts'
import type { OperationId } from '../contract/index.ts'
import { isBelow } from '../msw/fetch.ts'
import { handlerOf } from '../msw/handler.ts'
import { createApiCall, type ApiCall } from './api-call.ts'
import {
  describeFindings,
  toHaveCleanReport,
  toHaveNoFindings,
  toHaveRequested,
  type RequestExpectation,
} from './matchers.ts'

export type {
  ApiAnswer,
  ApiCall,
  CallOptions,
  OperationCall,
  OperationCallArguments,
  OperationTypes,
} from './api-call.ts'
export type { RequestExpectation } from './matchers.ts'

declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-explicit-any -- merged with vitest's, so written as it is there
  interface Matchers<T = any> {
    /** Whether the mock was asked for an operation: `expect(mock).toHaveRequested('createTask', { times: 2 })`. */
    toHaveRequested(operation: OperationId, expected?: RequestExpectation): void
    /** Whether the client kept the contract's rules for clients. */
    toHaveCleanReport(): void
    /** Whether `mock.exploreFaults` found nothing: `expect(await mock.exploreFaults(scenario)).toHaveNoFindings()`. */
    toHaveNoFindings(): void
  }
}

/** What a test can ask for, and what `test.extend` or `test.override` can set. */
export interface MockFixtures {
  /** The test's own mock: a fetch to its `baseUrl` reaches it, from whatever the test calls. */
  readonly mock: WorkspaceMock
  /** Calls the API as a client does. */
  readonly call: ApiCall
  /** Options of the mock; can be set. */
  readonly mockOptions: MockOptions
  /** Whether a report on the client that is not empty fails the test; can be set, by default false. */
  readonly strict: boolean
  /** MSW handlers of other services that the code under test calls; can be set. */
  readonly otherHandlers: readonly RequestHandler[]
}

/** One run of a test. */
interface Run {
  readonly mock: WorkspaceMock
  readonly otherHandlers: readonly RequestHandler[]
  readonly unhandled: string[]
}

const runs = new AsyncLocalStorage<Run>()
/** Those that are under way, by their mocks. */
const underWay = new Map<WorkspaceMock, Run>()

/** The run that a request belongs to; one from outside all runs belongs to the only one there is. */
function currentRun(): Run | undefined {
  const [first, ...others] = underWay.values()
  return runs.getStore() ?? (others.length === 0 ? first : undefined)
}

/** Hands each request to the mock of the test that made it. */
function createRouter(): RequestHandler {
  return handlerOf({
    header: 'workspace-api-mock/vitest',
    path: '*',
    covers: () => currentRun() !== undefined,
    async run(request) {
      const { mock, otherHandlers = [] } = currentRun() ?? {}
      const other = otherHandlers.length > 0 && (await getResponse([...otherHandlers], request.clone()))
      if (other) return { request, response: other }
      const isOurs = mock !== undefined && isBelow(mock.baseUrl, request.url)
      if (!isOurs) return null
      // It rejects where a fault breaks the connection, which MSW is told by an error response.
      const response = await mock.fetch(request.clone()).catch(() => Response.error())
      return { request, response }
    },
    log: () => undefined,
  })
}

/** Fails what no handler answers within a test of ours; all else goes its way. */
function onUnhandled(request: Request, print: { error(): void }): void {
  const run = currentRun()
  if (!run) return
  run.unhandled.push(`${request.method} ${request.url}`)
  print.error()
}

/** MSW 3 calls it by another name, and with the request one level further down. */
const onUnhandledFrame = ({ frame, defaults }: UnhandledFrame): void => {
  const { request } = frame.data
  if (request) onUnhandled(request, defaults)
}
interface UnhandledFrame {
  readonly frame: { readonly data: { readonly request?: Request } }
  readonly defaults: { error(): void }
}

let server: ReturnType<typeof setupServer> | undefined
let listeners = 0

function listen(): void {
  listeners += 1
  if (listeners > 1) return
  server = setupServer(createRouter())
  const options = { onUnhandledRequest: onUnhandled, onUnhandledFrame }
  server.listen(options)
}

function stopListening(): void {
  listeners -= 1
  if (listeners > 0) return
  server?.close()
  server = undefined
}

const prepared = new WeakSet<object>()

/** Makes the suite at hand keep its tests apart. Without isolation all files share their outermost suite. */
function prepareSuite(): void {
  const suite = TestRunner.getCurrentSuite()
  const key = suite.suite ?? suite.file ?? suite
  if (prepared.has(key)) return
  prepared.add(key)
  beforeAll(listen)
  afterAll(stopListening)
  // Tests of vitest itself in the same suite have no mock.
  aroundEach<Partial<MockFixtures>>(async (runTest, { mock }) => {
    const run = mock && underWay.get(mock)
    await (run ? runs.run(run, runTest) : runTest())
  })
}

/** An error without a trace, as it is nowhere in the code of the test. */
function complaint(message: string): Error {
  const error = new Error(message)
  error.stack = `Error: ${message}`
  return error
}

/** @throws {Error} for what nobody answered, and in strict mode for what the report holds against the client */
function assertGood(mock: WorkspaceMock, unhandled: readonly string[], strict: boolean): void {
  if (unhandled.length > 0)
    throw complaint(
      `requests that no handler answers (the mock answers below ${mock.baseUrl}; handlers of other services go into the fixture otherHandlers):\n  ${unhandled.join('\n  ')}`,
    )
  const findings = strict ? mock.report() : []
  if (findings.length > 0)
    throw complaint(`the client broke rules of the contract:\n${describeFindings(findings)}`)
}

const collector: TestAPI = TestRunner.createTaskCollector(function (this: unknown, ...given: unknown[]) {
  prepareSuite()
  const { fn } = TestRunner.getCurrentSuite().test as unknown as { fn: (...args: unknown[]) => void }
  fn.apply(this, [...withTimeLimit(given)])
})

/** Time limit of a test that explores, in milliseconds: what the most runs of an exploration can take. */
const explorationMs = 600_000

/** A test whose function names `exploreFaults` takes as long as its runs do, unless it has a time limit of its own. */
function withTimeLimit(given: readonly unknown[]): readonly unknown[] {
  const [name, second, third] = given
  const run = typeof second === 'function' ? second : third
  if (typeof run !== 'function' || typeof third === 'number' || !/\bexploreFaults\b/.test(String(run)))
    return given
  const options = second === run ? third : second
  return [name, { timeout: explorationMs, ...(typeof options === 'object' ? options : {}) }, run]
}

/** vitest's `test` with a mock for each run: `test('…', async ({ mock, call }) => { … })`. */
export const test: TestAPI<MockFixtures> = collector.extend<MockFixtures>({
  mockOptions: [{}, { injected: true }],
  strict: [false, { injected: true }],
  otherHandlers: [[], { injected: true }],
  mock: [
    async ({ mockOptions, strict, otherHandlers }, use) => {
      const mock = createWorkspaceMock(mockOptions)
      const unhandled: string[] = []
      underWay.set(mock, { mock, otherHandlers, unhandled })
      await use(mock)
      underWay.delete(mock)
      assertGood(mock, unhandled, strict)
    },
    { auto: true },
  ],
  call: async ({ mock }, use) => use(createApiCall(mock)),
})
export { test as it }

expect.extend({ toHaveRequested, toHaveCleanReport, toHaveNoFindings })
