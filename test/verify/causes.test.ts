// Checks that each cause is exactly one finding, with everything that it affects and the requests that reproduce it.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { verify, type VerifyReport } from 'workspace-api-mock/verify'
import { serve } from 'workspace-api-mock/node'
import { formatGitHub } from '../../src/tools/cli/verify/ci.ts'
import { smallMock } from './support/whole-run.ts'
import { deployment, type Rewriting } from './support/deployment.ts'
import { inProcess } from './support/scrambles.ts'

const newMock = (answers = {}) => smallMock({ answers, journalSize: 0 })
const drifts = ({ findings }: VerifyReport) => findings.filter(({ outcome }) => outcome === 'drift')
type Wrapper = (fetch: (request: Request) => Promise<Response>) => (request: Request) => Promise<Response>

const run = (wrap: Wrapper, options: object) => {
  const mock = newMock()
  return verify({ ...inProcess(mock, 'master'), ...options, fetch: wrap(mock.fetch) })
}
const rewritten = (operation: Parameters<typeof deployment>[1], rewriting: Rewriting, options: object) => {
  const mock = newMock()
  const fetch = deployment(mock, operation, rewriting)
  return verify({ ...inProcess(mock, 'master'), ...options, fetch })
}

describe('one cause is one finding', () => {
  test('what an answer to an open question explains, with three exchanges and one annotation', async () => {
    const mock = newMock({ rowShape: 'flat' })
    const report = await verify({ ...inProcess(mock, 'master'), only: ['listRows'], har: true })
    const [drift, ...others] = drifts(report)
    expect(others).toEqual([])
    expect(drift?.says).toMatch(/^rowShape is "flat": \d\d differences; `--learn` records it$/)
    expect(drift).toMatchObject({ operation: 'listRows', expected: 'rowShape "data"', got: '"flat"' })
    expect(report.har?.log.entries.length).toBeLessThanOrEqual(3)
    const annotations = formatGitHub(report, { fresh: drifts(report), known: [], mended: [] })
    expect(annotations.match(/^::error/gm)).toHaveLength(1)
  })

  test('a field that is missing in every record, wherever the resource is shown', async () => {
    const wrap: Wrapper = (fetch) => async (request) => {
      const response = await fetch(request)
      if (!request.url.includes('/tasks') || request.method !== 'GET' || !response.ok) return response
      const text = (await response.text()).replaceAll(/"updated_at":\d+,?/g, '').replaceAll(',}', '}')
      return new Response(text, { headers: response.headers })
    }
    const found = drifts(await run(wrap, { only: ['listTasks', 'getTask'] }))
    expect(found.map(({ field = '' }) => field.split('.').at(-1))).toEqual(['updated_at'])
  })

  test('a header that is missing in every response', async () => {
    const wrap: Wrapper = (fetch) => async (request) => {
      const response = await fetch(request)
      const headers = new Headers(response.headers)
      headers.delete('access-control-allow-origin')
      return new Response(response.body, { status: response.status, headers })
    }
    const found = drifts(await run(wrap, { only: ['cors', 'listTasks', 'getForm'] }))
    expect(found.map(({ field }) => field)).toEqual(['access-control-allow-origin'])
  })

  test('an upsert that empties all columns that it does not send', async () => {
    const ask: Rewriting['ask'] = async ({ json, params: { tableId = '' }, get }) => {
      if (json?.mode !== 'upsert') return
      const { columns } = await get(`/datatables/${tableId}/schema`)
      for (const row of json.rows.filter((one: unknown) => typeof one === 'object' && one !== null))
        for (const { id, readonly, type } of columns)
          if (!readonly && type !== 'attachment' && !(id in row)) row[id] = null
    }
    const options = { write: true, only: ['bulkInsertRows/upsert'] }
    const found = drifts(await rewritten('bulkInsertRows', { ask }, options))
    expect(found.map(({ rule, after }) => [rule, after])).toEqual([['upsert', 'bulkInsertRows']])
  })

  test('a page size of another default, told by the scenario of pages', async () => {
    const ask: Rewriting['ask'] = ({ query }) => {
      if (!query.has('limit')) query.set('limit', '20')
    }
    const found = drifts(await rewritten('listFormSubmissions', { ask }, { only: ['listFormSubmissions'] }))
    expect(found.map(({ rule, got }) => [rule, got])).toEqual([['pages', '20']])
  })

  test.for(['getIdentity', 'createTask'] as const)('%s takes no key at all', async (operation) => {
    const ask: Rewriting['ask'] = ({ headers }) => headers.set('authorization', 'Bearer wm_demo_master')
    const only = [`${operation}/missing-key`, `${operation}/wrong-key`, `${operation}/key-forms`]
    const wanted = operation === 'getIdentity' ? only : only.slice(0, 2)
    const found = drifts(await rewritten(operation, { ask }, { write: true, only: wanted }))
    expect(found.map((one) => one.rules?.length)).toEqual([wanted.length])
  })

  test('members that GET /me lists under other ids', async () => {
    const reply: Rewriting['reply'] = ({ json: { members = [] } }) => {
      for (const member of members) member.id = `user-${String(member.id)}`
    }
    const found = drifts(await rewritten('getIdentity', { reply }, {}))
    expect(found.map(({ operation, rule }) => [operation, rule])).toEqual([['getIdentity', 'identity']])
  })

  test('a creation that succeeds with another status', async () => {
    const reply: Rewriting['reply'] = (response) => {
      if (response.status === 201) response.status = 200
    }
    const found = drifts(await rewritten('createTask', { reply }, { write: true, only: ['createTask'] }))
    expect(found).toMatchObject([{ operation: 'createTask', field: 'status', got: 'status 200' }])
    expect(found[0]?.count).toBeGreaterThan(3)
  })
})

