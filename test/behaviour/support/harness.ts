// How a behaviour test talks to the mock, whatever the target of the run.
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest'
import { cover } from '../../fidelity/meta.ts'
import type { Control, Outcome, StartTarget, Target, TargetOptions } from '../../targets/target.ts'
import type { TaskMeta } from 'vitest'
import { testFixture } from './fixture.ts'
import { Reply } from './reply.ts'

export type { Control } from '../../targets/target.ts'
export { Reply } from './reply.ts'
export { times } from './times.ts'
export { multipart } from './multipart.ts'

declare module 'vitest' {
  interface ProvidedContext {
    target: 'in-process' | 'intercepted' | 'standalone' | 'browser'
  }
}

const targets: Record<string, () => Promise<{ start: StartTarget }>> = {
  'in-process': () => import('../../targets/in-process.ts'),
  intercepted: () => import('../../targets/intercepted.ts'),
  standalone: () => import('../../targets/standalone.ts'),
  browser: () => import('../../targets/browser.ts'),
}

export interface CallOptions {
  /** Null sends no Authorization header. */
  readonly key?: string | null
  readonly query?: Readonly<Record<string, string | number>> | string
  readonly json?: unknown
  readonly body?: BodyInit
  readonly headers?: Readonly<Record<string, string>>
}

export interface Api {
  /** The address of a path below /v1, for requests that `call` cannot express. */
  url(path: string): string
  /** Sends a request to an absolute address, unchanged. */
  readonly fetch: typeof fetch
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  get(path: string, options?: CallOptions): Promise<Reply>
  post(path: string, json?: unknown, options?: CallOptions): Promise<Reply>
  patch(path: string, json?: unknown, options?: CallOptions): Promise<Reply>
  delete(path: string, options?: CallOptions): Promise<Reply>
}

export interface Harness {
  readonly api: Api
  readonly control: Control
}

export interface MockSetup extends Partial<TargetOptions> {
  /** The key for calls that name none. */
  readonly key?: string
}

function createApi(target: () => Target, defaultKey: string): Api {
  const send: typeof fetch = (input, init) => target().fetch(input, init)
  const call: Api['call'] = async (method, path, { key = defaultKey, query, json, body, headers } = {}) => {
    const search = typeof query === 'string' ? query : new URLSearchParams(asStrings(query ?? {})).toString()
    const response = await send(`${target().baseUrl}${path}${search === '' ? '' : `?${search}`}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? (body ?? null) : JSON.stringify(json),
    })
    return new Reply(response.status, response.headers, new Uint8Array(await response.arrayBuffer()))
  }
  const withJson = (method: string) => (path: string, json?: unknown, options?: CallOptions) =>
    call(method, path, { ...options, json })
  return {
    url: (path) => `${target().baseUrl}${path}`,
    fetch: send,
    call,
    get: (path, options) => call('GET', path, options),
    post: withJson('POST'),
    patch: withJson('PATCH'),
    delete: (path, options) => call('DELETE', path, options),
  }
}

const asStrings = (query: Readonly<Record<string, string | number>>) =>
  Object.entries(query).map(([name, value]) => [name, String(value)])

/** Starts a mock for the tests in the enclosing block, by default on the suite's own fixture, and resets it before each test. */
export function useMock({ key = 'wm_test_master', ...setup }: MockSetup = {}): Harness {
  let running: Target | undefined
  const target = () => {
    if (!running) throw new Error('the mock runs during tests only')
    return running
  }
  beforeAll(async () => {
    running = await startTarget(setup)
  })
  const observed = observeControl(() => target().control)
  beforeEach(() => observed.start())
  afterEach(({ task }) => observed.finish(task.meta))
  afterAll(async () => {
    await running?.close()
    running = undefined
  })
  return { api: createApi(target, key), control: observed.control }
}

const outcomeName = ({ operation, status, refusal }: Outcome) =>
  `${operation ?? 'none'} ${String(status)} ${refusal ?? 'success'}`

/** The controls of the current mock. Records the responses that a test's requests got and what its reports found. */
function observeControl(current: () => Control) {
  const outcomes = new Set<string>()
  const injected = new Set<string>()
  const rules = new Set<string>()
  const noteOutcomes = async () => {
    for (const outcome of await current().outcomes())
      (outcome.isInjected ? injected : outcomes).add(outcomeName(outcome))
  }
  const noted: Partial<Control> = {
    reset: async () => {
      await noteOutcomes()
      await current().reset()
    },
    report: async (options) => {
      const findings = await current().report(options)
      for (const { rule } of findings) rules.add(rule)
      return findings
    },
  }
  const control = new Proxy({} as Control, {
    get: (_, name) => Reflect.get(Reflect.has(noted, name) ? noted : current(), name) as unknown,
  })
  return {
    control,
    async start(): Promise<void> {
      for (const seen of [outcomes, injected, rules]) seen.clear()
      await current().reset()
    },
    async finish(meta: TaskMeta): Promise<void> {
      await noteOutcomes()
      cover(meta, 'outcomes', outcomes)
      cover(meta, 'injected', injected)
      cover(meta, 'rules', rules)
    },
  }
}

async function startTarget(setup: Partial<TargetOptions>): Promise<Target> {
  const load = targets[inject('target')]
  if (!load) throw new Error(`no target is called ${inject('target')}`)
  const { start } = await load()
  return start({ fixture: testFixture, ...setup })
}

/** The mock's state without the rate windows, which also count refused requests. */
export async function stateOf(control: Control): Promise<unknown> {
  const { runtime, ...rest } = (await control.state()) as { runtime?: Record<string, unknown> }
  return { ...rest, runtime: { ...runtime, windows: null } }
}
