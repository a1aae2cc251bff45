// Complete runs of verify with keys other than the master key, on another fixture, and writing over HTTP.
import { expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { verify } from 'workspace-api-mock/verify'
import { inProcess } from './support/scrambles.ts'
import { drifts, expectNoTrace, newMock, overHttp, reasons, written } from './support/whole-run.ts'

test.for(['free', 'scale'])(
  'writing, the workspace of %s has no drift and keeps nothing but the space of the run',
  (key) => expectNoTrace(key),
)

test('writing over HTTP, the standalone server has no drift', async () => {
  const { report, before, after } = await overHttp(newMock(), 'business', true)
  expect(drifts(report)).toEqual([])
  expect(reasons(report).filter((why) => why.includes('lacks the fields'))).toEqual([])
  expect(report.counts.pass).toBeGreaterThan(650)
  expect(after).toEqual(before)
})

test('a scoped key has no drift: what it may not do is inconclusive', async () => {
  const { report } = await written('scoped')
  expect(drifts(report)).toEqual([])
  expect(reasons(report).some((why) => why.includes('lacks the scope'))).toBe(true)
})

test('a large workspace, read in part, has no drift and takes fewer requests than the demo', async () => {
  const mock = createWorkspaceMock({ fixture: 'large', advanceOnPoll: false })
  const report = await verify({ ...inProcess(mock, 'master'), write: true })
  expect(drifts(report)).toEqual([])
  expect(report.requests).toBeLessThan((await written('master')).report.requests)
})

test('no rule of polling, retrying or backing off is broken', async () => {
  const mocks = [(await written('free')).mock, (await written('master')).mock]
  const broken = mocks.flatMap((mock) => mock.report()).map(({ rule }) => rule)
  for (const rule of ['poll-interval', 'poll-finished', 'retry-after', 'backoff'])
    expect(broken).not.toContain(rule)
})

test('a key that may write a part is judged by that part', async () => {
  const { problem, inconclusive, findings } = (await written('scoped')).report
  expect(problem).toBeUndefined()
  expect(inconclusive.operations).toContain('createSpace')
  expect(inconclusive.share).toBeLessThan(0.1)
  const barred = findings.find(({ operation, rule }) => operation === 'createSpace' && rule === 'own-space')
  expect(barred).toMatchObject({
    outcome: 'inconclusive',
    why: expect.stringContaining('lacks the scope'),
  })
})
