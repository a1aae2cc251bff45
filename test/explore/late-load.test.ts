// Explorations are loaded on first use, when timers may already be faked.
import { scrypt } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { createWorkspaceMock, type ExploreScenario, type WorkspaceMock } from '../../src/index.ts'

afterEach(() => {
  vi.useRealTimers()
})

const identify: ExploreScenario<WorkspaceMock> = ({ baseUrl, fetch, key }) =>
  fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${key}` } })

test('explore waits for a client that derives a key, where timers were faked when explorations were loaded', async () => {
  const mock = createWorkspaceMock()
  vi.useFakeTimers()
  await mock.explore(identify, { families: ['outcomes'], maxRuns: 1 })
  vi.useRealTimers()
  const { findings } = await mock.explore(
    async (context) => {
      for (let round = 0; round < 3; round++)
        await new Promise((resolve) => {
          scrypt('a', 'b', 64, { N: 2 ** 17, maxmem: 1e9 }, resolve)
        })
      await identify(context)
    },
    { families: ['outcomes'], maxRuns: 1 },
  )
  expect(findings).toEqual([])
})
