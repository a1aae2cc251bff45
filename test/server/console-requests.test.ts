// Requests that the console itself sends, marked by X-Mock-Console: who can mark them, and where they count.
import { describe, expect, it } from 'vitest'
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve } from '../../src/node.ts'
import { authorization, raw, served, statuses } from './support/served.ts'

const mock = createWorkspaceMock()
const server = served(mock)

const run = () => consoleControlsOf(mock).console.contents({}).runs[0]
const met = () => mock.coverage().operations.reduce((sum, { requests }) => sum + requests, 0)

describe('a request with X-Mock-Console', () => {
  it('is in the journal with a mark, and in no figure, report, coverage or fault', async () => {
    const before = met()
    const fault = mock.fault({ status: 503, times: null })
    const headers = { authorization, 'x-mock-console': '1' }
    for (const path of ['/tasks/none', '/tasks/none', '/nowhere']) {
      expect((await fetch(`${server.baseUrl}${path}`, { headers })).status).toBe(404)
      expect((await mock.fetch(path, { headers })).status).toBe(404)
    }
    expect(mock.requests().map((entry) => [entry.console, entry.fault])).toEqual(Array(6).fill([true, null]))
    expect([fault.hits, met() - before]).toEqual([0, 0])
    expect(mock.report({ assumptions: true })).toEqual([])
    expect(run()).toMatchObject({ requests: 0, errors: 0, faults: 0, lastAtMs: null, kept: 6, dropped: 0 })
    expect((await fetch(`${server.baseUrl}/me`, { headers: { authorization } })).status).toBe(503)
    expect(mock.requests().at(-1)).not.toHaveProperty('console')
    expect(run()).toMatchObject({ requests: 1, errors: 1, faults: 1, kept: 7, dropped: 0 })
  })

  it('counts among those that the journal holds and dropped', async () => {
    const small = createWorkspaceMock({ journalSize: 2 })
    const counts = () => consoleControlsOf(small).console.contents({}).runs[0]
    for (const mark of ['1', '0', '1']) await small.fetch('/me', { headers: { 'x-mock-console': mark } })
    expect(counts()).toMatchObject({ requests: 1, kept: 2, dropped: 1 })
    small.clearRequests()
    await small.fetch('/me', { headers: { 'x-mock-console': '1' } })
    expect(counts()).toMatchObject({ requests: 0, kept: 1, dropped: 0 })
  })

  it.each([
    ['of a page of another origin', ['Origin: http://evil.test']],
    ['of a page of another site', ['Sec-Fetch-Site: cross-site']],
    ['under another host', [], 'evil.test'],
  ])('%s is one of any client', async (_, headers, host = `127.0.0.1:${String(server.port)}`) => {
    const request = [
      'GET /v1/tasks/none HTTP/1.1',
      `Host: ${host}`,
      `Authorization: ${authorization}`,
      'X-Mock-Console: 1',
      ...headers,
      'Connection: close',
      '',
      '',
    ]
    expect(statuses(await raw(server.port, request.join('\r\n')))).toEqual([404])
    expect(mock.requests().at(-1)).not.toHaveProperty('console')
  })

  it('needs the token of the control API, also where its path is the root of the API', async () => {
    const guarded = await serve(mock, { port: 0, controlToken: 'right' })
    const marks: unknown[] = []
    for (const token of ['wrong', 'right'])
      for (const path of ['/', '/me']) {
        const headers = { authorization, 'x-mock-console': '1', 'x-mock-token': token }
        await fetch(`${guarded.baseUrl}${path}`, { headers })
        marks.push(mock.requests().at(-1)?.console)
      }
    expect(marks).toEqual([undefined, undefined, true, true])
    await guarded.close()
  })
})

it('a request outside /v1 is in the journal with its path as sent', async () => {
  const url = `${server.url}/tasks/x`
  const response = await fetch(url, { headers: { authorization } })
  expect(await response.json()).toMatchObject({ error: expect.stringContaining(`GET ${url}`) as string })
  expect(mock.requests().at(-1)).toMatchObject({ path: '/tasks/x', outside: url, operation: null })
})
