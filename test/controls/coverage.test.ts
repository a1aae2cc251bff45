// mock.coverage(): what it counts, and that the lines for missing outcomes produce them.
import { describe, expect, test } from 'vitest'
import {
  createWorkspaceMock,
  type CoverageReport,
  type ExploreContext,
  type OperationId,
  type Task,
  type WorkspaceMock,
} from 'workspace-api-mock'
import { findMissingOutcomes } from '../../src/tools/coverage/lines.ts'
import { operationIds } from '../../src/contract/scopes.ts'
import { exampleMock, exampleRequest } from './support/example-requests.ts'

const met = ({ operations }: CoverageReport) =>
  operations.flatMap(({ operation, outcomes }) =>
    outcomes
      .filter(({ natural, byFault }) => natural + byFault > 0)
      .map(({ status, case: kind, natural, byFault }) => [operation, status, kind, natural, byFault]),
  )
const requestsOf = ({ operations }: CoverageReport, id: OperationId) =>
  operations.find(({ operation }) => operation === id)?.requests

describe('coverage', () => {
  test('lists every operation with every documented outcome, those that were never hit with 0', () => {
    const { operations } = createWorkspaceMock().coverage()
    expect(operations.map(({ operation }) => operation)).toEqual(operationIds)
    for (const { requests, outcomes } of operations) {
      expect(requests).toBe(0)
      expect(outcomes.length).toBeGreaterThan(8)
      expect(new Set(outcomes.map(({ case: kind }) => kind)).size).toBe(outcomes.length)
      for (const { natural, byFault } of outcomes) expect([natural, byFault]).toEqual([0, 0])
    }
  })

  test('counts natural outcomes apart from those that a fault or Prefer caused', async () => {
    const { mock, send, call } = exampleMock()
    await send('createTask')
    await send('createTask', { as: 'no-such-key' })
    mock.fault({ operation: 'createTask', status: 503 })
    await send('createTask')
    mock.fault({ operation: 'createTask', status: 500, phase: 'after' })
    await send('createTask')
    for (const phase of ['before', 'after'] as const) {
      mock.fault({ operation: 'createTask', status: 201, delayMs: 1, phase })
      await send('createTask')
    }
    mock.fault({ operation: 'createTask', network: true })
    await expect(send('createTask')).rejects.toThrow(TypeError)
    await send('createTask', { headers: { prefer: 'code=429' } })
    await call('GET /no-such-path')
    const report = mock.coverage()
    expect(met(report)).toEqual([
      ['createTask', 201, 'success', 3, 0],
      ['createTask', 401, 'unauthenticated', 1, 0],
      ['createTask', 429, 'monthlyRequests', 0, 1],
      ['createTask', 500, 'serverError', 0, 1],
      ['createTask', 503, 'unavailable', 0, 1],
    ])
    expect(requestsOf(report, 'createTask')).toBe(8)
  })

  test('counts bulk requests of which rows failed, and jobs that failed or have errors, natural or by a fault', async () => {
    const { mock, call } = exampleMock()
    const params = exampleRequest('submitInsertJob').params as { tableId: string }
    const run = async (rows: readonly unknown[]) => {
      const { body } = await call('submitInsertJob', { params, body: { rows } } as any)
      mock.clock.advance('1m')
      await call('getJob', { params: { jobId: (body as any).job_id } })
    }
    await call('bulkInsertRows', { params, body: { rows: [{}, null] } } as any)
    mock.fault({ operation: 'bulkInsertRows', effect: { spoil: 'row' } })
    await call('bulkInsertRows', { params, body: { rows: [{}, {}] } })
    await run([{}, null])
    await run([null])
    for (const job of ['errors', 'failed'] as const) {
      mock.fault({ operation: 'submitInsertJob', job })
      await run([{}, {}])
    }
    await run([{}])
    expect(met(mock.coverage()).filter(([operation]) => operation !== 'submitInsertJob')).toEqual([
      ['bulkInsertRows', 200, 'partlyFailed', 1, 1],
      ['getJob', 200, 'success', 1, 0],
      ['getJob', 200, 'jobErrors', 1, 1],
      ['getJob', 200, 'jobFailed', 1, 1],
    ])
  })

  test('outlives a reset, and is a copy', async () => {
    const { mock, send } = exampleMock()
    await send('getIdentity')
    const before = mock.coverage()
    mock.reset()
    mock.clearRequests()
    await send('getIdentity')
    expect([requestsOf(before, 'getIdentity'), requestsOf(mock.coverage(), 'getIdentity')]).toEqual([1, 2])
  })

  test('covers the whole mock, and for a sandbox that sandbox alone', async () => {
    const { mock, send } = exampleMock()
    await send('getIdentity')
    await send('listLists', { headers: { 'x-mock-sandbox': 'a' } })
    await mock.boundary(() => send('listSpaces'))()
    const all = ['getIdentity', 'listSpaces', 'listLists']
    expect(met(mock.coverage()).map(([operation]) => operation)).toEqual(all)
    expect(met(mock.sandbox('a').coverage()).map(([operation]) => operation)).toEqual(['listLists'])
    mock.deleteSandbox('a')
    expect(met(mock.coverage()).map(([operation]) => operation)).toEqual(all)
  })

  test('counts every request of a mock without a journal', async () => {
    const mock = createWorkspaceMock({ journalSize: 0 })
    for (let i = 0; i < 3; i++) await mock.fetch('/me')
    expect(met(mock.coverage())).toEqual([['getIdentity', 401, 'unauthenticated', 3, 0]])
  })

  test('counts no request of an exploration of any family', async () => {
    const mock = createWorkspaceMock()
    const scenario = async ({ fetch, baseUrl, key }: ExploreContext<WorkspaceMock>) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const { lists } = (await (await fetch(`${baseUrl}/lists`, { headers })).json()) as { lists: Task[] }
      const body = JSON.stringify({ list_id: lists[0]?.id, title: 'T' })
      await fetch(`${baseUrl}/tasks`, { method: 'POST', headers, body })
    }
    await mock.explore(scenario, { families: ['errors'], maxRuns: 5 })
    const { runs } = await mock.explore(scenario, { families: 'all', maxRuns: 40 })
    expect(runs).toBeGreaterThan(10)
    expect(met(mock.coverage())).toEqual([])
    for (const { requests } of mock.coverage().operations) expect(requests).toBe(0)
    await mock.fetch('/me')
    expect(met(mock.coverage())).toEqual([['getIdentity', 401, 'unauthenticated', 1, 0]])
  })
})

