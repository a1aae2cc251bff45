// createWorkspaceMock assembles fixture, stores, core and adapters into a mock.
import type { RequestHandler } from 'msw'
import { questionRecords, resolveAnswers } from './contract/questions/register.ts'
import { quote } from './contract/text/quote.ts'
import { SnapshotBases } from './mock/controls/snapshots.ts'
import { withInternals } from './mock/internals.ts'
import { createControls } from './mock/controls/controls.ts'
import type { MockControls, WholeMock } from './mock/controls/mock-controls.ts'
import type { CallHandler } from './mock/requests/call.ts'
import { withCallerStack, withCallerStacks } from './mock/controls/caller-stack.ts'
import { ControlError } from './mock/control-error.ts'
import { collectOutcome, Coverage } from './mock/journal/coverage.ts'
import { toErrorResponse } from './mock/requests/responses.ts'
import { findNodeVersionProblem } from './mock/node-version.ts'
import { parseOrThrow } from './mock/parse-or-throw.ts'
import { Report } from './mock/report/report.ts'
import { JournalBudget } from './mock/journal/budget.ts'
import { Sandbox } from './mock/sandboxes/sandbox.ts'
import type { SandboxOptions } from './mock/sandboxes/sandbox-options.ts'
import { Signals, type Signal, type WatchOptions } from './mock/sandboxes/signals.ts'
import { Sandboxes } from './mock/sandboxes/sandboxes.ts'
import { Boundaries } from './mock/sandboxes/boundaries.ts'
import type { Explorable } from './mock/explorable.ts'
import type { ExploreOptions, ExploreResult, ExploreScenario } from './tools/explore/types.ts'
import { startBaseAt } from './service/fixture/moments.ts'
import { readSystemSeconds } from './service/store/clock.ts'
import type { Fixture } from '../fixtures/types.ts'
import type { EventSink } from './service/store/events.ts'
import { Store } from './service/store/store.ts'
import { createFetch, createFetchAdapter } from './adapters/msw/fetch.ts'
import { createMswHandler } from './adapters/msw/handler.ts'
import {
  toAbsoluteUrl,
  baseOf,
  Options,
  type FixtureName,
  type KeysOf,
  type MockOptions,
} from './mock-options.ts'

/** Keys by name: the fixture's names if the compiler knows them, otherwise any string. */
export type MockKeys<Name extends string = string> = Readonly<Record<Name, string>>

export interface WorkspaceMock<KeyName extends string = string> extends WholeMock {
  /** Handlers for MSW's `setupServer` and `setupWorker`. */
  readonly handlers: RequestHandler[]
  /** Options for `server.listen(mock.listenOptions)`: unhandled requests fail, in MSW 2 and 3 alike. */
  readonly listenOptions: { readonly onUnhandledRequest: 'error'; readonly onUnhandledFrame: 'error' }
  /** Base address of the API. */
  readonly baseUrl: string
  /**
   * Keys by name: `mock.keys.master`. Seeded keys are included, but the compiler does not know their names; read them
   * through the type `WorkspaceMock`.
   */
  readonly keys: MockKeys<KeyName>
  /**
   * Handles a request without interception. Accepts what `fetch` accepts; an address without a scheme is relative to the
   * base address: `mock.fetch('/me', { headers })`. Addresses outside the base address get 404. Rejects like `fetch`: with a
   * TypeError if a fault breaks the connection or the body cannot be read, and with the signal's reason if it is aborted.
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>
  /** The controls of a sandbox. The sandbox is created from the fixture on first use. */
  sandbox(name: string): MockControls
  /**
   * Calls a function on every request, reset, clock move, state change, and sandbox created or deleted, across all
   * sandboxes; `GET /__mock/events` streams the same events. With `{ pending: true }` it is also called when a request
   * arrives, and immediately for requests already waiting for a response.
   * @returns a function that unsubscribes
   */
  watch(listener: (signal: Signal) => void, options?: WatchOptions): () => void
  /**
   * Wraps `fn` to run against a private copy of state, clock and answers, with no faults and an empty journal; meant for
   * concurrent tests. Needs AsyncLocalStorage, so it works in Node only.
   */
  boundary<Args extends unknown[], Result>(fn: (...args: Args) => Result): (...args: Args) => Result
  /**
   * Runs a client once without failures, then once per request and failure: errors, an outage, late responses, failed
   * jobs, a crash, other users. Every run starts from the current state. Reports where the client did harm; the mock
   * itself does not change.
   * @throws {ControlError} for invalid arguments, or when called within a scenario
   */
  explore(
    scenario: ExploreScenario<WorkspaceMock>,
    options?: ExploreOptions<WorkspaceMock>,
  ): Promise<ExploreResult>
}

