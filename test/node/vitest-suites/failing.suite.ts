// What must fail, each test for one reason of its own.
import { expect } from 'vitest'
import { test } from 'workspace-api-mock/vitest'

test('passes between those that fail', async ({ call }) => {
  expect((await call('getIdentity')).status).toBe(200)
})

test.concurrent('fails on a request that no handler answers', async () => {
  await fetch('https://elsewhere.test/ping').catch(() => undefined)
})

test.concurrent('is not failed by its neighbour', async ({ call, expect }) => {
  expect((await call('getIdentity')).status).toBe(200)
})

const strict = test.extend({ strict: true })
strict('fails on a report with findings', async ({ call }) => {
  await call('GET /nowhere')
})

test('is not strict by default', async ({ call }) => {
  await call('GET /nowhere')
})

test('fails as toHaveRequested lists what was asked', async ({ call, mock }) => {
  await call('listSpaces')
  expect(mock).toHaveRequested('createSpace', { times: 1 })
})

test('fails as toHaveCleanReport lists the findings', async ({ call, mock }) => {
  await call('GET /nowhere')
  expect(mock).toHaveCleanReport()
})
