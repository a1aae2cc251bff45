// A suite on the helper, whose requests the coverage reporter counts.
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