/** Passes each call to the sandbox named in `X-Mock-Sandbox`, or else to the sandbox of the code that sent it. */
const createHandler = (sandboxes: Sandboxes, boundaries: Boundaries): CallHandler => ({
  handle(call) {
    const name = call.header('x-mock-sandbox')
    if (name === null) return boundaries.handle(call)
    try {
      return sandboxes.get(name).handle(call)
    } catch (error) {
      if (error instanceof ControlError) return Promise.resolve(toErrorResponse('validation', error.message))
      throw error
    }
  },
})

const createBoundary =
  (boundaries: Boundaries, options: SandboxOptions): WorkspaceMock['boundary'] =>
  (fn) => {
    if (!boundaries.areTracked)
      throw new ControlError('mock.boundary needs AsyncLocalStorage, which this platform lacks')
    if (typeof fn !== 'function')
      throw new ControlError(`mock.boundary takes a function; received ${quote(fn)}`)
    return (...args) => {
      const outer = boundaries.current
      const inner = new Sandbox((events) => outer.fork(events), options)
      const end = () => inner.journal.leave()
      let result: unknown
      try {
        return (result = boundaries.within(inner, () => fn(...args)))
      } finally {
        if (result instanceof Promise) result.then(end, end)
        else end()
      }
    }
  }

function createSandboxes(options: MockOptions, baseUrl: string) {
  const { fixture = 'demo', startAt, plan, limits, clock: mode = 'manual' } = options
  const answers = resolveAnswers(options.answers ?? {})
  const loaded = baseOf(fixture, {
    ...(options.answers && { answers }),
    ...(plan && { plan }),
    ...(limits && { limits }),
  })
  const startSeconds = startAt === 'now' ? readSystemSeconds() : startAt
  const base = startSeconds === undefined ? loaded : startBaseAt(loaded, startSeconds)
  const coverage = new Coverage(collectOutcome)
  const sandboxOptions: SandboxOptions = {
    baseUrl,
    coverage,
    selfCheck: options.selfCheck ?? false,
    advanceOnPoll: options.advanceOnPoll ?? true,
    journalSize: options.journalSize ?? 1000,
    newReport: (journal) => new Report(journal),
    journalBudget: new JournalBudget(options.journalBytes ?? 64 * 1024 * 1024),
  }
  const signals = new Signals()
  const cacheOwner = {}
  const start = (events: EventSink) =>
    new Store(base, { answers, clock: { mode, nowMs: base.nowMs }, events, cacheOwner })
  const sandboxes = new Sandboxes(
    (name, sharedFaults) =>
      new Sandbox(start, {
        ...sandboxOptions,
        // A named sandbox has its own coverage, and adds to the mock's.
        coverage: name === null ? coverage : new Coverage((outcome) => coverage.add(outcome)),
        listeners: signals.of(name),
        sharedFaults,
      }),
    options.maxSandboxes ?? 1000,
    signals,
  )
  const boundaries = new Boundaries(sandboxes.main)
  const snapshotBases = new SnapshotBases()
  const { fixture: _, startAt: __, ...others } = options
  const kept: MockOptions = {
    ...others,
    baseUrl,
    ...(typeof fixture === 'string' && { fixture }),
    ...(startSeconds !== undefined && { startAt: startSeconds }),
  }
  const places = { sandboxes, boundaries, fixtureName: base.name, options: kept }
  const controlsOptions = { baseUrl, snapshotBases, ...places }
  const controlsOf = (sandbox: Sandbox) => createControls(() => sandbox, controlsOptions)
  return { sandboxes, boundaries, sandboxOptions, controlsOptions, controlsOf, coverage, signals }
}

