// Complete runs of verify on the demo, reading and writing, and their reports.
import { describe, expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { operationIds } from '../../src/contract/scopes.ts'
import { verify } from 'workspace-api-mock/verify'
import { contentOf } from './support/content.ts'
import { deployment } from './support/deployment.ts'
import { inProcess } from './support/scrambles.ts'
import { drifts, expectNoTrace, newMock, runOnce, written } from './support/whole-run.ts'

describe('whole runs', () => {
  const withStatus = (from: number, to: number) => {
    const mock = newMock()
    const { fetch, ...options } = inProcess(mock, 'master')
    const changed = async (request: Request) => {
      const response = await fetch(request)
      if (response.status !== from) return response
      return new Response(response.body, { status: to, headers: response.headers })
    }
    return verify({ ...options, fetch: changed })
  }

  test('reading alone, the demo has no drift and stays as it was', async () => {
    const { report, mock, before } = await runOnce('master', false)
    expect(drifts(report)).toEqual([])
    expect(report).toMatchObject({ ok: true, mode: 'read', interrupted: false, notes: [], leftBehind: [] })
    expect(contentOf(mock)).toEqual(before)
    const methods = new Set(
      mock.requests().map(({ method, path }) => (path.endsWith('/query') ? 'query' : method)),
    )
    expect([...methods].sort()).toEqual(['GET', 'PUT', 'query'])
  })

  test('writing, the demo has no drift and keeps nothing but the space of the run', () =>
    expectNoTrace('master'))

  test('writing, the demo takes at most 3,000 requests', async () => {
    expect((await written('master')).report.requests).toBeLessThanOrEqual(3000)
  })

  test('no scenario sends more than 30 requests', async () => {
    const requests = new Map((await written('master')).steps)
    requests.delete('pull')
    requests.delete('cleaning up')
    expect(requests.size).toBeGreaterThan(250)
    expect([...requests].filter(([, count]) => count > 30)).toEqual([])
  })

  test('writing, every operation passes and nearly everything is reached', async () => {
    const { report } = await written('master')
    const passed = new Set(
      report.findings.filter(({ outcome }) => outcome === 'pass').map(({ operation }) => operation),
    )
    expect(operationIds.filter((id) => !passed.has(id))).toEqual([])
    expect(report.counts.pass).toBeGreaterThan(650)
    expect(report.counts.inconclusive).toBeLessThan(25)
  })

  test('an empty workspace has no drift', async () => {
    expect(drifts((await written('master', 'empty')).report)).toEqual([])
  })

  test('500, 503 and a broken connection are tried again, five times at most', async () => {
    const mock = newMock()
    mock.fault({ operation: 'listSpaces', status: 503, times: 2 })
    mock.fault({ operation: 'listForms', network: true })
    mock.fault({ operation: 'listLists', status: 500, times: null })
    const waits: number[] = []
    const options = inProcess(mock, 'master')
    const report = await verify({ ...options, wait: (ms) => (waits.push(ms), options.wait(ms)) })
    expect(new Set(drifts(report).map(({ operation }) => operation))).toEqual(new Set(['listLists']))
    expect(waits.slice(-3).length).toBe(3)
    expect(Math.max(...waits)).toBe(8000)
    expect(report.findings).toContainEqual(
      expect.objectContaining({ operation: 'listForms', rule: 'forms', outcome: 'pass' }),
    )
  })

  test('one cause is one finding, with all operations', async () => {
    const found = drifts(await withStatus(401, 403))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ count: expect.any(Number), operations: expect.any(Array) })
    expect(found[0]?.operations?.length).toBeGreaterThan(10)
  })

  test('contractOnly leaves assumptions out', async () => {
    const mock = createWorkspaceMock({
      answers: { rowShape: 'flat', queryText: 'sensitive' },
      advanceOnPoll: false,
    })
    const only = ['getRow', 'queryRows']
    const report = await verify({ ...inProcess(mock, 'master'), contractOnly: true, only })
    expect(drifts(report)).toEqual([])
    expect(report.counts.pass).toBeGreaterThan(0)
    expect(report.findings.every(({ source }) => 'contract' in source)).toBe(true)
  })

  test('every name in a report can be left out', async () => {
    const { findings } = (await runOnce('master', false)).report
    const skip = findings.map(({ operation, rule }) => `${operation}/${rule}`)
    expect((await verify({ ...inProcess(newMock(), 'master'), skip })).findings).toEqual([])
  })

  test('every name in the report of a run that writes can be chosen and left out', async () => {
    const { findings } = (await runOnce('master', true)).report
    const nameOf = ({ operation, rule }: (typeof findings)[number]) => `${operation}/${rule}`
    const skip = findings.map(nameOf)
    const { findings: others } = await verify({ ...inProcess(newMock(), 'master'), skip })
    expect(others.map(nameOf).filter((name) => skip.includes(name))).toEqual([])
    const only = ['createRow/updated']
    const { findings: some } = await verify({ ...inProcess(newMock(), 'master'), write: true, only })
    expect(some).toMatchObject([{ operation: 'createRow', rule: 'updated', outcome: 'pass' }])
  })

  test('a run on an empty workspace has a problem', async () => {
    const { report } = await written('master', 'empty')
    expect(report.problem).toMatch(/workspace is empty/)
  })
  test.for([
    ['listSpaces', 'spaces'],
    ['getDatatableSchema', 'columns'],
    ['listTasks', 'tasks'],
    ['listRows', 'rows'],
  ] as const)('verify names %s with one of the %s twice', async ([operation, name]) => {
    const mock = newMock()
    const fetch = deployment(mock, operation, {
      reply: ({ json }) => {
        if (json?.[name]?.[1]) json[name].push(json[name][1])
      },
    })
    const report = await verify({ ...inProcess(mock, 'master'), fetch, only: [operation] })
    expect(drifts(report)).toMatchObject([{ operation, field: name }])
  })
})
