// Clients with parallel requests: what one run leaves behind never leaks into another run, with MSW and fake timers too.
import { setupServer } from 'msw/node'
import PQueue from 'p-queue'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  createWorkspaceMock,
  type ExploreContext,
  type ExploreResult,
  type WorkspaceMock,
} from 'workspace-api-mock'
import { Client } from './support/clients.ts'

/** The errors and warnings. */
const faultsOf = ({ findings }: ExploreResult) =>
  findings
    .filter(({ severity }) => severity === 'error' || severity === 'warning')
    .map(({ kind, message, operation }) => `${kind} ${operation}: ${message}`)

type Context = ExploreContext<WorkspaceMock>
const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)
beforeAll(() => server.listen(mock.listenOptions))
afterAll(() => server.close())
afterEach(() => void vi.useRealTimers())

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const ids = ['tsk_label', 'tsk_photos']

const annotate = async (
  context: Context,
  run: <T>(work: () => Promise<T>) => Promise<T>,
  by: 'fetch' | 'MSW',
) => {
  const client = new Client(by === 'MSW' ? { ...context, fetch: globalThis.fetch, sleep: wait } : context)
  await Promise.all(
    ids.map((id) =>
      run(async () => {
        await client.request('GET', `/tasks/${id}`)
        await client.update(id, { description: 'Read' })
        await client.update(id, { priority: 'high' })
      }),
    ),
  )
}

const ways: Record<string, <T>(work: () => Promise<T>) => Promise<T>> = {
  'at once': (work) => work(),
  'by a queue': (work) => queue.add(work),
}
const queue = new PQueue({ concurrency: 2 })

describe.for(Object.keys(ways))('explore finds nothing in parallel requests %s', (way) => {
  test('by context.fetch', async () => {
    const result = await mock.explore((context) => annotate(context, ways[way]!, 'fetch'), {
      families: ['errors', 'outage', 'latency', 'outcomes'],
    })
    expect(faultsOf(result)).toEqual([])
  })
  test('by MSW with fake timers', async () => {
    vi.useFakeTimers()
    const result = await mock.explore((context) => annotate(context, ways[way]!, 'MSW'), {
      families: ['errors', 'outage', 'latency', 'outcomes'],
    })
    expect(vi.getTimerCount()).toBe(0)
    expect(faultsOf(result)).toEqual([])
  })
})
