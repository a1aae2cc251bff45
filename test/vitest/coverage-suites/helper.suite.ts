// A suite on the helper: the coverage reporter counts its requests, but not those of explorations.
import { expect } from 'vitest'
import { test } from 'workspace-api-mock/vitest'

test('reads', async ({ call }) => {
  expect((await call('getIdentity')).status).toBe(200)
  expect((await call('getIdentity', { as: null })).status).toBe(401)
})

test('bears a fault', async ({ mock, call }) => {
  mock.fault({ operation: 'listLists', status: 503 })
  expect((await call('listLists')).status).toBe(503)
})

test('explores', async ({ mock }) => {
  const { runs } = await mock.explore(
    async ({ fetch, baseUrl, key }) => {
      const headers = { authorization: `Bearer ${key}` }
      for (const path of ['/me', '/lists', '/spaces']) await fetch(`${baseUrl}${path}`, { headers })
    },
    { families: 'all', maxRuns: 30 },
  )
  expect(runs).toBeGreaterThan(10)
})