export function createExplorableMock(options: MockOptions = {}) {
  const problem = findNodeVersionProblem()
  if (problem !== undefined) throw new ControlError(problem)
  parseOrThrow(Options, options, 'options')
  const baseUrl = toAbsoluteUrl(options.baseUrl ?? '') ?? 'https://api.workspace.test/v1'
  const parts = createSandboxes(options, baseUrl)
  const { sandboxes, boundaries, sandboxOptions, controlsOptions, coverage } = parts
  const current = () => boundaries.current
  const handler = createHandler(sandboxes, boundaries)
  const adapter = createFetchAdapter(baseUrl, handler)
  const controls = createControls(current, { ...controlsOptions, wrap: withCallerStacks })
  const mock: WorkspaceMock = {
    ...controls,
    get answers() {
      return current().store.answers
    },
    get questions() {
      return questionRecords()
    },
    get keys() {
      const { keys } = current().store
      return Object.freeze(Object.fromEntries(keys.all().map(({ name, id }) => [name, id])))
    },
    handlers: [createMswHandler(baseUrl, adapter)],
    fetch: createFetch(baseUrl, adapter),
    listenOptions: { onUnhandledRequest: 'error', onUnhandledFrame: 'error' },
    baseUrl,
    ...withCallerStacks({
      sandbox(sandboxName: string) {
        const sandboxOf = () => sandboxes.getForControl(sandboxName)
        sandboxOf()
        return createControls(sandboxOf, { ...controlsOptions, sandboxName, wrap: withCallerStacks })
      },
    }),
    sandboxes: () => sandboxes.entries().map(([name]) => name),
    deleteSandbox: (name) => sandboxes.delete(name),
    coverage: () => coverage.report(),
    ...withCallerStacks({
      watch: (listener: (signal: Signal) => void, watched?: WatchOptions) =>
        sandboxes.watch(listener, watched),
    }),
    boundary: createBoundary(boundaries, sandboxOptions),
    explore: async (scenario, exploreOptions) => {
      // Loaded on first use, because most tests and the browser never need it.
      const { exploreInProcess } = await import('./tools/explore/explore.ts')
      return exploreInProcess(explorable, scenario, exploreOptions)
    },
  }
  withInternals(mock, { ...controlsOptions, sandboxOf: current, handler })
  const fetchWith = (handle: CallHandler['handle']) => {
    const handleCounted: CallHandler['handle'] = (call) => {
      boundaries.counts.explorations += 1
      return handle(call)
    }
    const fetchAdapter = createFetchAdapter(baseUrl, { handle: handleCounted })
    return (request: Request) => fetchAdapter(request, request.url)
  }
  const explorable: Explorable<WorkspaceMock> = { ...parts, mock, baseUrl, fetchWith }
  return { mock, explorable }
}

/**
 * Creates an in-memory mock of the API. Mocks share nothing.
 * @throws {ControlError} for invalid options
 * @throws {FixtureError} for an invalid fixture, naming the path
 * @throws {AnswerError} for an invalid answer
 */
export function createWorkspaceMock<const F extends FixtureName | Fixture = 'demo'>(
  options?: MockOptions<F>,
): WorkspaceMock<KeysOf<F>>
export function createWorkspaceMock(options?: MockOptions): WorkspaceMock {
  return withCallerStack(() => createExplorableMock(options).mock, createWorkspaceMock, [options])
}
