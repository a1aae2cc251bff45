// Checks that verify cleans up on deployments that accept what they should refuse, and tolerates a connection that fails
// now and then.
import { describe, expect, test } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from 'workspace-api-mock'
import { verify } from 'workspace-api-mock/verify'
import { smallMock } from './support/whole-run.ts'
import { contentOf, contentWithout, withoutTimers } from './support/content.ts'
import { deployment } from './support/deployment.ts'
import { mutants } from './support/mutants.ts'
import { inProcess } from './support/scrambles.ts'

test('a deployment that accepts invalid rows is cleaned up, too', async () => {
  const mock = smallMock()
  const before = withoutTimers(contentOf(mock))
  const makers = ['createRow', 'bulkInsertRows', 'createTask']
  // An attachment that the deployment does not report is only removed along with its task.
  const wrong = mutants.filter(
    (one) =>
      makers.includes(one.operation) &&
      ['status', 'limit', 'default'].includes(one.kind) &&
      !one.wrong.includes('leaves out attachments'),
  )
  for (const { operation, make } of wrong)
    await verify({
      ...inProcess(mock, 'master'),
      fetch: deployment(mock, operation, make()),
      write: true,
      only: makers,
    })
  expect(withoutTimers(contentWithout(mock, 'verify-test'))).toEqual(before)
})

/** Numbers from 0 to 1, the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

async function driftsOf(mock: WorkspaceMock, fetch: (request: Request) => Promise<Response>) {
  const { findings } = await verify({ ...inProcess(mock, 'master'), fetch, write: true })
  return findings.filter(({ outcome }) => outcome === 'drift')
}

describe('an unreliable connection', () => {
  test.for([3, 8])('two percent broken before and after the deployment is no drift (%s)', async (seed) => {
    const mock = smallMock()
    const random = numbersFrom(seed)
    const flaky = async (request: Request) => {
      const luck = random()
      if (luck < 0.005) return Response.error()
      if (luck < 0.01) return new Response('<html>Service Unavailable</html>', { status: 503 })
      const response = await mock.fetch(request)
      return luck < 0.02 ? Response.error() : response
    }
    expect(await driftsOf(mock, flaky)).toEqual([])
  })

  test('one percent 503 after the deployment has acted is no drift', async () => {
    const mock = smallMock()
    const random = numbersFrom(11)
    const flaky = async (request: Request) => {
      const response = await mock.fetch(request)
      return random() < 0.01
        ? Response.json({ error: 'Service unavailable', transient: true }, { status: 503 })
        : response
    }
    expect(await driftsOf(mock, flaky)).toEqual([])
  })
})

test('rows and tasks that others write in 1 of 40 requests are no drift', async () => {
  const mock = smallMock()
  const random = numbersFrom(5)
  const isForeign = (record: unknown) => !JSON.stringify(record).includes('verify-test')
  const list_id = mock.db.lists.findMany()[0]?.id ?? ''
  let written = 0
  const writes = [
    () => mock.db.tasks.create({ list_id, title: 'By somebody else' }),
    () =>
      mock.db.tasks.delete((q) => q.where({ id: mock.db.tasks.findMany().findLast(isForeign)?.id ?? '' })),
    ...mock.db.tables.findMany().flatMap(({ id, locked }) => {
      if (locked) return []
      const rows = mock.db.rows(id)
      return [
        () => rows.create({ data: {} }),
        () => rows.delete((q) => q.where({ id: rows.findMany().findLast(isForeign)?.id ?? '' })),
      ]
    }),
  ]
  const busy = async (request: Request) => {
    const response = await mock.fetch(request)
    if (random() >= 1 / 40) return response
    await writes[Math.floor(random() * writes.length)]?.()
    written += 1
    return response
  }
  expect(await driftsOf(mock, busy)).toEqual([])
  expect(written).toBeGreaterThan(50)
})

test('fields added to every object, below another base address, are notes', async () => {
  const mock = createWorkspaceMock({ advanceOnPoll: false, baseUrl: 'https://work.example.com/api/v1' })
  const extend = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(extend)
      : typeof value === 'object' && value !== null
        ? {
            ...Object.fromEntries(Object.entries(value).map(([name, one]) => [name, extend(one)])),
            _tag: 'x1',
          }
        : value
  const extended = async (request: Request) => {
    const response = await mock.fetch(request)
    const { status, headers } = response
    if (headers.get('content-type')?.includes('json') !== true) return response
    return new Response(JSON.stringify(extend(await response.json())), { status, headers })
  }
  const report = await verify({ ...inProcess(mock, 'master'), fetch: extended, write: true })
  expect(report.findings.filter(({ outcome }) => outcome === 'drift')).toEqual([])
  expect(report.notes.length).toBeGreaterThan(50)
})
