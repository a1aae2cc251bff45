// What learn concludes about deployments that show only a part, show nonsense, refuse some operations, or have an inexact
// clock.
import { expect, test } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from 'workspace-api-mock'
import type { OperationId } from '../../src/contract/index.ts'
import type { QuestionId } from '../../src/contract/questions/register.ts'
import { learn, type Learned } from 'workspace-api-mock/verify'
import { smallMock } from './support/whole-run.ts'
import { jsonResponse, deployment, type Rewriting } from './support/deployment.ts'
import { inProcess } from './support/scrambles.ts'

const learnFrom = async (operation: OperationId, rewriting: Rewriting, write = true, mock = smallMock()) =>
  learn({ ...inProcess(mock, 'master'), fetch: deployment(mock, operation, rewriting), write })

const about = ({ evidence, notObserved }: Learned, question: QuestionId) =>
  [...evidence, ...notObserved].find((one) => one.question === question)

test('learn marks an answer that one of several operations shows as an estimate', async () => {
  const learned = await learnFrom('listTasks', {
    reply: ({ json }) => {
      for (const task of json.tasks ?? []) task.title = task.title.toUpperCase()
    },
  })
  expect(about(learned, 'queryText')).toMatchObject({ answer: 'insensitive', estimate: true })
  const whole = await learnFrom('getIdentity', {}, false)
  expect(about(whole, 'queryText')).not.toHaveProperty('estimate', true)
})

test('learn takes no answer from filters that are ignored', async () => {
  const ask = ({ json }: { json: any }) => {
    delete json?.filters
  }
  const learned = await learnFrom('queryRows', { ask }, false)
  const how = expect.not.stringContaining('queryRows')
  expect(about(learned, 'queryText')).toMatchObject({ answer: 'insensitive', how, estimate: true })
})

test('learn reads the first rows of a table that has many, where there is no other', async () => {
  const mock = createWorkspaceMock({
    fixture: 'large',
    advanceOnPoll: false,
    answers: { queryText: 'sensitive' },
  })
  const learned = await learn({ ...inProcess(mock, 'master'), write: false })
  expect(learned.answers).toMatchObject({ rowShape: 'data', columnNames: 'names', queryText: 'sensitive' })
})

test('learn without writing observes answers on reads alone', async () => {
  const { answers } = await learnFrom('getIdentity', {}, false)
  expect(answers).toMatchObject({
    unknownBodyFields: 'ignore',
    contentType: 'lenient',
    unknownSortColumn: 'reject',
    limitAboveMax: 'clamp',
  })
})

test('learn does not take a missing permission for an answer', async () => {
  const learned = await learnFrom('updateTask', {
    ask: (asked) => {
      asked.instead = jsonResponse(403, { error: 'lacks the scope tasks:write' })
    },
  })
  expect(about(learned, 'unknownBodyFields')).toMatchObject({ answer: 'ignore' })
  expect(about(learned, 'contentType')).toMatchObject({ answer: 'lenient' })
  expect(about(learned, 'statusTransitions')).toEqual({
    question: 'statusTransitions',
    why: 'updateTask: status 403, "lacks the scope tasks:write"',
  })
})

test('learn gives no answer that a mock would refuse', async () => {
  const learned = await learnFrom('getListSchema', {
    reply: ({ json }) => {
      for (const field of json.fields ?? []) field.type = 7
    },
  })
  expect(about(learned, 'customFieldTypes')).toHaveProperty('why')
  expect(() => createWorkspaceMock({ answers: learned.answers })).not.toThrow()
})

test('learn rounds the times of jobs to polls where the clocks differ a little', async () => {
  const jobTimeline = { queuedMs: 1500, chunkRows: 700, chunkMs: 1000 }
  for (const pace of [0.98, 1.02]) {
    const mock = createWorkspaceMock({ advanceOnPoll: false, answers: { jobTimeline } })
    const nowMs = () => mock.clock.nowMs() * pace
    const learned = await learn({ ...inProcess(mock, 'master'), nowMs, write: true })
    expect(about(learned, 'jobTimeline')).toMatchObject({ answer: jobTimeline, estimate: true })
  }
})

test.for([1, 7, 90, 1000, 4999, 20_000])('learn observes chunks of %i rows', async (chunkRows) => {
  const jobTimeline = { queuedMs: 1000, chunkRows, chunkMs: 1500 }
  const mock = createWorkspaceMock({ advanceOnPoll: false, answers: { jobTimeline } })
  const learned = await learn({ ...inProcess(mock, 'master'), write: true })
  expect(about(learned, 'jobTimeline')).toMatchObject({ answer: jobTimeline, estimate: true })
})

test('learn observes whether one errored chunk fails a job, however small it is', async () => {
  for (const jobTransitions of ['failedOnAnyChunk', 'failedWhenNothingIn'] as const) {
    const answers = { jobTransitions, jobTimeline: { queuedMs: 500, chunkRows: 50_000, chunkMs: 500 } }
    const mock = createWorkspaceMock({ advanceOnPoll: false, answers })
    const learned = await learn({ ...inProcess(mock, 'master'), write: true })
    expect(about(learned, 'jobTransitions')).toMatchObject({ answer: jobTransitions })
  }
})

const running = (mock: WorkspaceMock) =>
  mock.db.jobs.findMany().filter(({ status }) => status === 'queued' || status === 'processing')

test('learn leaves no job running after a question', async () => {
  const jobTimeline = { queuedMs: 5000, chunkRows: 1000, chunkMs: 1000 }
  const mock = createWorkspaceMock({ advanceOnPoll: false, answers: { jobTimeline } })
  const left = new Set<string>()
  const onProgress = ({ next }: { readonly next: string }) => {
    if (running(mock).length > 0) left.add(next)
  }
  await learn({ ...inProcess(mock, 'scale'), write: true, onProgress })
  expect(mock.db.jobs.count()).toBeGreaterThan(3)
  expect([...left]).toEqual([])
})

test('learn knows the times of jobs where a request takes a while to arrive', async () => {
  const jobTimeline = { queuedMs: 500, chunkRows: 1000, chunkMs: 1500 }
  const mock = createWorkspaceMock({ advanceOnPoll: false, answers: { jobTimeline } })
  const fetch = (request: Request) => {
    mock.clock.advance(120)
    return mock.fetch(request)
  }
  const learned = await learn({ ...inProcess(mock, 'master'), fetch, write: true })
  expect(about(learned, 'jobTimeline')).toMatchObject({ answer: jobTimeline, estimate: true })
})

test('learn marks transitions as an estimate where a list has one status of a type', async () => {
  const learned = await learnFrom('getIdentity', {})
  const how = expect.stringContaining('which lacks some')
  expect(about(learned, 'statusTransitions')).toMatchObject({ answer: 'any', how, estimate: true })
})

test('learn marks the times of jobs as an estimate where each response takes seconds', async () => {
  const jobTimeline = { queuedMs: 5000, chunkRows: 1000, chunkMs: 4000 }
  const mock = createWorkspaceMock({ advanceOnPoll: false, answers: { jobTimeline } })
  const fetch = async (request: Request) => {
    mock.clock.advance(1000)
    const response = await mock.fetch(request)
    mock.clock.advance(1000)
    return response
  }
  const learned = await learn({ ...inProcess(mock, 'master'), fetch, write: true })
  const how = expect.stringMatching(/were queued for \d+ to \d+ ms and took \d+ to \d+ ms per chunk/)
  const answer = { ...jobTimeline, queuedMs: expect.any(Number), chunkMs: expect.any(Number) }
  expect(about(learned, 'jobTimeline')).toMatchObject({ answer, how, estimate: true })
})
