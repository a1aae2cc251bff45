// Which run of an exploration requests belong to that come from outside its asynchronous context.
import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'

/** As a queue or a timer that was made before the exploration. */
const outside = AsyncLocalStorage.snapshot()

/** How much of requests from outside an exploration could try: nothing where they are not its own. */
async function foundFromOutside(mock: ReturnType<typeof createWorkspaceMock>) {
  const { covered } = await mock.exploreFaults(async ({ baseUrl }) => {
    await outside(() => mock.fetch(`${baseUrl}/me`))
  })
  return covered.possible
}

test('exploreFaults takes requests from outside when it is the only one, in a boundary too', async () => {
  const mock = createWorkspaceMock()
  expect(await foundFromOutside(mock)).toBeGreaterThan(0)
  expect(await mock.boundary(() => foundFromOutside(mock))()).toBeGreaterThan(0)
  expect(mock.requests()).toEqual([])
})

test('exploreFaults leaves the mock as it was when controls are called from outside', async () => {
  const mock = createWorkspaceMock()
  const before = mock.snapshot()
  await mock.exploreFaults(() => outside(() => mock.setLimits({ spaces: 7 })))
  expect(mock.snapshot()).toEqual(before)
})

test('exploreFaults wakes no sleeper while a request of mock.fetch is under way', async () => {
  const mock = createWorkspaceMock()
  const headers = { authorization: `Bearer ${mock.keys.master}` }
  const timedOut = async (sleep: (ms: number) => Promise<unknown>) => {
    await sleep(10)
    throw new Error('timed out')
  }
  const { covered } = await mock.exploreFaults(async ({ mock: within, sleep }) => {
    await Promise.race([within.fetch('/me', { headers }), timedOut(sleep)])
  })
  expect(covered.possible).toBeGreaterThan(0)
})
