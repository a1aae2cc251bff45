// Explorations of clients that reach the mock in every possible way and wait on every kind of timer.
import axios, { type AxiosInstance } from 'axios'
import axiosRetry from 'axios-retry'
import { setupServer } from 'msw/node'
import PQueue from 'p-queue'
import sinon from 'sinon'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createWorkspaceMock, type ExploreContext, type WorkspaceMock } from 'workspace-api-mock'
import { Client } from './support/clients.ts'

/** By default sinon fakes queueMicrotask too, without which no body can be read in Node. */
const toFake = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'Date',
  'performance',
] as const

type Context = ExploreContext<WorkspaceMock>
const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)
beforeAll(() => server.listen(mock.listenOptions))
afterAll(() => server.close())
afterEach(() => {
  vi.useRealTimers()
  sinon.restore()
})

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
/** A careful client with plain fetch and its own waits. */
const careful = async (context: Context) => {
  const client = new Client({ ...context, fetch: globalThis.fetch, sleep: wait })
  const [list] = await client.lists()
  const { id } = await client.task(list!.id, 'Cupping')
  await client.comment(id, `see ${id}`)
}
const careless = async (context: Context) => {
  const client = new Client({ ...context, fetch: globalThis.fetch, sleep: wait }, false)
  const [list] = await client.lists()
  const { id } = await client.task(list!.id, 'Cupping')
  await client.comment(id, `see ${id}`)
}
const harm = [
  ['state', 'createTask', 'task twice'],
  ['state', 'createComment', 'comment twice'],
]
const harmOf = async (scenario: (context: Context) => unknown, options = {}) => {
  const before = [mock.snapshot(), mock.requests()]
  const result = await mock.explore(scenario, { families: ['errors'], ...options })
  expect([mock.snapshot(), mock.requests()]).toEqual(before)
  return result.findings.map(({ kind, operation, difference }) => [
    kind,
    operation,
    `${difference?.resource} ${difference?.change}`,
  ])
}

describe('explore of a client on plain fetch', () => {
  test('and the sleep it is handed', async () => {
    const scenario = (isCareful: boolean) => async (context: Context) => {
      const client = new Client({ ...context, fetch: globalThis.fetch }, isCareful)
      const [list] = await client.lists()
      const { id } = await client.task(list!.id, 'Cupping')
      await client.comment(id, `see ${id}`)
    }
    expect(await harmOf(scenario(true))).toEqual([])
    expect(await harmOf(scenario(false))).toEqual(harm)
  })

  const timers: Record<string, () => unknown> = {
    'fake timers of vitest': () => vi.useFakeTimers(),
    'fake timers of vitest that advance with time': () => vi.useFakeTimers({ shouldAdvanceTime: true }),
    'fake timers of vitest that advance by themselves': () =>
      vi.useFakeTimers().setTimerTickMode('nextTimerAsync'),
    'fake timers of sinon': () => sinon.useFakeTimers({ toFake: [...toFake] }),
    'fake timers of sinon that advance with time': () =>
      sinon.useFakeTimers({ toFake: [...toFake], shouldAdvanceTime: true }),
    'fake timers of sinon that advance by themselves': () =>
      sinon.useFakeTimers({ toFake: [...toFake] }).setTickMode({ mode: 'nextAsync' }),
  }
  test.for(Object.entries(timers))('and %s', async ([, use]) => {
    use()
    const now = Date.now()
    expect(await harmOf(careful, { maxRuns: 40 })).toEqual([])
    expect(await harmOf(careless)).toEqual(harm)
    expect(Date.now() - now).toBeLessThan(10_000)
  })

  test('and fake timers that it sets up itself', async () => {
    const faked = (scenario: (context: Context) => unknown) => async (context: Context) => {
      vi.useFakeTimers()
      try {
        await scenario(context)
      } finally {
        vi.useRealTimers()
      }
    }
    expect(await harmOf(faked(careful))).toEqual([])
    expect(await harmOf(faked(careless))).toEqual(harm)
  })
})

describe('explore of a client on axios', () => {
  const work = async (http: AxiosInstance) => {
    const { data } = await http.get('/lists')
    const { data: task } = await http.post(`/lists/${data.lists[0].id}/tasks`, { title: 'Cupping' })
    await http.post(`/tasks/${task.id}/comments`, { content: `see ${task.id}` })
  }
  const create = ({ baseUrl, key }: Context, adapter: 'http' | 'fetch') =>
    axios.create({ baseURL: baseUrl, adapter, headers: { authorization: `Bearer ${key}` } })

  test.for(['http', 'fetch'] as const)('by its adapter %s', async (adapter) => {
    const found = await harmOf((context) => work(create(context, adapter)))
    expect(new Set(found.map(([kind]) => kind))).toEqual(new Set(['gave up', 'lost']))
  })

  test('with retries of axios-retry, on fake timers', async () => {
    vi.useFakeTimers()
    const scenario = async (context: Context) => {
      const http = create(context, 'http')
      axiosRetry(http, {
        retries: 4,
        retryDelay: (count) => [0, 0, 1000, 2000, 4000][count] ?? 8000,
        retryCondition: (error) =>
          !error.response || error.response.status >= 500 || error.response.status === 429,
      })
      await work(http)
    }
    const { findings } = await mock.explore(scenario, { families: ['errors'] })
    const shown = (kind: string) =>
      findings
        .filter((finding) => finding.kind === kind)
        .flatMap(({ shownBy }) => shownBy.map(({ operation }) => operation))
    expect(new Set(shown('state'))).toEqual(new Set(['createTask', 'createComment']))
    expect(new Set(shown('rule'))).toEqual(new Set(['listLists', 'createTask', 'createComment']))
  })
})

describe('explore of a client with a queue at module level', () => {
  const queues: Record<string, PQueue> = {
    'of two at a time': new PQueue({ concurrency: 2 }),
    'of so many in an interval': new PQueue({ intervalCap: 2, interval: 10 }),
  }
  test.for(Object.entries(queues))('%s', async ([, queue]) => {
    const scenario = (isCareful: boolean) => async (context: Context) => {
      const fetch: typeof globalThis.fetch = (...given) =>
        queue.add<Response>(() => globalThis.fetch(...given))
      const client = new Client({ ...context, fetch }, isCareful)
      const [list] = await client.lists()
      const tasks = await Promise.all(['A', 'B', 'C'].map((title) => client.task(list!.id, title)))
      await Promise.all(tasks.map(({ id }, index) => client.comment(id, `see ${index}`)))
    }
    expect(await harmOf(scenario(true))).toEqual([])
    expect(await harmOf(scenario(false))).toEqual(harm)
  })
})

test('explore of concurrent requests', async () => {
  const scenario = (isCareful: boolean) => async (context: Context) => {
    const client = new Client(context, isCareful)
    const [list] = await client.lists()
    const tasks = await Promise.all(['A', 'B', 'C', 'C'].map((title) => client.task(list!.id, title)))
    await Promise.all(tasks.map(({ id }, index) => client.comment(id, `${index} see ${id}`)))
  }
  expect(await harmOf(scenario(false))).toEqual(harm)
})
