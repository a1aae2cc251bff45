// Whether verify tidies up behind deployments that take what they should refuse, and bears a line that fails now and then.
import { describe, expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { verify } from 'workspace-api-mock/verify'
import { contentOf, contentWithout, withoutTimers } from './support/content.ts'
import { deployment } from './support/deployment.ts'
import { mutants } from './support/mutants.ts'
import { inProcess } from './support/scrambles.ts'

const newMock = () => createWorkspaceMock({ advanceOnPoll: false })

test('a deployment that takes wrong rows, limits and all, is tidied up too', async () => {
  const mock = newMock()
  const before = withoutTimers(contentOf(mock))
  const makers = ['createRow', 'bulkInsertRows', 'createTask']
  // What a deployment does not tell of cannot be removed by itself; it goes with its task.
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

describe('a line that fails now and then', () => {
  test.for([2, 3, 5, 8])(
    'two percent broken before and after the deployment is no drift (%s)',
    async (seed) => {
      const mock = newMock()
      const { fetch, ...options } = inProcess(mock, 'master')
      let state = seed
      const random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
      const flaky = async (request: Request) => {
        const luck = random()
        if (luck < 0.005) return Response.error()
        if (luck < 0.01) return new Response('<html>Service Unavailable</html>', { status: 503 })
        const response = await fetch(request)
        return luck < 0.02 ? Response.error() : response
      }
      const { findings } = await verify({ ...options, fetch: flaky, write: true })
      expect(findings.filter(({ outcome }) => outcome === 'drift')).toEqual([])
    },
  )
})
