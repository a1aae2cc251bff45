// Odd values from clients, and uncaught errors: explore describes them and continues.
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

const deep = (levels: number) => {
  let value: object = {}
  for (let level = 0; level < levels; level++) value = { value }
  return value
}
/** An array or a map that counts how many of its entries are read. */
const counted = {
  'an array': (count: () => void) =>
    new Proxy(Array<number>(1_000_000).fill(7), {
      get: (target, name, receiver) => {
        count()
        return Reflect.get(target, name, receiver) as unknown
      },
    }),
  'a map': (count: () => void) => {
    const map = new Map(Array.from({ length: 1_000_000 }, (_, index) => [index, index]))
    const entries = map.entries.bind(map)
    map.entries = function* () {
      for (const entry of entries()) {
        count()
        yield entry
      }
    } as typeof map.entries
    return map
  },
  'arrays in an array': (count: () => void) => {
    const each = counted['an array'](count)
    return Array.from({ length: 1000 }, () => [each.slice(0, 5), each])
  },
}
test.for(Object.entries(counted))('explore reads the start of %s only', async ([, make]) => {
  let reads = 0
  const value = make(() => reads++)
  reads = 0
  const result = await createWorkspaceMock().explore(async () => ({ value, nested: deep(100_000) }), {
    families: ['errors'],
  })
  expect(result.findings).toEqual([])
  // Without faults the client runs twice.
  expect(reads).toBeGreaterThan(1000)
  expect(reads).toBeLessThan(20_000)
})

test('explore tells values apart whose paths are long', async () => {
  const result = await createWorkspaceMock().explore(
    async (context: Context) => {
      const names = await apiOf(context)('GET', '/me').then(
        () => ['a', 'b'],
        () => ['a'],
      )
      return { ['k'.repeat(1000)]: { names, more: new Set([{ names }]) } }
    },
    { families: ['errors'] },
  )
  expect(result.findings.length).toBeGreaterThan(0)
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
