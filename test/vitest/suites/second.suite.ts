// A second file for the same worker: what the first file set up and closed is set up again.
import { describe, expect } from 'vitest'
import { test } from 'workspace-api-mock/vitest'

describe('in a suite', () => {
  describe('in a suite', () => {
    test('fetch reaches the mock of the test', async ({ mock }) => {
      expect((await fetch(`${mock.baseUrl}/me`)).status).toBe(401)
      expect(mock).toHaveRequested('getIdentity', { status: 401, times: 1 })
    })
  })
})

test.for([1, 2, 3])('starts from the fixture, %i', async (_, { mock, call }) => {
  await call('createSpace', { body: { name: 'Ops' } })
  expect(mock).toHaveRequested('createSpace', { times: 1 })
})

const seeded = test.extend<{ readonly spaceId: string }>({
  spaceId: [
    async ({ mock }, use) => {
      const response = await fetch(`${mock.baseUrl}/spaces`, {
        method: 'POST',
        headers: { authorization: `Bearer ${mock.keys.master}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Seeded' }),
      })
      await use((await response.json()).id)
    },
    { auto: true },
  ],
})
seeded('fixtures made of ours reach the mock too', async ({ spaceId, call }) => {
  const { body } = await call('listSpaces')
  expect(body.spaces.map(({ id }) => id)).toContain(spaceId)
})
