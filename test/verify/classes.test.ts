// Changes that providers of comparable APIs have made: each is one finding with a name and only true explanations.
import { expect, test } from 'vitest'
import type { AnswersInput } from 'workspace-api-mock'
import { verify } from 'workspace-api-mock/verify'
import { operators } from '../../src/contract/rows.ts'
import { deployment, jsonResponse, type MutableResponse, type Rewriting } from './support/deployment.ts'
import { inProcess } from './support/scrambles.ts'
import { drifts, smallMock } from './support/whole-run.ts'

const newMock = (answers: AnswersInput = {}) => smallMock({ answers, journalSize: 0 })

const named: readonly [
  what: string,
  operation: Parameters<typeof deployment>[1],
  only: string,
  rewriting: Rewriting,
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
    'assignees who are no members',
    'listTasks',
    'listTasks',
    {
      reply: ({ json }) => {
        for (const { assignees = [] } of json?.tasks ?? [])
          for (const assignee of assignees) assignee.id = `former_${assignee.id}`
      },
    },
  ],
  [
    'a due date that every new task gets',
    'createTask',
    'createTask/create-task-priority',
    {
      ask: ({ json }) => {
        if (typeof json?.title === 'string') json.due_date ??= 1_800_000_000
      },
    },
  ],
  [
    'a page size that listings of tasks cap at 100',
    'listTasks',
    'listTasks',
    {
      ask: ({ query }) => {
        if (Number(query.get('limit')) > 100) query.set('limit', '100')
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

test.for(named)('verify names %s', async ([, operation, only, rewriting]) => {
  const mock = newMock()
  const fetch = deployment(mock, operation, rewriting)
  // The bulk request creates rows to compare the lock with.
  const chosen = [only, ...(only.endsWith('locked-table') ? ['bulkInsertRows/inserts'] : [])]
  const report = await verify({ ...inProcess(mock, 'master'), fetch, write: true, only: chosen })
  const found = drifts(report)
  expect(found).toHaveLength(1)
  expect([found[0]?.operation, ...(found[0]?.operations ?? [])]).toContain(operation)
})

test.for(operators)('verify names operator %s when its filters are ignored', async (operator) => {
  const mock = newMock()
  const fetch = deployment(mock, 'queryRows', {
    ask: ({ json }) => {
      if (Array.isArray(json?.filters))
        json.filters = json.filters.filter((filter: any) => filter?.operator !== operator)
    },
  })
  const rules = [...operators, 'match', 'wildcards', 'own-sort-2'].map((rule) => `queryRows/${rule}`)
  const found = drifts(await verify({ ...inProcess(mock, 'master'), fetch, write: true, only: rules }))
  expect(found).toMatchObject([
    { rule: operator, says: `operator ${operator} finds exactly the matching rows` },
  ])
})

test('two operators that are wrong for empty values alone are two findings', async () => {
  const mock = newMock()
  const fetch = deployment(mock, 'queryRows', {
    reply: ({ status, json }, { json: asked }) => {
      const isWrong = asked?.filters?.some(({ operator }: any) => ['lt', 'gte'].includes(operator))
      if (status === 200 && asked.filters.length === 2 && isWrong) json.rows.pop()
    },
  })
  const only = ['queryRows/own-order']
  const found = drifts(await verify({ ...inProcess(mock, 'master'), fetch, write: true, only }))
  expect(found.map(({ rule }) => rule).sort()).toEqual(['gte', 'lt'])
})

const refusals: readonly [what: string, reply: (response: MutableResponse) => void, field: string][] = [
  ['answered with 402', (response) => Object.assign(response, { status: 402 }), 'status'],
  ['answered with 503', (response) => Object.assign(response, { status: 503 }), 'status'],
  ['without its fields', (response) => (response.json = { error: 'too fast' }), 'limitReached'],
  ['of another resource', ({ json }) => (json.resource = 'bulk'), 'resource'],
  ['with its count as a text', ({ json }) => (json.current = String(json.current)), 'current'],
  ['without Retry-After', ({ headers }) => headers.delete('retry-after'), 'retry-after'],
]

test.for(refusals)('verify names a limit of bulk requests a minute %s', async ([, reply, field]) => {
  const mock = newMock({ bulkInsertPerMinute: { pro: 20 } })
  const fetch = deployment(mock, 'bulkInsertRows', {
    reply: (response) => {
      if (response.status === 429) reply(response)
    },
  })
  const only = ['bulkInsertRows/minute']
  const found = drifts(await verify({ ...inProcess(mock, 'master'), fetch, write: true, only }))
  expect(found).toMatchObject([{ operation: 'bulkInsertRows', rule: 'minute', field }])
})

test('a gateway that limits all requests in its own way is no drift of bulk requests', async () => {
  const mock = newMock()
  let sent = 0
  const fetch = async (request: Request) =>
    request.url.endsWith('/rows/bulk') && (sent += 1) > 5 && sent < 30
      ? Response.json({ message: 'slow down' }, { status: 429, headers: { 'retry-after': '1' } })
      : sent > 5 && sent < 30 && request.url.endsWith('/me')
        ? Response.json({ message: 'slow down' }, { status: 429 })
        : mock.fetch(request)
  const only = ['bulkInsertRows/minute']
  const { findings } = await verify({ ...inProcess(mock, 'master'), fetch, write: true, only })
  expect(findings.filter(({ rule }) => rule === 'minute')).toMatchObject([
    { outcome: 'inconclusive', reason: 'limit' },
  ])
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