const lines = findMissingOutcomes(createWorkspaceMock().coverage())
const AsyncFunction = (async () => undefined).constructor as FunctionConstructor

describe.each(operationIds)('the line for each missing outcome of %s', (operation) => {
  test.each(lines.filter((line) => line.operation === operation))(
    'brings about $status $case',
    async (missing) => {
      const { mock, call, send } = exampleMock()
      // The example of deleteComment deletes a comment that the scoped key wrote itself.
      const isForeign = missing.case === 'foreignComment'
      const { params, ...given } = exampleRequest(isForeign ? 'updateComment' : operation)
      const job = operation === 'getJob' ? await send('submitInsertJob') : undefined
      const jobId = (job?.body as { job_id: string } | undefined)?.job_id
      const variables = { mock, call, jobId, body: undefined, files: undefined, ...params, ...given }
      if (jobId !== undefined) variables.jobId = jobId
      const run = AsyncFunction(...Object.keys(variables), missing.line.replace('await ', 'return await '))
      const result = await run(...Object.values(variables))
      const isMet = () =>
        met(mock.coverage()).some(([id, , kind]) => id === operation && kind === missing.case)
      const files = missing.case === 'fileSize' ? { body: undefined, files: [new File(['x'], 'x.txt')] } : {}
      if (missing.case === 'jobErrors') {
        const rows = [{}, {}]
        mock.clock.advance('1m')
        const submitted = await call('submitInsertJob', {
          params: exampleRequest('submitInsertJob').params as any,
          body: { rows },
        })
        mock.clock.advance('1m')
        await call('getJob', { params: { jobId: (submitted.body as { job_id: string }).job_id } })
      }
      if (missing.case === 'runningEntry')
        await call('updateTimeEntry', {
          params: { taskId: params.taskId!, entryId: result.body.id },
          body: { note: 'x' },
        })
      else if (!isMet()) await (jobId ? call(`GET /jobs/${jobId}`) : send(operation, files))
      expect(isMet()).toBe(true)
    },
  )
})
