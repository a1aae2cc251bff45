// Odd values of clients, and errors that nothing catches: explore describes them, and goes on.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorkspaceMock, type ExploreContext, type WorkspaceMock } from 'workspace-api-mock'
import { apiOf } from './support/clients.ts'

type Context = ExploreContext<WorkspaceMock>
const events = ['unhandledRejection', 'uncaughtException'] as const
const ofRunner = new Map<string, unknown[]>()
beforeEach(() => {
  for (const event of events) {
    ofRunner.set(event, process.listeners(event as never))
    process.removeAllListeners(event)
  }
})
afterEach(() => {
  for (const event of events) {
    process.removeAllListeners(event)
    for (const listener of ofRunner.get(event) ?? []) process.on(event, listener as never)
  }
})

const throwing = () => {
  throw new Error('not readable')
}
const revoked = Proxy.revocable({}, {})
revoked.revoke()
const odd: Record<string, unknown> = {
  'a revoked proxy': revoked.proxy,
  'a proxy that throws': new Proxy({}, { get: throwing, ownKeys: throwing }),
  'a symbol': Symbol('beans'),
  'a message that is an object': Object.assign(new Error('x'), { message: { a: 1 } }),
  'a message that throws': Object.defineProperty(new Error('x'), 'message', { get: throwing }),
  'a megabyte of message': new Error('x'.repeat(1_000_000)),
  'an object without a prototype': Object.create(null),
}
test.for(Object.entries(odd))('explore takes %s for a value of the client', async ([, value]) => {
  const result = await createWorkspaceMock().explore(
    async (context: Context) => {
      await apiOf(context)('GET', '/me').catch(() => {
        throw value
      })
      return { value }
    },
    { families: ['errors'] },
  )
  expect(result.findings.map(({ kind }) => kind)).toContain('gave up')
  expect(String(result).length).toBeLessThan(5000)
})

test('explore finds what nothing catches, by the request that failed', async () => {
  const result = await createWorkspaceMock().explore(
    async (context: Context) => {
      const api = apiOf(context)
      const name = api('GET', '/me').then((me) => JSON.stringify(me))
      void name.then((text) => text.length)
      await name.catch(() => 'unknown')
    },
    { families: ['errors'] },
  )
  const found = result.findings.filter(({ kind }) => kind === 'unhandled')
  expect(found).toMatchObject([{ severity: 'error', cause: 'unhandled getIdentity' }])
  expect(found[0]!.name).not.toBeNull()
})
