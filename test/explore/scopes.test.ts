// Which exploration run a request belongs to if it comes from outside the run's asynchronous context.
import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'

/** Runs a function as a queue or a timer created before the exploration would. */
const outside = AsyncLocalStorage.snapshot()

/** How many faults an exploration could try on requests from outside; 0 if it does not treat them as its own. */
async function foundFromOutside(mock: ReturnType<typeof createWorkspaceMock>) {
  const { covered } = await mock.explore(
    async ({ baseUrl }) => {
      await outside(() => mock.fetch(`${baseUrl}/me`))
    },
    { families: ['errors'] },
  )
  return covered.possible
}

test('explore takes requests from outside when it is the only one, in a boundary too', async () => {
  const mock = createWorkspaceMock()
  expect(await foundFromOutside(mock)).toBeGreaterThan(0)
  expect(await mock.boundary(() => foundFromOutside(mock))()).toBeGreaterThan(0)
  expect(mock.requests()).toEqual([])
})

test('explore leaves the mock as it was when controls are called from outside', async () => {
  const mock = createWorkspaceMock()
  const before = mock.snapshot()
  await mock.explore(() => outside(() => mock.setLimits({ spaces: 7 })), { families: ['errors'] })
  expect(mock.snapshot()).toEqual(before)
})

/** A promise that resolves once `open` is called. */
function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open: () => open() }
}

/** A request of mock.fetch whose body takes some turns of the event loop to arrive. */
function slowRequest({ baseUrl, key }: { readonly baseUrl: string; readonly key: string }): Request {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
      controller.enqueue(new TextEncoder().encode('{"name":"Lab"}'))
      controller.close()
    },
  })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return new Request(`${baseUrl}/spaces`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
}

test('explore wakes no sleeper while a request of mock.fetch is in flight', async () => {
  const timedOut = async (sleep: (ms: number) => Promise<unknown>) => {
    await sleep(10)
    throw new Error('timed out')
  }
  const { covered } = await createWorkspaceMock().explore(
    async (context) => {
      await Promise.race([context.mock.fetch(slowRequest(context)), timedOut(context.sleep)])
    },
    { families: ['errors'] },
  )
  expect(covered.tried).toBe(covered.possible)
  expect(covered.possible).toBeGreaterThan(0)
})

test('explore waits for a request that was in flight when the scenario resolved', async () => {
  const { covered, findings } = await createWorkspaceMock().explore(
    async (context) => {
      void context.mock.fetch(slowRequest(context)).catch(() => undefined)
      const headers = { authorization: `Bearer ${context.key}` }
      await context.mock.fetch('/me', { headers }).catch(() => undefined)
    },
    { families: ['errors'] },
  )
  expect(covered.tried).toBe(covered.possible)
  expect(covered.possible).toBeGreaterThan(4)
  expect(findings.map(({ kind }) => kind)).not.toContain('late request')
  // The slow request creates its space whatever happens to the other one, so the states never differ.
  expect(findings.filter(({ operation }) => operation === 'getIdentity')).toEqual([])
})

test('explore breaks the connection of a late request of mock.fetch, whose effect no other run sees', async () => {
  const mock = createWorkspaceMock()
  const before = mock.snapshot()
  const late: Promise<unknown>[] = []
  const { findings } = await mock.explore(
    async ({ mock: within, baseUrl, key }) => {
      const send = async () => {
        await new Promise((resolve) => setTimeout(resolve, 1))
        return within.fetch(slowRequest({ baseUrl, key }))
      }
      late.push(send().catch((error: unknown) => error))
      await within.fetch('/me', { headers: { authorization: `Bearer ${key}` } })
    },
    { families: ['errors'] },
  )
  const answers = await Promise.all(late)
  expect(findings.map(({ kind, operation }) => [kind, operation])).toContainEqual([
    'late request',
    'createSpace',
  ])
  expect(answers.filter((answer) => answer instanceof TypeError)).not.toEqual([])
  expect(mock.snapshot()).toEqual(before)
})

test('a request from outside while two boundaries are explored belongs to neither, and reaches the mock', async () => {
  const mock = createWorkspaceMock()
  let begun = 0
  const both = gate()
  const explored = mock.boundary(async () => {
    const { covered } = await mock.explore(
      async ({ baseUrl, key, fetch }) => {
        if ((begun += 1) === 2) both.open()
        await both.opened
        await outside(() => mock.fetch(`${baseUrl}/lists`))
        await fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${key}` } })
        if (mock.requests().some(({ path }) => path !== '/me')) throw new Error('it came into the run')
      },
      { families: ['errors'], maxRuns: 1 },
    )
    return covered
  })
  const [one, other] = await Promise.all([explored(), explored()])
  expect(one).toEqual(other)
  expect(one.possible).toBeGreaterThan(0)
  expect(mock.requests().map(({ path }) => path)).toEqual(['/lists', '/lists'])
})

test('a request from outside while the mock and a boundary are explored belongs to that of the mock', async () => {
  const mock = createWorkspaceMock()
  const [begun, ended] = [gate(), gate()]
  const exploration = mock.explore(
    async () => {
      // A client with a pending timer does not count as hanging.
      const timer = setInterval(() => undefined, 60_000)
      begun.open()
      await ended.opened
      clearInterval(timer)
    },
    { families: ['errors'], maxRuns: 1 },
  )
  await begun.opened
  expect(await mock.boundary(() => foundFromOutside(mock))()).toBe(0)
  ended.open()
  expect((await exploration).covered.possible).toBeGreaterThan(0)
  expect(mock.requests()).toEqual([])
})
