// Checks that learn finds what a deployment does: it recovers the answers from mocks with scrambled ones.
import { afterAll, describe, expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import {
  defaultAnswers,
  questionIds,
  questions,
  type QuestionId,
} from '../../src/contract/questions/register.ts'
import { learn, verify } from 'workspace-api-mock/verify'
import { observers, unobservable } from '../../src/tools/verify/learn/learn.ts'
import type { OperationId } from '../../src/contract/scopes.ts'
import { cover } from '../fidelity/meta.ts'
import { smallMock } from './support/whole-run.ts'
import { contentOf, contentWithout } from './support/content.ts'
import { jsonResponse, deployment, type Rewriting } from './support/deployment.ts'
import { inProcess, scrambled, scrambles } from './support/scrambles.ts'

const date = '2026-01-05'
const observable = observers.map(({ question }) => question)
/** Questions for which an answer other than the default was recovered. */
const learnedBack = new Set<QuestionId>()

afterAll(() => {
  console.log(`answers learned: ${String(learnedBack.size)}/${String(observable.length)} observable`)
})

test('every question with several answers is observed, or has a reason why it cannot be', () => {
  const open = questionIds.filter((id) => !questions[id].fixed)
  expect([...observable, ...Object.keys(unobservable)].sort()).toEqual([...open].sort())
})

describe.for(scrambles)('$name', (scramble) => {
  const mock = scrambled(scramble)
  const { answers, key, write } = scramble
  const run = learn({ ...inProcess(mock, key), write, date })

  test('the observed answers are those of the mock', async ({ task }) => {
    const learned = await run
    const observed = new Set(learned.evidence.map(({ question }) => question))
    for (const { question, answer } of learned.evidence) {
      const inForce: any = mock.answers[question]
      const isPartial = typeof answer === 'object' && !Array.isArray(answer)
      if (isPartial) expect(inForce, question).toMatchObject(answer as object)
      else expect(inForce, question).toEqual(answer)
      if (JSON.stringify(inForce) !== JSON.stringify(defaultAnswers[question])) learnedBack.add(question)
    }
    cover(task.meta, 'learned', learnedBack)
    for (const { question, why } of learned.notObserved) {
      expect(observed.has(question)).toBe(false)
      expect(why).not.toMatch(/undefined|is not a function|Cannot read/)
    }
    expect(observed.size + learned.notObserved.length).toBe(
      questionIds.filter((id) => !questions[id].fixed).length,
    )
  })

  test('a mock with the learned answers has the answers that were set', async () => {
    const learned = await run
    const twin = createWorkspaceMock({ answers: learned.answers })
    const observed = new Set(learned.evidence.map(({ question }) => question))
    for (const question of Object.keys(answers) as QuestionId[])
      if (observed.has(question)) expect(twin.answers[question]).toEqual(mock.answers[question])
  })

  test('the result has date, address and evidence', async () => {
    const learned = await run
    expect(learned).toMatchObject({ date, baseUrl: mock.baseUrl, interrupted: false })
    for (const { how } of learned.evidence) expect(how).not.toBe('')
    if (!write) expect(learned.leftBehind).toEqual([])
  })
})

test('all observable answers are learned from the mocks together', async () => {
  expect(observable.filter((id) => !learnedBack.has(id))).toEqual([])
})

test.for(scrambles.slice(0, 5))(
  'with its own answers, a deployment has no drift: $name',
  async (scramble) => {
    const mock = scrambled(scramble)
    const options = { ...inProcess(mock, scramble.key), write: true }
    const report = await verify({ ...options, answers: scramble.answers })
    expect(report.findings.filter(({ outcome }) => outcome === 'drift')).toEqual([])
  },
)

test('learn without writing changes nothing, and observes no answer that needs writing', async () => {
  const mock = smallMock()
  const before = contentOf(mock)
  const learned = await learn({ ...inProcess(mock, 'master'), date })
  expect(contentOf(mock)).toEqual(before)
  expect(learned.notObserved).toContainEqual({
    question: 'mutationBody',
    why: expect.stringContaining('needs to write'),
  })
  expect(learned.answers).toMatchObject({ rowShape: 'data', queryText: 'insensitive' })
})

test('learn removes everything it made except its space', async () => {
  const mock = smallMock()
  const before = contentOf(mock)
  const learned = await learn({ ...inProcess(mock, 'master'), write: true, date })
  expect(contentWithout(mock, 'verify-test')).toEqual(before)
  expect(learned.leftBehind.every(({ why }) => why.includes('no operation'))).toBe(true)
})

describe('a deployment that no single answer fits', () => {
  const learnFrom = async (operation: Parameters<typeof deployment>[1], rewriting: Rewriting) => {
    const mock = smallMock()
    const fetch = deployment(mock, operation, rewriting)
    return learn({ ...inProcess(mock, 'master'), fetch, write: true, date })
  }

  test('is mixed where operations differ, which is not among the answers', async () => {
    const { evidence, answers } = await learnFrom('listTasks', {
      ask: (asked) => {
        if (Number(asked.query.get('limit')) > 200) asked.instead = jsonResponse(400, { error: 'limit' })
      },
    })
    expect(evidence).toContainEqual(
      expect.objectContaining({
        question: 'limitAboveMax',
        answer: 'mixed',
        how: expect.stringContaining('listRows'),
      }),
    )
    expect(answers).not.toHaveProperty('limitAboveMax')
  })

  test('has no answer to taskStatusFilter where it ignores status', async () => {
    const { notObserved } = await learnFrom('listTasks', { ask: ({ query }) => query.delete('status') })
    expect(notObserved).toContainEqual({
      question: 'taskStatusFilter',
      why: expect.stringContaining('which no answer covers'),
    })
  })

  test('marks estimates', async () => {
    const mock = smallMock()
    const { evidence } = await learn({ ...inProcess(mock, 'master'), write: true, date })
    expect(evidence.find(({ question }) => question === 'jobTimeline')?.estimate).toBe(true)
    expect(evidence.find(({ question }) => question === 'rowShape')?.estimate).toBeUndefined()
  })

  const uncovered: readonly [
    question: QuestionId,
    operation: OperationId,
    reply: NonNullable<Rewriting['reply']>,
  ][] = [
    [
      'editRunning',
      'updateTimeEntry',
      (response) => {
        if (response.status === 400) response.status = 409
      },
    ],
    [
      'stopEntry',
      'createTimeEntry',
      ({ json }, asked) => {
        if (asked.json?.action === 'stop') json.id = 'another'
      },
    ],
    [
      'bulkTotal',
      'bulkInsertRows',
      ({ json }) => {
        if (json?.success === true) json.total = -1
      },
    ],
    [
      'bulkErrors',
      'bulkInsertRows',
      ({ json }) => {
        if (json?.errors) json.errors = ['a row failed']
      },
    ],
  ]

  test.for(uncovered)(
    'has no answer to %s where none covers what it does',
    async ([question, operation, reply]) => {
      const { evidence, notObserved } = await learnFrom(operation, { reply })
      const found = [...evidence, ...notObserved].find((one) => one.question === question)
      expect(found).toEqual({ question, why: expect.stringContaining('which no answer covers') })
    },
  )
})

test('an interrupted run keeps what was observed, and says why the rest was not', async () => {
  const mock = smallMock()
  const controller = new AbortController()
  const { signal } = controller
  const onProgress = ({ done }: { done: number }) => done === 4 && controller.abort()
  const learned = await learn({ ...inProcess(mock, 'master'), write: true, signal, onProgress })
  expect(learned.interrupted).toBe(true)
  expect(learned.date).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(learned.evidence).toHaveLength(3)
  expect(learned.notObserved).toContainEqual({ question: 'stopEntry', why: 'the run was interrupted' })
  expect(learned.notObserved).toContainEqual({ question: 'scopes', why: unobservable.scopes })
})