describe('unrelated drifts are findings of their own', () => {
  test('lost validations say what was sent', async () => {
    const wrap: Wrapper = (fetch) => async (request) => {
      const { method, url, headers } = request
      const text = method === 'POST' ? await request.text() : ''
      const json = text.startsWith('{') ? JSON.parse(text) : undefined
      if (url.endsWith('/tasks') && json?.priority === 'URGENT') delete json.priority
      if (url.endsWith('/tasks') && json?.due_date === 'x') delete json.due_date
      if (url.endsWith('/time-entries') && json?.duration === -1) json.duration = 5
      const body = json === undefined ? text : JSON.stringify(json)
      return fetch(method === 'POST' ? new Request(url, { method, headers, body }) : request)
    }
    const only = ['create-task-priority', 'create-entry-action', 'createTask/bodies']
    const found = drifts(await run(wrap, { write: true, only }))
    expect(found.map(({ operation, rule }) => `${operation}/${rule}`).sort()).toEqual([
      'createTask/create-task-priority',
      'createTimeEntry/create-entry-action',
    ])
    for (const { expected, sent } of found) expect(expected).toContain(sent)
    expect(found.map(({ sent }) => sent).join()).toMatch(/"priority":"URGENT".*"duration":-1/)
  })

  test('a deleted comment that is still listed is told by the scenario of deletions', async () => {
    const deleted = new Map<string, unknown>()
    const mock = newMock()
    const fetch = deployment(mock, 'listComments', {
      reply: ({ status, json }, { params }) => {
        if (status !== 200) return
        for (const [id, comment] of deleted)
          if (id.startsWith(params.taskId ?? '?')) json.comments.push(comment)
        for (const comment of json.comments) kept.set(comment.id, comment)
      },
    })
    const kept = new Map<string, unknown>()
    const watching = async (request: Request) => {
      const [, taskId = '', id = ''] = /tasks\/([^/]+)\/comments\/([^/]+)$/.exec(request.url) ?? []
      if (request.method === 'DELETE' && id !== '') {
        await fetch(new Request(request.url.replace(/\/[^/]+$/, ''), { headers: request.headers }))
        const comment = kept.get(id)
        if (comment !== undefined) deleted.set(`${taskId} ${id}`, comment)
      }
      return fetch(request)
    }
    const report = await verify({
      ...inProcess(mock, 'master'),
      fetch: watching,
      write: true,
      only: ['updateComment', 'deleteComment'],
    })
    const [drift, ...others] = drifts(report)
    expect(others).toEqual([])
    expect(drift).toMatchObject({
      rule: 'comment-gone',
      says: 'a deleted record is gone; the others are kept',
      after: 'deleteComment',
    })
  })
})

test('the commands of a finding make the record, write, and read', async () => {
  const mock = newMock()
  const fetch = deployment(mock, 'getTask', {
    reply: ({ json }) => {
      if (typeof json?.title === 'string') json.title = 'lost'
    },
  })
  const only = ['updateTask/update-task-title']
  const report = await verify({ ...inProcess(mock, 'master'), fetch, write: true, only })
  const curl = drifts(report).find(({ operation }) => operation === 'getTask')?.curl ?? ''
  const methods = curl.split('\n').map((line) => /-X (\w+)/.exec(line)?.[1] ?? 'GET')
  expect(methods).toEqual(['POST', 'PATCH', 'GET'])
  const { baseUrl, close } = await serve(mock, { port: 0 })
  const script = curl.replaceAll(mock.baseUrl, baseUrl)
  const env = { ...process.env, WORKSPACE_API_KEY: mock.keys.master }
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { env })
  await close()
  expect(stdout).toMatch(/HTTP\/1.1 200 OK.*"title":"verify-test/s)
})

describe('what a change resets is named, though the record of the run is pulled again in each round:', () => {
  const resets: readonly [operation: 'updateSpace' | 'updateList', field: 'icon' | 'color'][] = [
    ['updateSpace', 'icon'],
    ['updateSpace', 'color'],
    ['updateList', 'icon'],
    ['updateList', 'color'],
  ]
  test.for(resets)('%s with a name resets %s', async ([operation, field]) => {
    const value = field === 'icon' ? 'reset' : '#999999'
    const rewriting: Rewriting = {
      ask: ({ json }) => {
        if (json?.name) json[field] ??= value
      },
    }
    const name = operation === 'updateSpace' ? 'update-space-name' : 'update-list-name'
    const found = drifts(
      await rewritten(operation, rewriting, { write: true, only: [`${operation}/${name}`] }),
    )
    expect(found.map(({ got }) => got)).toContain(JSON.stringify(value))
  })
})
