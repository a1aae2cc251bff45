// Clients that never end: an exploration notices, says so, and continues.
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createWorkspaceMock, type ExploreContext, type WorkspaceMock } from 'workspace-api-mock'

type Context = ExploreContext<WorkspaceMock>
const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)
beforeAll(() => server.listen(mock.listenOptions))
afterAll(() => server.close())
afterEach(() => void vi.useRealTimers())

const authorize = ({ key }: Context) => ({ headers: { authorization: `Bearer ${key}` } })
type Send = (context: Context) => Promise<Response>
const transports: Record<string, Send> = {
  'context.fetch': (context) => context.fetch(`${context.baseUrl}/me`, authorize(context)),
  'mock.fetch': (context) => context.mock.fetch('/me', authorize(context)),
  MSW: (context) => fetch(`${context.baseUrl}/me`, authorize(context)),
}

const succeeds = (response: Promise<Response>) =>
  response.then(
    ({ ok }) => ok,
    () => false,
  )

/** Ways to retry forever without waiting. */
const loops: Record<string, (context: Context, send: Send) => Promise<unknown>> = {
  'a loop': async (context, send) => {
    for (;;) {
      const response = await send(context).catch(() => undefined)
      if (response?.ok) return
    }
  },
  recursion: async (context, send) => {
    const attempt = (): Promise<unknown> =>
      send(context).then(
        (response) => (response.ok ? undefined : attempt()),
        () => attempt(),
      )
    await attempt()
  },
  'an async generator': async (context, send) => {
    async function* attempts() {
      for (;;) yield await send(context).catch(() => undefined)
    }
    for await (const response of attempts()) if (response?.ok) return
  },
  'try and catch': async (context, send) => {
    for (;;)
      try {
        const response = await send(context)
        if (!response.ok) throw new Error('not ok')
        return
      } catch {}
  },
  immediates: async (context, send) => {
    for (;;) {
      if (await succeeds(send(context))) return
      await new Promise((resolve) => setImmediate(resolve))
    }
  },
  'timers of a millisecond': async (context, send) => {
    for (;;) {
      if (await succeeds(send(context))) return
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  },
  'sleeps of no time': async (context, send) => {
    for (;;) {
      if (await succeeds(send(context))) return
      await context.sleep(0)
    }
  },
}

const cases = Object.keys(transports).flatMap((by) => Object.keys(loops).map((name) => [by, name] as const))
test.for(cases)('explore ends a client that by %s tries for ever in %s', async ([by, name]) => {
  let ticks = 0
  const timer = setInterval(() => (ticks += 1), 5)
  const { findings } = await mock.explore((context) => loops[name]!(context, transports[by]!), {
    families: ['outage'],
  })
  clearInterval(timer)
  expect(findings.filter(({ kind }) => kind === 'hang')).toHaveLength(1)
  expect(findings.find(({ kind }) => kind === 'hang')!.message).toMatch(
    /did not settle: it made \d+ requests/,
  )
  expect(ticks).toBeGreaterThan(1)
})

describe('explore ends, without any request,', () => {
  const waits: Record<string, (context: Context) => unknown> = {
    'what never settles': () => new Promise(() => undefined),
    'a race with a sleep': async ({ sleep }) => {
      for (;;) await Promise.race([sleep(1000), Promise.resolve()])
    },
    'sleeps without end': async ({ sleep }) => {
      for (;;) await sleep(1000)
    },
    'sleeps of the clock without end': async (context) => {
      for (;;) await context.mock.clock.sleep(60_000)
    },
    'what never settles while timers are faked': () => {
      vi.useFakeTimers()
      return new Promise(() => undefined)
    },
    'fake timers without end': async () => {
      vi.useFakeTimers()
      for (;;) await new Promise((resolve) => setTimeout(resolve, 1))
    },
  }
  test.for(Object.keys(waits))('%s', async (name) => {
    const began = performance.now()
    await expect(mock.explore(waits[name]!)).rejects.toThrow(/did not settle/)
    vi.useRealTimers()
    expect(performance.now() - began).toBeLessThan(30_000)
  })

  test('a check that never settles', async () => {
    const isHung = { check: () => new Promise(() => undefined) }
    await expect(mock.explore(() => undefined, isHung)).rejects.toThrow(/the check did not settle/)
  })
})
