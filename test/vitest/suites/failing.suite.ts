// Tests that must fail, each for its own reason.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AsyncLocalStorage } from 'node:async_hooks'
import { expect } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { test } from 'workspace-api-mock/vitest'

test('passes between those that fail', async ({ call }) => {
  expect((await call('getIdentity')).status).toBe(200)
})

test.concurrent('fails on a request that no handler answers', async () => {
  await fetch('https://elsewhere.test/ping').catch(() => undefined)
})

test('fails on a request to a server of its own that is not named, which is not reached', async () => {
  let reached = 0
  const server = createServer((_, response) => response.end(String((reached += 1)))).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const error: unknown = await fetch(`http://127.0.0.1:${port}/ping`, { method: 'POST', body: 'x' }).catch(
    (reason: unknown) => reason,
  )
  expect(error).toMatchObject({ name: 'TypeError', cause: { code: 'ERR_UNHANDLED_REQUEST' } })
  expect(reached).toBe(0)
  server.close()
})

test.extend({ otherHandlers: [...createWorkspaceMock().handlers] })(
  'fails on another mock at the same address',
  () => undefined,
)

test.extend({ passthrough: ['127.0.0.1:*'] })('fails on an origin without a scheme', () => undefined)

const withOwnServer = test.extend({ passthrough: ['http://127.0.0.1:*'] })
const withOther = test.extend({ passthrough: ['https://cdn.mock.test'] })
withOther('fails on a request to a host that resembles a named one', async () => {
  await fetch('https://cdnxmock.test/').catch(() => undefined)
})
withOwnServer('fails on a request to a named host by another scheme', async () => {
  await fetch('https://127.0.0.1:1/').catch(() => undefined)
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

test('fails with what the mock knows of a wrong path', async ({ mock }) => {
  mock.fault({ operation: 'listTasks', status: 503 })
  const headers = { authorization: `Bearer ${mock.keys.master}` }
  const { status } = await fetch(`${mock.baseUrl}/task/tsk_label`, { headers })
  expect(status).toBe(200)
})

test('fails with what the mock knows after a hook failed', async ({ call, onTestFinished }) => {
  await call('getIdentity', { as: null })
  onTestFinished(() => {
    throw new Error('a hook of its own')
  })
})

test('fails as it waits for what a clock that stands still never brings', { timeout: 100 }, async () => {
  await new Promise(() => undefined)
})

test.fails('may fail, and then says nothing', async ({ call }) => {
  expect((await call('getIdentity')).status).toBe(404)
})

/** Runs a function as a queue or a timer created before the tests would; it belongs to no run. */
const outside = AsyncLocalStorage.snapshot()
test('runs that failed are over: what comes from outside reaches the only one there is', async ({ mock }) => {
  const response = await outside(() => fetch(`${mock.baseUrl}/me`))
  expect(response.status).toBe(401)
  expect(mock.requests()).toHaveLength(1)
})
