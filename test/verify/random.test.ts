// Random requests: none differs on a deployment that keeps the contract, and a planted drift is found and shortened.
import { expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { verify, type VerifyReport } from 'workspace-api-mock/verify'
import { deployment, type Rewriting } from './support/deployment.ts'
import { inProcess } from './support/scrambles.ts'

const newMock = () => createWorkspaceMock({ advanceOnPoll: false })
const drifts = ({ findings }: VerifyReport) => findings.filter(({ outcome }) => outcome === 'drift')
const options = { only: ['random'], write: true, random: 200 }

test.for([1, 2, 3, 4, 5])(
  'verify with 200 random requests has no drift on the demo: seed %i',
  async (seed) => {
    const mock = newMock()
    const report = await verify({ ...inProcess(mock, 'master'), ...options, seed })
    expect(drifts(report)).toEqual([])
    expect(report.counts.pass).toBeGreaterThan(15)
    expect(mock.requests().length).toBeGreaterThan(200)
  },
)

test('verify with random requests writes nothing unless it may', async () => {
  const mock = newMock()
  const before = mock.state()
  const report = await verify({ ...inProcess(mock, 'master'), only: ['random'], random: 60 })
  expect(drifts(report)).toEqual([])
  expect({ ...mock.state(), runtime: {} }).toEqual({ ...before, runtime: {} })
})

const planted: readonly (readonly [
  name: string,
  operation: Parameters<typeof deployment>[1],
  rewriting: Rewriting,
  field: string,
])[] = [
  [
    'a change of the title that empties the priority',
    'updateTask',
    {
      ask: ({ json }) => {
        if (json?.title !== undefined) json.priority = null
      },
    },
    'priority',
  ],
  [
    'deleted comments that stay',
    'deleteComment',
    {
      ask: (asked) => {
        asked.instead = {
          status: 200,
          json: { success: true },
          headers: new Headers({ 'content-type': 'application/json', 'access-control-allow-origin': '*' }),
        }
      },
    },
    'comments',
  ],
]

test.for(planted)(
  'verify with random requests names %s by a short sequence',
  async ([, operation, rewriting, field]) => {
    const mock = newMock()
    const fetch = deployment(mock, operation, rewriting)
    const report = await verify({ ...inProcess(mock, 'master'), ...options, fetch })
    const found = drifts(report).find((one) => one.field === field)
    expect(found?.says).toContain(operation)
    expect(found?.says.split(', ').length).toBeLessThan(12)
  },
)

test.for([-1, 1.5, 'x'] as const)('verify rejects %j random requests', async (random) => {
  const run = verify({ ...inProcess(newMock(), 'master'), random: random as number })
  await expect(run).rejects.toThrow(
    `random must be a whole number from 0; received ${JSON.stringify(random)}`,
  )
})
