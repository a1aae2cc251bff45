// Changes that providers of comparable APIs have made: each is one finding, named, and explained only by what is true.
import { expect, test } from 'vitest'
import { createWorkspaceMock, type AnswersInput } from 'workspace-api-mock'
import { verify } from 'workspace-api-mock/verify'
import { deployment, jsonResponse, type Rewriting } from './support/deployment.ts'
import { inProcess } from './support/scrambles.ts'
import { drifts } from './support/whole-run.ts'

const newMock = (answers: AnswersInput = {}) =>
  createWorkspaceMock({ answers, advanceOnPoll: false, journalSize: 0 })

const named: readonly [
  what: string,
  operation: Parameters<typeof deployment>[1],
  only: string,
  rewriting: Rewriting,
  /** Findings, if other fields follow from the one that is wrong. */
  most?: number,
][] = [
  [
    'a listing of tasks that begins with the last changed',
    'listTasks',
    'updateTask/updated',
    { reply: ({ json }) => json?.tasks?.sort((x: any, y: any) => y.updated_at - x.updated_at) },
  ],
  [
    'a listing of comments that begins with the last changed',
    'listComments',
    'deleteComment/comment-gone',
    { reply: ({ json }) => json?.comments?.sort((x: any, y: any) => y.updated_at - x.updated_at) },
  ],
  [
    'a text cut at 1,000 characters',
    'updateRow',
    'createRow/values-longtext',
    {
      ask: ({ json }) => {
        for (const [id, value] of Object.entries(json?.data ?? {}))
          if (typeof value === 'string') json.data[id] = value.slice(0, 1000)
      },
    },
  ],
  [
    'blanks around an address taken away',
    'updateRow',
    'createRow/values-email',
    {
      ask: ({ json }) => {
        for (const [id, value] of Object.entries(json?.data ?? {}))
          if (typeof value === 'string') json.data[id] = value.trim()
      },
    },
  ],
  [
    'the time of a date taken away',
    'createRow',
    'createRow/values-date',
    {
      ask: ({ json }) => {
        for (const [id, value] of Object.entries(json?.data ?? {}))
          if (typeof value === 'number' && value > 1e9) json.data[id] = value - (value % 60)
      },
    },
  ],
  [
    'only five filters heeded',
    'queryRows',
    'queryRows/own-equal',
    { ask: ({ json }) => void json?.filters?.splice(5) },
  ],
  [
    'an entry of more than a day cut to a day',
    'createTimeEntry',
    'createTimeEntry/create-entry-action',
    {
      ask: ({ json }) => {
        if (json?.duration > 86_400) json.duration = 86_400
      },
    },
    3,
  ],
  [
    'a lock that is refused with 402',
    'bulkInsertRows',
    'createRow/locked-table',
    {
      reply: (reply) => {
        if (reply.status === 403) Object.assign(reply, jsonResponse(402, { error: 'locked' }))
      },
    },
  ],
  [
    'a type of custom field that nobody knows',
    'getListSchema',
    'getListSchema',
    {
      reply: ({ json }) => {
        for (const field of json?.fields ?? []) if (field.type === 'number') field.type = 'rating'
      },
    },
  ],
  [
    'another charset in every response',
    'listForms',
    'listForms',
    { reply: ({ headers }) => headers.set('content-type', 'application/json; charset=iso-8859-1') },
  ],
]

test.for(named)('verify names %s', async ([, operation, only, rewriting, most = 1]) => {
  const mock = newMock()
  const fetch = deployment(mock, operation, rewriting)
  // The bulk request makes rows that the lock can be compared with.
  const chosen = [only, ...(only.endsWith('locked-table') ? ['bulkInsertRows/inserts'] : [])]
  const report = await verify({ ...inProcess(mock, 'master'), fetch, write: true, only: chosen })
  const found = drifts(report)
  expect(found.length).toBeGreaterThan(0)
  expect(found.length).toBeLessThanOrEqual(most)
  expect([found[0]?.operation, ...(found[0]?.operations ?? [])]).toContain(operation)
})

test('a field that the contract does not name is a note, also if only a listing has it', async () => {
  const mock = newMock()
  const fetch = deployment(mock, 'listForms', {
    reply: ({ json }) => {
      for (const form of json?.forms ?? []) form.etag = 'W/"1"'
    },
  })
  const { findings, notes } = await verify({ ...inProcess(mock, 'master'), fetch, only: ['listForms'] })
  expect(findings.filter(({ outcome }) => outcome === 'drift')).toEqual([])
  expect(notes.map(({ note }) => note).join()).toContain('etag')
})

test('three answers at once are three findings, each with its own answer', async () => {
  const mock = newMock({ rowShape: 'flat', emptyColumns: 'absent', bulkErrors: 'numbered' })
  const only = ['updateRow/updated', 'bulkInsertRows/limit', 'listRows/pages', 'createRow/values-number']
  const found = drifts(await verify({ ...inProcess(mock, 'master'), write: true, only }))
  const answers = found.flatMap(({ cause }) => (cause?.kind === 'answer' ? [cause.question] : ['none']))
  expect(answers.sort()).toEqual(['bulkErrors', 'emptyColumns', 'rowShape'])
})

test('what both sides refuse without being about refusals is inconclusive', async () => {
  const answers = { maxFileBytes: { pro: 1 } }
  const mock = newMock(answers)
  const only = ['createTask/most-files']
  const { findings } = await verify({ ...inProcess(mock, 'master'), answers, write: true, only })
  const why = expect.stringMatching(/^both sides refuse createTask: status 413/)
  expect(findings).toMatchObject([{ outcome: 'inconclusive', reason: 'status', why }])
})

test('a second run uses the space and the lists that the first left behind', async () => {
  const mock = newMock()
  const counts: number[][] = []
  for (const marker of ['verify-m0000000', 'verify-m1000000']) {
    const { findings } = await verify({
      ...inProcess(mock, 'master'),
      marker,
      write: true,
      only: ['createList', 'createTask/title-alone'],
    })
    expect(findings.filter(({ outcome }) => outcome === 'drift')).toEqual([])
    counts.push([mock.db.spaces.count(), mock.db.lists.count()])
  }
  expect(counts[1]).toEqual(counts[0])
})
